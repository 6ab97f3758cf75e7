//===- Values.cpp - raw bytes of features in values -----------------------===//
#include "runtime/data/records/ExampleValues.h"
#include "tg/data/lmdb.hpp"

using namespace tg;
using namespace tg::data;

/// Returns the number of bytes of a feature, or none if an extent is unknown.
static std::optional<uint64_t> bytesOf(const ExampleFeature &feature) {
  uint64_t bytes = feature.dtype.bits / 8;
  for (int64_t extent : feature.shape) {
    if (extent == FeatureType::anyExtent)
      return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(extent), &bytes))
      throw DataError("expected a size of less than 2^64 bytes, found more");
  }
  return bytes;
}

std::vector<Feature>
tg::data::splitValue(const Feature &value,
                     const std::vector<ExampleFeature> &features) {
  uint64_t known = 0;
  size_t unknown = 0;
  for (const ExampleFeature &feature : features) {
    const std::optional<uint64_t> bytes = bytesOf(feature);
    unknown += !bytes;
    if (__builtin_add_overflow(known, bytes.value_or(0), &known))
      throw DataError("expected a size of less than 2^64 bytes, found more");
  }
  if (unknown > 1)
    throw DataError("expected at most one feature of an unknown size in a "
                    "value, found " +
                    std::to_string(unknown));
  if (known > value.byteCount() || (!unknown && known != value.byteCount()))
    throw DataError("expected a value of " +
                    std::string(unknown ? "at least " : "") +
                    std::to_string(known) + " bytes, found " +
                    std::to_string(value.byteCount()));
  const auto owner = std::make_shared<const Feature>(value);
  const char *at = reinterpret_cast<const char *>(value.data());
  std::vector<Feature> parts;
  for (const ExampleFeature &feature : features) {
    const uint64_t bytes = bytesOf(feature).value_or(value.byteCount() - known);
    try {
      parts.push_back(decodeString(feature, {at, bytes}, owner));
    } catch (const DataError &error) {
      failFeature(feature.name, error);
    }
    at += bytes;
  }
  return parts;
}
