//===- ReductionPlan.h - the phases of a reduction kernel -----------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_REDUCTIONPLAN_H
#define TG_COMPILER_CODEGEN_KERNEL_REDUCTIONPLAN_H

#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/IterationSpace.h"

namespace tg {

/// A schedule of a kernel of strategy "reduction". It assigns each value to a
/// phase: values of phase 0 depend on arguments alone, and values of phase p +
/// 1 depend on a reduction over values of phase p.
///
/// A value has either the full iteration space, in which reduced dimensions may
/// have extent 1, or the dropped space, which results from a reduction that
/// removes its axes.
class ReductionPlan {
public:
  explicit ReductionPlan(KernelContext &context);

  /// Returns the reductions over values of a phase.
  llvm::ArrayRef<ReductionOpInterface> getReductions(unsigned phase) const {
    return phases[phase].reductions;
  }
  /// Returns true if a reduction subtracts a shift from its elements.
  bool usesShifts() const;
  /// Returns the indices of the outputs that have the full space and are
  /// written in a phase.
  llvm::ArrayRef<unsigned> getFullOutputs(unsigned phase) const {
    return phases[phase].fullOutputs;
  }
  /// Returns the number of phases, each a pass over the full space.
  unsigned getNumPhases() const { return phases.size(); }
  /// Returns the indices of the outputs that have one element per reduced
  /// group.
  llvm::ArrayRef<unsigned> getReducedOutputs() const { return reducedOutputs; }

  llvm::ArrayRef<mlir::AffineExpr> getExtents() const { return extents; }
  bool isReduced(unsigned axis) const {
    return llvm::is_contained(axes, int64_t(axis));
  }
  /// Returns the order of the sums, which all reductions share, and the first
  /// axis of their lines: of the last axes that are all reduced.
  OrderAttr getOrder() const { return order; }
  unsigned getFirstLineAxis() const { return firstLineAxis; }
  /// Returns true if the reduced axes are the innermost dimensions.
  bool reducesTrailingAxes() const;

  /// Returns the full iteration space. The dimensions of each of its groups are
  /// either all reduced or all parallel, and either all in a line or all
  /// outside.
  IterationSpace makeSpace(KernelContext &context) const;
  /// Divides the groups of the full space: appends those that are not reduced
  /// to `parallel`, the reduced ones that count lines to `outer`, and those
  /// that form a line to `line`.
  void divideGroups(const IterationSpace &space,
                    llvm::SmallVectorImpl<unsigned> &parallel,
                    llvm::SmallVectorImpl<unsigned> &outer,
                    llvm::SmallVectorImpl<unsigned> &line) const;

  /// Returns the position of a reduced value that corresponds to a position in
  /// the full space.
  Position reducedPosition(KernelContext &context, mlir::Value value,
                           const Position &position) const;

  /// Returns the expensive values of the full space that are computed in
  /// `phase` and needed again in a later phase.
  llvm::SmallVector<mlir::Value> getReusedValues(unsigned phase) const;

  /// Returns true if a phase computes an expensive value.
  bool isExpensivePhase(unsigned phase) const;

private:
  struct Phase {
    llvm::SmallVector<ReductionOpInterface> reductions;
    llvm::SmallVector<unsigned> fullOutputs;
  };

  void findDropped(mlir::Block &body);
  void findPhases(mlir::Block &body);
  void classifyOutputs(KernelContext &context);
  Phase &phaseOf(unsigned index);
  void collect(mlir::Value value, llvm::DenseSet<mlir::Value> &values) const;
  llvm::DenseSet<mlir::Value> valuesNeededIn(unsigned phase) const;

  mlir::Block &body;
  llvm::SmallVector<mlir::Value> outputs;
  llvm::SmallVector<mlir::AffineExpr> extents;
  llvm::SmallVector<int64_t> axes;
  OrderAttr order;
  unsigned firstLineAxis;
  llvm::SmallVector<Phase> phases;
  llvm::SmallVector<unsigned> reducedOutputs;
  llvm::DenseMap<mlir::Value, unsigned> phaseOfValue;
  llvm::DenseSet<mlir::Value> dropped;
};

/// Provides the results of reductions to `elements`: one element for each
/// result, or a vector with one group per lane.
void provideResults(ElementEmitter &elements,
                    llvm::ArrayRef<ReductionOpInterface> reductions,
                    mlir::ValueRange results);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_REDUCTIONPLAN_H
