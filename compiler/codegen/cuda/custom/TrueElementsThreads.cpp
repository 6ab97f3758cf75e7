//===- TrueElementsThreads.cpp - a block for each part of a mask ----------===//
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

static constexpr int64_t kPartElements = tgx::CountTrueOp::kPartElements;

/// The number of neighbouring elements that a thread reads.
static constexpr int64_t kThreadElements = kPartElements / kBlockThreads;
static_assert(kThreadElements * kBlockThreads == kPartElements,
              "the threads of a block divide a part");

namespace {

/// Emits the blocks of a mask, one for each part. A thread reads some
/// neighbouring elements of the part.
class TrueElements {
public:
  /// Begins the threads.
  TrueElements(ThreadFrame &frame, Value mask);

  /// Calls `step` for the elements of the thread in order, with the index of an
  /// element, an i1 that is true if the element is, and the carried value.
  /// Returns the last carried value.
  using Step = function_ref<Value(Value element, Value isTrue, Value carried)>;
  Value forEachElement(Value carried, Step step);
  /// Returns the number of true elements of the thread.
  Value count();

  ThreadFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  /// The number of the part, and the number of the thread in its block.
  Value part, thread;

private:
  Value mask;
  AffineExpr size;
};

} // namespace

TrueElements::TrueElements(ThreadFrame &frame, Value mask)
    : frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), elements(frame), mask(mask),
      size(productOf(frame.extentsOf(mask), mask.getContext())) {
  BlockThread place = frame.beginBlock(tgx::CountTrueOp::countParts(size));
  part = place.block;
  thread = place.thread;
}

Value TrueElements::forEachElement(Value carried, Step step) {
  Value begin = ops.add(ops.mul(part, ops.constant(kPartElements)),
                        ops.mul(thread, ops.constant(kThreadElements)));
  Value end = ops.min(ops.add(begin, ops.constant(kThreadElements)),
                      frame.extent(size));
  int64_t axes = cast<RankedTensorType>(mask.getType()).getRank();
  return buildFor(builder, loc, begin, end, 1, carried,
                  [&](Value element, ValueRange values) -> SmallVector<Value> {
                    Position position{SmallVector<Value>(axes, ops.constant(0)),
                                      SmallVector<int64_t>(axes, 0)};
                    // Memory is row-major, so that the last index may exceed
                    // its extent.
                    position.index.back() = element;
                    Value isTrue =
                        elements.elementOrZero(mask, position, /*lanes=*/1);
                    return {step(element, isTrue, values[0])};
                  })[0];
}

Value TrueElements::count() {
  return forEachElement(ops.constant(0), [&](Value, Value isTrue, Value sum) {
    return ops.add(sum, arith::ExtUIOp::create(builder, loc,
                                               builder.getI64Type(), isTrue));
  });
}

//===----------------------------------------------------------------------===//
// count_true
//===----------------------------------------------------------------------===//

/// Adds the counts of the threads of a block, in any order: they are integers.
static LogicalResult emitCount(ThreadFrame &frame, tgx::CountTrueOp op) {
  TrueElements flags(frame, op.getInput());
  OpBuilder &builder = flags.builder;
  Location loc = flags.loc;
  Elements memory = resultMemory(frame, op.getResult());
  Value zero = flags.ops.constant(0);
  auto first = scf::IfOp::create(
      builder, loc,
      flags.ops.compare(arith::CmpIPredicate::eq, flags.thread, zero),
      /*withElseRegion=*/false);
  OpBuilder inside(first.thenBlock()->getTerminator());
  storeElements(inside, loc, memory, flags.part, zero, Lanes());
  emitBarrier(builder, loc);
  LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add,
                            addressOf(builder, loc, memory, flags.part),
                            flags.count(), LLVM::AtomicOrdering::monotonic);
  return failure(flags.elements.hasFailed());
}

//===----------------------------------------------------------------------===//
// list_true, take_true
//===----------------------------------------------------------------------===//

namespace {

/// Writes one row of the result for each true element of a part, beginning at
/// the start row of the part.
class TrueElementWriter {
public:
  TrueElementWriter(ThreadFrame &frame, Value mask, Value starts, Value result)
      : flags(frame, mask), starts(starts),
        rows(frame.extent(frame.extentsOf(result).front())),
        counts(frame.share(flags.builder.getIntegerType(8), kBlockThreads)) {}

  /// Writes the row of the result that belongs to an element.
  using Write = function_ref<void(Value element, Value row)>;
  LogicalResult emit(Write write);

  TrueElements flags;

private:
  Value firstRow();

  Value starts;
  /// The number of rows of the result.
  Value rows;
  /// The number of true elements of each thread of the block.
  Elements counts;
};

} // namespace

static_assert(kThreadElements <= 255, "the count of a thread fits a byte");

/// Returns the row of the first true element of the thread: those of the
/// threads before it in the block precede it.
Value TrueElementWriter::firstRow() {
  OpBuilder &builder = flags.builder;
  Location loc = flags.loc;
  IntegerOps &ops = flags.ops;
  Value count =
      arith::TruncIOp::create(builder, loc, counts.elementType, flags.count());
  storeElements(builder, loc, counts, flags.thread, count, Lanes());
  emitBarrier(builder, loc);
  Value start = flags.elements.elementOrZero(
      starts, Position{{flags.part}, {0}}, /*lanes=*/1);
  return buildFor(
      builder, loc, ops.constant(0), flags.thread, 1, start,
      [&](Value before, ValueRange sum) -> SmallVector<Value> {
        Value more = loadElements(builder, loc, counts, before, Lanes());
        return {ops.add(sum[0], arith::ExtUIOp::create(
                                    builder, loc, builder.getI64Type(), more))};
      })[0];
}

/// Never writes beyond the end of the result, whatever the starts are.
LogicalResult TrueElementWriter::emit(Write write) {
  OpBuilder &builder = flags.builder;
  Location loc = flags.loc;
  IntegerOps &ops = flags.ops;
  flags.forEachElement(firstRow(), [&](Value element, Value isTrue, Value row) {
    Value fits = ops.compare(arith::CmpIPredicate::ult, row, rows);
    auto branch = scf::IfOp::create(
        builder, loc, arith::AndIOp::create(builder, loc, isTrue, fits),
        /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    write(element, row);
    builder.setInsertionPointAfter(branch);
    return ops.add(row, arith::ExtUIOp::create(builder, loc,
                                               builder.getI64Type(), isTrue));
  });
  return failure(flags.elements.hasFailed());
}

/// Emits the coordinates of each element, from the last dimension to the first.
static LogicalResult emitList(ThreadFrame &frame, tgx::ListTrueOp op) {
  TrueElementWriter writer(frame, op.getInput(), op.getStarts(),
                           op.getResult());
  Elements memory = resultMemory(frame, op.getResult());
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getInput());
  IntegerOps &ops = writer.flags.ops;
  return writer.emit([&](Value element, Value row) {
    Value base = ops.mul(row, ops.constant(extents.size()));
    for (int64_t axis = extents.size() - 1; axis >= 0; --axis) {
      Value coordinate = element;
      if (axis > 0) {
        Value extent = frame.extent(extents[axis]);
        coordinate = frame.indices().rem(element, extent);
        element = frame.indices().div(element, extent);
      }
      storeElements(frame.builder, frame.loc, memory,
                    ops.add(base, ops.constant(axis)), coordinate, Lanes());
    }
  });
}

static LogicalResult emitTake(ThreadFrame &frame, tgx::TakeTrueOp op) {
  TrueElementWriter writer(frame, op.getMask(), op.getStarts(), op.getResult());
  Elements memory = resultMemory(frame, op.getResult());
  return writer.emit([&](Value element, Value row) {
    Value taken = writer.flags.elements.elementOrZero(
        op.getInput(), Position{{element}, {0}}, /*lanes=*/1);
    storeElements(frame.builder, frame.loc, memory, row, taken, Lanes());
  });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
struct CountTrueThreads
    : CustomThreadsOpInterface::ExternalModel<CountTrueThreads,
                                              tgx::CountTrueOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    return emitCount(frame, cast<tgx::CountTrueOp>(op));
  }
};

struct ListTrueThreads
    : CustomThreadsOpInterface::ExternalModel<ListTrueThreads,
                                              tgx::ListTrueOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    return emitList(frame, cast<tgx::ListTrueOp>(op));
  }
};

struct TakeTrueThreads
    : CustomThreadsOpInterface::ExternalModel<TakeTrueThreads,
                                              tgx::TakeTrueOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    return emitTake(frame, cast<tgx::TakeTrueOp>(op));
  }
};
} // namespace

void tg::attachTrueElementsThreads(MLIRContext *context) {
  tgx::CountTrueOp::attachInterface<CountTrueThreads>(*context);
  tgx::ListTrueOp::attachInterface<ListTrueThreads>(*context);
  tgx::TakeTrueOp::attachInterface<TakeTrueThreads>(*context);
}
