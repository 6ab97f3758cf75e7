/// Checks that all readers of a TFRecord file agree on its records, that they
/// refuse it with the place of the fault otherwise, and that records of the
/// type tf.train.Example are the same after they were written again.
#include "MemoryFile.h"

#include "tg/data/example.hpp"

#include <cstring>

using namespace tg::data;
using namespace tg::fuzz;

/// Returns the number of records that an action reads, or none if it refuses
/// the file at `path`.
template <typename Action>
static std::optional<uint64_t> accepts(const std::string &path, Action action) {
  try {
    return action();
  } catch (const DataError &error) {
    expect(std::string(error.what()).starts_with(path + ": record "),
           "a message with file and record");
    return std::nullopt;
  }
}

static bool areEqual(const ExampleValue &a, const ExampleValue &b) {
  return a.name == b.name && a.kind == b.kind && a.count == b.count &&
         a.strings == b.strings &&
         a.numbers.byteCount() == b.numbers.byteCount() &&
         (a.numbers.byteCount() == 0 ||
          std::memcmp(a.numbers.data(), b.numbers.data(),
                      a.numbers.byteCount()) == 0);
}

/// Decodes the same features by a list of them.
static void checkParser(const Feature &record,
                        const std::vector<ExampleValue> &values) {
  std::vector<ExampleFeature> features;
  for (const ExampleValue &value : values)
    if (value.kind && value.kind != ExampleKind::bytes)
      features.push_back({value.name,
                          *value.kind,
                          value.numbers.dtype(),
                          {FeatureType::anyExtent}});
    else if (value.kind && value.count == 1)
      features.push_back({value.name,
                          *value.kind,
                          {TG_DTYPE_UINT, 8, 1},
                          {static_cast<int64_t>(value.strings[0].size())}});
  const std::vector<Feature> parsed = ExampleParser(features).parse(record);
  for (size_t i = 0, at = 0; i < values.size(); ++i) {
    if (at == features.size() || features[at].name != values[i].name)
      continue;
    const bool isText = values[i].kind == ExampleKind::bytes;
    const size_t bytes =
        isText ? values[i].strings[0].size() : values[i].numbers.byteCount();
    expect(parsed[at++].byteCount() == bytes, "as many values");
  }
}

/// Reads a record as an example, if it is one.
static void checkExample(const Feature &record) {
  std::vector<ExampleValue> values;
  try {
    values = readExample(record);
  } catch (const DataError &error) {
    expect(*error.what(), "a message");
    return;
  }
  checkParser(record, values);
  const std::string written = writeExample(values);
  Feature again({TG_DTYPE_UINT, 8, 1}, {static_cast<int64_t>(written.size())});
  std::memcpy(again.data(), written.data(), written.size());
  const std::vector<ExampleValue> copies = readExample(again);
  expect(copies.size() == values.size(), "as many features");
  for (size_t i = 0; i < values.size(); ++i)
    expect(areEqual(values[i], copies[i]), "equal features");
}

/// Gives the parser bytes that no checksum protects.
static void checkBytes(const uint8_t *bytes, size_t size) {
  Feature record({TG_DTYPE_UINT, 8, 1}, {static_cast<int64_t>(size)});
  if (size)
    std::memcpy(record.data(), bytes, size);
  checkExample(record);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  checkBytes(bytes, size);
  const std::string path = memoryFile(bytes, size);
  const auto verified = accepts(path, [&] { return verifyTFRecords(path); });
  const auto streamed = accepts(path, [&] {
    const auto reader = TFRecordStream({path}).open(0);
    uint64_t count = 0;
    for (std::vector<Feature> record; reader->next(record); ++count)
      checkExample(record[0]);
    return count;
  });
  expect(streamed == verified, "the stream to agree");
  if (compressionOf(path) != Compression::none)
    return 0;
  const auto random = accepts(path, [&] {
    const TFRecordSource source({path}, {.keepsIndex = false});
    for (uint64_t i = 0; i < source.size(); ++i)
      source.read(i);
    return source.size();
  });
  expect(random == verified, "random access to agree");
  return 0;
}
