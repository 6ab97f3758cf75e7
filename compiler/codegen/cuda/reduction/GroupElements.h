//===- GroupElements.h - the elements of a reduced group ------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_REDUCTION_GROUPELEMENTS_H
#define TG_COMPILER_CODEGEN_CUDA_REDUCTION_GROUPELEMENTS_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/ReductionPlan.h"
#include "compiler/codegen/kernel/sums/LineTiles.h"

namespace tg {

/// Emits the elements of the reduced group that a thread, alone or in a team,
/// computes: the operands of the reductions of each phase, and the outputs.
class GroupElements {
public:
  GroupElements(ThreadFrame &frame, ElementEmitter &elements);

  /// Returns the number of groups, of lines of a group, and of elements of a
  /// line.
  mlir::AffineExpr countGroups() const { return space.getProduct(parallel); }
  mlir::AffineExpr countLines() const { return space.getProduct(outer); }
  mlir::AffineExpr countElements() const { return space.getProduct(line); }
  /// Returns true if lines are single elements.
  bool hasSingleElements() const { return line.empty(); }
  /// Returns true if a group has one line.
  bool hasSingleLine() const { return outer.empty(); }

  /// Sets the group. Call it once, after the begin of the thread.
  void setGroup(mlir::Value number);
  /// Returns the position of an element of a line.
  Position position(mlir::Value lineNumber, mlir::Value element) const;

  /// An element that is computed but not stored.
  struct Element {
    /// The operands of the reductions.
    llvm::SmallVector<mlir::Value> operands;
    /// The outputs and the offsets of their elements.
    struct Store {
      unsigned output;
      mlir::Value offset, value;
    };
    llvm::SmallVector<Store> stores;
  };
  /// Computes an element in a phase.
  Element compute(unsigned phase, const Position &position);
  /// Stores the outputs of an element. All loads of an element precede its
  /// stores, because an output may be the memory of an argument.
  void store(const Element &element);
  /// Computes several elements and stores them after all of them: their loads
  /// overlap. Returns the operands of each.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  emit(unsigned phase, llvm::ArrayRef<Position> positions);
  /// Returns the number of arguments that have an element for each element of
  /// the groups.
  int64_t countFullArguments() const;
  /// Returns the number of elements of a phase that are loaded before they are
  /// added, so that their latencies overlap.
  int64_t countOverlapped(unsigned phase) const;
  /// Returns true if the elements of a phase are stored.
  bool hasStores(unsigned phase) const {
    return !plan.getFullOutputs(phase).empty();
  }
  /// Computes and stores the outputs that have one element per group.
  void emitReducedOutputs();

  /// Emits all phases: `emitPhase` returns the results of its reductions.
  void emitPhases(
      llvm::function_ref<llvm::SmallVector<mlir::Value>(unsigned)> emitPhase);

  /// Returns the total of a block of lines: of lines that are single elements,
  /// or of lines whose terms `sumLine` returns.
  llvm::SmallVector<mlir::Value>
  sumLines(unsigned phase, Accumulators &sums, mlir::Value begin,
           mlir::Value end, Accumulators::IterationBuilder sumLine);
  /// Returns the sizes of the nested blocks of lines.
  llvm::SmallVector<int64_t> lineBlocks() const;
  /// Returns the results of reductions from the total of the group.
  llvm::SmallVector<mlir::Value> resultsOf(Accumulators &sums,
                                           mlir::ValueRange total) const;

  ThreadFrame &frame;
  ElementEmitter &elements;
  ReductionPlan plan;
  LineTiles lineTiles;

private:
  GroupPart sumElements(unsigned phase, Accumulators &sums, mlir::Value begin,
                        mlir::Value end);
  GroupPart sumTiles(unsigned phase, Accumulators &sums, mlir::Value begin,
                     mlir::Value end);

  IterationSpace space;
  /// The groups of dimensions of the space: not reduced, reduced ones that
  /// count lines, and reduced ones that form a line. Lines without dimensions
  /// are single elements.
  llvm::SmallVector<unsigned> parallel, outer, line;
  /// The indices of the reduced group of the thread.
  llvm::SmallVector<mlir::Value> parallelIndex;
};

/// Emits the outputs that have one element per group, by thread 0 of a team of
/// warps. `wait` emits code that waits for the other threads: they may still
/// read the memory of an argument that an output overwrites.
void emitByFirst(GroupElements &group, mlir::Value member,
                 llvm::function_ref<void()> wait);

/// Emits code that runs if `condition` is true.
void buildIf(ThreadFrame &frame, mlir::Value condition,
             llvm::function_ref<void()> build);
/// Same, for code that returns values, which are `otherwise` if `condition` is
/// false.
llvm::SmallVector<mlir::Value>
buildIf(ThreadFrame &frame, mlir::Value condition, mlir::ValueRange otherwise,
        llvm::function_ref<llvm::SmallVector<mlir::Value>()> build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_REDUCTION_GROUPELEMENTS_H
