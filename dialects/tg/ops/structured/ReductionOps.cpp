//===- ReductionOps.cpp - reductions along axes ---------------------------===//
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/structured/ReductionOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// Common code
//===----------------------------------------------------------------------===//

/// Combines the elements over the axes in type A and stores them as type T.
template <typename T, typename A, typename Combine>
static void reduceInto(HostTensor &result, const HostTensor &input,
                       ArrayRef<int64_t> axes, A neutral, Combine combine) {
  std::vector<int64_t> groupOf = reducedElements(input.getShape(), axes);
  std::vector<A> groups(result.getNumElements(), neutral);
  for (auto [group, x] : llvm::zip_equal(groupOf, input.values<T>()))
    groups[group] = A(combine(groups[group], A(x)));
  llvm::transform(groups, result.values<T>().begin(),
                  [](A group) { return T(group); });
}

static Type elementTypeOf(Value tensor) { return getElementTypeOrSelf(tensor); }

//===----------------------------------------------------------------------===//
// reduce_sum
//===----------------------------------------------------------------------===//

Value ReduceSumOp::buildNeutral(OpBuilder &builder, Location loc, Type type) {
  return buildComputeConstant(builder, loc, type, 0.0);
}

Value ReduceSumOp::buildCombine(OpBuilder &builder, Location loc, Value lhs,
                                Value rhs) {
  if (computesInFloat(lhs.getType()))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

SmallVector<Value> ReduceSumOp::buildGradient(OpBuilder &builder,
                                              ValueRange cotangents) {
  Value kept =
      buildKeptDims(builder, cotangents[0], getInput(), getReducedAxes());
  return {buildBroadcastLike(builder, kept, getInput())};
}

/// Returns the reduced axes in an operand that has an additional leading axis,
/// which stacks the steps of a loop.
static SmallVector<int64_t> axesAfterSteps(ReduceSumOp op) {
  return llvm::map_to_vector(op.getReducedAxes(),
                             [](int64_t axis) { return axis + 1; });
}

bool ReduceSumOp::canBatch(ArrayRef<bool>) { return true; }

Value ReduceSumOp::buildBatched(OpBuilder &builder, ValueRange operands,
                                ArrayRef<bool>) {
  return ReduceSumOp::create(builder, getLoc(), operands[0],
                             axesAfterSteps(*this), getKeepDims());
}

bool ReduceSumOp::canSumSteps(ArrayRef<bool>) { return !getKeepDims(); }

Value ReduceSumOp::buildSumOfSteps(OpBuilder &builder, ValueRange operands,
                                   ArrayRef<bool>) {
  SmallVector<int64_t> axes = axesAfterSteps(*this);
  axes.insert(axes.begin(), 0);
  return ReduceSumOp::create(builder, getLoc(), operands[0], axes);
}

std::string ReduceSumOp::evaluate(ArrayRef<HostTensor> operands,
                                  MutableArrayRef<HostTensor> results) {
  visitElementType(results[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    reduceInto<T>(results[0], operands[0], getReducedAxes(), Accumulator<T>(0),
                  [](auto a, auto b) { return a + b; });
  });
  return {};
}

//===----------------------------------------------------------------------===//
// reduce_prod
//===----------------------------------------------------------------------===//

Value ReduceProdOp::buildNeutral(OpBuilder &builder, Location loc, Type type) {
  return buildComputeConstant(builder, loc, type, 1.0);
}

Value ReduceProdOp::buildCombine(OpBuilder &builder, Location loc, Value lhs,
                                 Value rhs) {
  if (computesInFloat(lhs.getType()))
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  return arith::MulIOp::create(builder, loc, lhs, rhs);
}

std::string ReduceProdOp::evaluate(ArrayRef<HostTensor> operands,
                                   MutableArrayRef<HostTensor> results) {
  visitElementType(results[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    reduceInto<T>(results[0], operands[0], getReducedAxes(), Accumulator<T>(1),
                  [](auto a, auto b) { return a * b; });
  });
  return {};
}

//===----------------------------------------------------------------------===//
// reduce_max
//===----------------------------------------------------------------------===//

/// Builds the gradient of a maximum or minimum: the elements that equal the
/// extreme of their group get equal shares of g, the others 0. No element
/// equals a NaN, so a group whose extreme is NaN gets only zeros from the
/// selects.
template <typename Op>
static SmallVector<Value> shareAmongTies(Op op, OpBuilder &builder, Value g) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  SmallVector<int64_t> axes = op.getReducedAxes();
  Value x = op.getInput();
  Value kept = buildKeptDims(b, op.getResult(), x, axes);
  Value zero = buildScalarLike(b, x, 0);
  Value one = buildScalarLike(b, x, 1);
  Value isExtreme = CompareOp::create(b, Predicate::eq, x, kept);
  Value ties = ReduceSumOp::create(b, SelectOp::create(b, isExtreme, one, zero),
                                   axes, /*keepDims=*/true);
  Value share = DivOp::create(b, buildKeptDims(b, g, x, axes), ties);
  return {SelectOp::create(b, isExtreme, share, zero)};
}

/// Evaluates reduce_max, or with `least` reduce_min.
static std::string evaluateExtreme(const HostTensor &input, HostTensor &result,
                                   ArrayRef<int64_t> axes, bool least) {
  bool isBoolean = result.getElementType().isInteger(1);
  visitElementType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    using Limits = std::numeric_limits<T>;
    T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    T greatest = isBoolean              ? T(1)
                 : Limits::has_infinity ? Limits::infinity()
                                        : Limits::max();
    if (least)
      reduceInto<T>(result, input, axes, greatest, lesserOf<T>);
    else
      reduceInto<T>(result, input, axes, lowest, greaterOf<T>);
  });
  return {};
}

Value ReduceMaxOp::buildNeutral(OpBuilder &builder, Location loc, Type type) {
  return buildLowest(builder, loc, elementTypeOf(getInput()), type);
}

Value ReduceMaxOp::buildCombine(OpBuilder &builder, Location loc, Value lhs,
                                Value rhs) {
  return buildGreater(builder, loc, elementTypeOf(getInput()), lhs, rhs);
}

SmallVector<Value> ReduceMaxOp::buildGradient(OpBuilder &builder,
                                              ValueRange cotangents) {
  return shareAmongTies(*this, builder, cotangents[0]);
}

std::string ReduceMaxOp::evaluate(ArrayRef<HostTensor> operands,
                                  MutableArrayRef<HostTensor> results) {
  return evaluateExtreme(operands[0], results[0], getReducedAxes(),
                         /*least=*/false);
}

//===----------------------------------------------------------------------===//
// reduce_min
//===----------------------------------------------------------------------===//

Value ReduceMinOp::buildNeutral(OpBuilder &builder, Location loc, Type type) {
  return buildGreatest(builder, loc, elementTypeOf(getInput()), type);
}

Value ReduceMinOp::buildCombine(OpBuilder &builder, Location loc, Value lhs,
                                Value rhs) {
  return buildLesser(builder, loc, elementTypeOf(getInput()), lhs, rhs);
}

SmallVector<Value> ReduceMinOp::buildGradient(OpBuilder &builder,
                                              ValueRange cotangents) {
  return shareAmongTies(*this, builder, cotangents[0]);
}

std::string ReduceMinOp::evaluate(ArrayRef<HostTensor> operands,
                                  MutableArrayRef<HostTensor> results) {
  return evaluateExtreme(operands[0], results[0], getReducedAxes(),
                         /*least=*/true);
}
