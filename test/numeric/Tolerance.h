//===- Tolerance.h - comparison of floats with a tolerance ----------------===//
#ifndef TG_TEST_NUMERIC_TOLERANCE_H
#define TG_TEST_NUMERIC_TOLERANCE_H

#include "dialects/tg/evaluation/HostTensor.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tg::test {

/// Returns the magnitude to which the tolerance of small elements is relative:
/// the largest finite magnitude of the expected tensor, at most 1. Errors of a
/// sum are relative to its terms, so an element that terms cancel out has the
/// tolerance of its neighbours, and a tensor of small elements has a small one.
/// Below the smallest normal f32, rounding errors are absolute.
inline double toleranceFloor(const HostTensor &expected) {
  double largest = std::numeric_limits<float>::min();
  for (int64_t i = 0; i < expected.getNumElements(); ++i)
    if (double element = std::abs(expected.numberAt(i)); std::isfinite(element))
      largest = std::max(largest, element);
  return std::min(1.0, largest);
}

/// Returns true if `found` equals `expected`, or differs by at most `tolerance`
/// relative to the larger of `expected` and `floor`.
inline bool isClose(double found, double expected, double tolerance,
                    double floor) {
  return found == expected || (std::isnan(found) && std::isnan(expected)) ||
         std::abs(found - expected) <=
             tolerance * std::max(floor, std::abs(expected));
}

} // namespace tg::test

#endif // TG_TEST_NUMERIC_TOLERANCE_H
