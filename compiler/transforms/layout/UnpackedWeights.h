//===- UnpackedWeights.h - weights that nobody packs any more -------------===//
#ifndef TG_COMPILER_TRANSFORMS_LAYOUT_UNPACKEDWEIGHTS_H
#define TG_COMPILER_TRANSFORMS_LAYOUT_UNPACKEDWEIGHTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Takes back what tg-pack-weights did for calls, to save the memory of packed
/// weights: contractions read their operands as they are, and convolutions sum
/// products as they stand, which takes longer and rounds in another way.
class UnpackedWeights {
public:
  /// `kernels` has those that are called, and gets those that will be.
  explicit UnpackedWeights(mlir::SymbolTable &kernels) : kernels(kernels) {}

  /// Whether a call packs weights, and their readers can do without.
  bool canRestore(tgx::CallOp packing) const;
  /// Lets all that read what a call packed read its input, and erases it. The
  /// number of calls that were changed.
  unsigned restore(tgx::CallOp packing);

private:
  tgx::KernelOp kernelOf(tgx::CallOp call) const {
    return kernels.lookup<tgx::KernelOp>(call.getKernel());
  }
  /// `kernel` with the weights in place of their panels.
  tgx::KernelOp restore(tgx::KernelOp kernel, unsigned argument);

  mlir::SymbolTable &kernels;
  llvm::DenseMap<mlir::Operation *, tgx::KernelOp> known;
};

/// Erases kernels that nothing calls any more.
void eraseUnusedKernels(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_UNPACKEDWEIGHTS_H
