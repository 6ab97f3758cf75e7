//===- NonTemporalStores.cpp - non-temporal stores of large outputs -------===//
#include "compiler/codegen/cpu/elementwise/NonTemporalStores.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

NonTemporalStores::NonTemporalStores(KernelFrame &frame, unsigned lanes,
                                     ArrayRef<unsigned> candidates,
                                     AffineExpr rowElements, bool canTest)
    : frame(frame) {
  if (lanes == 1 || rowElements.getLargestKnownDivisor() % lanes != 0)
    return;
  for (unsigned index : candidates) {
    Value output = frame.kernel.getOutputs()[index];
    tgx::RowsAttr rows = frame.kernel.rowsOf(output);
    if (rows && rows.getRowStride() % lanes != 0)
      continue;
    int64_t bytes = elementBytes(getElementTypeOrSelf(output));
    int64_t alignment = frame.kernel.nonTemporalAlignmentOf(index);
    bool isAligned = alignment % frame.target.vectorBytes == 0;
    if (alignment == 0 || lanes * bytes != frame.target.vectorBytes ||
        !(isAligned || canTest))
      continue;
    outputs.push_back(index);
    if (!isAligned)
      unaligned.push_back(index);
  }
}

Value NonTemporalStores::buildCondition() {
  OpBuilder &builder = frame.entry.builder;
  Location loc = frame.loc;
  IntegerOps ops = frame.entry.integers();
  auto addressOf = [&](const Elements &elements) -> Value {
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                    elements.pointer);
  };
  Value condition;
  auto require = [&](Value next) {
    condition =
        condition ? arith::AndIOp::create(builder, loc, condition, next) : next;
  };
  for (unsigned index : unaligned) {
    Value address = addressOf(frame.output(index));
    Value remainder = ops.rem(address, ops.constant(frame.target.vectorBytes));
    require(ops.compare(arith::CmpIPredicate::eq, remainder, ops.constant(0)));
    for (BlockArgument argument : frame.kernel.getBlock().getArguments())
      require(ops.compare(arith::CmpIPredicate::ne, address,
                          addressOf(frame.argument(argument))));
  }
  return condition;
}

void NonTemporalStores::emitActive(function_ref<void()> build) {
  isActive = true;
  build();
  isActive = false;
  // Non-temporal stores are weakly ordered. The fence makes them visible before
  // the launch ends.
  LLVM::CallIntrinsicOp::create(
      frame.builder, frame.loc,
      frame.builder.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
}

void NonTemporalStores::emit(function_ref<void()> build) {
  if (outputs.empty())
    return build();
  if (unaligned.empty())
    return emitActive(build);
  OpBuilder &builder = frame.builder;
  auto branch = scf::IfOp::create(builder, frame.loc, buildCondition(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitActive(build);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  build();
}
