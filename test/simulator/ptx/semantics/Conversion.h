/// The conversions of PTX.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_CONVERSION_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_CONVERSION_H

#include "Arithmetic.h"
#include "Forms.h"

namespace tg::ptx {

/// The direction in which a conversion rounds.
enum class Rounding : uint8_t { NearestEven, TowardZero, Down, Up };

/// Returns the integer near a floating-point number.
template <Rounding R, class V> V roundToInteger(V value) {
  if constexpr (R == Rounding::NearestEven)
    return std::nearbyint(value);
  else if constexpr (R == Rounding::TowardZero)
    return std::trunc(value);
  else if constexpr (R == Rounding::Down)
    return std::floor(value);
  else
    return std::ceil(value);
}

/// Returns an integral floating-point number as an integer: the nearest one of
/// the type, and what PTX states for a value that is no number.
template <class D, class S> D clampToInteger(S value) {
  using Limits = std::numeric_limits<D>;
  if (std::isnan(value)) {
    bool isZero = sizeof(S) == 4 && sizeof(D) < 8;
    return isZero ? 0 : static_cast<D>(uint64_t(1) << (8 * sizeof(D) - 1));
  }
  // The least value is exact, and the bound above is a power of two.
  const S bound = std::ldexp(S(1), Limits::digits);
  if (value < static_cast<S>(Limits::min()))
    return Limits::min();
  return value >= bound ? Limits::max() : static_cast<D>(value);
}

/// Returns the floating-point number of type D near a number of type S.
template <Rounding R, class D, class S> D roundToFloat(S value) {
  D nearest = static_cast<D>(value);
  if constexpr (R == Rounding::NearestEven)
    return canonical(nearest);
  // 64 bits of mantissa hold every operand exactly.
  static_assert(std::numeric_limits<long double>::digits >= 64);
  long double exact = value, found = nearest;
  const D infinity = std::numeric_limits<D>::infinity();
  if (R == Rounding::TowardZero && std::fabs(found) > std::fabs(exact))
    nearest = std::nextafter(nearest, D(0));
  else if (R == Rounding::Down && found > exact)
    nearest = std::nextafter(nearest, -infinity);
  else if (R == Rounding::Up && found < exact)
    nearest = std::nextafter(nearest, infinity);
  return canonical(nearest);
}

/// Converts a value of type S to type D.
template <Rounding R, class D, class S> D convert(S value) {
  constexpr bool isToFloat = std::is_floating_point_v<D>;
  constexpr bool isFromFloat = std::is_floating_point_v<S>;
  if constexpr (!isToFloat && !isFromFloat)
    return static_cast<D>(value);
  else if constexpr (!isToFloat)
    return clampToInteger<D>(roundToInteger<R>(value));
  else if constexpr (std::is_same_v<D, S>)
    return canonical(roundToInteger<R>(value));
  else
    return roundToFloat<R, D>(value);
}

/// The bits of the number with 10 bits of mantissa near a number; halves are
/// rounded away from zero.
struct RoundToTensorFloat {
  static uint32_t apply(float a) {
    constexpr uint32_t half = 1u << 12;
    uint32_t bits = std::bit_cast<uint32_t>(canonical(a));
    bool isFinite = (bits & 0x7f800000) != 0x7f800000;
    return isFinite ? (bits + half) & ~(2 * half - 1) : bits;
  }
};

/// d = a in another type.
template <Rounding R = Rounding::NearestEven> struct Convert {
  static constexpr std::string_view operands = "EC";
  template <Type D, Type S>
  static void execute(const Thread &t, const Step &s) {
    t.setLow<D>(s, 0, convert<R, Native<D>>(t.getLow<S>(s, 1)));
  }
};

} // namespace tg::ptx

#endif
