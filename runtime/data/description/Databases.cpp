//===- Databases.cpp - LMDB databases with described features -------------===//
#include "Formats.h"
#include "Records.h"
#include "tg/data/lmdb.hpp"

#include <algorithm>

using namespace tg::data;

namespace {
/// The function that decodes a value.
using Decode = std::function<std::vector<Feature>(const Feature &value)>;
using Features = std::vector<ExampleFeature>;
} // namespace

/// Returns the function that decodes values.
static Decode decoderOf(const std::string &values, Object &description,
                        const Features &features) {
  if (values == "example")
    return [parser = ExampleParser(features)](const Feature &value) {
      return parser.parse(value);
    };
  if (values == "datum")
    return [features](const Feature &value) {
      return parseDatum(value, features);
    };
  if (values != "raw")
    description.fail("values", "one of example, raw, datum", values);
  for (const ExampleFeature &feature : features)
    if (feature.kind != ExampleKind::bytes)
      throw DataError("features." + feature.name +
                      ": expected \"raw\": true, bytes or an image in raw "
                      "values, found numbers");
  return
      [features](const Feature &value) { return splitValue(value, features); };
}

/// Returns the features of the first value as they are, or none if it is not of
/// the type tf.train.Example.
static DescribedRecords describeFirst(const LmdbSource &source) {
  if (!source.size())
    throw DataError(source.place(0) + ": expected features, or a record that "
                                      "has them, found no record");
  try {
    return describeRecord(source.read(0)[0]);
  } catch (const DataError &) {
    return {};
  }
}

static EncodedDataset openDatabase(const std::string &path,
                                   Object &description) {
  const Json *described = description.find("features");
  const std::string values = description.text("values", "example");
  const auto source = std::make_shared<LmdbSource>(path);
  const Dataset all = Dataset::from(source);
  const DescribedRecords records =
      described ? describeRecords(*described) : describeFirst(*source);
  if (records.features.empty())
    return all;
  ExampleType types;
  for (const ExampleFeature &feature : records.features)
    types.push_back({feature.name, feature.dtype, feature.shape});
  const Decode decode = decoderOf(values, description, records.features);
  const auto apply = [decode](const Example &example, Random &) {
    return decode(example.features[0]);
  };
  return {all.map(apply, {.type = types}), records.encoded};
}

EncodedDataset tg::data::openDatabases(const std::vector<std::string> &paths,
                                       Object &description) {
  std::vector<Dataset> sets;
  std::optional<Encoded> encoded;
  for (const std::string &path : paths) {
    EncodedDataset opened = openDatabase(path, description);
    sets.push_back(std::move(opened.data));
    encoded = std::move(opened.encoded);
  }
  const Dataset all =
      sets.size() == 1 ? sets.front() : Dataset::concatenate(sets);
  return encoded ? EncodedDataset(all, *encoded) : EncodedDataset(all);
}
