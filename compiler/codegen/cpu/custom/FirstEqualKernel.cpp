//===- FirstEqualKernel.cpp - first position of each index ----------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

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

/// Emits a single tile that inserts the indices into a hash table in their
/// order, by linear probing. An index takes the first free slot after its hash,
/// or finds the position of an equal index there.
class FirstEqualEmitter {
public:
  FirstEqualEmitter(KernelFrame &frame, tgx::FirstEqualOp op)
      : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
        ops(frame.integers()), elements(frame),
        memory(resultMemory(frame, op.getResult())) {}

  LogicalResult emit();

private:
  void clearTable();
  Value read(Value position);
  Value hashSlotOf(Value index);
  Value load(const Elements &table, Value slot) {
    return loadElements(builder, loc, table, slot, Lanes());
  }
  void store(const Elements &table, Value slot, Value value) {
    storeElements(builder, loc, table, slot, value, Lanes());
  }
  /// Returns the slot that holds the index, or the free slot for it.
  Value find(Value index);
  void insert(Value position);
  /// Returns an i1 that is true if a slot with this position is free.
  Value isFree(Value position) {
    return ops.compare(arith::CmpIPredicate::slt, position, ops.constant(0));
  }

  KernelFrame &frame;
  tgx::FirstEqualOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  Elements memory;
  /// The contents of each slot: the position at which its index occurs first,
  /// or -1 if the slot is free, and the index.
  Elements positions, keys;
  /// The number of indices, and the number of slots.
  Value count, slots;
};

} // namespace

void FirstEqualEmitter::clearTable() {
  Value none = ops.constant(-1);
  buildFor(builder, loc, ops.constant(0), slots, 1,
           [&](Value slot) { store(positions, slot, none); });
}

Value FirstEqualEmitter::read(Value position) {
  Value index = elements.elementOrZero(op.getIndices(),
                                       Position{{position}, {0}}, /*lanes=*/1);
  if (index.getType().isInteger(64))
    return index;
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
}

/// Returns the hash slot: the mixed index as a fraction of 2^64, scaled to the
/// size of the table.
Value FirstEqualEmitter::hashSlotOf(Value index) {
  Value mixed = ops.mul(index, ops.constant(kMixing));
  return arith::MulUIExtendedOp::create(builder, loc, mixed, slots).getHigh();
}

Value FirstEqualEmitter::find(Value index) {
  auto loop = scf::WhileOp::create(
      builder, loc, builder.getI64Type(), hashSlotOf(index),
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        Value isEqual =
            ops.compare(arith::CmpIPredicate::eq, load(keys, state[0]), index);
        Value isFound = arith::OrIOp::create(
            builder, loc, isFree(load(positions, state[0])), isEqual);
        Value trueValue =
            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
        scf::ConditionOp::create(
            builder, loc,
            arith::XOrIOp::create(builder, loc, isFound, trueValue), state);
      },
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        Value next = ops.add(state[0], ops.constant(1));
        Value wraps = ops.compare(arith::CmpIPredicate::eq, next, slots);
        Value slot =
            arith::SelectOp::create(builder, loc, wraps, ops.constant(0), next);
        scf::YieldOp::create(builder, loc, slot);
      });
  builder.setInsertionPointAfter(loop);
  return loop.getResult(0);
}

/// Inserts the index at `position`. A new index gets its own position.
void FirstEqualEmitter::insert(Value position) {
  Value index = read(position);
  Value slot = find(index);
  Value stored = load(positions, slot);
  Value first =
      arith::SelectOp::create(builder, loc, isFree(stored), position, stored);
  store(positions, slot, first);
  store(keys, slot, index);
  store(memory, position, first);
}

LogicalResult FirstEqualEmitter::emit() {
  frame.setTiles(
      [](EntryExtents &entry) { return entry.integers().constant(1); });
  AffineExpr extent = frame.extentsOf(op.getIndices()).front();
  count = frame.extent(extent);
  slots = frame.extent(extent * kSlotsPerIndex);
  Type i64 = builder.getI64Type();
  AffineExpr bytes = extent * (kSlotsPerIndex * elementBytes(i64));
  SmallVector<Value> scratch = frame.takeScratch({bytes, bytes});
  positions = {scratch[0], i64};
  keys = {scratch[1], i64};
  clearTable();
  buildFor(builder, loc, ops.constant(0), count, 1,
           [&](Value position) { insert(position); });
  return failure(elements.hasFailed());
}

namespace {
struct FirstEqualKernel
    : CustomKernelOpInterface::ExternalModel<FirstEqualKernel,
                                             tgx::FirstEqualOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return FirstEqualEmitter(frame, cast<tgx::FirstEqualOp>(op)).emit();
  }
};
} // namespace

void tg::attachFirstEqualKernel(MLIRContext *context) {
  tgx::FirstEqualOp::attachInterface<FirstEqualKernel>(*context);
}
