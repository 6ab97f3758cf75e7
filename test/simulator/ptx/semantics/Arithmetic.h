/// The arithmetic of PTX on values.
///
/// Results of f32 operations that are no number are 0x7fffffff, as the hardware
/// gives them. f64 operations pass the bits of an operand that is no number on,
/// as the host does.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_ARITHMETIC_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_ARITHMETIC_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tg::ptx {

/// Returns a value, with the hardware's bits if it is no number. Works on bits,
/// as a compiler may take one NaN for another.
template <class V> V canonical(V value) {
  if constexpr (std::is_same_v<V, float>) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    bool isNumber = (bits & 0x7fffffff) <= 0x7f800000;
    return std::bit_cast<float>(isNumber ? bits : 0x7fffffff);
  }
  return value;
}

/// The type in which integers are computed: unsigned, so that they wrap, and of
/// 64 bits, so that nothing is promoted to a signed type.
template <class V>
using Computed = std::conditional_t<std::is_integral_v<V>, uint64_t, V>;

struct Add {
  template <class V> static V apply(V a, V b) {
    return canonical(static_cast<V>(Computed<V>(a) + Computed<V>(b)));
  }
};

struct Subtract {
  template <class V> static V apply(V a, V b) {
    return canonical(static_cast<V>(Computed<V>(a) - Computed<V>(b)));
  }
};

struct Multiply {
  template <class V> static V apply(V a, V b) {
    return canonical(static_cast<V>(Computed<V>(a) * Computed<V>(b)));
  }
};

/// The upper half of a product.
struct MultiplyHigh {
  template <class V> static V apply(V a, V b) {
    using Wide =
        std::conditional_t<std::is_signed_v<V>, __int128, unsigned __int128>;
    return static_cast<V>(Wide(a) * Wide(b) >> (8 * sizeof(V)));
  }
};

struct MultiplyAdd {
  template <class V> static V apply(V a, V b, V c) {
    return static_cast<V>(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};

struct FusedMultiplyAdd {
  static constexpr bool isMultiplyAdd = true;
  template <class V> static V apply(V a, V b, V c) {
    return canonical(std::fma(a, b, c));
  }
};

/// Quotients by 0 have all bits set, which PTX leaves open.
struct Divide {
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_integral_v<V>) {
      if (b == 0)
        return static_cast<V>(-1);
      if (std::is_signed_v<V> && b == static_cast<V>(-1))
        return static_cast<V>(-uint64_t(a));
    }
    return canonical(static_cast<V>(a / b));
  }
};

/// Remainders of a division by 0 are the dividend, which PTX leaves open.
struct Remainder {
  template <class V> static V apply(V a, V b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<V> && b == static_cast<V>(-1))
      return 0;
    return static_cast<V>(a % b);
  }
};

/// Returns true if the first of two values is the lesser; -0 is less than +0.
template <class V> bool isLess(V a, V b) {
  if constexpr (std::is_floating_point_v<V>)
    if (a == b)
      return std::signbit(a) && !std::signbit(b);
  return a < b;
}

/// The lesser value; one that is no number does not count.
struct Minimum {
  template <class V> static V apply(V a, V b) {
    if (a != a || b != b)
      return canonical(a != a ? b : a);
    return isLess(b, a) ? b : a;
  }
};

/// The greater value; one that is no number does not count.
struct Maximum {
  template <class V> static V apply(V a, V b) {
    if (a != a || b != b)
      return canonical(a != a ? b : a);
    return isLess(a, b) ? b : a;
  }
};

/// F, but no number if an operand is none.
template <class F> struct Propagating {
  static float apply(float a, float b) {
    return canonical(a != a || b != b ? a + b : F::apply(a, b));
  }
};

/// The negative value; of floating-point numbers the sign bit changes.
struct Negate {
  template <class V> static V apply(V a) {
    if constexpr (std::is_integral_v<V>)
      return static_cast<V>(-uint64_t(a));
    return -a;
  }
};

/// The absolute value; that of the least integer is the integer itself.
struct Absolute {
  template <class V> static V apply(V a) {
    if constexpr (std::is_integral_v<V>)
      return a < 0 ? static_cast<V>(-uint64_t(a)) : a;
    else
      return std::fabs(a);
  }
};

struct SquareRoot {
  template <class V> static V apply(V a) { return canonical(std::sqrt(a)); }
};

struct Reciprocal {
  template <class V> static V apply(V a) { return canonical(V(1) / a); }
};

/// b with the sign of a.
struct CopySign {
  template <class V> static V apply(V a, V b) { return std::copysign(b, a); }
};

} // namespace tg::ptx

#endif
