//===- ContractionPoint.h - a point of a contraction's iteration space ----===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_SUMS_CONTRACTIONPOINT_H
#define TG_COMPILER_CODEGEN_KERNEL_SUMS_CONTRACTIONPOINT_H

#include "compiler/codegen/kernel/KernelContext.h"

namespace tg {

/// The element of a tensor at a point.
struct PointElement {
  Position position;
  /// The condition that the tensor has the element; null if it always has. The
  /// element counts as 0 where it does not.
  mlir::Value isInside;
};

/// A point of the iteration space of a contraction: an index for each
/// dimension, and its step from lane to lane.
class ContractionPoint : public Position {
public:
  /// Creates the point whose indices are 0.
  ContractionPoint(KernelContext &context, const Contraction &contraction);

  /// Sets all indices and steps to 0.
  void clear();
  /// Sets the indices of some dimensions to those of point `number` of the
  /// space that they span, in row-major order.
  void set(llvm::ArrayRef<unsigned> dimensions, mlir::Value number);
  /// Returns the element of an operand at this point.
  PointElement elementOf(const ContractionTensor &tensor) const;
  /// Returns the position in the result of this point.
  Position positionInResult() const;
  /// Returns the step of an index of an operand from lane to lane, before the
  /// division.
  int64_t laneStepOf(const ContractionIndex &index) const;

private:
  mlir::Value sumOfTerms(const ContractionIndex &index) const;
  mlir::Value indexAt(const ContractionIndex &index, mlir::AffineExpr extent,
                      mlir::Value &isInside) const;

  KernelContext &context;
  const Contraction &contraction;
};

/// Returns the values of some types that `build` emits where `isInside` is
/// true, and zeros elsewhere.
llvm::SmallVector<mlir::Value>
buildWhere(KernelContext &context, mlir::Value isInside, mlir::TypeRange types,
           llvm::function_ref<llvm::SmallVector<mlir::Value>()> build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_SUMS_CONTRACTIONPOINT_H
