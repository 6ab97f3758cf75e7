//===- ReduceProdGradient.cpp - products of all elements but one ----------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tg;

/// Returns for each row the elementwise product of the rows before it, or with
/// `isReverse` of the rows after it; 1 if there are none.
static Value buildRunningProducts(ImplicitLocOpBuilder &b, Value rows,
                                  bool isReverse) {
  auto type = cast<RankedTensorType>(rows.getType());
  RankedTensorType row = type.clone(type.getShape().drop_front());
  SmallVector<int64_t> shape = extentList(rows);
  SmallVector<Value> dynamic = buildDynamicExtents(b, rows);
  if (type.isDynamicDim(0))
    dynamic.erase(dynamic.begin());
  Value ones =
      BroadcastToOp::create(b, buildScalarLike(b, rows, 1), dynamic,
                            b.getI64ArrayAttr(ArrayRef(shape).drop_front()));
  auto scan = ScanOp::create(
      b, TypeRange{row, type}, ones, rows, /*length=*/IntegerAttr(),
      isReverse ? b.getUnitAttr() : UnitAttr(), b.getI64IntegerAttr(0));
  Block &block = scan.getBody().emplaceBlock();
  Value product = block.addArgument(row, b.getLoc());
  Value element = block.addArgument(row, b.getLoc());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&block);
  Value next = MulOp::create(b, product, element);
  YieldOp::create(b, ValueRange{next, product});
  return scan.getStacked().front();
}

/// Returns the elements moved by `step` along an axis of static extent, towards
/// its end, or towards its beginning if `isReverse`. Positions without an
/// element become 1.
static Value buildMoved(ImplicitLocOpBuilder &b, Value x, int64_t axis,
                        int64_t step, bool isReverse) {
  SmallVector<int64_t> sizes = extentList(x);
  SmallVector<int64_t> starts(sizes.size());
  SmallVector<int64_t> low(sizes.size());
  SmallVector<int64_t> high(sizes.size());
  sizes[axis] -= step;
  (isReverse ? starts : low)[axis] = step;
  if (isReverse)
    high[axis] = step;
  Value remaining =
      SliceOp::create(b, x, ValueRange(), b.getI64ArrayAttr(starts),
                      b.getI64ArrayAttr(sizes), ArrayAttr());
  return PadOp::create(b, remaining, buildScalarLike(b, x, 1),
                       b.getI64ArrayAttr(low), b.getI64ArrayAttr(high));
}

/// Returns for each element the product of the elements before it, or after it,
/// along an axis of static extent n, in log n steps. Each step doubles the
/// number of multiplied elements (Hillis and Steele, "Data parallel
/// algorithms", 1986).
static Value buildProductsInSteps(ImplicitLocOpBuilder &b, Value x,
                                  int64_t axis, bool isReverse) {
  int64_t extent = cast<RankedTensorType>(x.getType()).getDimSize(axis);
  Value product = buildMoved(b, x, axis, 1, isReverse);
  for (int64_t step = 1; step < extent; step *= 2)
    product = MulOp::create(b, product,
                            buildMoved(b, product, axis, step, isReverse));
  return product;
}

/// Returns for each element the product of the others along an axis.
static Value buildProductOfOthers(ImplicitLocOpBuilder &b, Value x,
                                  int64_t axis) {
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getDimSize(axis) == 0)
    return x; // no elements
  if (!type.isDynamicDim(axis))
    return MulOp::create(b, buildProductsInSteps(b, x, axis, false),
                         buildProductsInSteps(b, x, axis, true));
  auto order = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  std::swap(order[0], order[axis]);
  auto swapAxes = [&](Value value) -> Value {
    if (axis == 0)
      return value;
    return TransposeOp::create(b, value, b.getI64ArrayAttr(order));
  };
  Value rows = swapAxes(x);
  return swapAxes(MulOp::create(b, buildRunningProducts(b, rows, false),
                                buildRunningProducts(b, rows, true)));
}

// The product of the others is computed axis by axis. Nothing is divided by an
// element, which may be 0, and no product of all elements overflows or
// underflows. f64 has room for the products before and after an element in f32.
SmallVector<Value> ReduceProdOp::buildGradient(OpBuilder &builder,
                                               ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  SmallVector<int64_t> axes = getReducedAxes();
  Type elementType = getInput().getType().getElementType();
  Type wideType = b.getF64Type();
  Value product = getInput();
  Value others;
  if (elementType != wideType)
    product = CastOp::create(b, product, wideType);
  for (int64_t axis : axes) {
    if (cast<RankedTensorType>(product.getType()).getDimSize(axis) == 1)
      continue;
    Value along = buildProductOfOthers(b, product, axis);
    others = others ? MulOp::create(b, others, along) : along;
    product = ReduceProdOp::create(b, product, axis, /*keepDims=*/true);
  }
  Value gradient = buildKeptDims(b, cotangents[0], getInput(), axes);
  if (!others)
    return {gradient};
  if (elementType != wideType)
    others = CastOp::create(b, others, elementType);
  return {MulOp::create(b, gradient, others)};
}
