//===- PoolingBase.cpp - common code of pooling ops -----------------------===//
#include "dialects/tg/ops/windows/PoolingBase.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// HostWindows
//===----------------------------------------------------------------------===//

HostWindows::HostWindows(const Windows &windows, ArrayRef<int64_t> shape,
                         MLIRContext *context)
    : windows(windows), shape(shape) {
  for (unsigned axis = 0; axis < windows.getRank(); ++axis) {
    AffineExpr extent = getAffineConstantExpr(shape[axis + 1], context);
    paddingsBefore.push_back(
        *staticExtent(windows.paddingBefore(axis, extent)));
  }
}

void HostWindows::visit(ArrayRef<int64_t> index,
                        function_ref<void(int64_t, int64_t)> function) const {
  SmallVector<int64_t> sizes;
  for (unsigned axis = 0; axis < windows.getRank(); ++axis)
    sizes.push_back(windows.sizeOf(axis));
  Index position(index);
  for (int64_t tapIndex = 0; tapIndex < windows.countPositions(); ++tapIndex) {
    Index tap = unflatten(tapIndex, sizes);
    bool isInside = true;
    for (unsigned axis = 0; axis < windows.getRank(); ++axis) {
      int64_t &coordinate = position[axis + 1];
      coordinate = index[axis + 1] * windows.strideOf(axis) +
                   tap[axis] * windows.dilationOf(axis) - paddingsBefore[axis];
      isInside &= coordinate >= 0 && coordinate < shape[axis + 1];
    }
    if (isInside)
      function(flatten(position, shape), tapIndex);
  }
}

double HostWindows::divisor(ArrayRef<int64_t> index, bool countPadding) const {
  if (countPadding)
    return windows.countPositions();
  int64_t count = 0;
  visit(index, [&](int64_t, int64_t) { ++count; });
  return std::max<int64_t>(count, 1);
}

//===----------------------------------------------------------------------===//
// buildIndexed
//===----------------------------------------------------------------------===//

namespace {
/// Builds integer arithmetic on tensors of i64.
struct IndexMath {
  Value constant(int64_t value) {
    return buildScalarConstant(b, b.getLoc(), b.getI64Type(), value);
  }
  Value scaled(Value value, int64_t factor) {
    return MulOp::create(b, value, constant(factor));
  }
  /// Builds the index of each element of `like` on an axis.
  Value indicesAlong(Value like, int64_t axis) {
    return IotaOp::create(b, buildDynamicExtents(b, like), extentList(like),
                          axis, TypeAttr::get(b.getI64Type()));
  }
  /// Builds a mask that is true if 0 <= value < end.
  Value isInRange(Value value, Value end) {
    return AndOp::create(
        b, CompareOp::create(b, Predicate::ge, value, constant(0)),
        CompareOp::create(b, Predicate::lt, value, end));
  }

  ImplicitLocOpBuilder &b;
};
} // namespace

/// Builds Windows::paddingBefore() for windows over the tensor `input`.
/// `output` has one element for each window.
static Value buildPaddingBefore(IndexMath math, const Windows &windows,
                                unsigned axis, Value input, Value output) {
  ImplicitLocOpBuilder &b = math.b;
  Value extent = buildDim(b, b.getLoc(), input, axis + 1);
  int64_t known = typeOf(input).getDimSize(axis + 1);
  AffineExpr expression = ShapedType::isDynamic(known)
                              ? b.getAffineSymbolExpr(0)
                              : b.getAffineConstantExpr(known);
  if (auto low = staticExtent(windows.paddingBefore(axis, expression)))
    return math.constant(*low);
  Value count = buildDim(b, b.getLoc(), output, axis + 1);
  Value last = math.scaled(SubOp::create(b, count, math.constant(1)),
                           windows.strideOf(axis));
  Value end = AddOp::create(b, last, math.constant(windows.reachOf(axis)));
  Value missing =
      MaximumOp::create(b, SubOp::create(b, end, extent), math.constant(0));
  return DivOp::create(b, missing, math.constant(2));
}

Value tg::buildIndexed(ImplicitLocOpBuilder &b, const Windows &windows,
                       Value from, Value index) {
  IndexMath math{b};
  unsigned rank = windows.getRank();
  Value tap = CastOp::create(b, index, b.getI64Type());
  Value isElement =
      math.isInRange(tap, math.constant(windows.countPositions()));
  SmallVector<Value> coordinates(rank);
  for (unsigned axis = rank; axis-- > 0;) {
    Value size = math.constant(windows.sizeOf(axis));
    Value offset = math.scaled(RemainderOp::create(b, tap, size),
                               windows.dilationOf(axis));
    Value start = SubOp::create(
        b,
        math.scaled(math.indicesAlong(index, axis + 1), windows.strideOf(axis)),
        buildPaddingBefore(math, windows, axis, from, index));
    coordinates[axis] = AddOp::create(b, start, offset);
    tap = DivOp::create(b, tap, size);
    isElement =
        AndOp::create(b, isElement,
                      math.isInRange(coordinates[axis],
                                     buildDim(b, b.getLoc(), from, axis + 1)));
  }
  coordinates.push_back(math.indicesAlong(index, rank + 1));
  Value linear = math.indicesAlong(index, 0);
  Value total = buildDim(b, b.getLoc(), from, 0);
  for (auto [axis, coordinate] : llvm::enumerate(coordinates)) {
    Value extent = buildDim(b, b.getLoc(), from, axis + 1);
    linear = AddOp::create(b, MulOp::create(b, linear, extent), coordinate);
    total = MulOp::create(b, total, extent);
  }
  // Appends a 0 at position `total`, which indices that select no element read.
  Value flat =
      ReshapeOp::create(b, from, ValueRange(), SmallVector<int64_t>{-1});
  Value padded =
      PadOp::create(b, flat, buildScalarLike(b, from, 0),
                    SmallVector<int64_t>{0}, SmallVector<int64_t>{1});
  Value safe = SelectOp::create(b, isElement, linear, total);
  return GatherOp::create(b, padded, safe, /*axis=*/0, /*batch_dims=*/0);
}
