//===- KernelContext.cpp - the state of a kernel during emission ----------===//
#include "compiler/codegen/kernel/KernelContext.h"

using namespace mlir;
using namespace tg;

KernelContext::KernelContext(tgx::KernelOp kernel,
                             const TargetDescription &target, OpBuilder builder)
    : kernel(kernel), target(target), loc(kernel.getLoc()), builder(builder),
      analysis(kernel.getContext()) {}

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
