//===- UncheckedKernels.h - kernels without their checks ------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_UNCHECKEDKERNELS_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_UNCHECKEDKERNELS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Kernels for repeated calls. They need no checks: a repeated call computes
/// the same from the same inputs as the original call, whose checks have
/// passed, or have failed the run.
class UncheckedKernels {
public:
  /// `kernels` has the called kernels. New kernels are added to it.
  explicit UncheckedKernels(mlir::SymbolTable &kernels) : kernels(kernels) {}

  /// Returns true if a kernel computes something besides its checks.
  static bool hasUnchecked(tgx::KernelOp kernel);
  /// Returns the kernel without its checks; the same kernel if it has none.
  tgx::KernelOp find(tgx::KernelOp kernel);

private:
  mlir::SymbolTable &kernels;
  llvm::DenseMap<mlir::Operation *, tgx::KernelOp> uncheckedKernels;
};

/// Returns true if a kernel has checks that may fail the run.
bool hasChecks(tgx::KernelOp kernel);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_UNCHECKEDKERNELS_H
