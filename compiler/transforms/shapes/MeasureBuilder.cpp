//===- MeasureBuilder.cpp - ops that measure data-dependent sizes ---------===//
#include "compiler/transforms/shapes/MeasureBuilder.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

Value MeasureBuilder::buildSize(OpBuilder &builder, Location loc,
                                AffineExpr number) {
  return tgx::SizeOp::create(
      builder, loc, RankedTensorType::get({}, builder.getI64Type()),
      AffineMapAttr::get(AffineMap::get(0, nextSymbol, number)));
}

/// Describes a size. Names the function input that it follows from, if there
/// is exactly one.
static std::string describeSize(const DataDependentSize &found, Value number) {
  auto function = found.op->getParentOfType<func::FuncOp>();
  llvm::SetVector<Operation *> slice;
  (void)getBackwardSlice(number, &slice);
  llvm::SetVector<BlockArgument> inputs;
  auto add = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto type = cast<RankedTensorType>(value.getType());
    if (argument && argument.getOwner() == &function.getBody().front() &&
        type.getRank() == 0 && type.getElementType().isSignlessInteger() &&
        !type.getElementType().isInteger(1))
      inputs.insert(argument);
  };
  add(number);
  for (Operation *op : slice)
    llvm::for_each(op->getOperands(), add);
  auto name = inputs.size() == 1 ? function.getArgAttrOfType<StringAttr>(
                                       inputs.front().getArgNumber(), "tg.name")
                                 : StringAttr();
  return name ? found.what + ", which follows from input '" + name.str() + "',"
              : found.what;
}

Value MeasureBuilder::buildMeasure(OpBuilder &builder, Value number,
                                   const DataDependentSize &found) {
  unsigned symbol = nextSymbol++;
  Location loc = found.op->getLoc();
  tgx::MeasureOp::create(
      builder, loc, number, builder.getI64IntegerAttr(symbol),
      AffineMapAttr::get(AffineMap::get(0, nextSymbol, found.most)),
      builder.getStringAttr(describeSize(found, number)),
      builder.getStringAttr(found.op->getName().getStringRef()),
      builder.getStringAttr(found.label));
  return buildSize(builder, loc, builder.getAffineSymbolExpr(symbol));
}

Value MeasureBuilder::buildThere(OpBuilder &builder, Value whole,
                                 RankedTensorType type,
                                 ArrayRef<FoundAxis> axes, ValueRange numbers) {
  Location loc = whole.getLoc();
  SmallVector<int64_t> sizes(type.getShape());
  SmallVector<Value> dynamic;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (!ShapedType::isDynamic(size))
      continue;
    size = -1;
    const auto *found = llvm::find_if(
        axes, [&](const FoundAxis &each) { return each.axis == axis; });
    dynamic.push_back(found == axes.end()
                          ? buildDim(builder, loc, whole, axis)
                          : buildMeasure(builder, numbers[found - axes.begin()],
                                         found->number));
  }
  // An extent that is known by now may be static in the type of `whole`.
  return SliceOp::create(
      builder, loc, whole, dynamic,
      builder.getI64ArrayAttr(SmallVector<int64_t>(sizes.size(), 0)),
      builder.getI64ArrayAttr(sizes), /*strides=*/ArrayAttr());
}

Value MeasureBuilder::buildRoom(OpBuilder &builder, Value like,
                                ArrayRef<FoundAxis> axes) {
  Location loc = like.getLoc();
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> dynamic;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    const auto *found = llvm::find_if(
        axes, [&](const FoundAxis &each) { return each.axis == axis; });
    if (found != axes.end())
      extent = staticExtent(found->number.most).value_or(ShapedType::kDynamic);
    if (!ShapedType::isDynamic(extent))
      continue;
    extent = -1;
    dynamic.push_back(found == axes.end()
                          ? buildDim(builder, loc, like, axis)
                          : buildSize(builder, loc, found->number.most));
  }
  Value zero = buildScalarConstant(builder, loc, type.getElementType(), 0);
  return BroadcastToOp::create(builder, loc, zero, dynamic,
                               builder.getI64ArrayAttr(shape));
}

Value MeasureBuilder::buildInRoom(OpBuilder &builder, Value room, Value value) {
  auto type = cast<RankedTensorType>(room.getType());
  return UpdateSliceOp::create(
      builder, value.getLoc(), room, value, ValueRange(),
      builder.getI64ArrayAttr(SmallVector<int64_t>(type.getRank(), 0)),
      /*strides=*/ArrayAttr());
}

SmallVector<Value> MeasureBuilder::buildNumbers(OpBuilder &builder, Value value,
                                                ArrayRef<FoundAxis> axes) {
  return llvm::map_to_vector(axes, [&](const FoundAxis &found) {
    return buildDim(builder, value.getLoc(), value, found.axis);
  });
}

void MeasureBuilder::replaceByThere(OpBuilder &builder, Value value,
                                    RankedTensorType type,
                                    ArrayRef<FoundAxis> axes,
                                    ValueRange numbers) {
  Value there = buildThere(builder, value, type, axes, numbers);
  llvm::SmallPtrSet<Operation *, 4> own = {there.getDefiningOp()};
  for (Value size : there.getDefiningOp()->getOperands().drop_front())
    if (Operation *op = size.getDefiningOp())
      own.insert(op);
  value.replaceAllUsesExcept(there, own);
}
