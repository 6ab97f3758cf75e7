/// Gradients of a graph against central differences of what the graph computes:
/// the test of a gradient that is given, held back or one's own.
///
///   Session session;
///   Tensor x = placeholder(f32, {10});
///   double error = computeGradientError(session, x, {10}, relu(x * x), {10});
#ifndef TG_GRAPH_GRADIENT_ERROR_H
#define TG_GRAPH_GRADIENT_ERROR_H

#include "session.h"

namespace tg {

struct GradientErrorOptions {
  /// The distance by which x is moved to either side, above 0.
  double delta = 1e-3;
  /// The value of x, of its type. None: that of a variable that has one in the
  /// session; of everything else draws from [0, 1).
  std::optional<Array> initial = {};
  /// The feeds that y needs beside x.
  std::vector<Feed> feeds = {};
  /// The seed of the random values.
  uint64_t seed = 0;
};

/// The greatest absolute difference between the derivatives of all elements of
/// y for all elements of x, as gradients() gives them, and central differences,
/// (y(x + delta) - y(x - delta)) / 2 delta. Both are floats, and y may be a
/// scalar, whose shape is {}. x is any tensor: it is fed, so what it was made
/// of does not count. Where y does not depend on x by any gradient, the
/// derivatives count as 0. Differences of f32 are right to about 1e-3 of y.
/// Takes a run for each element of y and two for each of x; ops for the
/// gradient stay in the graph. Throws GraphError where a shape does not fit, y
/// draws random numbers, or what a run finds; variables keep their values.
double computeGradientError(
    Session &session, const Tensor &x, const std::vector<int64_t> &xShape,
    const Tensor &y, const std::vector<int64_t> &yShape,
    const GradientErrorOptions &options = {},
    std::source_location where = std::source_location::current());
/// The same in a session of its own, in which variables have their first
/// values.
double computeGradientError(
    const Tensor &x, const std::vector<int64_t> &xShape, const Tensor &y,
    const std::vector<int64_t> &yShape,
    const GradientErrorOptions &options = {},
    std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_GRADIENT_ERROR_H
