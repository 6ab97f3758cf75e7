//===- ElementThreads.h - threads for the elements of outputs -------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_ELEMENTTHREADS_H
#define TG_COMPILER_CODEGEN_CUDA_ELEMENTTHREADS_H

#include "compiler/codegen/cuda/ElementRun.h"
#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The elements that threads divide among them.
struct ElementRange {
  /// The number of elements of each output.
  mlir::Value count;
  /// True if it is known to be a multiple of the width of a run.
  bool isWhole;
  /// Returns the alignment in bytes of the address of an argument or output, as
  /// far as it is known.
  std::function<int64_t(mlir::Value tensor)> alignmentOf;
};

/// The code of a thread that computes a run of the elements of some outputs,
/// which have equal extents.
class ElementThreads {
public:
  /// `part` has the outputs and the ops that compute them.
  ElementThreads(ThreadFrame &frame, ElementEmitter &elements,
                 const tgx::KernelPart &part)
      : frame(frame), elements(elements),
        space(makeElementSpace(frame, part.ops, part.outputs.front())),
        groups(llvm::to_vector(llvm::seq(0u, space.getNumGroups()))),
        run(frame, space, part), rowRun(frame, space, part,
                                        /*areRowsWhole=*/true) {}

  /// Returns the number of elements of a run.
  unsigned getWidth() const { return run.width; }
  /// Emits the run that begins at element `first`, which exists.
  llvm::LogicalResult emit(mlir::Value first, const ElementRange &range);

private:
  /// Returns the position of an element of the space.
  Position positionOf(mlir::Value number) const {
    return space.position(space.split(number, groups), /*laneGroup=*/0,
                          /*lanes=*/1);
  }
  /// Returns the positions of the elements of the run that begins at `first`.
  llvm::SmallVector<Position> positionsFrom(mlir::Value first,
                                            bool isInRow) const;
  /// Returns true as a value if the run that begins at `first` is whole and its
  /// addresses are aligned. Null if this is always so.
  mlir::Value canJoin(mlir::Value first, const ElementRange &range);
  /// Emits the elements of the outputs at a position.
  llvm::LogicalResult compute(const Position &position,
                              llvm::SmallVectorImpl<mlir::Value> &values);
  /// Returns true if rows that are found to be whole runs by a launch have code
  /// of their own, which joins and shares broadcast arguments.
  bool hasRowRun() const;
  /// Emit one element, and a whole run of them.
  llvm::LogicalResult emitElement(mlir::Value number);
  llvm::LogicalResult emitRun(mlir::Value first, const ElementRun &run);
  /// Emits a whole run whose addresses are aligned, by `rowRun` if it may be.
  llvm::LogicalResult emitWhole(mlir::Value first, const ElementRange &range);
  /// Emits `build` and `otherwise` under a condition and else.
  llvm::LogicalResult
  emitIf(mlir::Value condition, llvm::function_ref<llvm::LogicalResult()> build,
         llvm::function_ref<llvm::LogicalResult()> otherwise);
  /// Emits a loop over the elements of a run of which some may not exist.
  llvm::LogicalResult emitLoop(mlir::Value first, mlir::Value count);

  ThreadFrame &frame;
  ElementEmitter &elements;
  IterationSpace space;
  llvm::SmallVector<unsigned> groups;
  /// The run for any extents, and for rows of whole runs.
  ElementRun run, rowRun;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_ELEMENTTHREADS_H
