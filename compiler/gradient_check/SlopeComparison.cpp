//===- SlopeComparison.cpp - a derivative against differences -------------===//
#include "compiler/gradient_check/SlopeComparison.h"
#include <cmath>

using namespace mlir;
using namespace tg;

/// The upper bound of roundings behind a scalar.
static constexpr double kRoundings = 8;

/// Steps in terms of the one that was asked for; the shortest comes last.
static constexpr double kSteps[] = {1, 8, 0.125};

/// The factor of the error that bending and rounding leave at least in a
/// central difference, which a right derivative may be away from it.
static constexpr double kShortFloatSlack = 16;

/// The factor of the distance of slopes near by, which a derivative may be
/// beyond them if these differ: along a direction many elements have kinks at
/// once.
static constexpr double kKinksOfElement = 1, kKinksOfDirection = 4;

/// The distance of near points, in steps, and the factor of the steps there:
/// tied elements must not pass each other.
static constexpr double kNearRadius = 8, kNearStep = 0x1p-7;

SlopeComparison::SlopeComparison(const GradientCheckOptions &options,
                                 double magnitude, double rounding)
    : delta(options.delta), tolerance(options.tolerance), magnitude(magnitude),
      rounding(rounding) {
  if (rounding <= std::numeric_limits<double>::epsilon())
    return;
  // A step h leaves errors of h * h and rounding / h: least at this one.
  double best = std::cbrt(rounding);
  delta = std::max(delta, best);
  tolerance = std::max(tolerance, kShortFloatSlack * best * best);
}

double SlopeComparison::errorOf(double found, double expected,
                                double step) const {
  if (!std::isfinite(found))
    return std::numeric_limits<double>::infinity();
  // The rest that rounding alone leaves of a difference is no derivative.
  double noise = kRoundings * rounding * magnitude / step / tolerance;
  double scale = std::max({std::abs(found), std::abs(expected), noise});
  return scale == 0 ? 0 : std::abs(found - expected) / scale;
}

bool SlopeComparison::isKink(double found, ArrayRef<double> slopes, double step,
                             Line line, bool isDirection) const {
  std::optional<double> before = line(-step, {}), here = line(0, {}),
                        after = line(step, {});
  if (!before || !here || !after || !std::isfinite(found))
    return false;
  SmallVector<double> all(slopes);
  all.push_back((*here - *before) / step);
  all.push_back((*after - *here) / step);
  double noise = kRoundings * rounding * magnitude / tolerance;
  double less = std::clamp(noise, kNearStep * step, step);
  for (unsigned number = 1; number <= kNearPoints; ++number) {
    NearPoint near{number, kNearRadius * step};
    std::optional<double> low = line(-less, near), high = line(less, near);
    if (low && high)
      all.push_back((*high - *low) / (2 * less));
  }
  auto [least, most] = std::minmax_element(all.begin(), all.end());
  double slack = tolerance * std::max(std::abs(*least), std::abs(*most));
  double spread = *most - *least;
  double around = spread * (isDirection ? kKinksOfDirection : kKinksOfElement);
  return spread > slack && found >= *least - around && found <= *most + around;
}

bool SlopeComparison::compare(double found, Line line,
                              std::optional<int64_t> element,
                              ComparedDerivatives &tensor) const {
  std::optional<double> error, expected;
  SmallVector<double> slopes;
  for (double factor : kSteps) {
    double step = delta * factor;
    std::optional<double> high = line(step, {}), low = line(-step, {});
    if (!high || !low)
      continue;
    double slope = (*high - *low) / (2 * step);
    slopes.push_back(slope);
    double here = errorOf(found, slope, step);
    if (error && here >= *error)
      continue;
    error = here;
    expected = slope;
    if (here <= tolerance)
      break;
  }
  if (!error) {
    ++tensor.undefined;
    return false;
  }
  bool isWrong = !(*error <= tolerance);
  if (isWrong && isKink(found, slopes, delta * std::end(kSteps)[-1], line,
                        /*isDirection=*/!element)) {
    ++tensor.kinks;
    return false;
  }
  ++tensor.compared;
  // An element says more than a direction if their errors are equal.
  bool saysMore = element && !tensor.element && *error == tensor.worst;
  if (tensor.compared > 1 && *error <= tensor.worst && !saysMore)
    return isWrong;
  tensor.worst = *error;
  tensor.found = found;
  tensor.expected = *expected;
  tensor.element = element;
  return isWrong;
}
