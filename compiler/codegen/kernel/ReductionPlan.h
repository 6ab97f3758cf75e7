//===- ReductionPlan.h - what a reduction kernel computes when ------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_REDUCTIONPLAN_H
#define TG_COMPILER_CODEGEN_KERNEL_REDUCTIONPLAN_H

#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/IterationSpace.h"

namespace tg {

/// The values of a kernel of strategy "reduction", ordered by what must be
/// summed up before: values of phase 0 follow from arguments alone, those of
/// phase p + 1 need a reduction over values of phase p.
///
/// Values lie in the full space (reduced ones with extents of 1 included) or,
/// behind a reduction that drops its axes, in the dropped space.
class ReductionPlan {
public:
  explicit ReductionPlan(KernelContext &context);

  /// Reductions over values of a phase.
  llvm::ArrayRef<ReductionOpInterface> getReductions(unsigned phase) const {
    return phases[phase].reductions;
  }
  /// Returns true if a reduction takes distances from elements of its parts.
  bool usesPivots() const;
  /// Numbers of the full outputs of a phase.
  llvm::ArrayRef<unsigned> getFullOutputs(unsigned phase) const {
    return phases[phase].fullOutputs;
  }
  /// Phases in which the full space is visited.
  unsigned getNumPhases() const { return phases.size(); }
  /// Outputs with one element for each reduced group.
  llvm::ArrayRef<unsigned> getReducedOutputs() const { return reducedOutputs; }

  llvm::ArrayRef<mlir::AffineExpr> getExtents() const { return extents; }
  bool isReduced(unsigned axis) const {
    return llvm::is_contained(axes, int64_t(axis));
  }
  /// Returns true if all reduced axes stand behind all others.
  bool reducesTrailingAxes() const;

  /// Groups of dimensions, each reduced or kept.
  IterationSpace makeSpace(KernelContext &context) const;

  /// The place of a reduced value, given a position of the full space.
  Position reducedPosition(KernelContext &context, mlir::Value value,
                           const Position &position) const;

  /// Values of the full space that are expensive and needed in `phase` and
  /// again in a later one.
  llvm::SmallVector<mlir::Value> getReusedValues(unsigned phase) const;

  /// Returns true if a phase computes such a value at all.
  bool isExpensivePhase(unsigned phase) const;

private:
  struct Phase {
    llvm::SmallVector<ReductionOpInterface> reductions;
    llvm::SmallVector<unsigned> fullOutputs;
  };

  void findDropped(mlir::Block &body);
  void findPhases(mlir::Block &body);
  void sortOutputs(KernelContext &context);
  Phase &phaseOf(unsigned number);
  void collect(mlir::Value value, llvm::DenseSet<mlir::Value> &values) const;
  llvm::DenseSet<mlir::Value> valuesNeededIn(unsigned phase) const;

  mlir::Block &body;
  llvm::SmallVector<mlir::Value> outputs;
  llvm::SmallVector<mlir::AffineExpr> extents;
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<Phase> phases;
  llvm::SmallVector<unsigned> reducedOutputs;
  llvm::DenseMap<mlir::Value, unsigned> phaseOfValue;
  llvm::DenseSet<mlir::Value> dropped;
};

/// Gives the elements of the results of some reductions, which have no lanes of
/// other groups.
void provideResults(ElementEmitter &elements,
                    llvm::ArrayRef<ReductionOpInterface> reductions,
                    mlir::ValueRange results);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_REDUCTIONPLAN_H
