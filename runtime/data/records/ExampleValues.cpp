/// Converts floats, integers and byte strings to features.
#include "ExampleValues.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace tg::data;

/// Returns a type as a constant for switches.
static constexpr int keyOf(tg_dtype_t dtype) {
  return TG_DTYPE_KEY(dtype.code, dtype.bits);
}

static constexpr int f32 = TG_DTYPE_KEY(TG_DTYPE_FLOAT, 32);
static constexpr int f64 = TG_DTYPE_KEY(TG_DTYPE_FLOAT, 64);
static constexpr int i8 = TG_DTYPE_KEY(TG_DTYPE_INT, 8);
static constexpr int i16 = TG_DTYPE_KEY(TG_DTYPE_INT, 16);
static constexpr int i32 = TG_DTYPE_KEY(TG_DTYPE_INT, 32);
static constexpr int i64 = TG_DTYPE_KEY(TG_DTYPE_INT, 64);
static constexpr int ui8 = TG_DTYPE_KEY(TG_DTYPE_UINT, 8);
static constexpr int i1 = TG_DTYPE_KEY(TG_DTYPE_BOOL, 8);

/// Returns true if values of a kind can have a type.
static bool isPossible(ExampleKind kind, bool isRaw, tg_dtype_t dtype) {
  const int key = keyOf(dtype);
  if (dtype.lanes != 1)
    return false;
  if (kind == ExampleKind::floats)
    return key == f32 || key == f64;
  if (kind == ExampleKind::int64s)
    return key == i8 || key == i16 || key == i32 || key == i64 || key == ui8 ||
           key == i1;
  return isRaw ? dtype.bits && dtype.bits % 8 == 0 : key == ui8;
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

/// Returns the shape of `count` values. Throws DataError if they do not fit.
static std::vector<int64_t> shapeFor(const ExampleFeature &feature,
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
  if (keyOf(feature.dtype) == f32) {
    list.copyFloats(result.values<float>().data());
    return result;
  }
  std::vector<float> floats(count);
  list.copyFloats(floats.data());
  std::copy(floats.begin(), floats.end(), result.values<double>().begin());
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

template <typename T>
static void storeIntegers(const ExampleFeature &feature, const ValueList &list,
                          Feature &result) {
  storeIntegers<T>(feature, list, result, std::numeric_limits<T>::min(),
                   std::numeric_limits<T>::max());
}

static Feature decodeIntegers(const ExampleFeature &feature,
                              const ValueList &list) {
  Feature result(feature.dtype, shapeFor(feature, list.count()));
  switch (keyOf(feature.dtype)) {
  case i8:
    storeIntegers<int8_t>(feature, list, result);
    break;
  case i16:
    storeIntegers<int16_t>(feature, list, result);
    break;
  case i32:
    storeIntegers<int32_t>(feature, list, result);
    break;
  case i64:
    storeIntegers<int64_t>(feature, list, result);
    break;
  case ui8:
    storeIntegers<uint8_t>(feature, list, result);
    break;
  default: // i1
    storeIntegers<uint8_t>(feature, list, result, 0, 1);
  }
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
  if (keyOf(feature.dtype) == i1)
    for (uint8_t value : result.values<uint8_t>())
      if (value > 1)
        throw DataError("expected values of " + typeOf(feature).text() +
                        ", 0 to 1, found " + std::to_string(value));
  return result;
}

static Feature decodeBytes(const ExampleFeature &feature, const ValueList &list,
                           const std::shared_ptr<const void> &owner) {
  const std::vector<std::string_view> strings = list.strings();
  if (strings.size() != 1)
    throw DataError("expected one byte string, found " +
                    std::to_string(strings.size()));
  if (feature.isRaw)
    return decodeRaw(feature, strings[0]);
  return Feature(feature.dtype, shapeFor(feature, strings[0].size()), owner,
                 strings[0].data());
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
