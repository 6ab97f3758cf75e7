//===- TopKKernel.cpp - the greatest elements of each row -----------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "dialects/tg/ops/structured/ReductionOps.h"

using namespace mlir;
using namespace tg;

namespace {

/// An element of a row and its index in the row.
struct Entry {
  Value value, index;
};

/// Emits the selection row by row. A heap holds the best k elements so far,
/// with the last one in order on top; heap sort orders it at the end. The time
/// is proportional to extent times log k. The heap is stored in the memory of
/// the results.
class TopKEmitter {
public:
  TopKEmitter(KernelFrame &frame, TopKOp op)
      : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
        ops(frame.integers()), elements(frame) {}

  LogicalResult emit();

private:
  void takeHeap();
  void enterRow();
  void fillHeap();
  void selectOthers();
  void sortHeap();
  Entry read(Value column);
  Entry load(Value place);
  void store(Value place, const Entry &entry);
  void siftDown(Value place, Value end, const Entry &entry);
  std::pair<Value, Entry> lastChild(Value place, Value end);
  Value isGreater(Value x, Value y);
  Value standsBefore(const Entry &x, const Entry &y);
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
  Value choose(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  KernelFrame &frame;
  TopKOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  /// The values and indices in the heap, and the offsets of the heap of this
  /// row.
  Elements values, indices;
  Value firstValue, firstIndex;
  Value extent, count;
  /// The indices of the row in the leading dimensions.
  SmallVector<Value> rowIndex;
};

} // namespace

/// Finds the memory of the heap. A result without uses is in scratch memory.
void TopKEmitter::takeHeap() {
  extent = frame.extent(frame.extentsOf(op.getInput()).back());
  AffineExpr k = frame.extentsOf(op.getValues()).back();
  count = frame.extent(k);
  SmallVector<std::tuple<Value, Elements *, Value *>> missing;
  SmallVector<AffineExpr> bytes;
  for (auto [result, memory, first] :
       {std::tuple(Value(op.getValues()), &values, &firstValue),
        {Value(op.getIndices()), &indices, &firstIndex}}) {
    if (!result.use_empty()) {
      *memory = resultMemory(frame, result);
      *first = ops.mul(frame.tile, count);
      continue;
    }
    missing.push_back({result, memory, first});
    bytes.push_back(k * elementBytes(getElementTypeOrSelf(result)));
  }
  if (missing.empty())
    return;
  SmallVector<Value> scratch = frame.takeScratch(bytes);
  for (auto [entry, pointer] : llvm::zip_equal(missing, scratch)) {
    auto [result, memory, first] = entry;
    *memory = {pointer, getElementTypeOrSelf(result)};
    *first = ops.constant(0);
  }
}

/// Computes the indices of the row from its linear index.
void TopKEmitter::enterRow() {
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getInput()).drop_back();
  rowIndex.resize(extents.size());
  Value row = frame.tile;
  for (unsigned axis = extents.size(); axis-- > 0;) {
    Value extent = frame.extent(extents[axis]);
    rowIndex[axis] = axis ? ops.rem(row, extent) : row;
    if (axis)
      row = ops.div(row, extent);
  }
}

Entry TopKEmitter::read(Value column) {
  Position position{rowIndex, SmallVector<int64_t>(rowIndex.size() + 1, 0)};
  position.index.push_back(column);
  return {elements.elementOrZero(op.getInput(), position, /*lanes=*/1), column};
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Returns true if x precedes y in descending order, with NaN first.
Value TopKEmitter::isGreater(Value x, Value y) {
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
Value TopKEmitter::standsBefore(const Entry &x, const Entry &y) {
  Value isEarlier = ops.compare(arith::CmpIPredicate::slt, x.index, y.index);
  Value isTie = isNot(isGreater(y.value, x.value));
  return either(isGreater(x.value, y.value), both(isTie, isEarlier));
}

//===----------------------------------------------------------------------===//
// The heap
//===----------------------------------------------------------------------===//

Entry TopKEmitter::load(Value place) {
  return {loadElements(builder, loc, values, ops.add(firstValue, place), {}),
          loadElements(builder, loc, indices, ops.add(firstIndex, place), {})};
}

void TopKEmitter::store(Value place, const Entry &entry) {
  storeElements(builder, loc, values, ops.add(firstValue, place), entry.value,
                {});
  storeElements(builder, loc, indices, ops.add(firstIndex, place), entry.index,
                {});
}

/// Returns the child of heap index `place` that comes last in order, and the
/// heap index of this child. If `place` has no children, returns some entry of
/// the heap, which has `end` entries.
std::pair<Value, Entry> TopKEmitter::lastChild(Value place, Value end) {
  Value one = ops.constant(1), last = ops.sub(end, one);
  Value left = ops.add(ops.add(place, place), one);
  Value leftPlace = ops.min(left, last);
  Value rightPlace = ops.min(ops.add(left, one), last);
  Entry leftEntry = load(leftPlace), rightEntry = load(rightPlace);
  Value isRight = standsBefore(leftEntry, rightEntry);
  return {choose(isRight, rightPlace, leftPlace),
          {choose(isRight, rightEntry.value, leftEntry.value),
           choose(isRight, rightEntry.index, leftEntry.index)}};
}

/// Stores the entry at `place`, or further down the heap if children of `place`
/// come after it in order; these move up.
void TopKEmitter::siftDown(Value place, Value end, const Entry &entry) {
  OpBuilder::InsertionGuard guard(builder);
  Type number = builder.getI64Type(), value = entry.value.getType();
  auto loop = scf::WhileOp::create(
      builder, loc, {number, number, value, number}, {place},
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        Value one = ops.constant(1);
        Value left = ops.add(ops.add(state[0], state[0]), one);
        auto [child, below] = lastChild(state[0], end);
        Value moves = both(ops.compare(arith::CmpIPredicate::slt, left, end),
                           standsBefore(entry, below));
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
void TopKEmitter::fillHeap() {
  Value zero = ops.constant(0);
  buildFor(builder, loc, zero, count, 1,
           [&](Value column) { store(column, read(column)); });
  Value parents = ops.div(count, ops.constant(2));
  buildFor(builder, loc, zero, parents, 1, [&](Value number) {
    Value place = ops.sub(ops.sub(parents, ops.constant(1)), number);
    siftDown(place, count, load(place));
  });
}

/// Replaces the top of the heap by each remaining element that precedes it.
void TopKEmitter::selectOthers() {
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
void TopKEmitter::sortHeap() {
  Value zero = ops.constant(0), one = ops.constant(1);
  buildFor(builder, loc, one, count, 1, [&](Value number) {
    Value end = ops.sub(count, number);
    Entry last = load(end);
    store(end, load(zero));
    siftDown(zero, end, last);
  });
}

LogicalResult TopKEmitter::emit() {
  AffineExpr rows =
      productOf(frame.extentsOf(op.getInput()).drop_back(), op->getContext());
  frame.setTiles([&](EntryExtents &entry) { return entry.get(rows); });
  takeHeap();
  enterRow();
  fillHeap();
  // Without a heap, there is nothing to replace.
  Value any = ops.compare(arith::CmpIPredicate::sgt, count, ops.constant(0));
  auto branch = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  selectOthers();
  sortHeap();
  return failure(elements.hasFailed());
}

namespace {
struct TopKKernel : CustomKernelOpInterface::ExternalModel<TopKKernel, TopKOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return TopKEmitter(frame, cast<TopKOp>(op)).emit();
  }
};
} // namespace

void tg::attachTopKKernel(MLIRContext *context) {
  TopKOp::attachInterface<TopKKernel>(*context);
}
