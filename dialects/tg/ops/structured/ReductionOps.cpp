//===- ReductionOps.cpp - reductions along axes ---------------------------===//
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>
#include <numeric>

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

/// The type that accumulates sums and products of T: double for floats.
template <typename T>
using Accumulator =
    std::conditional_t<std::is_floating_point_v<T>, double, Wrapping<T>>;

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

//===----------------------------------------------------------------------===//
// argmax
//===----------------------------------------------------------------------===//

LogicalResult ArgmaxOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  int64_t axis = adaptor.getAxis();
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  if (failed(inferReduction(adaptor.getInput(), ArrayRef(axis),
                            adaptor.getKeepDims(), inference, results)))
    return failure();
  if (staticExtent(dims[axis]) == 0)
    return inference.fail("expected the extent of axis " + Twine(axis) +
                          " to be at least 1, found 0 [C2]");
  if (!staticExtent(dims[axis]))
    inference.require(dims[axis], ExtentRelation::atLeast,
                      inference.constant(1), "extent of axis " + Twine(axis),
                      "R1");
  results[0].elementType = IntegerType::get(inference.getContext(), 64);
  return success();
}

std::string ArgmaxOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  Rows rows(operands[0].getShape(), getAxis());
  if (rows.extent == 0)
    return "expected the extent of axis " + std::to_string(getAxis()) +
           " to be at least 1, found 0 [R1]";
  visitElementType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> x = operands[0].values<T>();
    for (int64_t row = 0; row < rows.count(); ++row) {
      int64_t best = 0;
      for (int64_t i = 1; i < rows.extent; ++i) {
        T candidate = x[rows.element(row, i)];
        T found = x[rows.element(row, best)];
        if (found == found && !(candidate <= found)) // The first NaN wins.
          best = i;
      }
      results[0].values<int64_t>()[row] = best;
    }
  });
  return {};
}

// Builds the minimum over i of (x[i] == max(x) or x[i] is NaN) ? i : extent. If
// the maximum is NaN, no element equals it, and the result is the position of
// the first NaN. Otherwise no element is NaN.
SmallVector<Value> ArgmaxOp::decompose(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value x = getInput();
  SmallVector<int64_t> axes = {int64_t(getAxis())};
  Value greatest = ReduceMaxOp::create(b, x, axes, /*keepDims=*/true);
  Value isBest = CompareOp::create(b, Predicate::eq, x, greatest);
  if (isa<FloatType>(elementTypeOf(x)))
    isBest = OrOp::create(b, isBest, CompareOp::create(b, Predicate::ne, x, x));
  Value positions = IotaOp::create(b, buildDynamicExtents(b, x), extentList(x),
                                   getAxis(), TypeAttr::get(b.getI64Type()));
  Value extent = buildDim(b, getLoc(), x, getAxis());
  Value candidates = SelectOp::create(b, isBest, positions, extent);
  return {ReduceMinOp::create(b, candidates, axes, getKeepDims())};
}

//===----------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------===//

LogicalResult CumsumOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  return inferAlongAxis(adaptor.getInput(), adaptor.getAxis(), inference,
                        results);
}

// x[i] is a term of the sums from position i on (or, with `reverse`, up to i;
// without i itself if exclusive). Its gradient is the sum of their cotangents:
// a cumsum in the other direction.
SmallVector<Value> CumsumOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  return {CumsumOp::create(builder, getLoc(), cotangents[0], getAxis(),
                           getExclusive(), !getReverse())};
}

std::string CumsumOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  Rows rows(operands[0].getShape(), getAxis());
  visitElementType(results[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t row = 0; row < rows.count(); ++row) {
      Accumulator<T> sum(0);
      for (int64_t i = 0; i < rows.extent; ++i) {
        int64_t element =
            rows.element(row, getReverse() ? rows.extent - 1 - i : i);
        Accumulator<T> next(sum + operands[0].values<T>()[element]);
        results[0].values<T>()[element] = T(getExclusive() ? sum : next);
        sum = next;
      }
    }
  });
  return {};
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  int64_t k = adaptor.getK();
  ValueRange dynamic = adaptor.getDynamic();
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  if (dims.empty())
    return inference.fail("expected a rank of at least 1, found 0 [C3]");
  if (k < -1)
    return inference.fail("expected k to be at least -1, found " + Twine(k) +
                          " [C3]");
  if (size_t needed = k == -1; dynamic.size() > needed)
    return inference.fail("expected as many dynamic operands as k needs (" +
                          Twine(needed) + "), found " + Twine(dynamic.size()) +
                          " [G4]");
  AffineExpr count = k >= 0            ? inference.constant(k)
                     : dynamic.empty() ? dims.back()
                                       : inference.sizeOf(dynamic[0]);
  std::optional<int64_t> knownCount = staticExtent(count);
  std::optional<int64_t> knownExtent = staticExtent(dims.back());
  if (knownCount && knownExtent && *knownCount > *knownExtent)
    return inference.fail("expected k (" + Twine(*knownCount) +
                          ") to be at most the last extent (" +
                          Twine(*knownExtent) + ") [C4]");
  if (failed(inference.requireNotNegative(count, "k")))
    return failure();
  if (!knownCount || !knownExtent)
    inference.require(count, ExtentRelation::atMost, dims.back(), "k", "R1");
  dims.back() = count;
  Type i64 = IntegerType::get(inference.getContext(), 64);
  results.append({{elementTypeOf(adaptor.getInput()), dims}, {i64, dims}});
  return success();
}

SmallVector<StringRef> TopKOp::getSizeAttributes() { return {"k"}; }

SmallVector<Value> TopKOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  SmallVector<Value> gradients(getNumOperands());
  if (!cotangents[0])
    return gradients;
  int64_t axis = getInput().getType().getRank() - 1;
  gradients[0] = ScatterOp::create(
      builder, getLoc(), buildZerosLike(builder, getInput()), getIndices(),
      cotangents[0], /*axis=*/axis, /*batch_dims=*/axis);
  return gradients;
}

/// Returns true if x comes before y in descending order with NaN first.
template <typename T> static bool sortsBefore(T x, T y) {
  if (x != x || y != y)
    return x != x && y == y;
  return x > y;
}

std::string TopKOp::evaluate(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results) {
  ArrayRef<int64_t> shape = operands[0].getShape();
  Rows rows(shape, shape.size() - 1);
  int64_t k = results[0].getShape().back();
  if (k > rows.extent)
    return "expected k (" + std::to_string(k) +
           ") to be at most the last extent (" + std::to_string(rows.extent) +
           ") [R1]";
  visitElementType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<int64_t> order(rows.extent);
    for (int64_t row = 0; row < rows.count(); ++row) {
      ArrayRef<T> x =
          operands[0].values<T>().slice(row * rows.extent, rows.extent);
      std::iota(order.begin(), order.end(), 0);
      llvm::sort(order, [&](int64_t i, int64_t j) {
        if (sortsBefore(x[i], x[j]) || sortsBefore(x[j], x[i]))
          return sortsBefore(x[i], x[j]);
        return i < j;
      });
      for (int64_t i = 0; i < k; ++i) {
        results[0].values<T>()[row * k + i] = x[order[i]];
        results[1].values<int64_t>()[row * k + i] = order[i];
      }
    }
  });
  return {};
}
