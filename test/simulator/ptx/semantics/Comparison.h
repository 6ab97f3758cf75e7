/// The comparisons of PTX on values.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_COMPARISON_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_COMPARISON_H

#include <cmath>

namespace tg::ptx {

struct Equal {
  template <class V> static bool apply(V a, V b) { return a == b; }
};

/// False if an operand is no number.
struct NotEqual {
  template <class V> static bool apply(V a, V b) { return a < b || a > b; }
};

struct Less {
  template <class V> static bool apply(V a, V b) { return a < b; }
};

struct LessEqual {
  template <class V> static bool apply(V a, V b) { return a <= b; }
};

struct Greater {
  template <class V> static bool apply(V a, V b) { return a > b; }
};

struct GreaterEqual {
  template <class V> static bool apply(V a, V b) { return a >= b; }
};

/// The opposite of a comparison. It is true if an operand is no number.
template <class F> struct Opposite {
  template <class V> static bool apply(V a, V b) { return !F::apply(a, b); }
};

/// True if both operands are numbers.
struct AreNumbers {
  template <class V> static bool apply(V a, V b) { return a == a && b == b; }
};

struct IsFinite {
  template <class V> static bool apply(V a) { return std::isfinite(a); }
};

struct IsInfinite {
  template <class V> static bool apply(V a) { return std::isinf(a); }
};

struct IsNumber {
  template <class V> static bool apply(V a) { return !std::isnan(a); }
};

struct IsNotNumber {
  template <class V> static bool apply(V a) { return std::isnan(a); }
};

/// Zero is normal, as PTX says.
struct IsNormal {
  template <class V> static bool apply(V a) {
    return a == 0 || std::isnormal(a);
  }
};

struct IsSubnormal {
  template <class V> static bool apply(V a) {
    return std::fpclassify(a) == FP_SUBNORMAL;
  }
};

} // namespace tg::ptx

#endif
