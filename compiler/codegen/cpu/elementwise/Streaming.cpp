//===- Streaming.cpp - stores of large outputs past the caches ------------===//
#include "compiler/codegen/cpu/elementwise/Streaming.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

Streaming::Streaming(KernelFrame &frame, unsigned lanes,
                     ArrayRef<unsigned> candidates, AffineExpr rowElements)
    : frame(frame) {
  if (lanes == 1 || rowElements.getLargestKnownDivisor() % lanes != 0)
    return;
  for (unsigned number : candidates) {
    Value output = frame.kernel.getOutputs()[number];
    tgx::RowsAttr rows = frame.kernel.rowsOf(output);
    if (rows && rows.getPitch() % lanes != 0)
      continue;
    int64_t bytes = elementBytes(getElementTypeOrSelf(output));
    std::optional<int64_t> count = staticExtent(
        productOf(frame.extentsOf(output), frame.kernel.getContext()));
    if (count && *count * bytes >= frame.target.streamedBytes &&
        lanes * bytes == frame.target.vectorBytes)
      outputs.push_back(number);
  }
}

Value Streaming::buildCondition() {
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
  for (unsigned number : outputs) {
    Value address = addressOf(frame.output(number));
    Value remainder = ops.rem(address, ops.constant(frame.target.vectorBytes));
    require(ops.compare(arith::CmpIPredicate::eq, remainder, ops.constant(0)));
    for (BlockArgument argument : frame.kernel.getBlock().getArguments())
      require(ops.compare(arith::CmpIPredicate::ne, address,
                          addressOf(frame.argument(argument))));
  }
  return condition;
}

void Streaming::emit(function_ref<void()> build) {
  if (outputs.empty())
    return build();
  OpBuilder &builder = frame.builder;
  auto branch = scf::IfOp::create(builder, frame.loc, buildCondition(),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  isActive = true;
  build();
  // Streaming stores are ordered with nothing: the launch's end must be.
  LLVM::CallIntrinsicOp::create(builder, frame.loc,
                                builder.getStringAttr("llvm.x86.sse.sfence"),
                                ValueRange());
  isActive = false;
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  build();
}
