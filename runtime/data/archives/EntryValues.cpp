//===- EntryValues.cpp - the bytes of an entry as a feature ---------------===//
#include "EntryValues.h"

#include "runtime/data/Dtypes.h"
#include "runtime/data/arrays/Npy.h"
#include "runtime/data/description/Json.h"
#include "runtime/data/records/ExampleValues.h"
#include "runtime/data/tables/Numbers.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::data;

/// Returns the declaration of the same feature in a record.
static ExampleFeature inRecord(const TarFeature &feature) {
  ExampleFeature same{feature.name, ExampleKind::bytes, feature.dtype,
                      feature.shape, feature.format == EntryFormat::raw};
  if (feature.format == EntryFormat::numbers ||
      feature.format == EntryFormat::json)
    same.kind = feature.dtype.code == TG_DTYPE_FLOAT ? ExampleKind::floats
                                                     : ExampleKind::int64s;
  return same;
}

static FeatureType typeOf(const TarFeature &feature) {
  return {feature.name, feature.dtype, feature.shape};
}

void tg::data::checkDeclaration(const TarFeature &feature) {
  checkDeclaration(inRecord(feature));
  if (feature.format == EntryFormat::json)
    try {
      nlohmann::json::json_pointer(feature.pointer);
    } catch (const nlohmann::json::exception &) {
      failFeature(feature.name,
                  DataError("expected a pointer such as /label, found " +
                            quoteName(feature.pointer)));
    }
}

//===----------------------------------------------------------------------===//
// Numbers as text, and files of NumPy
//===----------------------------------------------------------------------===//

/// Decodes a .npy file. The array is a view if its elements are aligned.
static Feature decodeNpy(const TarFeature &feature, std::string_view bytes,
                         const std::shared_ptr<const void> &owner) {
  npy::Front front;
  std::string reason;
  if (!npy::parseFront(bytes, bytes.size(), front, reason))
    throw DataError(reason);
  const FeatureType type = typeOf(feature);
  bool fits = front.dtype.code == type.dtype.code &&
              front.dtype.bits == type.dtype.bits &&
              front.shape.size() == type.shape.size();
  for (size_t i = 0; fits && i < type.shape.size(); ++i)
    fits = type.shape[i] == FeatureType::anyExtent ||
           type.shape[i] == front.shape[i];
  if (!fits)
    throw DataError("expected an array of " + type.text() + ", found " +
                    FeatureType{"", front.dtype, front.shape}.text());
  const char *first = bytes.data() + front.dataOffset;
  if (reinterpret_cast<uintptr_t>(first) % (front.dtype.bits / 8) == 0)
    return Feature(front.dtype, front.shape, owner, first);
  Feature array(front.dtype, front.shape);
  if (array.byteCount())
    std::memcpy(array.data(), first, array.byteCount());
  return array;
}

/// Calls take(word) for the parts of a text between spaces and ends of lines.
template <typename Take>
static void visitWords(std::string_view text, Take take) {
  static constexpr char spaces[] = " \t\r\n";
  for (size_t begin = text.find_first_not_of(spaces);
       begin != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(spaces, begin), text.size());
    take(text.substr(begin, end - begin));
    begin = text.find_first_not_of(spaces, end);
  }
}

static Feature decodeText(const TarFeature &feature, std::string_view bytes) {
  // An element can have four times the size of its text.
  constexpr size_t limit = 32 << 20;
  if (bytes.size() > limit)
    throw DataError("expected at most " + std::to_string(limit) +
                    " bytes of numbers as text, found " +
                    std::to_string(bytes.size()));
  uint64_t count = 0;
  visitWords(bytes, [&](std::string_view) { ++count; });
  Feature numbers(feature.dtype, shapeFor(inRecord(feature), count));
  std::byte *to = numbers.data();
  visitWords(bytes, [&](std::string_view word) {
    if (!storeNumber(word, feature.dtype, to))
      throw DataError("expected numbers of " + typeOf(feature).text() +
                      ", found " + quoteName(word));
    to += feature.dtype.bits / 8;
  });
  return numbers;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Returns a value for a message, without the values in it.
static std::string kindOf(const Json &value) {
  return value.is_primitive() && !value.is_string() ? value.dump()
                                                    : value.type_name();
}

/// Appends the numbers of a value, which may be a list of lists.
static void collect(const Json &value, std::vector<const Json *> &numbers) {
  if (!value.is_array()) {
    numbers.push_back(&value);
    return;
  }
  for (const Json &element : value)
    collect(element, numbers);
}

/// Stores a number or a truth value. Returns false for another value.
static bool storeValue(const Json &value, tg_dtype_t dtype, std::byte *to) {
  if (value.is_boolean() && dtype.code == TG_DTYPE_BOOL) {
    *to = std::byte(value.get<bool>());
    return true;
  }
  if (!value.is_number())
    return false;
  if (dtype.code != TG_DTYPE_FLOAT)
    return value.is_number_integer() && storeNumber(value.dump(), dtype, to);
  visitDtype(dtype, [&](auto zero) {
    if constexpr (std::is_floating_point_v<decltype(zero)>) {
      const auto number = static_cast<decltype(zero)>(value.get<double>());
      std::memcpy(to, &number, sizeof(number));
    }
  });
  return true;
}

/// Parses a text. Its values need some fifty times its size in memory.
static Json parseText(std::string_view bytes) {
  constexpr size_t limit = 1 << 20;
  if (bytes.size() > limit)
    throw DataError("expected at most " + std::to_string(limit) +
                    " bytes of JSON, found " + std::to_string(bytes.size()));
  return parseJson(bytes, "a JSON text");
}

static Feature decodeJson(const TarFeature &feature, std::string_view bytes) {
  const Json text = parseText(bytes);
  const Json::json_pointer pointer(feature.pointer);
  if (!text.contains(pointer))
    throw DataError("expected a value at " + quoteName(feature.pointer) +
                    " of the JSON text, found none");
  std::vector<const Json *> values;
  collect(text[pointer], values);
  Feature numbers(feature.dtype, shapeFor(inRecord(feature), values.size()));
  std::byte *to = numbers.data();
  for (const Json *value : values) {
    if (!storeValue(*value, feature.dtype, to))
      throw DataError("expected numbers of " + typeOf(feature).text() +
                      ", found " + kindOf(*value));
    to += feature.dtype.bits / 8;
  }
  return numbers;
}

Feature tg::data::decodeEntry(const TarFeature &feature, std::string_view bytes,
                              const std::shared_ptr<const void> &owner) {
  switch (feature.format) {
  case EntryFormat::bytes:
  case EntryFormat::raw:
    return decodeString(inRecord(feature), bytes, owner);
  case EntryFormat::numbers:
    return bytes.starts_with(npy::magic) ? decodeNpy(feature, bytes, owner)
                                         : decodeText(feature, bytes);
  case EntryFormat::json:
    return decodeJson(feature, bytes);
  }
  return Feature();
}
