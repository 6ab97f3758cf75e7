//===- BatchStages.cpp - stages that change several features --------------===//
#include "BatchStages.h"

#include "Json.h"
#include "tg/data/augment.hpp"

#include <algorithm>
#include <cstring>

using namespace tg::data;

/// Returns the indices of the features that a value names: one or a list.
static std::vector<size_t> indicesOf(const ExampleType &type, const Json &names,
                                     const std::string &path) {
  std::vector<size_t> indices;
  for (const Json &name : names.is_array() ? names : Json::array({names})) {
    const auto found =
        std::find_if(type.begin(), type.end(), [&](const FeatureType &feature) {
          return name == feature.name;
        });
    if (found == type.end())
      throw DataError(path + ": expected names of features, found " +
                      textOf(name));
    indices.push_back(static_cast<size_t>(found - type.begin()));
  }
  return indices;
}

/// Returns a batch whose row i is row i - 1 of another one; the first one is
/// its last.
static Feature rolled(const Feature &batch) {
  Feature result(batch.dtype(), batch.shape());
  const auto rows = static_cast<size_t>(batch.shape().front());
  if (!batch.byteCount())
    return result;
  const size_t row = batch.byteCount() / rows;
  std::memcpy(result.data() + row, batch.data(), batch.byteCount() - row);
  std::memcpy(result.data(), batch.data() + batch.byteCount() - row, row);
  return result;
}

/// {"mixup": 0.2, "of": ["image", "label"]}: mixes each example of a batch with
/// the one before it, all features and examples with one weight.
static Dataset addMixup(const Dataset &data, const StageDescription &stage) {
  const Json json = Json::parse(stage.json);
  Object object(json, stage.path);
  const double alpha =
      toNumber(object.require("mixup"), memberPath(stage.path, "mixup"));
  const Json *of = object.find("of");
  const std::vector<size_t> indices = indicesOf(
      data.type(), of ? *of : Json("image"), memberPath(stage.path, "of"));
  object.expectNoOthers();
  if (!(alpha > 0))
    object.fail("mixup", "a number above 0", json["mixup"]);
  for (size_t index : indices) {
    const FeatureType &type = data.type()[index];
    if (type.shape.empty() || type.dtype.code != TG_DTYPE_FLOAT ||
        type.dtype.bits != 32)
      throw DataError(stage.path + ": expected batches of f32, found " +
                      type.name + ", " + type.text());
  }
  return data.map(
      [=](const Example &example, Random &random) {
        std::vector<Feature> features = example.features;
        const auto weight = static_cast<float>(mixupWeight(alpha, random));
        for (size_t index : indices)
          features[index] =
              mixup(features[index], rolled(features[index]), weight);
        return features;
      },
      {.seed = stage.seed, .description = stage.json});
}

std::span<const StageKind> tg::data::batchStages() {
  static const std::vector<StageKind> kinds = {{"mixup", addMixup}};
  return kinds;
}
