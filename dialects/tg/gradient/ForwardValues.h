//===- ForwardValues.h - what backward code takes of forward code ---------===//
#ifndef TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H
#define TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H

#include "dialects/tg/gradient/RegionGradient.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// The values of a block of an op with regions that backward code in a block
/// elsewhere uses. Extents are computed before that code; constants, what is
/// made of scalars, and in loops what no step changes are computed again in it.
/// The others must be handed over.
class ForwardValues {
public:
  /// `op` has the forward block; `outside` stands where the op with the
  /// backward block will.
  ForwardValues(mlir::Operation *op, mlir::Block &forward,
                mlir::Block &backward, mlir::OpBuilder &outside,
                RegionDifferentiator &differentiator, bool isLoop);

  /// Takes out backward code that what the block ends with does not need, and
  /// computes forward values that can be; gives those that must be handed over,
  /// in the order in which they are used.
  llvm::SmallVector<mlir::Value> resolve();

  /// Lets backward code use `by` in place of a value that is handed over.
  void replace(mlir::Value value, mlir::Value by);

  /// The extent of a forward value, built by `builder` outside of the op; null
  /// where it does not follow from values from outside.
  mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Value value,
                          unsigned axis);
  /// Zeros of the type of a forward value: `leading` extents, then its own.
  /// Extents that do not follow from values from outside are `missing`, or,
  /// where that is negative, a reason to give null.
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
  /// A forward value in backward code; itself where it must be handed over.
  mlir::Value lookUp(mlir::Value value);

  mlir::Operation *op;
  mlir::Block &forward, &backward;
  mlir::OpBuilder &outside;
  mlir::OpBuilder inside;
  RegionDifferentiator &differentiator;
  bool isLoop;
  /// Operands of the op, and what its regions use from outside.
  llvm::SetVector<mlir::Value> around;
  llvm::DenseMap<mlir::Value, bool> cheap;
  llvm::DenseMap<mlir::Value, mlir::Value> copies;
  llvm::SetVector<mlir::Value> needed;
};

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_FORWARDVALUES_H
