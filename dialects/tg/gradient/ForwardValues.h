//===- ForwardValues.h - values that backward code saves or recomputes ----===//
#ifndef TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H
#define TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H

#include "dialects/tg/gradient/RegionGradient.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// The values of the forward block, a block of an op with regions, that
/// backward code in another block uses. Extents are computed before the
/// backward code. It recomputes constants, values computed from scalars and, in
/// loops, values that are computed from cheap ones. All other values must be
/// saved: the rule of the op passes them to the backward code.
class ForwardValues {
public:
  /// `op` contains the forward block. `outside` is at the position of the
  /// future op with the backward block.
  ForwardValues(mlir::Operation *op, mlir::Block &forward,
                mlir::Block &backward, mlir::OpBuilder &outside,
                RegionDifferentiator &differentiator, bool isLoop);

  /// Removes unused backward code and recomputes cheap forward values. Returns
  /// the values that must be saved, in the order of their uses.
  llvm::SmallVector<mlir::Value> resolve();

  /// Makes backward code use `by` in place of a saved value.
  void replace(mlir::Value value, mlir::Value by);

  /// Builds the extent of a forward value with `builder`, outside of the op.
  /// Returns null if the extent does not follow from values that are defined
  /// outside of the op.
  mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Value value,
                          unsigned axis);
  /// Builds zeros of the type of a forward value, with `leading` extents before
  /// its own. Extents that do not follow from values defined outside of the op
  /// become `missing`; if `missing` is negative, returns null for them.
  mlir::Value buildZeros(mlir::OpBuilder &builder, mlir::Value value,
                         llvm::ArrayRef<int64_t> leading, int64_t missing);

private:
  bool isForward(mlir::Value value) const {
    return value.getParentBlock() == &forward;
  }
  void resolveExtents();
  /// Returns true if the backward code recomputes a forward value.
  bool isCheap(mlir::Value value);
  bool findCheap(mlir::Value value);
  /// Returns the copy of a forward value in backward code, or the value itself
  /// if it must be saved.
  mlir::Value lookUp(mlir::Value value);

  mlir::Operation *op;
  mlir::Block &forward, &backward;
  mlir::OpBuilder &outside;
  mlir::OpBuilder inside;
  RegionDifferentiator &differentiator;
  bool isLoop;
  /// The operands of the op, and the values from outside that its regions use.
  llvm::SetVector<mlir::Value> around;
  llvm::DenseMap<mlir::Value, bool> cheap;
  llvm::DenseMap<mlir::Value, mlir::Value> copies;
  llvm::SetVector<mlir::Value> needed;
};

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H
