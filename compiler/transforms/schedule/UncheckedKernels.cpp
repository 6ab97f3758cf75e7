//===- UncheckedKernels.cpp - kernels without their checks ----------------===//
#include "compiler/transforms/schedule/UncheckedKernels.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tg;

bool tg::hasChecks(tgx::KernelOp kernel) {
  return !kernel.getBlock().getOps<tgx::ElementCheckOpInterface>().empty();
}

bool UncheckedKernels::hasUnchecked(tgx::KernelOp kernel) {
  return llvm::all_of(
      kernel.getBlock().getTerminator()->getOperands(), [](Value result) {
        while (auto check =
                   result.getDefiningOp<tgx::ElementCheckOpInterface>())
          result = check->getOperand(0);
        return !isa<BlockArgument>(result);
      });
}

tgx::KernelOp UncheckedKernels::find(tgx::KernelOp kernel) {
  if (!hasChecks(kernel))
    return kernel;
  tgx::KernelOp &unchecked = uncheckedKernels[kernel];
  if (unchecked)
    return unchecked;
  unchecked = kernel.clone();
  unchecked.setSymName((kernel.getSymName() + "_again").str());
  for (auto check : llvm::make_early_inc_range(
           unchecked.getBlock().getOps<tgx::ElementCheckOpInterface>())) {
    check->getResult(0).replaceAllUsesWith(check->getOperand(0));
    check->erase();
  }
  kernels.insert(unchecked, std::next(Block::iterator(kernel)));
  return unchecked;
}
