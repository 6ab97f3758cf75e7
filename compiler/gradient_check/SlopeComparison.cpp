//===- SlopeComparison.cpp - compares a derivative with differences -------===//
#include "compiler/gradient_check/SlopeComparison.h"
#include <cmath>

using namespace mlir;
using namespace tg;

/// The assumed upper bound of the number of roundings that add up in the
/// scalar.
static constexpr double kRoundings = 8;

/// The steps as multiples of the requested one; the shortest comes last.
static constexpr double kSteps[] = {1, 8, 0.125};

/// The tolerance as a multiple of the minimum error of a central difference.
static constexpr double kShortFloatSlack = 16;

/// The margin by which a derivative at a kink may exceed the range of the
/// slopes nearby, as a multiple of that range. The margin is wider along a
/// random direction, where many elements can have a kink at once.
static constexpr double kElementMargin = 1, kDirectionMargin = 4;

/// The radius of the near points in steps, and the smallest difference step at
/// a near point as a fraction of the step. This step is small, so that it does
/// not change the order of elements that were equal before they moved to the
/// near point.
static constexpr double kNearRadius = 8, kNearStep = 0x1p-7;

SlopeComparison::SlopeComparison(const GradientCheckOptions &options,
                                 double magnitude, double rounding)
    : delta(options.delta), tolerance(options.tolerance), magnitude(magnitude),
      rounding(rounding) {
  if (rounding <= std::numeric_limits<double>::epsilon())
    return;
  // A step h has a truncation error of h * h and a rounding error of rounding /
  // h, whose sum is minimal near this step.
  double best = std::cbrt(rounding);
  delta = std::max(delta, best);
  tolerance = std::max(tolerance, kShortFloatSlack * best * best);
}

double SlopeComparison::errorOf(double found, double expected,
                                double step) const {
  if (!std::isfinite(found))
    return std::numeric_limits<double>::infinity();
  // The scale is at least the rounding noise of the difference divided by the
  // tolerance, so that noise alone is within the tolerance.
  double noise = kRoundings * rounding * magnitude / step / tolerance;
  double scale = std::max({std::abs(found), std::abs(expected), noise});
  return scale == 0 ? 0 : std::abs(found - expected) / scale;
}

bool SlopeComparison::isKink(double found, ArrayRef<double> slopes, double step,
                             Line line, bool isDirection) const {
  std::optional<double> before = line(-step, {});
  std::optional<double> center = line(0, {});
  std::optional<double> after = line(step, {});
  if (!before || !center || !after || !std::isfinite(found))
    return false;
  SmallVector<double> allSlopes(slopes);
  allSlopes.push_back((*center - *before) / step);
  allSlopes.push_back((*after - *center) / step);
  double noise = kRoundings * rounding * magnitude / tolerance;
  double nearStep = std::clamp(noise, kNearStep * step, step);
  for (unsigned index = 1; index <= kNearPoints; ++index) {
    NearPoint near{index, kNearRadius * step};
    std::optional<double> low = line(-nearStep, near);
    std::optional<double> high = line(nearStep, near);
    if (low && high)
      allSlopes.push_back((*high - *low) / (2 * nearStep));
  }
  auto [lowest, highest] =
      std::minmax_element(allSlopes.begin(), allSlopes.end());
  double slack = tolerance * std::max(std::abs(*lowest), std::abs(*highest));
  double spread = *highest - *lowest;
  double margin = spread * (isDirection ? kDirectionMargin : kElementMargin);
  return spread > slack && found >= *lowest - margin &&
         found <= *highest + margin;
}

bool SlopeComparison::compare(double found, Line line,
                              std::optional<int64_t> element,
                              ComparedDerivatives &tensor) const {
  std::optional<double> error, expected;
  SmallVector<double> slopes;
  for (double factor : kSteps) {
    double step = delta * factor;
    std::optional<double> high = line(step, {});
    std::optional<double> low = line(-step, {});
    if (!high || !low)
      continue;
    double slope = (*high - *low) / (2 * step);
    slopes.push_back(slope);
    double stepError = errorOf(found, slope, step);
    if (error && stepError >= *error)
      continue;
    error = stepError;
    expected = slope;
    if (stepError <= tolerance)
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
  // If errors are equal, an element is more informative than a direction.
  bool winsTie = element && !tensor.element && *error == tensor.worst;
  if (tensor.compared > 1 && *error <= tensor.worst && !winsTie)
    return isWrong;
  tensor.worst = *error;
  tensor.found = found;
  tensor.expected = *expected;
  tensor.element = element;
  return isWrong;
}
