// Arguments for the accuracy tests: bit patterns, edges, random numbers.
#ifndef TG_TEST_COMPILER_CODEGEN_CPU_MATH_ARGUMENTS_H
#define TG_TEST_COMPILER_CODEGEN_CPU_MATH_ARGUMENTS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace tg::test {

/// The number of elements in a block of arguments, results or exact values.
constexpr int64_t kBlock = 4096;

/// Fills `a` and `b` with the next block of arguments; returns false at the
/// end.
template <typename T> using Source = std::function<bool(T *a, T *b)>;

/// Every `stride`-th bit pattern of f32.
struct AllFloats {
  uint64_t next = 0;
  uint64_t stride;
  bool operator()(float *a, float *b) {
    if (next >> 32)
      return false;
    for (int64_t i = 0; i < kBlock; ++i, next += stride)
      a[i] = std::bit_cast<float>(uint32_t(next));
    std::memcpy(b, a, kBlock * sizeof(float));
    return true;
  }
};

template <typename T> std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (T value : {T(0),
                  Limits::denorm_min(),
                  Limits::denorm_min() * 3,
                  Limits::min() / 2,
                  Limits::min(),
                  T(1e-30),
                  T(0x1p-26),
                  T(1e-3),
                  T(0.1),
                  T(0.25),
                  T(0.5),
                  T(0.70710678),
                  T(0.99),
                  std::nextafter(T(1), T(0)),
                  T(1),
                  std::nextafter(T(1), T(2)),
                  T(1.5),
                  T(2),
                  T(2.5),
                  T(3),
                  T(3.94),
                  T(5),
                  T(6),
                  T(7),
                  T(9.01),
                  T(17.5),
                  T(20),
                  T(88.72284),
                  T(103.97),
                  T(709.78271),
                  T(745.13),
                  T(8388607),
                  T(8388609),
                  T(16777217),
                  T(4503599627370495.5),
                  T(9007199254740991),
                  T(9007199254740993),
                  T(1e30),
                  Limits::max() / 2,
                  Limits::max(),
                  Limits::infinity(),
                  Limits::quiet_NaN()}) {
    values.push_back(value);
    values.push_back(-value);
  }
  return values;
}

/// All pairs of edge values, then `count` random arguments of several kinds:
/// any bit pattern, moderate numbers, pairs with a moderate power.
template <typename T> struct Mixed {
  std::mt19937_64 random{1};
  int64_t count;
  bool onlyUnit = false;
  size_t pair = 0;
  std::vector<T> edgeValues = edges<T>();

  T anyPattern() {
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<T>(uint32_t(random()));
    else
      return std::bit_cast<T>(uint64_t(random()));
  }
  T moderate(double scale) {
    return T((double(random() >> 11) * 0x1p-52 - 1) * scale);
  }
  void draw(T &a, T &b) {
    size_t size = edgeValues.size();
    if (pair < size * size) {
      a = edgeValues[pair / size];
      b = edgeValues[pair % size];
      ++pair;
      return;
    }
    switch (random() % 5) {
    case 0:
      a = anyPattern();
      b = anyPattern();
      return;
    case 1:
      a = moderate(8);
      b = moderate(8);
      return;
    case 2:
      a = moderate(sizeof(T) == 4 ? 104 : 746);
      b = T(std::floor(moderate(40)));
      return;
    case 3: // powers over the whole range of results
      a = std::exp2(moderate(sizeof(T) == 4 ? 126 : 1020));
      b = T(moderate(sizeof(T) == 4 ? 104 : 746) / std::log(double(a)));
      return;
    default: // bases close to 1, large exponents
      a = T(1) + moderate(0x1p-6);
      b = T(moderate(sizeof(T) == 4 ? 104 : 746) / std::log(double(a)));
      return;
    }
  }
  bool operator()(T *a, T *b) {
    if (count <= 0)
      return false;
    count -= kBlock;
    for (int64_t i = 0; i < kBlock; ++i) {
      draw(a[i], b[i]);
      if (onlyUnit && std::abs(a[i]) > 1)
        a[i] = moderate(1);
    }
    return true;
  }
};

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_MATH_ARGUMENTS_H
