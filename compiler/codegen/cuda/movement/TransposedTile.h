//===- TransposedTile.h - tiles of kernels that transpose arguments -------===//
//
// The neighbours of a transposed argument are not neighbours in the outputs. A
// block of threads computes a tile: it loads the tile of such an argument as
// rows of the argument into shared memory, and stores rows of the outputs, so
// that neighbouring threads access neighbours both times.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_MOVEMENT_TRANSPOSEDTILE_H
#define TG_COMPILER_CODEGEN_CUDA_MOVEMENT_TRANSPOSEDTILE_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/cuda/movement/IndexingMaps.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/IterationSpace.h"

namespace tg {

/// The tile that a block computes. Neighbours along the rows' dimension are
/// neighbours in the transposed arguments, those along the columns' dimension
/// are neighbours in the outputs.
struct TransposedTile {
  /// The iteration space of the outputs.
  IterationSpace space;
  /// The groups of the space that rows and columns are numbered by.
  unsigned rowGroup, columnGroup;
  /// The extents of a tile; a multiple of a block's threads in all.
  unsigned rows, columns;
  /// The transposed arguments that are loaded by tiles.
  llvm::SmallVector<IndexedValue> staged;
};

/// Chooses the tile of a kernel whose outputs have equal extents. Returns none
/// if no argument is transposed, if the ops do other things than to compute and
/// permute elements, or if rows and columns are short.
std::optional<TransposedTile> findTransposedTile(ThreadFrame &frame);

/// Emits a block of threads for each tile of the outputs.
llvm::LogicalResult emitTransposedTiles(ThreadFrame &frame,
                                        ElementEmitter &elements,
                                        const TransposedTile &tile);

/// The tile of an argument in shared memory. Threads that access neighbours
/// along one side or the other find them in different banks.
struct TileLayout {
  TileLayout(const TransposedTile &tile, unsigned elementBytes);

  /// Returns the number of elements, with those that pad lines.
  unsigned getCount() const { return lines * stride; }
  /// Returns the place of an element.
  mlir::Value placeOf(const IntegerOps &ops, mlir::Value row,
                      mlir::Value column) const;

private:
  bool isByColumns;
  unsigned lines, stride;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_MOVEMENT_TRANSPOSEDTILE_H
