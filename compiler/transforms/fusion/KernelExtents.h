//===- KernelExtents.h - extents of kernels that calls may pass -----------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Sets the number of symbols of all maps of a kernel.
void setSymbolCount(tgx::KernelOp kernel, unsigned count);

/// A kernel, and a shared version of it in which symbols replace the static
/// extents of its types. Calls pass these extents, so that one kernel serves
/// several layers of a network.
///
/// Loops over elements are as fast with symbols, provided that all values have,
/// counted from the last dimension, the extents of one iteration space, or 1.
/// Other kernels stay as they are.
class KernelExtents {
public:
  /// Takes `kernel`, which must not be in a module, as the own kernel.
  KernelExtents(tgx::KernelOp kernel, bool canShare);

  tgx::KernelOp getKernel() const { return own; }
  /// Returns the kernel for any extents, which are its last symbols; the own
  /// kernel if there is none.
  tgx::KernelOp getShared() const { return shared ? shared : own; }
  /// Returns the own kernel's values of these symbols.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }

  /// Erases both kernels.
  void erase() const;
  /// Erases the other kernel, and returns this one.
  tgx::KernelOp takeOwn();
  tgx::KernelOp takeShared();

private:
  /// Finds the extents by dimension, counted from the last one. Returns false
  /// if values disagree.
  bool findExtents();
  /// Returns the type with unknown extents.
  mlir::Type widen(mlir::Type type);
  /// Returns the symbol of a dimension of a type, counted from the last
  /// dimension; none for an extent that stays static.
  std::optional<unsigned> symbolOf(mlir::RankedTensorType type,
                                   unsigned fromLast);
  void widenArguments();
  bool widenResults(mlir::Operation &op);
  bool hasRightExtents();

  tgx::KernelOp own, shared;
  llvm::SmallVector<int64_t> extents;
  /// For each dimension, counted from the last one, the index of its extent in
  /// `extents`.
  llvm::SmallVector<std::optional<unsigned>> numbers;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H
