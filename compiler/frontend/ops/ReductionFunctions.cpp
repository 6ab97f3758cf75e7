//===- ReductionFunctions.cpp - reductions, running sums, norms -----------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/control.h"
#include "tg/tensor/functional.h"

#include <array>
#include <cmath>
#include <numeric>

using namespace tg;
using namespace tg::dsl;

static std::vector<Attribute> attributesOf(const Operand &input,
                                           const ReduceOptions &options) {
  std::vector<Attribute> attributes;
  if (!options.axes.empty())
    attributes.push_back({"axes", resolveAxes(input, options.axes)});
  if (options.keepDims)
    attributes.push_back({"keep_dims", Attribute::Flag()});
  return attributes;
}

/// Reductions that build a single op.
#define TG_REDUCTION(function, op)                                             \
  Tensor tg::function(Operand input, const ReduceOptions &options) {           \
    return call(op, {input}, attributesOf(input, options));                    \
  }
TG_REDUCTION(reduceSum, "reduce_sum")
TG_REDUCTION(reduceProd, "reduce_prod")
TG_REDUCTION(reduceMax, "reduce_max")
TG_REDUCTION(reduceMin, "reduce_min")
#undef TG_REDUCTION

Tensor tg::reduceAny(Operand input, const ReduceOptions &options) {
  return reduceMax(input, options);
}

Tensor tg::reduceAll(Operand input, const ReduceOptions &options) {
  return reduceMin(input, options);
}

/// Returns the given axes, or all axes if none are given.
static std::vector<int64_t> axesOf(const Operand &input,
                                   std::vector<int64_t> axes) {
  if (!axes.empty())
    return resolveAxes(input, std::move(axes));
  axes.resize(input.tensor().rank());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Tensor tg::elementCount(Operand input, const std::vector<int64_t> &axes,
                        DType dtype) {
  Scope scope(input);
  Shape shape = input.tensor().shape();
  int64_t known = 1;
  Tensor count;
  for (int64_t axis : axesOf(input, axes)) {
    if (shape[axis].isKnown())
      known *= shape[axis].value;
    else
      count = count.isDefined() ? count * extentOf(input, axis)
                                : extentOf(input, axis);
  }
  double number = static_cast<double>(known);
  if (!count.isDefined())
    return scalar(input.tensor().body(), number, dtype, input.where());
  return cast(known == 1 ? count : count * number, dtype);
}

Tensor tg::reduceMean(Operand input, const ReduceOptions &options) {
  Scope scope(input);
  DType dtype = input.tensor().dtype();
  if (isFloat(dtype) || dtype == i64 || dtype == boolean) {
    Tensor sum = reduceSum(input, options);
    return sum / elementCount(input, options.axes, dtype);
  }
  // The mean is in the range of the element type, but the sum may overflow it.
  Tensor sum = reduceSum({cast(input, i64), input.where()}, options);
  return cast(sum / elementCount(input, options.axes, i64), dtype);
}

Tensor tg::reduceLogSumExp(Operand input, const ReduceOptions &options) {
  Scope scope(input);
  Tensor greatest = reduceMax(input, {options.axes, true});
  greatest = stopGradient(select(isFinite(greatest), greatest, 0.0));
  Tensor sum = reduceSum(exp(input - greatest), options);
  return log(sum) +
         (options.keepDims ? greatest : reduceMax(greatest, options));
}

Moments tg::moments(Operand input, const ReduceOptions &options) {
  std::vector<Tensor> results =
      callAll("moments", {input}, attributesOf(input, options));
  return {results[0], results[1]};
}

Tensor tg::standardDeviation(Operand input, const ReduceOptions &options) {
  Scope scope(input);
  return sqrt(moments(input, options).variance);
}

Tensor tg::argMax(Operand input, const ArgOptions &options) {
  std::vector<Attribute> attributes = {
      {"axis", resolveAxis(input, options.axis)}};
  if (options.keepDims)
    attributes.push_back({"keep_dims", Attribute::Flag()});
  return call("argmax", {input}, attributes);
}

Tensor tg::argMin(Operand input, const ArgOptions &options) {
  Scope scope(input);
  bool negates = isFloat(input.tensor().dtype());
  return argMax(negates ? -input : logicalNot(input), options);
}

Tensor tg::argMax(Operand input, int64_t axis) {
  return argMax(std::move(input), {.axis = axis});
}

Tensor tg::argMin(Operand input, int64_t axis) {
  return argMin(std::move(input), {.axis = axis});
}

Tensor tg::cumsum(Operand input, const CumsumOptions &options) {
  std::vector<Attribute> attributes = {
      {"axis", resolveAxis(input, options.axis)}};
  if (options.exclusive)
    attributes.push_back({"exclusive", Attribute::Flag()});
  if (options.reverse)
    attributes.push_back({"reverse", Attribute::Flag()});
  return call("cumsum", {input}, attributes);
}

/// Returns ones with the shape of an element along dimension 0.
static Tensor onesLikeRow(const Tensor &rows) {
  std::vector<int64_t> shape = extentList(rows);
  std::vector<Operand> operands = {
      scalar(rows.body(), 1, rows.dtype(), Place::current())};
  for (int64_t axis = 1; axis < rows.rank(); ++axis)
    if (shape[axis] == -1)
      operands.push_back(extentOf(rows, axis));
  shape.erase(shape.begin());
  return call("broadcast_to", operands, {{"shape", shape}});
}

/// Builds a loop over the axis. Its gradient consists of products and sums, and
/// so does not divide by elements, which may be 0.
Tensor tg::cumprod(Operand input, const CumprodOptions &options) {
  Scope scope(input);
  int64_t axis = resolveAxis(input, options.axis);
  Tensor rows = swapDimensions(input, axis, 0);
  auto step = [&](Tensor product, Tensor row) {
    Tensor next = product * row;
    return std::array{next, options.exclusive ? product : next};
  };
  auto [last, products] = scan(step, {onesLikeRow(rows)}, {rows},
                               {.reverse = options.reverse}, input.where());
  return swapDimensions(products, 0, axis);
}

TopK tg::topK(Operand input, int64_t k) {
  std::vector<Tensor> results = callAll("top_k", {input}, {{"k", k}});
  return {results[0], results[1]};
}

Tensor tg::l1(Operand input) {
  Scope scope(input);
  return reduceSum(abs(input));
}

Tensor tg::norm(Operand input, const NormOptions &options) {
  Scope scope(input);
  if (!isFloat(input.tensor().dtype()))
    raise("expected floats, found " + toString(input.tensor().dtype()),
          input.tensor().body(), input.where());
  ReduceOptions reduce{options.axes, options.keepDims};
  if (options.order == 1)
    return reduceSum(abs(input), reduce);
  if (std::isinf(options.order) && options.order > 0)
    return maximum(reduceMax(abs(input), reduce), 0.0); // also for no elements
  if (options.order != 2)
    raise("expected an order of 1, 2 or infinity, found " +
              std::to_string(options.order),
          input.tensor().body(), input.where());
  Tensor sum = reduceSum(input * input, reduce);
  // Avoids the infinite gradient of the square root at 0. No gradient flows
  // through the constant 1.
  Tensor isZero = sum == 0.0;
  return select(isZero, 0.0, sqrt(select(isZero, 1.0, sum)));
}

Tensor tg::l2Loss(Operand input) {
  Scope scope(input);
  return 0.5 * reduceSum(input * input);
}

Tensor tg::l2Normalize(Operand input, int64_t axis) {
  Scope scope(input);
  Tensor length = reduceSum(input * input, {{axis}, true});
  return input / sqrt(maximum(length, 1e-12));
}
