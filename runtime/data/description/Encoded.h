/// Encoded images among the features of a source.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_ENCODED_H
#define TG_RUNTIME_DATA_DESCRIPTION_ENCODED_H

#include "Json.h"
#include "tg/data/dataset.hpp"
#include "tg/data/images.hpp"

namespace tg::data {

/// The types of features once their images are decoded.
struct Encoded {
  ExampleType types;
  std::vector<bool> isImage;

  void add(FeatureType type, bool image) {
    types.push_back(std::move(type));
    isImage.push_back(image);
  }
  /// Throws DataError if an image has not the declared extents.
  void expectShape(size_t index, const ImageShape &shape) const;
  /// Decodes an image. Throws DataError.
  Feature decode(size_t index, const Feature &bytes) const;
};

/// A data set, and the encoded images among its features, if there are any.
struct EncodedDataset {
  EncodedDataset(Dataset decoded) : data(std::move(decoded)) {}
  EncodedDataset(Dataset encodedData, Encoded features);

  /// Returns the data set with a stage that decodes images to f32, and checks
  /// their shapes.
  Dataset decoded() const;

  Dataset data;
  std::optional<Encoded> encoded = {};
};

/// Returns true for the names of types of encoded images.
bool isImageType(const Json &type);
/// Returns the shape of an image with a declared shape, which may be empty.
/// Throws DataError for one of another rank.
std::vector<int64_t> imageShape(const Object &object,
                                const std::vector<int64_t> &shape);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_ENCODED_H
