//===- UnpackedWeights.h - unpacking of packed weights --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_LAYOUT_UNPACKEDWEIGHTS_H
#define TG_COMPILER_TRANSFORMS_LAYOUT_UNPACKEDWEIGHTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Reverts tg-pack-weights for calls, to save the memory of packed weights.
/// Contractions then read their operands directly, and kernels of Winograd's
/// algorithm transform filters themselves, which takes longer.
class UnpackedWeights {
public:
  /// `kernels` has the called kernels. New kernels are added to it.
  explicit UnpackedWeights(mlir::SymbolTable &kernels) : kernels(kernels) {}

  /// Returns true if a call packs weights, and all readers can read the
  /// unpacked weights instead.
  bool canRestore(tgx::CallOp packing) const;
  /// Makes all readers of a packed value read the unpacked input, and erases
  /// the call. Returns the number of changed calls.
  unsigned restore(tgx::CallOp packing);

private:
  tgx::KernelOp kernelOf(tgx::CallOp call) const {
    return kernels.lookup<tgx::KernelOp>(call.getKernel());
  }
  /// Returns the version of `kernel` that takes the weights as an argument
  /// instead of their panels.
  tgx::KernelOp restore(tgx::KernelOp kernel, unsigned argument);

  mlir::SymbolTable &kernels;
  llvm::DenseMap<mlir::Operation *, tgx::KernelOp> restoredKernels;
};

/// Erases kernels without calls.
void eraseUnusedKernels(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_UNPACKEDWEIGHTS_H
