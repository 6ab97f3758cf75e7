//===- KernelExtents.h - extents of kernels that calls may pass -----------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H
#define TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Sets the number of symbols of all maps of a kernel.
void setSymbolCount(tgx::KernelOp kernel, unsigned count);

/// A kernel with static extents (the own kernel), and a shared version of it in
/// which symbols replace the static extents of its types. Calls pass these
/// extents, so that one kernel serves several layers of a network.
///
/// Elementwise loops are as fast with symbols, provided that all values have,
/// counted from the last dimension, the extents of one iteration space, or 1.
/// Other kernels have no shared version.
class KernelExtents {
public:
  /// Constructs the pair for `kernel`, which becomes the own kernel. It must
  /// not be in a module.
  KernelExtents(tgx::KernelOp kernel, bool canShare);

  tgx::KernelOp getKernel() const { return own; }
  /// Returns the shared kernel, whose last symbols are the replaced extents, or
  /// the own kernel if there is no shared one.
  tgx::KernelOp getShared() const { return shared ? shared : own; }
  /// Returns the static extents that these symbols replace.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }

  /// Erases both kernels.
  void erase() const;
  /// takeOwn() returns the own kernel, takeShared() the shared one. Both erase
  /// the other kernel.
  tgx::KernelOp takeOwn();
  tgx::KernelOp takeShared();

private:
  /// Collects the extent of each dimension, counted from the last one. Returns
  /// false if two values have different extents.
  bool findExtents();
  /// Returns the type with dynamic extents.
  mlir::Type makeDynamic(mlir::Type type);
  /// Returns the symbol of a dimension of a type, counted from the last
  /// dimension; none for an extent that stays static.
  std::optional<unsigned> symbolOf(mlir::RankedTensorType type,
                                   unsigned fromLast);
  void makeArgumentsDynamic();
  bool makeResultsDynamic(mlir::Operation &op);
  bool extentsMatch();

  tgx::KernelOp own, shared;
  llvm::SmallVector<int64_t> extents;
  /// For each dimension, counted from the last one, the index of its extent in
  /// `extents`.
  llvm::SmallVector<std::optional<unsigned>> extentIndices;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_KERNELEXTENTS_H
