//===- Datum.cpp - values of Caffe ----------------------------------------===//
//
// Datum: channels = 1, height = 2, width = 3, data = 4 (bytes), label = 5,
// float_data = 6 (repeated), encoded = 7 (bool).
//
//===----------------------------------------------------------------------===//
#include "runtime/data/Dtypes.h"
#include "runtime/data/records/ExampleValues.h"
#include "runtime/data/records/RecordFormat.h"
#include "tg/data/lmdb.hpp"

#include <cstring>

using namespace tg;
using namespace tg::data;
using protozero::pbf_wire_type;

namespace {
/// The fields of a message, of which the last one of a number counts.
struct Datum {
  explicit Datum(std::string_view message);

  int64_t channels = 0, height = 0, width = 0, label = 0;
  bool isEncoded = false;
  std::string_view data;
  std::vector<float> floats;

private:
  void addFloats(const WireReader &field);
};
} // namespace

/// Returns a number of a field. Throws DataError for another type.
static int64_t numberOf(const WireReader &field, const char *name) {
  if (field.type() != pbf_wire_type::varint)
    field.failType(name, "wire type 0");
  const char *at = field.bytes().data();
  return static_cast<int64_t>(readVarint(at, at + field.bytes().size()));
}

void Datum::addFloats(const WireReader &field) {
  if (field.type() != pbf_wire_type::fixed32 &&
      field.type() != pbf_wire_type::length_delimited)
    field.failType("float_data", "wire type 2 or 5");
  const std::string_view bytes = field.bytes();
  if (bytes.size() % sizeof(float))
    throw DataError("expected floats of 4 bytes, found " +
                    std::to_string(bytes.size()) + " bytes");
  const size_t before = floats.size();
  floats.resize(before + bytes.size() / sizeof(float));
  if (!bytes.empty())
    std::memcpy(floats.data() + before, bytes.data(), bytes.size());
}

Datum::Datum(std::string_view message) {
  for (WireReader field(message); field.next();)
    switch (field.number()) {
    case 1:
      channels = numberOf(field, "channels");
      break;
    case 2:
      height = numberOf(field, "height");
      break;
    case 3:
      width = numberOf(field, "width");
      break;
    case 4:
      data = field.bytesOf("data");
      break;
    case 5:
      label = numberOf(field, "label");
      break;
    case 6:
      addFloats(field);
      break;
    case 7:
      isEncoded = numberOf(field, "encoded") != 0;
      break;
    }
}

/// Returns the label with the type of a feature.
static Feature labelOf(const Datum &datum, const ExampleFeature &feature) {
  Feature label(feature.dtype, shapeFor(feature, 1));
  visitDtype(feature.dtype, [&](auto zero) {
    using T = decltype(zero);
    const auto number = static_cast<T>(datum.label);
    if constexpr (std::is_integral_v<T>)
      if (static_cast<int64_t>(number) != datum.label)
        throw DataError("expected a label of " +
                        std::string(tg_dtype_name(feature.dtype)) + ", found " +
                        std::to_string(datum.label));
    std::memcpy(label.data(), &number, sizeof(number));
  });
  return label;
}

/// Returns the data, after a comparison of its size with its extents.
static Feature dataOf(const Datum &datum, const ExampleFeature &feature,
                      const std::shared_ptr<const void> &owner) {
  // Bytes of an unknown number are those of an encoded image.
  const bool isEncoded = !feature.isRaw && feature.shape.size() == 1;
  if (isEncoded != datum.isEncoded)
    throw DataError(std::string("expected ") +
                    (isEncoded ? "an encoded image, found elements"
                               : "elements, found an encoded image"));
  if (isEncoded)
    return decodeString(feature, datum.data, owner);
  const std::vector<int64_t> extents = {datum.channels, datum.height,
                                        datum.width};
  const bool isFloat = feature.dtype.code == TG_DTYPE_FLOAT;
  ExampleFeature stored = feature;
  stored.isRaw = true;
  const std::string_view floats(
      reinterpret_cast<const char *>(datum.floats.data()),
      datum.floats.size() * sizeof(float));
  Feature elements = decodeString(stored, isFloat ? floats : datum.data, owner);
  if (elements.shape() != extents)
    throw DataError("expected elements of " +
                    FeatureType{"", feature.dtype, extents}.text() +
                    ", as the value says, found " +
                    FeatureType{"", feature.dtype, elements.shape()}.text());
  return elements;
}

std::vector<Feature>
tg::data::parseDatum(const Feature &value,
                     const std::vector<ExampleFeature> &features) {
  const Datum datum(
      {reinterpret_cast<const char *>(value.data()), value.byteCount()});
  const auto owner = std::make_shared<const Feature>(value);
  std::vector<Feature> parts;
  for (const ExampleFeature &feature : features)
    try {
      parts.push_back(feature.name == "label" ? labelOf(datum, feature)
                                              : dataOf(datum, feature, owner));
    } catch (const DataError &error) {
      failFeature(feature.name, error);
    }
  return parts;
}
