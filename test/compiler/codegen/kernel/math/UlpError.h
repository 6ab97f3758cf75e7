// Distance of a computed float from the exact value, in units of last place.
#ifndef TG_TEST_COMPILER_CODEGEN_CPU_MATH_ULPERROR_H
#define TG_TEST_COMPILER_CODEGEN_CPU_MATH_ULPERROR_H

#include <algorithm>
#include <cmath>
#include <limits>

namespace tg::test {

/// Returns |got - exact| in units of the last place of `exact` as a T. Returns
/// infinity if exactly one of them is NaN, if an infinity is missed, or if a
/// zero has the wrong sign. An overflow counts as the power of two beyond the
/// range.
template <typename T> double ulpError(T got, long double exact) {
  using Limits = std::numeric_limits<T>;
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) && std::isnan(exact) ? 0 : wrong;
  if (std::isinf(exact))
    return got == exact ? 0 : wrong;
  if (exact == 0 && (got != 0 || std::signbit(got) != std::signbit(exact)))
    return wrong;
  int exponent = exact == 0 ? Limits::min_exponent : std::ilogb(exact);
  exponent =
      std::clamp(exponent, Limits::min_exponent - 1, Limits::max_exponent - 1);
  long double value = got;
  if (std::isinf(got))
    value = std::copysign(std::ldexp(1.0L, Limits::max_exponent), value);
  if (std::isinf(got) && T(exact) == got)
    return 0;
  long double unit = std::ldexp(1.0L, exponent - (Limits::digits - 1));
  return double(std::abs(value - exact) / unit);
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_MATH_ULPERROR_H
