//===- Records.cpp - TFRecord files with described features ---------------===//
#include "Formats.h"
#include "Types.h"
#include "tg/data/example.hpp"
#include "tg/data/images.hpp"

#include <algorithm>

using namespace tg::data;

static constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
static constexpr tg_dtype_t bytes = {TG_DTYPE_UINT, 8, 1};

namespace {
/// The features of records, and the images among them.
struct Described {
  std::vector<ExampleFeature> features;
  /// The type of the decoded feature.
  ExampleType types;
  /// True for the features that are encoded images.
  std::vector<bool> isImage;
};
} // namespace

/// Returns true if a shape fits a type with extents that may be unknown.
static bool fits(const std::vector<int64_t> &shape,
                 const std::vector<int64_t> &expected) {
  return std::equal(shape.begin(), shape.end(), expected.begin(),
                    expected.end(), [](int64_t found, int64_t extent) {
                      return extent == FeatureType::anyExtent ||
                             extent == found;
                    });
}

static void addFeature(Described &described, const std::string &name,
                       const Json &value) {
  Object object(value, "features." + name);
  const Json &type = object.require("type");
  ExampleFeature feature;
  feature.name = name;
  feature.isRaw = object.truth("raw", false);
  if (const Json *shape = object.find("shape"))
    feature.shape = toExtents(*shape, object.path() + ".shape");
  object.expectNoOthers();
  const bool isImage = type == "png" || type == "jpeg" || type == "image";
  const bool isBytes = type == "bytes";
  FeatureType result{name, f32, feature.shape};
  if (isImage) {
    if (feature.isRaw)
      object.fail("raw", "false for an image", value);
    if (feature.shape.empty())
      result.shape.assign(3, FeatureType::anyExtent);
    if (result.shape.size() != 3)
      object.fail("shape", "[height, width, channels]", value);
  } else if (!isBytes) {
    result.dtype = toDtype(type, object.path() + ".type");
  }
  feature.dtype = result.dtype;
  if (isImage || isBytes || feature.isRaw)
    feature.kind = ExampleKind::bytes;
  else if (result.dtype.code != TG_DTYPE_FLOAT)
    feature.kind = ExampleKind::int64s;
  if (isImage || isBytes) {
    feature.dtype = bytes;
    feature.isRaw = false;
    if (isImage || feature.shape.empty())
      feature.shape = {FeatureType::anyExtent};
    if (isBytes)
      result = {name, bytes, feature.shape};
  }
  described.features.push_back(std::move(feature));
  described.types.push_back(std::move(result));
  described.isImage.push_back(isImage);
}

static Described describe(const Json &features) {
  if (!features.is_object() || features.empty())
    throw DataError("features: expected an object with at least one feature, "
                    "found " +
                    textOf(features));
  Described described;
  for (const auto &[name, value] : features.items())
    addFeature(described, name, value);
  return described;
}

/// Describes the features of a record as they are.
static Described describeRecord(const Feature &record) {
  Described described;
  for (const ExampleValue &value : readExample(record)) {
    if (!value.kind)
      continue;
    ExampleFeature feature;
    feature.name = value.name;
    feature.kind = *value.kind;
    feature.shape = {*value.kind == ExampleKind::bytes
                         ? FeatureType::anyExtent
                         : static_cast<int64_t>(value.count)};
    if (*value.kind == ExampleKind::int64s)
      feature.dtype = {TG_DTYPE_INT, 64, 1};
    if (*value.kind == ExampleKind::bytes)
      feature.dtype = bytes;
    described.types.push_back({value.name, feature.dtype, feature.shape});
    described.features.push_back(std::move(feature));
    described.isImage.push_back(false);
  }
  return described;
}

/// Decodes the images of the features of a record.
static Dataset decodeImages(const Dataset &data, const Described &described) {
  if (std::find(described.isImage.begin(), described.isImage.end(), true) ==
      described.isImage.end())
    return data;
  const auto decode = [described](const Example &example, Random &) {
    std::vector<Feature> features = example.features;
    for (size_t i = 0; i < features.size(); ++i) {
      if (!described.isImage[i])
        continue;
      const FeatureType &type = described.types[i];
      try {
        const Feature image = decodeImage(features[i].bytes());
        if (!fits(image.shape(), type.shape))
          throw DataError("expected an image of " + type.text() + ", found " +
                          FeatureType{"", f32, image.shape()}.text());
        features[i] = toFloat(image);
      } catch (const DataError &error) {
        throw DataError("feature '" + type.name + "': " + error.what());
      }
    }
    return features;
  };
  return data.map(decode, {.type = described.types});
}

static bool isAnyCompressed(const std::vector<std::string> &paths) {
  return std::any_of(paths.begin(), paths.end(), [](const std::string &path) {
    return compressionOf(path) != Compression::none;
  });
}

Dataset tg::data::openRecords(const std::vector<std::string> &paths,
                              const Json *features) {
  const bool isCompressed = isAnyCompressed(paths);
  Described described;
  if (features) {
    described = describe(*features);
  } else {
    std::vector<Feature> first;
    const TFRecordStream records(paths);
    if (!records.open(0)->next(first))
      throw DataError(paths.front() + ": expected features, or a record that "
                                      "has them, found no record");
    try {
      described = describeRecord(first.front());
    } catch (const DataError &error) {
      throw DataError(records.location(0) + ": " + error.what());
    }
    if (described.features.empty())
      throw DataError(records.location(0) +
                      ": expected a feature with values, found none");
  }
  const Dataset data =
      isCompressed
          ? Dataset::from(
                std::make_shared<ExampleStream>(paths, described.features))
          : Dataset::from(
                std::make_shared<ExampleSource>(paths, described.features));
  return decodeImages(data, described);
}
