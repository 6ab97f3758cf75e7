//===- FirstEqualKernel.cpp - first position of each index ----------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

using namespace mlir;
using namespace tg;

namespace {

/// The number of hash table slots per index. At least half of the slots stay
/// free, so that few slots are probed.
constexpr int64_t kPlacesPerIndex = 2;

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
  Value read(Value number);
  Value firstPlaceOf(Value index);
  Value load(const Elements &table, Value place) {
    return loadElements(builder, loc, table, place, Lanes());
  }
  void store(const Elements &table, Value place, Value number) {
    storeElements(builder, loc, table, place, number, Lanes());
  }
  /// Returns the slot that holds the index, or the free slot for it.
  Value find(Value index);
  void enter(Value number);
  Value isFree(Value first) {
    return ops.compare(arith::CmpIPredicate::slt, first, ops.constant(0));
  }

  KernelFrame &frame;
  tgx::FirstEqualOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  Elements memory;
  /// The contents of each slot: the position of the first equal index, or -1 if
  /// the slot is free, and the index.
  Elements firsts, entered;
  Value count, places;
};

} // namespace

void FirstEqualEmitter::clearTable() {
  Value none = ops.constant(-1);
  buildFor(builder, loc, ops.constant(0), places, 1,
           [&](Value place) { store(firsts, place, none); });
}

Value FirstEqualEmitter::read(Value number) {
  Position position{{number}, {0}};
  Value index = elements.elementOrZero(op.getIndices(), position, /*lanes=*/1);
  if (index.getType().isInteger(64))
    return index;
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
}

/// Returns the hash slot: the mixed index as a fraction of 2^64, scaled to the
/// size of the table.
Value FirstEqualEmitter::firstPlaceOf(Value index) {
  Value mixed = ops.mul(index, ops.constant(kMixing));
  return arith::MulUIExtendedOp::create(builder, loc, mixed, places).getHigh();
}

Value FirstEqualEmitter::find(Value index) {
  auto loop = scf::WhileOp::create(
      builder, loc, builder.getI64Type(), firstPlaceOf(index),
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        Value isHere = ops.compare(arith::CmpIPredicate::eq,
                                   load(entered, state[0]), index);
        Value isEnd = arith::OrIOp::create(
            builder, loc, isFree(load(firsts, state[0])), isHere);
        Value yes =
            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
        scf::ConditionOp::create(
            builder, loc, arith::XOrIOp::create(builder, loc, isEnd, yes),
            state);
      },
      [&](OpBuilder &, Location, ValueRange state) {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToEnd(state[0].getParentBlock());
        Value next = ops.add(state[0], ops.constant(1));
        Value isEnd = ops.compare(arith::CmpIPredicate::eq, next, places);
        Value place =
            arith::SelectOp::create(builder, loc, isEnd, ops.constant(0), next);
        scf::YieldOp::create(builder, loc, place);
      });
  builder.setInsertionPointAfter(loop);
  return loop.getResult(0);
}

/// Inserts the index at position `number`. A new index gets its own position.
void FirstEqualEmitter::enter(Value number) {
  Value index = read(number);
  Value place = find(index);
  Value found = load(firsts, place);
  Value first =
      arith::SelectOp::create(builder, loc, isFree(found), number, found);
  store(firsts, place, first);
  store(entered, place, index);
  store(memory, number, first);
}

LogicalResult FirstEqualEmitter::emit() {
  frame.setTiles(
      [](EntryExtents &entry) { return entry.integers().constant(1); });
  AffineExpr extent = frame.extentsOf(op.getIndices()).front();
  count = frame.extent(extent);
  places = frame.extent(extent * kPlacesPerIndex);
  Type number = builder.getI64Type();
  AffineExpr bytes = extent * (kPlacesPerIndex * elementBytes(number));
  SmallVector<Value> scratch = frame.takeScratch({bytes, bytes});
  firsts = {scratch[0], number};
  entered = {scratch[1], number};
  clearTable();
  buildFor(builder, loc, ops.constant(0), count, 1,
           [&](Value position) { enter(position); });
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
