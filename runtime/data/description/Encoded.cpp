//===- Encoded.cpp - encoded images among features ------------------------===//
#include "Encoded.h"

#include "tg/data/images.hpp"

#include <algorithm>

using namespace tg::data;

bool tg::data::isImageType(const Json &type) {
  return type == "png" || type == "jpeg" || type == "image";
}

std::vector<int64_t> tg::data::imageShape(const Object &object,
                                          const std::vector<int64_t> &shape) {
  if (shape.empty())
    return std::vector<int64_t>(3, FeatureType::anyExtent);
  if (shape.size() != 3)
    object.fail("shape", "[height, width, channels]", Json(shape));
  return shape;
}

/// Returns true if a shape fits a type with extents that may be unknown.
static bool fits(const std::vector<int64_t> &shape,
                 const std::vector<int64_t> &expected) {
  return std::equal(shape.begin(), shape.end(), expected.begin(),
                    expected.end(), [](int64_t found, int64_t extent) {
                      return extent == FeatureType::anyExtent ||
                             extent == found;
                    });
}

/// Decodes one image. Throws DataError with the name of the feature.
static Feature decode(const Feature &bytes, const FeatureType &type) {
  try {
    const Feature image = decodeImage(bytes.bytes());
    if (!fits(image.shape(), type.shape))
      throw DataError("expected an image of " + type.text() + ", found " +
                      FeatureType{"", type.dtype, image.shape()}.text());
    return toFloat(image);
  } catch (const DataError &error) {
    throw DataError("feature '" + type.name + "': " + error.what());
  }
}

Dataset tg::data::decodeImages(const Dataset &data, const Encoded &encoded) {
  if (std::find(encoded.isImage.begin(), encoded.isImage.end(), true) ==
      encoded.isImage.end())
    return data;
  const auto decodeAll = [encoded](const Example &example, Random &) {
    std::vector<Feature> features = example.features;
    for (size_t i = 0; i < features.size(); ++i)
      if (encoded.isImage[i])
        features[i] = decode(features[i], encoded.types[i]);
    return features;
  };
  return data.map(decodeAll, {.type = encoded.types});
}
