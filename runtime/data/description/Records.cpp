//===- Records.cpp - TFRecord files with described features ---------------===//
#include "Records.h"

#include "Formats.h"
#include "Types.h"

#include <algorithm>

using namespace tg::data;

static constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
static constexpr tg_dtype_t bytes = {TG_DTYPE_UINT, 8, 1};

static void addFeature(DescribedRecords &described, const std::string &name,
                       const Json &value) {
  Object object(value, "features." + name);
  const Json &type = object.require("type");
  ExampleFeature feature;
  feature.name = name;
  feature.isRaw = object.truth("raw", false);
  if (const Json *shape = object.find("shape"))
    feature.shape = toExtents(*shape, object.path() + ".shape");
  object.expectNoOthers();
  const bool isImage = isImageType(type);
  const bool isBytes = type == "bytes";
  FeatureType result{name, f32, feature.shape};
  if (isImage) {
    if (feature.isRaw)
      object.fail("raw", "false for an image", value);
    result.shape = imageShape(object, feature.shape);
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
  described.encoded.add(std::move(result), isImage);
}

DescribedRecords tg::data::describeRecords(const Json &features) {
  if (!features.is_object() || features.empty())
    throw DataError("features: expected an object with at least one feature, "
                    "found " +
                    textOf(features));
  DescribedRecords described;
  for (const auto &[name, value] : features.items())
    addFeature(described, name, value);
  return described;
}

DescribedRecords tg::data::describeRecord(const Feature &record) {
  DescribedRecords described;
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
    described.encoded.add({value.name, feature.dtype, feature.shape}, false);
    described.features.push_back(std::move(feature));
  }
  return described;
}

static bool isAnyCompressed(const std::vector<std::string> &paths) {
  return std::any_of(paths.begin(), paths.end(), [](const std::string &path) {
    return compressionOf(path) != Compression::none;
  });
}

EncodedDataset tg::data::openRecords(const std::vector<std::string> &paths,
                                     Object &description) {
  const Json *features = description.find("features");
  const bool isCompressed = isAnyCompressed(paths);
  DescribedRecords described;
  if (features) {
    described = describeRecords(*features);
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
  return {data, described.encoded};
}
