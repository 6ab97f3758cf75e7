//===- KernelContext.cpp - a kernel while it is emitted, for any target ---===//
#include "compiler/codegen/kernel/KernelContext.h"

using namespace mlir;
using namespace tg;

KernelContext::KernelContext(tgx::KernelOp kernel,
                             const TargetDescription &target, OpBuilder builder)
    : kernel(kernel), target(target), loc(kernel.getLoc()), builder(builder),
      analysis(kernel.getContext()) {}

LogicalResult KernelContext::analyze() {
  if (failed(kernel.analyzeExtents(analysis)))
    return failure();
  for (Operation &op : kernel.getBlock().without_terminator())
    for (Value result : op.getResults())
      for (AffineExpr extent : extentsOf(result))
        if (!isKnown(extent))
          return op.emitOpError() << "expected extents that follow from the "
                                     "symbols of the kernel";
  return success();
}

bool KernelContext::isKnown(AffineExpr expression) const {
  unsigned symbols = tgx::KernelOp(kernel).getSymbolCount();
  bool known = true;
  expression.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      known &= symbol.getPosition() < symbols;
  });
  return known;
}

AffineExpr KernelContext::sizeOf(Value tensor) const {
  AffineExpr size = analysis.sizeOf(tensor);
  return size && isKnown(size) ? size : AffineExpr();
}
