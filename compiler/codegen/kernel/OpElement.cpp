//===- OpElement.cpp - the element rule interface of one op ---------------===//
#include "compiler/codegen/kernel/OpElement.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

Value OpElement::operand(unsigned number, const Position &position) {
  return emitter.emit(op->getOperand(number), position, laneCount);
}

Value OpElement::operandExtent(unsigned number, unsigned axis) {
  return emitter.context.extent(
      emitter.context.extentsOf(op->getOperand(number))[axis]);
}

Value OpElement::resultExtent(unsigned number, unsigned axis) {
  return emitter.context.extent(
      emitter.context.extentsOf(op->getResult(number))[axis]);
}

Value OpElement::scalar(unsigned operand) {
  Value tensor = op->getOperand(operand);
  if (AffineExpr known = emitter.context.sizeOf(tensor))
    return emitter.context.extent(known);
  return emitter.emit(tensor, Position(), /*lanes=*/1);
}

Value OpElement::resultOffset(const Position &position) {
  return emitter.indexOf(op->getResult(0), position);
}

Value OpElement::pick(Value condition, bool alwaysReadable,
                      function_ref<Value()> inside, Value otherwise) {
  if (alwaysReadable)
    return ElementBuilder::pick(condition, alwaysReadable, inside, otherwise);
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  Value value = inside();
  // A branch without a value stays as dead code, because the emitter may have
  // cached values in it.
  scf::YieldOp::create(builder, loc, value ? value : otherwise);
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(builder, loc, otherwise);
  return value ? branch.getResult(0) : Value();
}

/// Reads the operand lane by lane, because some lanes may be out of bounds.
Value OpElement::byLanesWithin(unsigned number, const Position &position,
                               unsigned axis, Value extent, Value otherwise) {
  IntegerOps ops = integers();
  Value operand = op->getOperand(number);
  SmallVector<Value> values;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    Position place{position.index, SmallVector<int64_t>(position.rank(), 0)};
    Value index = ops.add(position.index[axis], ops.constant(lane));
    place.index[axis] = buildClamp(*this, index, extent);
    values.push_back(pick(
        buildWithin(*this, index, extent),
        isNeverEmpty(operand.getType(), axis),
        [&] { return emitter.emit(operand, place, /*lanes=*/1); },
        vector::ExtractOp::create(builder, loc, otherwise, lane)));
    if (!values.back())
      return otherwise;
  }
  return vector::FromElementsOp::create(
      builder, loc, cast<VectorType>(otherwise.getType()), values);
}

// Emits one masked load if that reads no memory out of bounds. Otherwise emits
// a branch: vector code if all lanes are within bounds, and single elements at
// the borders.
Value OpElement::operandWithin(unsigned number, const Position &position,
                               unsigned axis, Value extent, Value otherwise) {
  if (position.laneStep[axis] != 1)
    return {};
  Value first = position.index[axis];
  Value within =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                            laneIndex(position, axis), splat(extent));
  if (Value loaded = emitter.loadWithin(op->getOperand(number), position,
                                        within, laneCount))
    return arith::SelectOp::create(builder, loc, within, loaded, otherwise);
  IntegerOps ops = integers();
  Value last = ops.add(first, ops.constant(laneCount - 1));
  // The unsigned comparisons also reject negative indices.
  Value isInside =
      arith::AndIOp::create(builder, loc, buildWithin(*this, first, extent),
                            buildWithin(*this, last, extent));
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  Value inside = operand(number, position);
  scf::YieldOp::create(builder, loc, inside ? inside : otherwise);
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  Value border = inside
                     ? byLanesWithin(number, position, axis, extent, otherwise)
                     : otherwise;
  scf::YieldOp::create(builder, loc, border);
  return inside ? branch.getResult(0) : Value();
}

/// Describes the first of the lanes that fail: its element, which is `offset`
/// plus a stride for each lane, and its predicate and value. Lanes of one
/// element have one predicate and one value.
static FailingElement firstOf(ElementBuilder &element, Value failing,
                              Value offset, Value laneStride,
                              FailingElement ofLanes) {
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  auto type = cast<VectorType>(element.elementType(builder.getI64Type()));
  auto constant = [&](ArrayRef<int64_t> numbers) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, numbers));
  };
  auto reduce = [&](vector::CombiningKind kind, Value values) -> Value {
    return vector::ReductionOp::create(builder, loc, kind, values);
  };
  Value lanes =
      constant(llvm::to_vector(llvm::seq<int64_t>(0, element.lanes())));
  Value offsets = arith::AddIOp::create(
      builder, loc, element.splat(offset),
      arith::MulIOp::create(builder, loc, lanes, element.splat(laneStride)));
  Value none = constant(std::numeric_limits<int64_t>::max());
  Value bad = arith::SelectOp::create(builder, loc, failing, offsets, none);
  Value first = reduce(vector::CombiningKind::MINSI, bad);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        bad, element.splat(first));
  auto pick = [&](Value values) -> Value {
    if (!values)
      return {};
    return reduce(vector::CombiningKind::OR,
                  arith::SelectOp::create(builder, loc, isFirst, values,
                                          constant(int64_t(0))));
  };
  return {first, pick(ofLanes.predicate), pick(ofLanes.value)};
}

void OpElement::require(Value condition, const Position &position, Value value,
                        function_ref<Value()> findPredicate) {
  auto check = cast<tgx::ElementCheckOpInterface>(op);
  assert(bool(value) == check.getIndexBound().has_value() &&
         bool(findPredicate) == (check.getMessages().size() > 1) &&
         "a rule reports what its check says");
  Value yes = arith::ConstantOp::create(
      builder, loc, builder.getOneAttr(condition.getType()));
  Value failing = arith::XOrIOp::create(builder, loc, condition, yes);
  if (emitter.mask && laneCount > 1)
    failing = arith::AndIOp::create(builder, loc, failing, emitter.mask);
  Value any = failing;
  if (laneCount > 1)
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                      failing);
  Value offset = resultOffset(position);
  Value laneStride =
      emitter.context.extent(emitter.laneStrideOf(op->getResult(0), position));
  emitter.context.report(any, check, [&] {
    FailingElement failure = {offset, {}, value};
    if (findPredicate)
      failure.predicate = arith::ExtUIOp::create(
          builder, loc, elementType(builder.getI64Type()), findPredicate());
    return laneCount == 1
               ? failure
               : firstOf(*this, failing, offset, laneStride, failure);
  });
}
