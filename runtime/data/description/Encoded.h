/// Encoded images among the features of a source.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_ENCODED_H
#define TG_RUNTIME_DATA_DESCRIPTION_ENCODED_H

#include "Json.h"
#include "tg/data/dataset.hpp"

namespace tg::data {

/// The types of features once their images are decoded.
struct Encoded {
  ExampleType types;
  std::vector<bool> isImage;

  void add(FeatureType type, bool image) {
    types.push_back(std::move(type));
    isImage.push_back(image);
  }
};

/// Returns true for the names of types of encoded images.
bool isImageType(const Json &type);
/// Returns the shape of an image with a declared shape, which may be empty.
/// Throws DataError for one of another rank.
std::vector<int64_t> imageShape(const Object &object,
                                const std::vector<int64_t> &shape);

/// Decodes the images of examples to f32, and checks their shapes.
Dataset decodeImages(const Dataset &data, const Encoded &encoded);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_ENCODED_H
