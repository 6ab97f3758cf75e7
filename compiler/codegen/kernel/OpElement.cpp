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
Value OpElement::readLaneByLane(unsigned number, const Position &position,
                                unsigned axis, Value extent, Value otherwise) {
  IntegerOps ops = integers();
  Value operand = op->getOperand(number);
  SmallVector<Value> values;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    Position lanePosition{position.index,
                          SmallVector<int64_t>(position.rank(), 0)};
    Value index = ops.add(position.index[axis], ops.constant(lane));
    lanePosition.index[axis] = buildClamp(*this, index, extent);
    values.push_back(pick(
        buildWithin(*this, index, extent),
        isNeverEmpty(operand.getType(), axis),
        [&] { return emitter.emit(operand, lanePosition, /*lanes=*/1); },
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
                     ? readLaneByLane(number, position, axis, extent, otherwise)
                     : otherwise;
  scf::YieldOp::create(builder, loc, border);
  return inside ? branch.getResult(0) : Value();
}

/// Returns the failing element with the lowest index. The index of lane i is
/// `offset` + i * `laneStride`; `perLane` holds the predicates and values of
/// all lanes. Lanes with the same index have the same predicate and value.
static FailingElement findFirstFailing(ElementBuilder &element, Value failing,
                                       Value offset, Value laneStride,
                                       FailingElement perLane) {
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
  Value failingOffsets =
      arith::SelectOp::create(builder, loc, failing, offsets, none);
  Value first = reduce(vector::CombiningKind::MINSI, failingOffsets);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        failingOffsets, element.splat(first));
  auto pick = [&](Value values) -> Value {
    if (!values)
      return {};
    return reduce(vector::CombiningKind::OR,
                  arith::SelectOp::create(builder, loc, isFirst, values,
                                          constant(int64_t(0))));
  };
  return {first, pick(perLane.predicate), pick(perLane.value)};
}

void OpElement::require(Value condition, const Position &position, Value value,
                        function_ref<Value()> findPredicate) {
  auto check = cast<tgx::ElementCheckOpInterface>(op);
  assert(bool(value) == check.getIndexBound().has_value() &&
         bool(findPredicate) == (check.getMessages().size() > 1) &&
         "the element rule and its check disagree on the value or predicates");
  Value allTrue = arith::ConstantOp::create(
      builder, loc, builder.getOneAttr(condition.getType()));
  Value failing = arith::XOrIOp::create(builder, loc, condition, allTrue);
  if (emitter.mask && laneCount > 1)
    failing = arith::AndIOp::create(builder, loc, failing, emitter.mask);
  Value anyFails = failing;
  if (laneCount > 1)
    anyFails = vector::ReductionOp::create(builder, loc,
                                           vector::CombiningKind::OR, failing);
  Value offset = resultOffset(position);
  Value laneStride =
      emitter.context.extent(emitter.laneStrideOf(op->getResult(0), position));
  emitter.context.report(anyFails, check, [&] {
    FailingElement failure = {offset, {}, value};
    if (findPredicate)
      failure.predicate = arith::ExtUIOp::create(
          builder, loc, elementType(builder.getI64Type()), findPredicate());
    return laneCount == 1
               ? failure
               : findFirstFailing(*this, failing, offset, laneStride, failure);
  });
}
