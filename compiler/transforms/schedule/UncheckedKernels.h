//===- UncheckedKernels.h - kernels of what was checked before ------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_UNCHECKEDKERNELS_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_UNCHECKEDKERNELS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Kernels for calls that run again: what they check was right the first time,
/// or the run has failed, and they compute the same of the same.
class UncheckedKernels {
public:
  /// `kernels` has those that are called, and gets those that will be.
  explicit UncheckedKernels(mlir::SymbolTable &kernels) : kernels(kernels) {}

  /// Whether a kernel computes something beside its checks.
  static bool canFind(tgx::KernelOp kernel);
  /// The kernel without its checks; the same where it has none.
  tgx::KernelOp find(tgx::KernelOp kernel);

private:
  mlir::SymbolTable &kernels;
  llvm::DenseMap<mlir::Operation *, tgx::KernelOp> known;
};

/// Whether a kernel has checks that may fail the run.
bool hasChecks(tgx::KernelOp kernel);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_UNCHECKEDKERNELS_H
