/// Converts floats, integers and byte strings to features.
#include "ExampleValues.h"

#include "runtime/data/Dtypes.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace tg::data;

/// Returns true if values of a kind can have a type.
static bool isPossible(ExampleKind kind, bool isRaw, tg_dtype_t dtype) {
  const bool isFloat = dtype.code == TG_DTYPE_FLOAT;
  if (kind == ExampleKind::floats)
    return isFloat && isModelType(dtype);
  if (kind == ExampleKind::int64s)
    return !isFloat && isModelType(dtype);
  if (dtype.lanes != 1)
    return false;
  return isRaw ? dtype.bits && dtype.bits % 8 == 0
               : dtype.code == TG_DTYPE_UINT && dtype.bits == 8;
}

static FeatureType typeOf(const ExampleFeature &feature) {
  return {feature.name, feature.dtype, feature.shape};
}

void tg::data::checkDeclaration(const ExampleFeature &feature) {
  const auto fail = [&](const std::string &message) {
    failFeature(feature.name, DataError(message));
  };
  if (feature.name.empty())
    fail("expected a name, found an empty one");
  if (feature.isRaw && feature.kind != ExampleKind::bytes)
    fail(std::string("expected bytes_list for raw bytes, found ") +
         listName(feature.kind));
  if (!isPossible(feature.kind, feature.isRaw, feature.dtype))
    fail(std::string("expected a type of the elements of ") +
         listName(feature.kind) + ", found " + tg_dtype_name(feature.dtype));
  int unknown = 0;
  for (int64_t extent : feature.shape) {
    unknown += extent == FeatureType::anyExtent;
    if (extent < FeatureType::anyExtent)
      fail("expected extents of at least 0, found " + std::to_string(extent));
  }
  if (unknown > 1)
    fail("expected at most one extent that differs, found " +
         typeOf(feature).text());
}

std::vector<int64_t> tg::data::shapeFor(const ExampleFeature &feature,
                                        uint64_t count) {
  std::vector<int64_t> shape = feature.shape;
  int64_t *open = nullptr;
  uint64_t product = 1;
  bool fits = true;
  for (int64_t &extent : shape) {
    if (extent == FeatureType::anyExtent)
      open = &extent;
    else if (__builtin_mul_overflow(product, static_cast<uint64_t>(extent),
                                    &product))
      fits = false;
  }
  if (open && product)
    *open = static_cast<int64_t>(count / product);
  else if (open)
    *open = 0;
  fits &= open && product ? count % product == 0 : count == product;
  if (!fits)
    throw DataError("expected values of " + typeOf(feature).text() +
                    ", found " + std::to_string(count));
  return shape;
}

static Feature decodeFloats(const ExampleFeature &feature,
                            const ValueList &list) {
  const uint64_t count = list.count();
  Feature result(feature.dtype, shapeFor(feature, count));
  visitDtype(feature.dtype, [&](auto number) {
    using T = decltype(number);
    auto *into = reinterpret_cast<T *>(result.data());
    if constexpr (std::is_same_v<T, float>) {
      list.copyFloats(into);
    } else {
      std::vector<float> floats(count);
      list.copyFloats(floats.data());
      std::transform(floats.begin(), floats.end(), into,
                     [](float value) { return static_cast<T>(value); });
    }
  });
  return result;
}

/// Stores integers as a type T with a maximum.
template <typename T>
static void storeIntegers(const ExampleFeature &feature, const ValueList &list,
                          Feature &result, int64_t least, int64_t most) {
  T *into = reinterpret_cast<T *>(result.data());
  list.visitIntegers([&](int64_t value) {
    if (value < least || value > most)
      throw DataError("expected values of " + typeOf(feature).text() + ", " +
                      std::to_string(least) + " to " + std::to_string(most) +
                      ", found " + std::to_string(value));
    *into++ = static_cast<T>(value);
  });
}

static Feature decodeIntegers(const ExampleFeature &feature,
                              const ValueList &list) {
  Feature result(feature.dtype, shapeFor(feature, list.count()));
  visitDtype(feature.dtype, [&](auto number) {
    using T = decltype(number);
    if (feature.dtype.code == TG_DTYPE_BOOL)
      storeIntegers<T>(feature, list, result, 0, 1);
    else if constexpr (std::is_integral_v<T>)
      storeIntegers<T>(feature, list, result, std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::max());
  });
  return result;
}

/// Decodes an array from its bytes.
static Feature decodeRaw(const ExampleFeature &feature,
                         std::string_view bytes) {
  const size_t size = feature.dtype.bits / 8;
  if (bytes.size() % size)
    throw DataError("expected elements of " + typeOf(feature).text() +
                    ", found " + std::to_string(bytes.size()) + " bytes");
  Feature result(feature.dtype, shapeFor(feature, bytes.size() / size));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  if (feature.dtype.code == TG_DTYPE_BOOL)
    for (uint8_t value : result.values<uint8_t>())
      if (value > 1)
        throw DataError("expected values of " + typeOf(feature).text() +
                        ", 0 to 1, found " + std::to_string(value));
  return result;
}

Feature tg::data::decodeString(const ExampleFeature &feature,
                               std::string_view bytes,
                               const std::shared_ptr<const void> &owner) {
  if (feature.isRaw)
    return decodeRaw(feature, bytes);
  // A view of no bytes is a feature, too.
  static constexpr char none = 0;
  return Feature(feature.dtype, shapeFor(feature, bytes.size()), owner,
                 bytes.empty() ? &none : bytes.data());
}

static Feature decodeBytes(const ExampleFeature &feature, const ValueList &list,
                           const std::shared_ptr<const void> &owner) {
  const std::vector<std::string_view> strings = list.strings();
  if (strings.size() != 1)
    throw DataError("expected one byte string, found " +
                    std::to_string(strings.size()));
  return decodeString(feature, strings[0], owner);
}

Feature tg::data::decodeFeature(const ExampleFeature &feature,
                                std::string_view message,
                                const std::shared_ptr<const void> &owner) {
  const ValueList list(message);
  if (list.kind != feature.kind)
    throw DataError(std::string("expected ") + listName(feature.kind) +
                    ", found " + (list.kind ? listName(*list.kind) : "none"));
  switch (feature.kind) {
  case ExampleKind::floats:
    return decodeFloats(feature, list);
  case ExampleKind::int64s:
    return decodeIntegers(feature, list);
  case ExampleKind::bytes:
    return decodeBytes(feature, list, owner);
  }
  return Feature();
}
