//===- KernelContext.cpp - the state of a kernel during emission ----------===//
#include "compiler/codegen/kernel/KernelContext.h"
#include "compiler/codegen/kernel/EmittedKernel.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tg;

KernelContext::KernelContext(tgx::KernelOp kernel,
                             const TargetDescription &target, OpBuilder builder)
    : kernel(kernel), target(target), loc(kernel.getLoc()), builder(builder),
      analysis(kernel.getContext()) {}

void KernelContext::reportTo(Value errors, Value fails,
                             tgx::ElementCheckOpInterface check,
                             function_ref<FailingElement()> describe) {
  auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  FailingElement failure = describe();
  auto addressAt = [&](Value bytes) {
    return addressOf(builder, loc, {errors, builder.getIntegerType(8)}, bytes);
  };
  IntegerOps ops = integers();
  Value cell =
      ops.constant(kErrorCellBytes + 8 * int64_t(kernel.firstCellOf(check)));
  if (failure.predicate)
    cell = ops.add(cell, ops.mul(failure.predicate, ops.constant(8)));
  Value previous = LLVM::AtomicRMWOp::create(
      builder, loc, LLVM::AtomicBinOp::min, addressAt(cell), failure.element,
      LLVM::AtomicOrdering::monotonic);
  if (!failure.value)
    return;
  Value isSame =
      ops.compare(arith::CmpIPredicate::eq, previous, failure.element);
  auto second = scf::IfOp::create(builder, loc, isSame, /*withElse=*/false);
  builder.setInsertionPoint(second.thenBlock()->getTerminator());
  LLVM::StoreOp::create(
      builder, loc, failure.value, addressAt(ops.constant(kReportedValueBytes)),
      /*alignment=*/8,
      /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
}

LogicalResult KernelContext::analyze() {
  return kernel.analyzeExtents(analysis);
}

AffineExpr KernelContext::strideOf(Value tensor, unsigned axis) const {
  MLIRContext *context = tensor.getContext();
  ArrayRef<AffineExpr> inner = extentsOf(tensor).drop_front(axis + 1);
  tgx::RowsAttr rows = tgx::KernelOp(kernel).rowsOf(tensor);
  if (!rows || axis >= rows.getAxis())
    return productOf(inner, context);
  return productOf(inner.take_front(rows.getAxis() - axis - 1), context) *
         rows.getRowStride();
}

AffineExpr KernelContext::sizeOf(Value tensor) const {
  AffineExpr size = analysis.sizeOf(tensor);
  return size && analysis.isKnownAtEntry(size) ? size : AffineExpr();
}
