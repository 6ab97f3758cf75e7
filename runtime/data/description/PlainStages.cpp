//===- PlainStages.cpp - changes of any features --------------------------===//
#include "Stages.h"
#include "Types.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tg::data;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// Converts elements as C++ does. Throws DataError for a float that an integer
/// type does not have.
template <typename To, typename From>
static void convertElements(const Feature &from, Feature &to) {
  const auto *source = reinterpret_cast<const From *>(from.data());
  auto *target = reinterpret_cast<To *>(to.data());
  for (size_t i = 0; i < from.size(); ++i) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      const double bound = std::ldexp(1.0, std::numeric_limits<To>::digits);
      const double low = std::is_signed_v<To> ? -bound : 0;
      if (!(source[i] >= low && source[i] < bound))
        throw DataError("expected numbers that " +
                        std::string(tg_dtype_name(to.dtype())) +
                        " has, found " + std::to_string(source[i]));
    }
    target[i] = static_cast<To>(source[i]);
  }
  if (to.dtype().code == TG_DTYPE_BOOL)
    for (size_t i = 0; i < from.size(); ++i)
      target[i] = static_cast<To>(source[i] != 0);
}

static Feature converted(const Feature &feature, tg_dtype_t dtype) {
  Feature result(dtype, feature.shape());
  visitDtype(dtype, [&](auto to) {
    visitDtype(feature.dtype(), [&](auto from) {
      convertElements<decltype(to), decltype(from)>(feature, result);
    });
  });
  return result;
}

static Change makeCast(const Json &value, const std::string &path) {
  const tg_dtype_t dtype = toDtype(value, path);
  return {[=](const Feature &feature, Random &) {
            return converted(feature, dtype);
          },
          [=](FeatureType type) {
            type.dtype = dtype;
            return type;
          }};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Returns a product of extents. Throws DataError if it overflows.
static int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throw DataError("expected a shape of less than 2^63 elements, found more");
  return result;
}

/// Returns a shape whose extent -1 follows from the number of elements.
static std::vector<int64_t> completed(std::vector<int64_t> shape,
                                      size_t count) {
  int64_t known = 1;
  int64_t *unknown = nullptr;
  for (int64_t &extent : shape)
    if (extent == FeatureType::anyExtent)
      unknown = &extent;
    else
      known = product(known, std::max<int64_t>(extent, 1));
  if (unknown)
    *unknown = static_cast<int64_t>(count) / known;
  return shape;
}

static Change makeReshape(const Json &value, const std::string &path) {
  const std::vector<int64_t> shape = toExtents(value, path);
  if (std::count(shape.begin(), shape.end(), FeatureType::anyExtent) > 1)
    throw DataError(path + ": expected at most one -1, found " + textOf(value));
  return {[=](const Feature &feature, Random &) {
            return feature.reshaped(completed(shape, feature.size()));
          },
          [=](FeatureType type) {
            int64_t count = 1;
            for (int64_t extent : type.shape)
              count = extent == FeatureType::anyExtent || count < 0
                          ? FeatureType::anyExtent
                          : product(count, extent);
            type.shape = count < 0
                             ? shape
                             : completed(shape, static_cast<size_t>(count));
            return type;
          }};
}

/// Copies elements so that dimension i of the result is dimension order[i].
static Feature transposed(const Feature &feature,
                          const std::vector<int64_t> &order) {
  const std::vector<int64_t> &from = feature.shape();
  std::vector<size_t> strides(from.size(), feature.dtype().bits / 8);
  for (size_t i = from.size(); i-- > 1;)
    strides[i - 1] = strides[i] * static_cast<size_t>(from[i]);
  std::vector<int64_t> shape;
  for (int64_t axis : order)
    shape.push_back(from[static_cast<size_t>(axis)]);
  Feature result(feature.dtype(), shape);
  const size_t element = feature.dtype().bits / 8;
  std::vector<int64_t> index(shape.size());
  size_t offset = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    std::memcpy(result.data() + i * element, feature.data() + offset, element);
    for (size_t axis = shape.size(); axis-- > 0;) {
      const size_t stride = strides[static_cast<size_t>(order[axis])];
      offset += stride;
      if (++index[axis] < shape[axis])
        break;
      offset -= stride * static_cast<size_t>(shape[axis]);
      index[axis] = 0;
    }
  }
  return result;
}

static Change makeTranspose(const Json &value, const std::string &path) {
  const std::vector<int64_t> order = toExtents(value, path);
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<int64_t>(i))
      throw DataError(path +
                      ": expected a permutation of the dimensions, found " +
                      textOf(value));
  return {[=](const Feature &feature, Random &) {
            return transposed(feature, order);
          },
          [=](FeatureType type) {
            if (type.shape.size() != order.size())
              throw DataError("expected rank " + std::to_string(order.size()) +
                              ", found " + type.text());
            const std::vector<int64_t> from = type.shape;
            for (size_t i = 0; i < order.size(); ++i)
              type.shape[i] = from[static_cast<size_t>(order[i])];
            return type;
          }};
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static Feature oneHot(const Feature &labels, int64_t classes) {
  const Feature numbers = converted(labels, {TG_DTYPE_INT, 64, 1});
  std::vector<int64_t> shape = labels.shape();
  shape.push_back(classes);
  Feature result({TG_DTYPE_FLOAT, 32, 1}, shape);
  const std::span<float> rows = result.values<float>();
  std::fill(rows.begin(), rows.end(), 0.0f);
  size_t row = 0;
  for (int64_t label : numbers.values<int64_t>()) {
    if (label < 0 || label >= classes)
      throw DataError("expected classes of less than " +
                      std::to_string(classes) + ", found " +
                      std::to_string(label));
    rows[row + static_cast<size_t>(label)] = 1;
    row += static_cast<size_t>(classes);
  }
  return result;
}

static Change makeOneHot(const Json &value, const std::string &path) {
  const uint64_t classes = toWhole(value, path);
  if (classes < 1 || classes > (1u << 24))
    throw DataError(path + ": expected 1 to 2^24 classes, found " +
                    textOf(value));
  const auto count = static_cast<int64_t>(classes);
  return {
      [=](const Feature &labels, Random &) { return oneHot(labels, count); },
      [=](FeatureType type) {
        if (type.dtype.code == TG_DTYPE_FLOAT)
          throw DataError("expected whole numbers, found " + type.text());
        type.dtype = {TG_DTYPE_FLOAT, 32, 1};
        type.shape.push_back(count);
        return type;
      }};
}

std::span<const ChangeKind> tg::data::plainChanges() {
  static constexpr ChangeKind kinds[] = {
      {"cast", makeCast},
      {"one_hot", makeOneHot},
      {"reshape", makeReshape},
      {"transpose", makeTranspose},
  };
  return kinds;
}
