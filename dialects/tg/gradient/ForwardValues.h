//===- ForwardValues.h - values that backward code saves or recomputes ----===//
#ifndef TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H
#define TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H

#include "dialects/tg/gradient/RegionGradient.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// The values that backward code uses from the forward block, which is a block
/// of an op with regions. Extents of these values are computed outside of both
/// blocks, before the backward code. The backward code recomputes cheap values:
/// constants, values computed from scalars and, in loops, values computed from
/// cheap values. All other values must be saved: the gradient rule of the op
/// passes them to the backward code.
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

  /// Makes backward code use `replacement` in place of a forward value.
  void replace(mlir::Value value, mlir::Value replacement);

  /// Builds the extent of a forward value with `builder`, outside of the op.
  /// Returns null if the extent does not follow from values that are defined
  /// outside of the op.
  mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Value value,
                          unsigned axis);
  /// Builds zeros of the type of a forward value, with `leading` extents before
  /// its own. If an extent does not follow from values that are defined outside
  /// of the op, it becomes `missing` or, if `missing` is negative, the function
  /// returns null.
  mlir::Value buildZeros(mlir::OpBuilder &builder, mlir::Value value,
                         llvm::ArrayRef<int64_t> leading, int64_t missing);

private:
  bool isForward(mlir::Value value) const {
    return value.getParentBlock() == &forward;
  }
  void resolveExtents();
  /// Returns true if the backward code recomputes a forward value.
  bool isCheap(mlir::Value value);
  /// Computes isCheap() of a forward value, which caches the result.
  bool computeIsCheap(mlir::Value value);
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
  llvm::SetVector<mlir::Value> available;
  llvm::DenseMap<mlir::Value, bool> cheap;
  llvm::DenseMap<mlir::Value, mlir::Value> copies;
  /// The values that must be saved.
  llvm::SetVector<mlir::Value> needed;
};

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H
