/// A comparison of the gradients of a graph with central differences: a test
/// for custom and stopped gradients.
///
///   Session session;
///   Tensor x = placeholder(f32, {10});
///   double error = computeGradientError(session, x, {10}, relu(x * x), {10});
#ifndef TG_GRAPH_GRADIENT_ERROR_H
#define TG_GRAPH_GRADIENT_ERROR_H

#include "session.h"

namespace tg {

struct GradientErrorOptions {
  /// The step of the central differences in each direction, above 0.
  double delta = 1e-3;
  /// The value of x, of its type. None: the value of a variable that has one in
  /// the session, otherwise random samples from [0, 1).
  std::optional<Array> initial = {};
  /// The other feeds that y needs.
  std::vector<Feed> feeds = {};
  /// The seed of the random samples.
  uint64_t seed = 0;
};

/// Returns the greatest absolute difference between the derivatives of all
/// elements of y for all elements of x, as computed by gradients(), and central
/// differences, (y(x + delta) - y(x - delta)) / 2 delta. Both are floats. y may
/// be a scalar, whose shape is {}. x is any tensor; it is fed, so the ops that
/// compute it do not run. If no gradient connects y to x, the derivatives count
/// as 0. Differences of f32 are accurate to about 1e-3 of y. Takes a run for
/// each element of y and two for each element of x. The gradient's ops stay in
/// the graph. Throws GraphError if a shape does not fit, if y uses random
/// numbers, or if a run fails. Variables keep their values.
double computeGradientError(
    Session &session, const Tensor &x, const std::vector<int64_t> &xShape,
    const Tensor &y, const std::vector<int64_t> &yShape,
    const GradientErrorOptions &options = {},
    std::source_location where = std::source_location::current());
/// The same in a new session, in which variables have their initial values.
double computeGradientError(
    const Tensor &x, const std::vector<int64_t> &xShape, const Tensor &y,
    const std::vector<int64_t> &yShape,
    const GradientErrorOptions &options = {},
    std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_GRADIENT_ERROR_H
