//===- TopKHeap.cpp - the greatest elements of a row ----------------------===//
#include "compiler/codegen/kernel/custom/TopKHeap.h"

using namespace mlir;
using namespace tg;

TopKHeap::TopKHeap(KernelContext &context, TopKOp op)
    : context(context), op(op), builder(context.builder), loc(context.loc),
      ops(context.integers()), elements(context),
      extent(context.extent(context.extentsOf(op.getInput()).back())),
      count(context.extent(context.extentsOf(op.getValues()).back())) {}

/// Computes the indices of the row from its linear index.
void TopKHeap::delinearizeRow(Value row) {
  IntegerOps indices = context.indices();
  ArrayRef<AffineExpr> extents = context.extentsOf(op.getInput()).drop_back();
  rowIndex.resize(extents.size());
  for (unsigned axis = extents.size(); axis-- > 0;) {
    Value extent = context.extent(extents[axis]);
    rowIndex[axis] = axis ? indices.rem(row, extent) : row;
    if (axis)
      row = indices.div(row, extent);
  }
}

TopKHeap::Entry TopKHeap::read(Value column) {
  Position position{rowIndex, SmallVector<int64_t>(rowIndex.size() + 1, 0)};
  position.index.push_back(column);
  return {elements.elementOrZero(op.getInput(), position, /*lanes=*/1), column};
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Value TopKHeap::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}

Value TopKHeap::either(Value a, Value b) {
  return arith::OrIOp::create(builder, loc, a, b);
}

Value TopKHeap::negate(Value a) {
  Value trueValue =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, a, trueValue);
}

Value TopKHeap::choose(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

/// Returns true if x precedes y in descending order, with NaN first.
Value TopKHeap::isGreater(Value x, Value y) {
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

/// Returns true if x precedes y. Of equal elements, the first in the row
/// precedes the others.
Value TopKHeap::precedes(const Entry &x, const Entry &y) {
  Value isEarlier = ops.compare(arith::CmpIPredicate::slt, x.index, y.index);
  Value isTie = negate(isGreater(y.value, x.value));
  return either(isGreater(x.value, y.value), both(isTie, isEarlier));
}

//===----------------------------------------------------------------------===//
// The heap
//===----------------------------------------------------------------------===//

TopKHeap::Entry TopKHeap::load(Value node) {
  return {loadElements(builder, loc, memory.values,
                       ops.add(memory.valueOffset, node), {}),
          loadElements(builder, loc, memory.indices,
                       ops.add(memory.indexOffset, node), {})};
}

void TopKHeap::store(Value node, const Entry &entry) {
  storeElements(builder, loc, memory.values, ops.add(memory.valueOffset, node),
                entry.value, {});
  storeElements(builder, loc, memory.indices, ops.add(memory.indexOffset, node),
                entry.index, {});
}

/// Returns the child of `node` that comes last in order: its heap index and its
/// entry. If `node` has no children, returns some entry of the heap, which has
/// `end` entries.
std::pair<Value, TopKHeap::Entry> TopKHeap::lastChild(Value node, Value end) {
  Value one = ops.constant(1);
  Value last = ops.sub(end, one);
  Value left = ops.add(ops.add(node, node), one);
  Value leftNode = ops.min(left, last);
  Value rightNode = ops.min(ops.add(left, one), last);
  Entry leftEntry = load(leftNode);
  Entry rightEntry = load(rightNode);
  Value isRight = precedes(leftEntry, rightEntry);
  return {choose(isRight, rightNode, leftNode),
          {choose(isRight, rightEntry.value, leftEntry.value),
           choose(isRight, rightEntry.index, leftEntry.index)}};
}

/// Stores the entry at `node`, or further down the heap if children of `node`
/// come after it in order; these move up.
void TopKHeap::siftDown(Value node, Value end, const Entry &entry) {
  OpBuilder::InsertionGuard guard(builder);
  Type i64 = builder.getI64Type();
  Type value = entry.value.getType();
  auto loop = scf::WhileOp::create(
      builder, loc, {i64, i64, value, i64}, {node},
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        Value one = ops.constant(1);
        Value left = ops.add(ops.add(state[0], state[0]), one);
        auto [child, below] = lastChild(state[0], end);
        Value moves = both(ops.compare(arith::CmpIPredicate::slt, left, end),
                           precedes(entry, below));
        scf::ConditionOp::create(builder, loc, moves,
                                 {state[0], child, below.value, below.index});
      },
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        store(state[0], {state[2], state[3]});
        scf::YieldOp::create(builder, loc, state[1]);
      });
  builder.setInsertionPointAfter(loop);
  store(loop.getResult(0), entry);
}

/// Builds a heap from the first k elements.
void TopKHeap::fillHeap() {
  Value zero = ops.constant(0);
  buildFor(builder, loc, zero, count, 1,
           [&](Value column) { store(column, read(column)); });
  Value parents = ops.div(count, ops.constant(2));
  buildFor(builder, loc, zero, parents, 1, [&](Value i) {
    Value node = ops.sub(ops.sub(parents, ops.constant(1)), i);
    siftDown(node, count, load(node));
  });
}

/// Replaces the top of the heap by each remaining element that precedes it.
void TopKHeap::scanRemaining() {
  Value zero = ops.constant(0);
  buildFor(builder, loc, count, extent, 1, [&](Value column) {
    Entry entry = read(column);
    auto branch = scf::IfOp::create(builder, loc,
                                    isGreater(entry.value, load(zero).value),
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    siftDown(zero, count, entry);
  });
}

/// Sorts the heap: repeatedly moves the entry that is last in order to the end
/// of the heap, and shortens the heap by it.
void TopKHeap::sortHeap() {
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  buildFor(builder, loc, one, count, 1, [&](Value sorted) {
    Value end = ops.sub(count, sorted);
    Entry last = load(end);
    store(end, load(zero));
    siftDown(zero, end, last);
  });
}

LogicalResult TopKHeap::emit(Value row, HeapMemory memoryOfRow) {
  memory = memoryOfRow;
  delinearizeRow(row);
  fillHeap();
  // If k is 0, there is no heap.
  Value hasHeap =
      ops.compare(arith::CmpIPredicate::sgt, count, ops.constant(0));
  auto branch =
      scf::IfOp::create(builder, loc, hasHeap, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  scanRemaining();
  sortHeap();
  return failure(elements.hasFailed());
}
