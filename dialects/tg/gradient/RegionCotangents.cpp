//===- RegionCotangents.cpp - common code of gradients of regions ---------===//
#include "dialects/tg/gradient/RegionCotangents.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"

using namespace mlir;
using namespace tg;

BackwardBlock::BackwardBlock(OpBuilder &builder, Location loc)
    : temporary(ScanOp::create(builder, loc, TypeRange(), ValueRange(),
                               ValueRange(), builder.getI64IntegerAttr(0),
                               UnitAttr(), builder.getI64IntegerAttr(0))) {
  temporary->getRegion(0).emplaceBlock();
}

void tg::addCotangent(OpBuilder &builder, Cotangents &sums, Value value,
                      Value cotangent) {
  Value &sum = sums[value];
  sum = sum ? AddOp::create(builder, cotangent.getLoc(), sum, cotangent)
            : cotangent;
}

ValueCotangents tg::findOutside(const Cotangents &found, Region &region,
                                const RegionDifferentiator &differentiator) {
  ValueCotangents outside;
  for (auto [value, cotangent] : found)
    if (cotangent && differentiator.isActive(value) &&
        !region.isAncestor(value.getParentRegion()))
      outside.push_back({value, cotangent});
  return outside;
}

SmallVector<unsigned> tg::findCarried(Operation *op, ValueRange arguments,
                                      ValueRange cotangents,
                                      RegionDifferentiator &differentiator) {
  SmallVector<Value> resultsWithCotangent;
  for (auto [result, cotangent] : llvm::zip(op->getResults(), cotangents))
    if (cotangent)
      resultsWithCotangent.push_back(result);
  llvm::DenseSet<Value> reached =
      differentiator.findReached(op, resultsWithCotangent);
  SmallVector<unsigned> carried;
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (cotangents[index] || reached.contains(argument))
      carried.push_back(index);
  return carried;
}

void tg::copyDiscardable(Operation *from, Operation *to) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
}

Value tg::buildWithLeadingOne(OpBuilder &builder, Value value) {
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, extentList(value));
  return ReshapeOp::create(builder, value.getLoc(), value,
                           buildDynamicExtents(builder, value), shape);
}

Value tg::buildWithoutLeadingOne(OpBuilder &builder, Value value) {
  SmallVector<int64_t> shape = extentList(value);
  shape.erase(shape.begin());
  return ReshapeOp::create(builder, value.getLoc(), value,
                           buildDynamicExtents(builder, value), shape);
}
