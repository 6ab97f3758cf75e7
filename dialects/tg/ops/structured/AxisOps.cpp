//===- AxisOps.cpp - positions and running sums along one axis ------------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <numeric>

using namespace mlir;
using namespace tg;

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
  if (isa<FloatType>(getElementTypeOrSelf(x)))
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
  results.append(
      {{getElementTypeOrSelf(adaptor.getInput()), dims}, {i64, dims}});
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
