//===- PackingKernels.h - kernels that pack, and that read panels ---------===//
#ifndef TG_COMPILER_TRANSFORMS_LAYOUT_PACKINGKERNELS_H
#define TG_COMPILER_TRANSFORMS_LAYOUT_PACKINGKERNELS_H

#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tgx/Tgx.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// A rectangle of a matrix: what a slice of static starts in steps of one
/// reads.
struct MatrixBox {
  /// [rows, columns] of the whole matrix.
  mlir::RankedTensorType whole;
  int64_t row, column;
  /// [rows, columns] of the box.
  mlir::RankedTensorType type;
};

/// What is packed: a value, or a box of it.
struct PackedSource {
  mlir::Value value;
  std::optional<MatrixBox> box;
  tgx::PanelsAttr layout;

  /// Of what the panels have.
  mlir::RankedTensorType getType() const {
    return box ? box->type
               : mlir::cast<mlir::RankedTensorType>(value.getType());
  }
};

/// Makes the kernels that packing needs, each once.
class PackingKernels {
public:
  explicit PackingKernels(mlir::ModuleOp module) : symbols(module) {}

  /// The kernel that is called.
  tgx::KernelOp find(tgx::CallOp call) const {
    return symbols.lookup<tgx::KernelOp>(call.getKernel());
  }
  /// The box that a call copies and nothing else; none for other calls.
  std::optional<MatrixBox> findBox(tgx::CallOp call) const;

  /// The kernel that packs such a tensor.
  tgx::KernelOp pack(const PackedSource &source, mlir::Location loc);
  /// `kernel` with panels of this layout in place of an argument.
  tgx::KernelOp unpack(tgx::KernelOp kernel, unsigned argument,
                       tgx::PanelsAttr layout);
  /// `kernel` by Winograd's algorithm for tiles of so many positions along an
  /// axis, of operands that it transforms itself.
  tgx::KernelOp transform(tgx::KernelOp kernel, int64_t positions);

private:
  mlir::SymbolTable symbols;
  llvm::StringMap<tgx::KernelOp> known;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_PACKINGKERNELS_H
