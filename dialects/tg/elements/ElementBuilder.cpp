//===- ElementBuilder.cpp - helpers of element rules ----------------------===//
#include "dialects/tg/elements/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

Value ElementBuilder::pick(Value condition, bool alwaysReadable,
                           function_ref<Value()> inside, Value otherwise) {
  if (alwaysReadable) {
    Value value = inside();
    return value ? arith::SelectOp::create(builder, loc, condition, value,
                                           otherwise)
                 : Value();
  }
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  Value value = inside();
  if (!value) {
    branch.erase();
    return {};
  }
  scf::YieldOp::create(builder, loc, value);
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}

Type ElementBuilder::elementType(Type type) const {
  Type scalar = computeType(type);
  if (laneCount == 1)
    return scalar;
  return VectorType::get({int64_t(laneCount)}, scalar);
}

Value ElementBuilder::splat(Value value) {
  if (laneCount == 1 || isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({int64_t(laneCount)}, value.getType());
  return vector::BroadcastOp::create(builder, loc, type, value);
}

Value ElementBuilder::laneIndex(const Position &position, unsigned axis) {
  if (laneCount == 1)
    return position.index[axis];
  Value base = splat(position.index[axis]);
  if (position.laneStep[axis] == 0)
    return base;
  SmallVector<int64_t> steps;
  for (unsigned lane = 0; lane < laneCount; ++lane)
    steps.push_back(position.laneStep[axis] * lane);
  auto type = cast<VectorType>(base.getType());
  Value offsets = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
  return arith::AddIOp::create(builder, loc, base, offsets);
}
