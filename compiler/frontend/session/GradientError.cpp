//===- GradientError.cpp - gradients against central differences ----------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/gradient_error.h"
#include "tg/graph/optimizer.h"

#include <cmath>
#include <random>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The derivatives of y with respect to x, with one row per element of y.
using Jacobian = std::vector<std::vector<double>>;

/// A comparison of the gradient of y with respect to x with central
/// differences.
class Comparison {
public:
  Comparison(Session &session, const Tensor &x, const Tensor &y,
             const GradientErrorOptions &options, Place where)
      : session(session), x(x), y(y), options(options), where(where) {}

  /// Checks the arguments and chooses the value of x at which to compare.
  void prepare(const std::vector<int64_t> &xShape,
               const std::vector<int64_t> &yShape);
  /// Returns the derivatives that a gradient request computes.
  Jacobian computeGradients();
  /// Returns the derivatives from central differences.
  Jacobian computeDifferences();

private:
  void checkTensor(const char *name, const Tensor &tensor,
                   const std::vector<int64_t> &shape) const;
  /// Returns options.initial if it is given, otherwise the value of x if x is
  /// an initialized variable, otherwise random samples.
  Array initialValue(const std::vector<int64_t> &shape);
  std::vector<Feed> feedsWith(const Array &value) const;
  /// Returns y for the value of x in which element `moved` is `number`.
  std::vector<double> valueAt(size_t moved, double number);

  Session &session;
  Tensor x, y;
  const GradientErrorOptions &options;
  Place where;
  /// The value of x at which the derivatives are compared.
  Array point;
};
} // namespace

/// Returns a copy that does not share memory with `array`.
static Array copyOf(const Array &array) {
  Array copy(array.dtype(), array.shape());
  std::copy_n(static_cast<const char *>(array.data()), array.byteCount(),
              static_cast<char *>(copy.data()));
  return copy;
}

/// Sets an element and returns its value, which is `number` rounded to the
/// element type.
static double setElement(Array &array, size_t index, double number) {
  array.set(index, number);
  return array.at(index);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void Comparison::checkTensor(const char *name, const Tensor &tensor,
                             const std::vector<int64_t> &shape) const {
  expectDefined(tensor, where);
  TensorType type = tensor.type(where);
  if (!isFloat(type.dtype))
    throw GraphError(std::string("expected ") + name +
                         " to be of floats, found " + toString(type.dtype),
                     where);
  bool fits = shape.size() == type.shape.size();
  for (size_t axis = 0; fits && axis < shape.size(); ++axis)
    fits = shape[axis] >= 0 && (!type.shape[axis].isKnown() ||
                                type.shape[axis].value == shape[axis]);
  if (!fits)
    throw GraphError(std::string("expected a shape for ") + name +
                         " that fits " + toString(type.shape) + ", found " +
                         toString(Shape(shape.begin(), shape.end())),
                     where);
}

Array Comparison::initialValue(const std::vector<int64_t> &shape) {
  if (options.initial) {
    const Array &given = *options.initial;
    if (!given.isDefined() || given.shape() != shape ||
        given.dtype() != x.dtype(where))
      throw GraphError("expected an initial value of type " +
                           toString(x.dtype(where)) + " and shape " +
                           toString(Shape(shape.begin(), shape.end())) +
                           " for x, found another one",
                       where);
    return given;
  }
  for (const VariableInfo &variable : x.body()->variables())
    if (variable.read == x.id() &&
        session.isInitialized(variableOf(x.body(), variable)))
      return session.run(x, {}, where);
  Array samples(x.dtype(where), shape);
  std::mt19937_64 random(options.seed);
  // Takes samples of 53 bits, so that they do not depend on the standard
  // library.
  for (size_t i = 0; i < samples.size(); ++i)
    samples.set(i, static_cast<double>(random() >> 11) * 0x1p-53);
  return samples;
}

void Comparison::prepare(const std::vector<int64_t> &xShape,
                         const std::vector<int64_t> &yShape) {
  checkTensor("x", x, xShape);
  checkTensor("y", y, yShape);
  if (!(options.delta > 0) || !std::isfinite(options.delta))
    throw GraphError("expected a delta above 0, found " +
                         std::to_string(options.delta),
                     where);
  point = initialValue(xShape);
  // Makes the runs check that y has this shape.
  y.setShape(Shape(yShape.begin(), yShape.end()), where);
  std::vector<Feed> feeds = feedsWith(point);
  std::vector<double> once = session.run(y, feeds, where).to<double>();
  std::vector<double> again = session.run(y, feeds, where).to<double>();
  for (size_t i = 0; i < once.size(); ++i)
    if (once[i] != again[i] && !(std::isnan(once[i]) && std::isnan(again[i])))
      throw GraphError(
          "expected y to be the same in every run with the same "
          "x, found " +
              std::to_string(once[i]) + " and " + std::to_string(again[i]) +
              " as element " + std::to_string(i) +
              ": it uses random numbers, or changes variables that "
              "it depends on",
          where);
}

std::vector<Feed> Comparison::feedsWith(const Array &value) const {
  std::vector<Feed> feeds = options.feeds;
  feeds.emplace_back(x, value, where);
  return feeds;
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

Jacobian Comparison::computeGradients() {
  const BodyPtr &body = y.body();
  TensorType type = y.type(where);
  size_t rows = 1;
  for (const Extent &extent : type.shape)
    rows *= static_cast<size_t>(extent.value);
  Jacobian result(rows, std::vector<double>(point.size()));
  Id source = x.id();
  if (!body->reaches(y.id(), {&source, 1})[0])
    return result;
  // The gradient d(Σ y · w)/dx is row i of the Jacobian if w is 1 at element i
  // and 0 elsewhere. w is a constant that is fed, not an input, because the
  // program would warn of an input that no function uses.
  const double zero = 0;
  Tensor weight(body, take(body->constant(type, {&zero, 1}, where)));
  Tensor sum = reduceSum({Operand(y, where) * Operand(weight, where), where});
  Tensor gradient = gradientsOf({sum, where}, {x}).front();
  std::vector<int64_t> shape;
  for (const Extent &extent : type.shape)
    shape.push_back(extent.value);
  for (size_t i = 0; i < rows; ++i) {
    Array cotangent(type.dtype, shape);
    for (size_t k = 0; k < rows; ++k)
      cotangent.set(k, k == i);
    std::vector<Feed> feeds = feedsWith(point);
    feeds.emplace_back(weight, cotangent, where);
    result[i] = session.run(gradient, feeds, where).to<double>(where);
  }
  return result;
}

std::vector<double> Comparison::valueAt(size_t moved, double number) {
  Array value = copyOf(point);
  value.set(moved, number);
  return session.run(y, feedsWith(value), where).to<double>(where);
}

Jacobian Comparison::computeDifferences() {
  Jacobian result;
  for (size_t i = 0; i < point.size(); ++i) {
    Array rounded = copyOf(point);
    double above = setElement(rounded, i, point.at(i) + options.delta);
    double below = setElement(rounded, i, point.at(i) - options.delta);
    if (above == below)
      throw GraphError("expected a delta that moves element " +
                           std::to_string(i) + " of x, " +
                           std::to_string(point.at(i)) + ", found " +
                           std::to_string(options.delta),
                       where);
    std::vector<double> high = valueAt(i, above);
    std::vector<double> low = valueAt(i, below);
    result.resize(high.size(), std::vector<double>(point.size()));
    for (size_t row = 0; row < high.size(); ++row)
      result[row][i] = (high[row] - low[row]) / (above - below);
  }
  return result;
}

double tg::computeGradientError(Session &session, const Tensor &x,
                                const std::vector<int64_t> &xShape,
                                const Tensor &y,
                                const std::vector<int64_t> &yShape,
                                const GradientErrorOptions &options,
                                std::source_location where) {
  Comparison comparison(session, x, y, options, where);
  comparison.prepare(xShape, yShape);
  Jacobian found = comparison.computeGradients();
  Jacobian expected = comparison.computeDifferences();
  double worst = 0;
  for (size_t row = 0; row < expected.size(); ++row)
    for (size_t i = 0; i < expected[row].size(); ++i) {
      double error = std::abs(found[row][i] - expected[row][i]);
      // NaN is the greatest error.
      if (!(error <= worst))
        worst = error;
      if (std::isnan(worst))
        return worst;
    }
  return worst;
}

double tg::computeGradientError(const Tensor &x,
                                const std::vector<int64_t> &xShape,
                                const Tensor &y,
                                const std::vector<int64_t> &yShape,
                                const GradientErrorOptions &options,
                                std::source_location where) {
  expectDefined(x, where);
  Program graph = Program::of(x, where);
  Session session(graph, {}, where);
  session.run(graph.initializer(where), {}, where);
  return computeGradientError(session, x, xShape, y, yShape, options, where);
}
