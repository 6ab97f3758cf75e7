//===- SlopeComparison.cpp - a derivative against differences -------------===//
#include "compiler/gradient_check/SlopeComparison.h"
#include <cmath>

using namespace tg;

/// How many roundings a scalar may have behind it.
static constexpr double kRoundings = 8;

/// Steps in terms of the one that was asked for; the shortest comes last.
static constexpr double kSteps[] = {1, 8, 0.125};

/// How many times what bending and rounding together leave at least of a
/// central difference may be between it and a right derivative.
static constexpr double kShortFloatSlack = 16;

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
  // What rounding alone leaves of a difference is no derivative.
  double noise = kRoundings * rounding * magnitude / step / tolerance;
  double scale = std::max({std::abs(found), std::abs(expected), noise});
  return scale == 0 ? 0 : std::abs(found - expected) / scale;
}

bool SlopeComparison::isKink(double found, double step, Line line) const {
  std::optional<double> before = line(-step), here = line(0),
                        after = line(step);
  if (!before || !here || !after || !std::isfinite(found))
    return false;
  double below = (*here - *before) / step, above = (*after - *here) / step;
  auto [least, most] = std::minmax(below, above);
  double slack = tolerance * std::max(std::abs(least), std::abs(most));
  return most - least > slack && found >= least - slack &&
         found <= most + slack;
}

bool SlopeComparison::compare(double found, Line line,
                              std::optional<int64_t> element,
                              ComparedDerivatives &tensor) const {
  std::optional<double> error, expected;
  for (double factor : kSteps) {
    double step = delta * factor;
    std::optional<double> high = line(step), low = line(-step);
    if (!high || !low)
      continue;
    double slope = (*high - *low) / (2 * step);
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
  if (isWrong && isKink(found, delta * std::end(kSteps)[-1], line)) {
    ++tensor.kinks;
    return false;
  }
  ++tensor.compared;
  if (tensor.compared > 1 && *error <= tensor.worst)
    return isWrong;
  tensor.worst = *error;
  tensor.found = found;
  tensor.expected = *expected;
  tensor.element = element;
  return isWrong;
}
