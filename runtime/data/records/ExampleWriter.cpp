/// Writes records of the type tf.train.Example.
#include "ExampleFormat.h"

#include <algorithm>
#include <limits>
#include <protozero/pbf_writer.hpp>

using namespace tg::data;
using protozero::pbf_writer;

/// Returns the numbers of a value as 64-bit integers. Throws DataError if they
/// are no integers.
static std::vector<int64_t> integersOf(const Feature &numbers) {
  const auto copy = [&]<typename T>(T) {
    const auto values = numbers.values<T>();
    return std::vector<int64_t>(values.begin(), values.end());
  };
  const tg_dtype_t dtype = numbers.dtype();
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
  case TG_DTYPE_KEY(TG_DTYPE_INT, 8):
    return copy(int8_t());
  case TG_DTYPE_KEY(TG_DTYPE_INT, 16):
    return copy(int16_t());
  case TG_DTYPE_KEY(TG_DTYPE_INT, 32):
    return copy(int32_t());
  case TG_DTYPE_KEY(TG_DTYPE_INT, 64):
    return copy(int64_t());
  case TG_DTYPE_KEY(TG_DTYPE_UINT, 8):
  case TG_DTYPE_KEY(TG_DTYPE_BOOL, 8):
    return copy(uint8_t());
  default:
    throw DataError(std::string("expected integers for int64_list, found ") +
                    tg_dtype_name(dtype));
  }
}

/// Returns the bytes of a list. Throws DataError for elements of another type.
static std::string writeList(const ExampleValue &value) {
  std::string list;
  pbf_writer writer(list);
  if (value.kind == ExampleKind::bytes) {
    for (const std::string &text : value.strings)
      writer.add_bytes(1, text);
  } else if (value.kind == ExampleKind::int64s) {
    const std::vector<int64_t> numbers = integersOf(value.numbers);
    writer.add_packed_int64(1, numbers.begin(), numbers.end());
  } else {
    const tg_dtype_t dtype = value.numbers.dtype();
    if (dtype.code != TG_DTYPE_FLOAT || dtype.bits != 32)
      throw DataError(std::string("expected f32 for float_list, found ") +
                      tg_dtype_name(dtype));
    const auto numbers = value.numbers.values<float>();
    writer.add_packed_float(1, numbers.begin(), numbers.end());
  }
  return list;
}

/// Returns the message of a feature. Throws DataError if it is too large for
/// protobuf.
static std::string writeFeature(const ExampleValue &value) {
  if (!value.kind)
    return "";
  uint64_t bytes = value.numbers.size() * 10;
  for (const std::string &text : value.strings)
    bytes += text.size() + 16;
  if (bytes > std::numeric_limits<int32_t>::max())
    throw DataError("expected less than 2 GiB of values, found " +
                    std::to_string(bytes) + " bytes");
  std::string feature;
  pbf_writer(feature).add_message(listField(*value.kind), writeList(value));
  return feature;
}

std::string tg::data::writeExample(const std::vector<ExampleValue> &values) {
  std::vector<const ExampleValue *> sorted;
  for (const ExampleValue &value : values)
    sorted.push_back(&value);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto *a, const auto *b) { return a->name < b->name; });
  std::string features, example;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const ExampleValue &value = *sorted[i];
    try {
      if (value.name.empty() || (i && sorted[i - 1]->name == value.name))
        throw DataError(
            "expected different names, found " +
            std::string(value.name.empty() ? "an empty one" : "it twice"));
      std::string entry;
      pbf_writer fields(entry);
      fields.add_string(1, value.name);
      fields.add_message(2, writeFeature(value));
      pbf_writer(features).add_message(1, entry);
    } catch (const DataError &error) {
      failFeature(value.name, error);
    }
  }
  if (features.size() > std::numeric_limits<int32_t>::max())
    throw DataError("expected less than 2 GiB of features, found " +
                    std::to_string(features.size()) + " bytes");
  pbf_writer(example).add_message(1, features);
  return example;
}

ExampleValue tg::data::rawValue(std::string name, const Feature &array) {
  const std::span<const std::byte> bytes = array.bytes();
  ExampleValue value = {std::move(name), ExampleKind::bytes, 1};
  value.strings.emplace_back(reinterpret_cast<const char *>(bytes.data()),
                             bytes.size());
  return value;
}

void tg::data::writeTFRecords(const std::string &path,
                              const std::map<std::string, Feature> &arrays,
                              Compression compression) {
  if (arrays.empty())
    throw DataError("expected arrays to write, found none");
  const auto rowsOf = [](const std::string &name, const Feature &array) {
    if (array.shape().empty())
      failFeature(name, DataError("expected an array of rows, found a scalar"));
    return array.shape()[0];
  };
  const int64_t rows = rowsOf(arrays.begin()->first, arrays.begin()->second);
  for (const auto &[name, array] : arrays)
    if (rowsOf(name, array) != rows)
      failFeature(name, DataError("expected " + std::to_string(rows) +
                                  " rows, as others have, found " +
                                  std::to_string(array.shape()[0])));
  TFRecordWriter writer(path, compression);
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<ExampleValue> values;
    for (const auto &[name, array] : arrays)
      values.push_back(rawValue(name, array.row(row)));
    writer.write(writeExample(values));
  }
  writer.close();
}
