//===- Encoded.cpp - encoded images among features ------------------------===//
#include "Encoded.h"

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

void Encoded::expectShape(size_t index, const ImageShape &shape) const {
  const std::vector<int64_t> &expected = types[index].shape;
  const std::vector<int64_t> found = {shape.height, shape.width,
                                      shape.channels};
  for (size_t axis = 0; axis < found.size(); ++axis)
    if (expected[axis] != FeatureType::anyExtent &&
        expected[axis] != found[axis])
      throw DataError("expected an image of " + types[index].text() +
                      ", found " +
                      FeatureType{"", types[index].dtype, found}.text());
}

Feature Encoded::decode(size_t index, const Feature &bytes) const {
  Feature image = decodeImage(bytes.bytes());
  expectShape(index, {image.shape()[0], image.shape()[1], image.shape()[2]});
  return image;
}

EncodedDataset::EncodedDataset(Dataset encodedData, Encoded features)
    : data(std::move(encodedData)) {
  const std::vector<bool> &all = features.isImage;
  if (std::find(all.begin(), all.end(), true) != all.end())
    encoded = std::move(features);
}

Dataset EncodedDataset::decoded() const {
  if (!encoded)
    return data;
  const auto decodeAll = [all = *encoded](const Example &example, Random &) {
    std::vector<Feature> features = example.features;
    for (size_t i = 0; i < features.size(); ++i)
      try {
        if (all.isImage[i])
          features[i] = toFloat(all.decode(i, features[i]));
      } catch (const DataError &error) {
        throw DataError("feature '" + all.types[i].name + "': " + error.what());
      }
    return features;
  };
  return data.map(decodeAll, {.type = encoded->types});
}
