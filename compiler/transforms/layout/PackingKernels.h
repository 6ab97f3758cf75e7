//===- PackingKernels.h - kernels that pack, and that read panels ---------===//
#ifndef TG_COMPILER_TRANSFORMS_LAYOUT_PACKINGKERNELS_H
#define TG_COMPILER_TRANSFORMS_LAYOUT_PACKINGKERNELS_H

#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tg/ops/structured/Contraction.h"
#include "dialects/tgx/Tgx.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// A rectangle of a matrix, as read by a slice with static starts and steps of
/// one.
struct MatrixBox {
  /// [rows, columns] of the whole matrix.
  mlir::RankedTensorType whole;
  int64_t row, column;
  /// [rows, columns] of the box.
  mlir::RankedTensorType type;
};

/// The source of panels: a value, or a box of it.
struct PackedSource {
  mlir::Value value;
  std::optional<MatrixBox> box;
  tgx::LayoutAttrInterface layout;

  /// Returns the type of the packed tensor.
  mlir::RankedTensorType getType() const {
    return box ? box->type
               : mlir::cast<mlir::RankedTensorType>(value.getType());
  }
};

/// Returns the contraction of a kernel; none for other kernels.
std::optional<Contraction> contractionOf(tgx::KernelOp kernel);

/// Builds the kernels that pack operands and that read packed operands. Each
/// kernel is built once.
class PackingKernels {
public:
  explicit PackingKernels(mlir::ModuleOp module) : symbols(module) {}

  /// Returns the kernel that a call refers to.
  tgx::KernelOp find(tgx::CallOp call) const {
    return symbols.lookup<tgx::KernelOp>(call.getKernel());
  }
  /// Returns the box that a call copies, if it does nothing else; none
  /// otherwise.
  std::optional<MatrixBox> findBox(tgx::CallOp call) const;

  /// Returns the kernel that packs `source`.
  tgx::KernelOp pack(const PackedSource &source, mlir::Location loc);
  /// Returns the version of `kernel` whose argument `index` is panels of this
  /// layout.
  tgx::KernelOp unpack(tgx::KernelOp kernel, unsigned index,
                       tgx::LayoutAttrInterface layout);

private:
  mlir::SymbolTable symbols;
  llvm::StringMap<tgx::KernelOp> kernels;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_PACKINGKERNELS_H
