//===- TileGrid.h - how rows and columns are cut into tiles ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_TILEGRID_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_TILEGRID_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// Tiles of `rows` x `columns` elements, about `tileElements` each: whole rows
/// while they are shorter, parts of one row else. From extents alone.
class TileGrid {
public:
  TileGrid(IntegerOps ops, mlir::Value rows, mlir::Value columns,
           mlir::Value tileElements, bool wholeRows = false);

  /// The number of tiles.
  mlir::Value getCount() const { return count; }

  /// The rows and columns of one tile.
  struct Box {
    mlir::Value rowBegin, rowEnd, columnBegin, columnEnd;
  };
  Box box(IntegerOps ops, mlir::Value tile) const;

private:
  bool wholeRows;
  mlir::Value rows, columns, rowStep, columnStep, columnTiles, count;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_TILEGRID_H
