//===- VectorLoop.cpp - loops that are vectorized -------------------------===//
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;

/// Returns true for an argument of rank 0, which is read only once.
static bool isScalarArgument(Value value) {
  return isa<BlockArgument>(value) &&
         cast<RankedTensorType>(value.getType()).getRank() == 0;
}

unsigned tg::chooseLaneBytes(tgx::KernelOp kernel) {
  // The size of the narrowest type of at least 4 bytes, and of the widest of
  // the other types. Only types of at least 4 bytes have sums whose order
  // affects rounding.
  int64_t narrowest = 8, widest = 0;
  bool hasOnlyNarrow = true;
  auto visit = [&](Value value) {
    int64_t bytes = elementBytes(getElementTypeOrSelf(value.getType()));
    if (bytes < 4) {
      widest = std::max(widest, bytes);
      return;
    }
    narrowest = std::min(narrowest, bytes);
    hasOnlyNarrow &= isScalarArgument(value);
  };
  llvm::for_each(kernel.getBlock().getArguments(), visit);
  for (Operation &op : kernel.getBlock().without_terminator())
    llvm::for_each(op.getResults(), visit);
  return hasOnlyNarrow && widest ? widest : narrowest;
}

unsigned tg::chooseLanes(tgx::KernelOp kernel,
                         const TargetDescription &target) {
  return target.lanes(chooseLaneBytes(kernel));
}

/// Emits one of the loops that a vectorized loop consists of.
static LogicalResult emitPart(ElementEmitter &emitter, Value begin, Value end,
                              unsigned lanes, unsigned copies,
                              VectorStep step) {
  LogicalResult result = success();
  emitCarryLoop(emitter.context, begin, end, int64_t(lanes) * copies, {},
                [&](Value index, ValueRange) -> SmallVector<Value> {
                  result = step(index, lanes, copies);
                  return {};
                });
  return result;
}

/// Emits the remainder below one vector as a masked vector.
static LogicalResult emitMasked(ElementEmitter &emitter, Value begin, Value end,
                                unsigned lanes, VectorStep step) {
  KernelContext &context = emitter.context;
  OpBuilder &builder = context.builder;
  auto emitStep = [&] {
    emitter.mask = buildMask(builder, context.loc, begin, end, lanes);
    LogicalResult result = step(begin, lanes, /*copies=*/1);
    emitter.mask = {};
    return result;
  };
  Value any = context.integers().compare(arith::CmpIPredicate::slt, begin, end);
  if (std::optional<int64_t> constant = constantNumber(any))
    return *constant ? emitStep() : success();
  auto branch =
      scf::IfOp::create(builder, context.loc, any, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return emitStep();
}

LogicalResult tg::emitVectorLoop(ElementEmitter &emitter, Value begin,
                                 Value end, unsigned lanes, unsigned unroll,
                                 VectorStep step, int64_t divisor) {
  if (lanes == 1)
    return emitPart(emitter, begin, end, /*lanes=*/1, /*copies=*/1, step);
  IntegerOps ops = emitter.context.integers();
  auto roundDown = [&](int64_t width) {
    if (divisor % width == 0)
      return end;
    return ops.add(begin, ops.roundDown(ops.sub(end, begin), width));
  };
  Value unrolledEnd = begin;
  if (unroll > 1) {
    unrolledEnd = roundDown(int64_t(lanes) * unroll);
    if (failed(emitPart(emitter, begin, unrolledEnd, lanes, unroll, step)))
      return failure();
  }
  Value vectorEnd = roundDown(lanes);
  if (vectorEnd != unrolledEnd &&
      failed(
          emitPart(emitter, unrolledEnd, vectorEnd, lanes, /*copies=*/1, step)))
    return failure();
  if (vectorEnd == end)
    return success();
  if (emitter.context.target.masksBytes)
    return emitMasked(emitter, vectorEnd, end, lanes, step);
  return emitPart(emitter, vectorEnd, end, /*lanes=*/1, /*copies=*/1, step);
}
