//===- SlopeComparison.cpp - a derivative against differences -------------===//
#include "compiler/gradient_check/SlopeComparison.h"
#include <cmath>

using namespace tg;

/// How many roundings a scalar may have behind it.
static constexpr double kRoundings = 8;

/// Steps in terms of the one that was asked for; the shortest comes last.
static constexpr double kSteps[] = {1, 8, 0.125};

double SlopeComparison::errorOf(double found, double expected,
                                double step) const {
  if (!std::isfinite(found))
    return std::numeric_limits<double>::infinity();
  // What rounding alone leaves of a difference is no derivative.
  double rounding = kRoundings * std::numeric_limits<double>::epsilon() *
                    magnitude / step / options.tolerance;
  double scale = std::max({std::abs(found), std::abs(expected), rounding});
  return scale == 0 ? 0 : std::abs(found - expected) / scale;
}

bool SlopeComparison::isKink(double found, double step, Line line) const {
  std::optional<double> before = line(-step), here = line(0),
                        after = line(step);
  if (!before || !here || !after || !std::isfinite(found))
    return false;
  double below = (*here - *before) / step, above = (*after - *here) / step;
  auto [least, most] = std::minmax(below, above);
  double slack = options.tolerance * std::max(std::abs(least), std::abs(most));
  return most - least > slack && found >= least - slack &&
         found <= most + slack;
}

bool SlopeComparison::compare(double found, Line line,
                              std::optional<int64_t> element,
                              ComparedDerivatives &tensor) const {
  std::optional<double> error, expected;
  for (double factor : kSteps) {
    double step = options.delta * factor;
    std::optional<double> high = line(step), low = line(-step);
    if (!high || !low)
      continue;
    double slope = (*high - *low) / (2 * step);
    double here = errorOf(found, slope, step);
    if (error && here >= *error)
      continue;
    error = here;
    expected = slope;
    if (here <= options.tolerance)
      break;
  }
  if (!error) {
    ++tensor.undefined;
    return false;
  }
  bool isWrong = !(*error <= options.tolerance);
  if (isWrong && isKink(found, options.delta * std::end(kSteps)[-1], line)) {
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
