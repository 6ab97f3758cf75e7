//===- KernelExtents.h - extents of kernels that calls may pass -----------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Gives all maps of a kernel so many symbols.
void setSymbolCount(tgx::KernelOp kernel, unsigned count);

/// A kernel, and the same one for any extents in place of those that its types
/// know: calls pass them, so that one kernel serves the layers of a network.
///
/// Loops over elements lose nothing by it, as long as all values have, counted
/// from the last dimension, the extents of one iteration space, or 1. Other
/// kernels stay as they are.
class KernelExtents {
public:
  /// Takes `kernel`, which stands in no module, as its own one.
  KernelExtents(tgx::KernelOp kernel, bool canShare);

  tgx::KernelOp getKernel() const { return own; }
  /// The kernel for any extents, whose last symbols they are; the own one where
  /// there is none.
  tgx::KernelOp getShared() const { return shared ? shared : own; }
  /// The extents that the own kernel has for these symbols.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }

  /// Erases both.
  void erase() const;
  /// Erases the other one, and returns this one.
  tgx::KernelOp takeOwn();
  tgx::KernelOp takeShared();

private:
  /// Finds the extents by dimension from the last one. Returns false where
  /// values disagree.
  bool findExtents();
  /// The type with unknown extents.
  mlir::Type widen(mlir::Type type);
  /// The symbol of a dimension of a type, by its number from the last one; none
  /// for an extent that stays.
  std::optional<unsigned> symbolOf(mlir::RankedTensorType type,
                                   unsigned fromLast);
  void widenArguments();
  bool widenResults(mlir::Operation &op);
  bool hasRightExtents();

  tgx::KernelOp own, shared;
  llvm::SmallVector<int64_t> extents;
  /// For each dimension from the last one: its extent in `extents`.
  llvm::SmallVector<std::optional<unsigned>> numbers;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H
