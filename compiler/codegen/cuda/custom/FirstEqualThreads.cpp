//===- FirstEqualThreads.cpp - a block that finds equal indices -----------===//
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

namespace {

/// The number of hash table slots per index. At least half of the slots stay
/// free, so that few slots are probed.
constexpr int64_t kSlotsPerIndex = 2;

/// The multiplier of Fibonacci hashing: 2^64 divided by the golden ratio, which
/// is odd. The upper bits of the product differ for indices that differ in
/// their lower bits.
constexpr int64_t kMixing = int64_t(0x9E3779B97F4A7C15);

/// The contents of a free slot.
constexpr int64_t kFree = -1;

/// Emits one block, whose threads fill a hash table together, by linear
/// probing. A slot holds the least position so far at which its index occurs.
/// Threads take a free slot by an atomic exchange and lower a position by an
/// atomic minimum, so that the order of the threads does not matter. Positions
/// are read when all have been inserted.
class PositionTable {
public:
  PositionTable(ThreadFrame &frame, tgx::FirstEqualOp op)
      : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
        ops(frame.integers()), elements(frame),
        memory(resultMemory(frame, op.getResult())) {}

  LogicalResult emit();

private:
  void forEach(Value count, function_ref<void(Value)> build);
  Value read(Value position);
  Value hashSlotOf(Value index);
  Value addressOf(Value slot) {
    return tg::addressOf(builder, loc, positions, slot);
  }
  Value load(const Elements &from, Value place) {
    return loadElements(builder, loc, from, place, Lanes());
  }
  void store(const Elements &to, Value place, Value value) {
    storeElements(builder, loc, to, place, value, Lanes());
  }
  Value isTaken(Value slot, Value position, Value index);
  Value nextSlot(Value slot);
  Value find(Value position);

  ThreadFrame &frame;
  tgx::FirstEqualOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  Elements memory;
  /// The contents of the slots.
  Elements positions;
  /// The number of the thread in its block, and the number of slots.
  Value thread, slots;
};

} // namespace

/// Divides the numbers below `count` among the threads.
void PositionTable::forEach(Value count, function_ref<void(Value)> build) {
  buildFor(builder, loc, thread, count, kBlockThreads, build);
}

Value PositionTable::read(Value position) {
  Value index = elements.elementOrZero(op.getIndices(),
                                       Position{{position}, {0}}, /*lanes=*/1);
  if (index.getType().isInteger(64))
    return index;
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
}

/// Returns the hash slot: the upper half of the mixed index as a fraction of
/// 2^32, scaled to the size of the table.
Value PositionTable::hashSlotOf(Value index) {
  Value half = ops.constant(32);
  Value mixed = ops.mul(index, ops.constant(kMixing));
  Value upper = arith::ShRUIOp::create(builder, loc, mixed, half);
  return arith::ShRUIOp::create(builder, loc, ops.mul(upper, slots), half);
}

/// Takes the slot for `position` if it is free. Returns true if it was, or if
/// it holds the position of an equal index.
Value PositionTable::isTaken(Value slot, Value position, Value index) {
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      builder, loc, addressOf(slot), ops.constant(kFree), position,
      LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic,
      /*syncscope=*/"device");
  Value old = LLVM::ExtractValueOp::create(builder, loc, exchange,
                                           ArrayRef<int64_t>{0});
  Value zero = ops.constant(0);
  Value wasFree = ops.compare(arith::CmpIPredicate::slt, old, zero);
  Value isEqual =
      ops.compare(arith::CmpIPredicate::eq, read(ops.max(old, zero)), index);
  return arith::OrIOp::create(builder, loc, wasFree, isEqual);
}

Value PositionTable::nextSlot(Value slot) {
  Value next = ops.add(slot, ops.constant(1));
  Value wraps = ops.compare(arith::CmpIPredicate::eq, next, slots);
  return arith::SelectOp::create(builder, loc, wraps, ops.constant(0), next);
}

/// Returns the slot of the index at `position`, which it takes if no equal
/// index has one.
Value PositionTable::find(Value position) {
  Value index = read(position);
  Type i64 = builder.getI64Type();
  auto loop = scf::WhileOp::create(builder, loc, i64, hashSlotOf(index));
  OpBuilder::InsertionGuard guard(builder);
  Value slot =
      builder.createBlock(&loop.getBefore(), {}, i64, loc)->getArgument(0);
  Value trueValue =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value isOther = arith::XOrIOp::create(
      builder, loc, isTaken(slot, position, index), trueValue);
  scf::ConditionOp::create(builder, loc, isOther, slot);
  Value other =
      builder.createBlock(&loop.getAfter(), {}, i64, loc)->getArgument(0);
  scf::YieldOp::create(builder, loc, nextSlot(other));
  return loop.getResult(0);
}

LogicalResult PositionTable::emit() {
  AffineExpr extent = frame.extentsOf(op.getIndices()).front();
  thread = frame.beginBlock(getAffineConstantExpr(1, op->getContext())).thread;
  slots = frame.extent(extent * kSlotsPerIndex);
  Type i64 = builder.getI64Type();
  positions = {
      frame.takeScratch({extent * (kSlotsPerIndex * elementBytes(i64))})[0],
      i64};
  forEach(slots,
          [&](Value slot) { store(positions, slot, ops.constant(kFree)); });
  emitBarrier(builder, loc);
  // The result holds the slot of each index until the next barrier.
  forEach(frame.extent(extent), [&](Value position) {
    Value slot = find(position);
    LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::min,
                              addressOf(slot), position,
                              LLVM::AtomicOrdering::monotonic);
    store(memory, position, slot);
  });
  emitBarrier(builder, loc);
  forEach(frame.extent(extent), [&](Value position) {
    store(memory, position, load(positions, load(memory, position)));
  });
  return failure(elements.hasFailed());
}

namespace {
struct FirstEqualThreads
    : CustomThreadsOpInterface::ExternalModel<FirstEqualThreads,
                                              tgx::FirstEqualOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    return PositionTable(frame, cast<tgx::FirstEqualOp>(op)).emit();
  }
};
} // namespace

void tg::attachFirstEqualThreads(MLIRContext *context) {
  tgx::FirstEqualOp::attachInterface<FirstEqualThreads>(*context);
}
