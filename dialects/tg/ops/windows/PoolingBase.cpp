//===- PoolingBase.cpp - common code of pooling ops -----------------------===//
#include "dialects/tg/ops/windows/PoolingBase.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/ConstantOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
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
    lows.push_back(*staticExtent(windows.lowOf(axis, extent)));
  }
}

void HostWindows::visit(ArrayRef<int64_t> index,
                        function_ref<void(int64_t, int64_t)> look) const {
  SmallVector<int64_t> sizes;
  for (unsigned axis = 0; axis < windows.getRank(); ++axis)
    sizes.push_back(windows.sizeOf(axis));
  Index place(index);
  for (int64_t number = 0; number < windows.countPositions(); ++number) {
    Index tap = unflatten(number, sizes);
    bool isInside = true;
    for (unsigned axis = 0; axis < windows.getRank(); ++axis) {
      int64_t &at = place[axis + 1];
      at = index[axis + 1] * windows.strideOf(axis) +
           tap[axis] * windows.dilationOf(axis) - lows[axis];
      isInside &= at >= 0 && at < shape[axis + 1];
    }
    if (isInside)
      look(flatten(place, shape), number);
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
struct Places {
  Value number(int64_t value) {
    return buildScalarConstant(b, b.getLoc(), b.getI64Type(), value);
  }
  Value scaled(Value value, int64_t by) {
    return MulOp::create(b, value, number(by));
  }
  /// Builds the index of each element of `like` on an axis.
  Value along(Value like, int64_t axis) {
    return IotaOp::create(b, buildDynamicExtents(b, like), extentList(like),
                          axis, TypeAttr::get(b.getI64Type()));
  }
  /// Builds a mask that is true where 0 <= value < end.
  Value isBelow(Value value, Value end) {
    return AndOp::create(b,
                         CompareOp::create(b, Predicate::ge, value, number(0)),
                         CompareOp::create(b, Predicate::lt, value, end));
  }

  ImplicitLocOpBuilder &b;
};
} // namespace

/// Builds Windows::lowOf() for the tensor `under` the windows, and the tensor
/// `over` with one element per window.
static Value buildLow(Places places, const Windows &windows, unsigned axis,
                      Value under, Value over) {
  ImplicitLocOpBuilder &b = places.b;
  Value extent = buildDim(b, b.getLoc(), under, axis + 1);
  int64_t known = typeOf(under).getDimSize(axis + 1);
  AffineExpr expression = ShapedType::isDynamic(known)
                              ? b.getAffineSymbolExpr(0)
                              : b.getAffineConstantExpr(known);
  if (auto low = staticExtent(windows.lowOf(axis, expression)))
    return places.number(*low);
  Value count = buildDim(b, b.getLoc(), over, axis + 1);
  Value last = places.scaled(SubOp::create(b, count, places.number(1)),
                             windows.strideOf(axis));
  Value end = AddOp::create(b, last, places.number(windows.reachOf(axis)));
  Value missing =
      MaximumOp::create(b, SubOp::create(b, end, extent), places.number(0));
  return DivOp::create(b, missing, places.number(2));
}

Value tg::buildIndexed(ImplicitLocOpBuilder &b, const Windows &windows,
                       Value from, Value index) {
  Places places{b};
  unsigned rank = windows.getRank();
  Value tap = CastOp::create(b, index, b.getI64Type());
  Value isPlace = places.isBelow(tap, places.number(windows.countPositions()));
  SmallVector<Value> at(rank);
  for (unsigned axis = rank; axis-- > 0;) {
    Value size = places.number(windows.sizeOf(axis));
    Value offset = places.scaled(RemainderOp::create(b, tap, size),
                                 windows.dilationOf(axis));
    Value start = SubOp::create(
        b, places.scaled(places.along(index, axis + 1), windows.strideOf(axis)),
        buildLow(places, windows, axis, from, index));
    at[axis] = AddOp::create(b, start, offset);
    tap = DivOp::create(b, tap, size);
    isPlace = AndOp::create(
        b, isPlace,
        places.isBelow(at[axis], buildDim(b, b.getLoc(), from, axis + 1)));
  }
  at.push_back(places.along(index, rank + 1));
  Value linear = places.along(index, 0),
        total = buildDim(b, b.getLoc(), from, 0);
  for (auto [axis, place] : llvm::enumerate(at)) {
    Value extent = buildDim(b, b.getLoc(), from, axis + 1);
    linear = AddOp::create(b, MulOp::create(b, linear, extent), place);
    total = MulOp::create(b, total, extent);
  }
  // A 0 is appended for indices that name no element.
  Value flat =
      ReshapeOp::create(b, from, ValueRange(), SmallVector<int64_t>{-1});
  Value padded =
      PadOp::create(b, flat, buildScalarLike(b, from, 0),
                    SmallVector<int64_t>{0}, SmallVector<int64_t>{1});
  Value safe = SelectOp::create(b, isPlace, linear, total);
  return GatherOp::create(b, padded, safe, /*axis=*/0, /*batch_dims=*/0);
}
