//===- ElementRun.h - the neighbouring elements of one thread -------------===//
//
// A thread of an elementwise kernel computes a run: neighbours in the row-major
// order of the outputs. It loads and stores a run of a tensor by one
// instruction where neighbouring elements of the outputs are neighbours in
// memory.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_ELEMENTRUN_H
#define TG_COMPILER_CODEGEN_CUDA_ELEMENTRUN_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/IterationSpace.h"

namespace tg {

/// Returns all outputs and ops of a kernel.
tgx::KernelPart wholeOf(tgx::KernelOp kernel);

/// The neighbouring elements that one thread computes.
struct ElementRun {
  /// Chooses the run of the outputs of a part with this space. If
  /// `areRowsWhole` is true, the last group's extent is a multiple of any
  /// width.
  ElementRun(const KernelContext &context, const IterationSpace &space,
             const tgx::KernelPart &part, bool areRowsWhole = false);
  /// Same, of all outputs of a kernel.
  ElementRun(const KernelContext &context, const IterationSpace &space)
      : ElementRun(context, space, wholeOf(context.kernel)) {}

  /// The number of elements, a power of two. It is 1 if neighbours are not
  /// joined: ops move elements, or an output has rows apart from each other.
  unsigned width = 1;
  /// True if all elements of a run lie in the same row of the last group.
  bool isInRow = true;
  /// The arguments of which a thread loads a run by one instruction.
  llvm::SmallVector<mlir::BlockArgument> joined;
  /// The outputs of the part.
  llvm::SmallVector<mlir::Value> outputs;

private:
  /// Returns true if runs of `count` elements are runs in the memory of a
  /// tensor, and aligned if the tensor is.
  bool isJoined(const KernelContext &context, const IterationSpace &space,
                mlir::Value tensor, unsigned count, bool areRowsWhole) const;
};

/// Returns the position in a tensor that belongs to a position in the space of
/// the outputs.
Position positionIn(KernelContext &context, mlir::Value tensor,
                    const Position &position);

/// Loads a run of an argument from `offset` on by one instruction, as the
/// elements at some positions in the space of the outputs.
void loadRun(ThreadFrame &frame, ElementEmitter &elements,
             mlir::BlockArgument argument, llvm::ArrayRef<Position> positions,
             mlir::Value offset);

/// Returns the bits of the addresses of joined tensors that must be 0 and are
/// not known to be. Null if there are none. `alignmentOf` returns the alignment
/// in bytes of a tensor's address, as far as it is known.
mlir::Value
unalignedBits(ThreadFrame &frame, const ElementRun &run,
              llvm::function_ref<int64_t(mlir::Value tensor)> alignmentOf);
/// Same, for the alignments of the kernel.
mlir::Value unalignedBits(ThreadFrame &frame, const ElementRun &run);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_ELEMENTRUN_H
