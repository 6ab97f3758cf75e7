//===- TopKKernel.cpp - the greatest elements of rows in order ------------===//
#include "compiler/codegen/cpu/ElementEmitter.h"
#include "compiler/codegen/cpu/SingleKernel.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits the selection row by row: each place of the result looks through the
/// row for the first element in order behind the one before. No memory is
/// needed; the work is extent times k.
class TopKEmitter {
public:
  TopKEmitter(KernelFrame &frame, TopKOp op)
      : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
        elements(frame) {}

  LogicalResult emit();

private:
  void emitRow(Value row);
  Value load(Value row, Value column);
  Value standsBefore(Value x, Value y);
  SmallVector<Value> look(Value row, Value column, Value hasLast,
                          ValueRange last, ValueRange best);
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }
  Value either(Value a, Value b) {
    return arith::OrIOp::create(builder, loc, a, b);
  }
  Value isNot(Value a) {
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, loc, a, yes);
  }

  KernelFrame &frame;
  TopKOp op;
  OpBuilder &builder;
  Location loc;
  ElementEmitter elements;
};

} // namespace

/// The element of a row, a number over the leading dimensions.
Value TopKEmitter::load(Value row, Value column) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getInput());
  Position position;
  position.index.resize(extents.size());
  position.laneStep.assign(extents.size(), 0);
  position.index.back() = column;
  IntegerOps ops = frame.integers();
  for (unsigned axis = extents.size() - 1; axis-- > 0;) {
    Value extent = frame.extent(extents[axis]);
    position.index[axis] = axis ? ops.rem(row, extent) : row;
    row = ops.div(row, extent);
  }
  return elements.elementOrZero(op.getInput(), position, /*lanes=*/1);
}

/// Descending order, NaN first.
Value TopKEmitter::standsBefore(Value x, Value y) {
  Type type = getElementTypeOrSelf(op.getInput());
  if (!isa<FloatType>(type)) {
    auto predicate = type.isUnsignedInteger() ? arith::CmpIPredicate::ugt
                                              : arith::CmpIPredicate::sgt;
    return arith::CmpIOp::create(builder, loc, predicate, x, y);
  }
  auto compare = [&](arith::CmpFPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  };
  Value isNan = both(compare(arith::CmpFPredicate::UNO, x, x),
                     compare(arith::CmpFPredicate::ORD, y, y));
  return either(isNan, compare(arith::CmpFPredicate::OGT, x, y));
}

/// (found, value, index) of the best element so far behind `last`, having seen
/// the one at `column`.
SmallVector<Value> TopKEmitter::look(Value row, Value column, Value hasLast,
                                     ValueRange last, ValueRange best) {
  Value value = load(row, column);
  Value isBehind = standsBefore(last[0], value);
  Value isEqual = isNot(either(isBehind, standsBefore(value, last[0])));
  Value isLater =
      frame.integers().compare(arith::CmpIPredicate::sgt, column, last[1]);
  Value isOpen =
      either(isNot(hasLast), either(isBehind, both(isEqual, isLater)));
  Value isBetter = either(isNot(best[0]), standsBefore(value, best[1]));
  Value take = both(isOpen, isBetter);
  return {either(best[0], take),
          arith::SelectOp::create(builder, loc, take, value, best[1]),
          arith::SelectOp::create(builder, loc, take, column, best[2])};
}

void TopKEmitter::emitRow(Value row) {
  IntegerOps ops = frame.integers();
  Value extent = frame.extent(frame.extentsOf(op.getInput()).back());
  Value count = frame.extent(frame.extentsOf(op.getValues()).back());
  Value zero = ops.constant(0);
  Type type = registerType(getElementTypeOrSelf(op.getInput()));
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value no =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  // (value, index) of the last place.
  buildFor(builder, loc, zero, count, 1, {none, zero},
           [&](Value place, ValueRange last) -> SmallVector<Value> {
             Value hasLast =
                 ops.compare(arith::CmpIPredicate::sgt, place, zero);
             SmallVector<Value> best =
                 buildFor(builder, loc, zero, extent, 1, {no, none, zero},
                          [&](Value column, ValueRange best) {
                            return look(row, column, hasLast, last, best);
                          });
             Value offset = ops.add(ops.mul(row, count), place);
             for (auto [result, value] :
                  {std::pair<Value, Value>{op.getValues(), best[1]},
                   {op.getIndices(), best[2]}})
               if (!result.use_empty())
                 storeElements(builder, loc, resultMemory(frame, result),
                               offset, value, Lanes());
             return {best[1], best[2]};
           });
}

LogicalResult TopKEmitter::emit() {
  AffineExpr rows =
      productOf(frame.extentsOf(op.getInput()).drop_back(), op->getContext());
  frame.setTiles([&](EntryExtents &entry) { return entry.get(rows); });
  emitRow(frame.tile);
  return failure(elements.hasFailed());
}

namespace {
struct TopKKernel : SingleKernelOpInterface::ExternalModel<TopKKernel, TopKOp> {
  LogicalResult emitSingleKernel(Operation *op, KernelFrame &frame) const {
    return TopKEmitter(frame, cast<TopKOp>(op)).emit();
  }
};
} // namespace

void tg::attachTopKKernel(MLIRContext *context) {
  TopKOp::attachInterface<TopKKernel>(*context);
}
