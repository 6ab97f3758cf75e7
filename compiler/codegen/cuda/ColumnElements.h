//===- ColumnElements.h - threads that keep their columns -----------------===//
//
// The elements of a kernel's outputs form rows, and some arguments have one
// row for all of them, such as the scales of a normalization. A block computes
// some columns of many rows. It loads the part of such an argument once, to
// shared memory, and each thread keeps its own columns in registers.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_COLUMNELEMENTS_H
#define TG_COMPILER_CODEGEN_CUDA_COLUMNELEMENTS_H

#include "compiler/codegen/cuda/ElementRun.h"

namespace tg {

/// The rows and columns that a block of an elementwise kernel computes.
struct ColumnTile {
  /// Chooses the tile of a kernel with this space of its outputs.
  ColumnTile(const KernelContext &context, const IterationSpace &space,
             const ElementRun &run);

  /// Returns false if no argument has one row for all, or if there are too few
  /// rows.
  bool isChosen() const { return rows != 0; }

  /// The arguments that have one row for all rows of the outputs.
  llvm::SmallVector<mlir::BlockArgument> arguments;
  /// The number of runs of a row that a block computes, of rows side by side,
  /// and of rows that a thread computes one after the other.
  unsigned across = 1, down = 1, rows = 0;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_COLUMNELEMENTS_H
