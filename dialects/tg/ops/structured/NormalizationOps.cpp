//===- NormalizationOps.cpp - statistics and softmax over axes ------------===//
#include "dialects/tg/ops/structured/NormalizationOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/ops/elementwise/UnaryOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/structured/NormalizationOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  return inferAlongAxis(adaptor.getInput(), adaptor.getAxis(), inference,
                        results);
}

/// Builds x - max(x) along the axis. If the maximum of a row is infinite or
/// NaN, the difference at the maximum is NaN, and so is the sum over the row,
/// which makes the whole row of the result NaN.
static Value buildShifted(ImplicitLocOpBuilder b, Value x, int64_t axis) {
  Value greatest = ReduceMaxOp::create(b, x, ArrayRef(axis), /*keepDims=*/true);
  return SubOp::create(b, x, greatest);
}

// e (1 / sum(e)) with e = exp(x - max(x)). One division per row instead of one
// per element costs at most one ulp: 1 <= sum, so that 1 / sum is never tiny.
SmallVector<Value> SoftmaxOp::decompose(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  int64_t axis = getAxis();
  Value e = ExpOp::create(b, buildShifted(b, getInput(), axis));
  Value sum = ReduceSumOp::create(b, e, ArrayRef(axis), /*keepDims=*/true);
  Value one = buildScalarLike(b, sum, 1);
  return {MulOp::create(b, e, DivOp::create(b, one, sum))};
}

// Per element: maximum, difference, exponential, sum, product.
AffineExpr SoftmaxOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getInput()) * 5;
}

// y (g - sum(g y)).
SmallVector<Value> SoftmaxOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  int64_t axis = getAxis();
  Value g = cotangents[0];
  Value y = getResult();
  Value weighted = ReduceSumOp::create(b, MulOp::create(b, g, y),
                                       ArrayRef(axis), /*keepDims=*/true);
  return {MulOp::create(b, y, SubOp::create(b, g, weighted))};
}

/// Returns the greatest number of a row, and the logarithm of the sum of exp(x
/// - greatest).
template <typename T>
static std::pair<double, double> logSumExp(ArrayRef<T> x, const Rows &rows,
                                           int64_t row) {
  double greatest = -INFINITY, sum = 0;
  for (int64_t i = 0; i < rows.extent; ++i)
    greatest = greaterOf(greatest, double(x[rows.element(row, i)]));
  for (int64_t i = 0; i < rows.extent; ++i)
    sum += std::exp(x[rows.element(row, i)] - greatest);
  return {greatest, std::log(sum)};
}

/// Computes log_softmax of the operand, or softmax if `exponentiate` is true.
static std::string evaluateSoftmax(const HostTensor &input, HostTensor &result,
                                   int64_t axis, bool exponentiate) {
  Rows rows(input.getShape(), axis);
  visitFloatType(input.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> x = input.values<T>();
    for (int64_t row = 0; row < rows.count(); ++row) {
      auto [greatest, logSum] = logSumExp(x, rows, row);
      for (int64_t i = 0; i < rows.extent; ++i) {
        double y = x[rows.element(row, i)] - greatest - logSum;
        result.values<T>()[rows.element(row, i)] =
            T(exponentiate ? std::exp(y) : y);
      }
    }
  });
  return {};
}

std::string SoftmaxOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateSoftmax(operands[0], results[0], getAxis(),
                         /*exponentiate=*/true);
}

//===----------------------------------------------------------------------===//
// log_softmax
//===----------------------------------------------------------------------===//

LogicalResult
LogSoftmaxOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                           SmallVectorImpl<TensorExtents> &results) {
  return inferAlongAxis(adaptor.getInput(), adaptor.getAxis(), inference,
                        results);
}

// z - ln(sum(exp(z))) with z = x - max(x).
SmallVector<Value> LogSoftmaxOp::decompose(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  int64_t axis = getAxis();
  Value shifted = buildShifted(b, getInput(), axis);
  Value sum = ReduceSumOp::create(b, ExpOp::create(b, shifted), ArrayRef(axis),
                                  /*keepDims=*/true);
  return {SubOp::create(b, shifted, LogOp::create(b, sum))};
}

// Per element: maximum, difference, exponential, sum, difference.
AffineExpr LogSoftmaxOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getInput()) * 5;
}

// g - exp(y) sum(g).
SmallVector<Value> LogSoftmaxOp::buildGradient(OpBuilder &builder,
                                               ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  int64_t axis = getAxis();
  Value g = cotangents[0];
  Value sum = ReduceSumOp::create(b, g, ArrayRef(axis), /*keepDims=*/true);
  Value share = MulOp::create(b, ExpOp::create(b, getResult()), sum);
  return {SubOp::create(b, g, share)};
}

std::string LogSoftmaxOp::evaluate(ArrayRef<HostTensor> operands,
                                   MutableArrayRef<HostTensor> results) {
  return evaluateSoftmax(operands[0], results[0], getAxis(),
                         /*exponentiate=*/false);
}

//===----------------------------------------------------------------------===//
// moments
//===----------------------------------------------------------------------===//

LogicalResult MomentsOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  if (failed(inferReduction(adaptor.getInput(), adaptor.getAxes(),
                            adaptor.getKeepDims(), inference, results)))
    return failure();
  results.push_back(results[0]);
  return success();
}

/// Returns the reduced axes of an op.
static SmallVector<int64_t> axesOf(MomentsOp op) {
  return resolveAxes(op.getAxes(), op.getInput().getType().getRank());
}

// mean = sum(x) / n, d = x - mean,
// variance = max(0, (sum(d^2) - sum(d)^2 / n) / n).
//
// The corrected two-pass algorithm (Chan, Golub, LeVeque, "Algorithms for
// computing the sample variance", 1983): sum(d) is 0 but for the rounding of
// the mean, which matters if |mean| is large relative to the deviation.
SmallVector<Value> MomentsOp::decompose(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  SmallVector<int64_t> axes = axesOf(*this);
  Value x = getInput();
  Value n = buildElementCount(b, x, axes);
  Value sum = ReduceSumOp::create(b, x, axes, /*keepDims=*/true);
  Value mean = DivOp::create(b, sum, n);
  Value centered = SubOp::create(b, x, mean);
  Value squares = ReduceSumOp::create(b, MulOp::create(b, centered, centered),
                                      axes, getKeepDims());
  Value centeredSum = ReduceSumOp::create(b, centered, axes, getKeepDims());
  Value excess =
      DivOp::create(b, MulOp::create(b, centeredSum, centeredSum), n);
  Value variance = DivOp::create(b, SubOp::create(b, squares, excess), n);
  Value zero = buildScalarLike(b, x, 0);
  Value result = getKeepDims() ? mean : buildDroppedDims(b, mean, axes);
  return {result, MaximumOp::create(b, variance, zero)};
}

// Only reductions that keep the last axis (adjacent columns in memory) are not
// decomposed: they are computed in one pass. After decomposition, the second
// pass over a row reads it from the caches. The choice affects rounding, so it
// follows from the axes alone, and not from extents.
bool MomentsOp::isComposed() {
  auto type = cast<RankedTensorType>(getInput().getType());
  SmallVector<int64_t> axes = axesOf(*this);
  Type element = type.getElementType();
  return computeType(element) != element || axes.empty() ||
         axes.back() + 1 == type.getRank();
}

SmallVector<int64_t> MomentsOp::getReducedAxes() { return axesOf(*this); }

// The means of parts are f64, which rounds those of elements as precise: long
// parts and short chains of parts keep the error small far from 0.
OrderAttr MomentsOp::chooseOrder() {
  RankedTensorType type = getInput().getType();
  OrderAttr order =
      chooseReductionOrder(getContext(), axesOf(*this), type.getRank());
  FloatType mean = Float64Type::get(getContext());
  auto element = cast<FloatType>(type.getElementType());
  if (element.getFPMantissaWidth() < mean.getFPMantissaWidth() ||
      order.getLines().empty())
    return order;
  return OrderAttr::get(getContext(), order.getLanes(), order.getAccumulators(),
                        order.getBlocks(), {512, 8, 64}, order.getTile(),
                        order.getWinograd());
}

LogicalResult MomentsOp::verifyOrder(OrderAttr order) {
  return verifyReductionOrder(*this, order, axesOf(*this),
                              getInput().getType().getRank());
}

bool MomentsOp::keepsReducedAxes() { return getKeepDims(); }

Value MomentsOp::buildNeutral(OpBuilder &builder, Location loc, Type type) {
  return buildComputeConstant(builder, loc, type, 0.0);
}

Value MomentsOp::buildCombine(OpBuilder &builder, Location loc, Value lhs,
                              Value rhs) {
  return arith::AddFOp::create(builder, loc, lhs, rhs);
}

unsigned MomentsOp::countTerms() { return 2; }

bool MomentsOp::usesShift() { return true; }

// The terms are d and d^2 with d = x - shift. The sum of d^2 is at most n times
// the sum of the squared distances from the mean, because the shift is one of
// the n elements. This bounds the cancellation in buildPart().
SmallVector<Value> MomentsOp::buildTerms(OpBuilder &builder, Location loc,
                                         Value element, Value shift) {
  Value distance = arith::SubFOp::create(builder, loc, element, shift);
  return {distance, arith::MulFOp::create(builder, loc, distance, distance)};
}

/// Builds a scalar in all lanes of `type`.
static Value buildLike(ImplicitLocOpBuilder &b, Type type, Value scalar) {
  if (!isa<VectorType>(type))
    return scalar;
  return vector::BroadcastOp::create(b, type, scalar);
}

/// Converts a number of elements to a float. Returns 1 for none, so that it can
/// be a divisor.
static Value buildDivisor(ImplicitLocOpBuilder &b, Type type, Value count) {
  Value least = arith::ConstantIntOp::create(b, 1, /*width=*/64);
  return arith::SIToFPOp::create(b, getElementTypeOrSelf(type),
                                 arith::MaxSIOp::create(b, count, least));
}

/// Builds the factor 1 / `count`.
static Value buildShare(ImplicitLocOpBuilder &b, Type type, Value count) {
  Value divisor = buildDivisor(b, type, count);
  Value one = buildComputeConstant(b, b.getLoc(), divisor.getType(), 1.0);
  return buildLike(b, type, arith::DivFOp::create(b, one, divisor));
}

/// Converts a scalar or vector to f64.
static Value buildWide(ImplicitLocOpBuilder &b, Value value) {
  Type type = b.getF64Type();
  if (getElementTypeOrSelf(value) == type)
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  return arith::ExtFOp::create(b, type, value);
}

// A part holds the mean of its elements, and the sum of their squared distances
// from the mean, in f64: if all elements are far from 0, the mean in f32 would
// have errors as large as their distances.
SmallVector<Value> MomentsOp::buildPart(OpBuilder &builder, Location loc,
                                        ValueRange terms, Value shift,
                                        Value count) {
  ImplicitLocOpBuilder b(loc, builder);
  Value share = buildShare(b, shift.getType(), count);
  Value offset = arith::MulFOp::create(b, terms[0], share);
  Value excess = arith::MulFOp::create(b, terms[0], offset);
  Value squares = arith::SubFOp::create(b, terms[1], excess);
  return {arith::AddFOp::create(b, buildWide(b, shift), buildWide(b, offset)),
          buildWide(b, squares)};
}

// A total holds the same.
SmallVector<Value> MomentsOp::buildTotal(OpBuilder &, Location, ValueRange part,
                                         Value) {
  return llvm::to_vector(part);
}

// Moves the mean by its distance from the other mean, weighted by the share of
// the other elements. Adds the sums of squared distances, plus n m / (n + m)
// times the squared distance of the means (Chan, Golub, LeVeque, "Updating
// formulae and a pairwise algorithm for computing sample variances", 1979).
SmallVector<Value> MomentsOp::buildMerge(OpBuilder &builder, Location loc,
                                         ValueRange lhs, Value lhsCount,
                                         ValueRange rhs, Value rhsCount) {
  ImplicitLocOpBuilder b(loc, builder);
  Type type = lhs[0].getType();
  auto convert = [&](Value count) -> Value {
    return arith::SIToFPOp::create(b, b.getF64Type(), count);
  };
  Value both = arith::AddIOp::create(b, lhsCount, rhsCount);
  Value share =
      arith::DivFOp::create(b, convert(rhsCount), buildDivisor(b, type, both));
  Value weight = arith::MulFOp::create(b, convert(lhsCount), share);
  Value distance = arith::SubFOp::create(b, rhs[0], lhs[0]);
  Value step = arith::MulFOp::create(b, distance, buildLike(b, type, share));
  Value square = arith::MulFOp::create(b, distance, distance);
  Value between = arith::MulFOp::create(b, square, buildLike(b, type, weight));
  Value within = arith::AddFOp::create(b, lhs[1], rhs[1]);
  return {arith::AddFOp::create(b, lhs[0], step),
          arith::AddFOp::create(b, within, between)};
}

SmallVector<Value> MomentsOp::buildResults(OpBuilder &builder, Location loc,
                                           ValueRange total, Value count) {
  ImplicitLocOpBuilder b(loc, builder);
  Type type = total[0].getType();
  Value n = arith::SIToFPOp::create(b, b.getF64Type(), count);
  Value zero = buildComputeConstant(b, loc, type, 0.0);
  // The mean of no elements is NaN.
  Value one = arith::DivFOp::create(b, n, n);
  Value mean = arith::MulFOp::create(b, total[0], buildLike(b, type, one));
  Value variance = arith::MaximumFOp::create(
      b, arith::DivFOp::create(b, total[1], buildLike(b, type, n)), zero);
  Type element = getElementTypeOrSelf(getMean());
  if (element == getElementTypeOrSelf(type))
    return {mean, variance};
  if (auto vector = dyn_cast<VectorType>(type))
    element = vector.clone(element);
  return {arith::TruncFOp::create(b, element, mean),
          arith::TruncFOp::create(b, element, variance)};
}

// Per element: sum, difference, sum, square, sum.
AffineExpr MomentsOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getInput()) * 5;
}

// g1 / n + g2 2 (x - mean) / n.
SmallVector<Value> MomentsOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  SmallVector<int64_t> axes = axesOf(*this);
  Value x = getInput();
  Value n = buildElementCount(b, x, axes);
  Value gradient;
  if (cotangents[0]) {
    Value share = DivOp::create(b, cotangents[0], n);
    gradient = buildBroadcastLike(b, buildKeptDims(b, share, x, axes), x);
  }
  if (!cotangents[1])
    return {gradient};
  Value share =
      DivOp::create(b, AddOp::create(b, cotangents[1], cotangents[1]), n);
  Value centered = SubOp::create(b, x, buildKeptDims(b, getMean(), x, axes));
  Value spread = MulOp::create(b, centered, buildKeptDims(b, share, x, axes));
  if (!gradient)
    return {spread};
  return {AddOp::create(b, gradient, spread)};
}

std::string MomentsOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  std::vector<int64_t> groupOf =
      reducedElements(operands[0].getShape(), axesOf(*this));
  visitFloatType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> x = operands[0].values<T>();
    size_t groups = results[0].getNumElements();
    double n = groups ? double(x.size()) / double(groups) : 0;
    // Sums in double would have greater errors than compiled code in f64, which
    // adds in blocks.
    std::vector<long double> mean(groups), variance(groups);
    for (auto [group, value] : llvm::zip_equal(groupOf, x))
      mean[group] += value;
    for (long double &sum : mean)
      sum /= n;
    for (auto [group, value] : llvm::zip_equal(groupOf, x))
      variance[group] += (value - mean[group]) * (value - mean[group]);
    for (size_t group = 0; group < groups; ++group) {
      results[0].values<T>()[group] = T(mean[group]);
      results[1].values<T>()[group] = T(variance[group] / n);
    }
  });
  return {};
}
