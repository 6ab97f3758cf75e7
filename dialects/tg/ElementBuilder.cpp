//===- ElementBuilder.cpp - helpers of element rules ----------------------===//
#include "dialects/tg/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tg;

Value ElementBuilder::integer(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

/// The number of an i64 constant.
static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

Value ElementBuilder::add(Value lhs, Value rhs) {
  std::optional<int64_t> a = constantOf(lhs), b = constantOf(rhs);
  if (a && b)
    return integer(*a + *b);
  if (a == 0)
    return rhs;
  if (b == 0)
    return lhs;
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value ElementBuilder::sub(Value lhs, Value rhs) {
  std::optional<int64_t> a = constantOf(lhs), b = constantOf(rhs);
  if (a && b)
    return integer(*a - *b);
  if (b == 0)
    return lhs;
  return arith::SubIOp::create(builder, loc, lhs, rhs);
}

Value ElementBuilder::mul(Value lhs, Value rhs) {
  std::optional<int64_t> a = constantOf(lhs), b = constantOf(rhs);
  if (a && b)
    return integer(*a * *b);
  if (a == 1)
    return rhs;
  if (b == 1)
    return lhs;
  if (a == 0 || b == 0)
    return integer(0);
  return arith::MulIOp::create(builder, loc, lhs, rhs);
}

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
