//===- TileGrid.h - the division of rows and columns into tiles -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_TILEGRID_H
#define TG_COMPILER_CODEGEN_CPU_ELEMENTWISE_TILEGRID_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// A division of `rows` x `columns` elements into tiles of about `tileElements`
/// elements. A tile is one or more whole rows, or a part of a row that is
/// longer than a tile. With `wholeRows`, rows are never divided. Tiles depend
/// on extents alone.
class TileGrid {
public:
  TileGrid(IntegerOps ops, mlir::Value rows, mlir::Value columns,
           mlir::Value tileElements, bool wholeRows = false);

  /// Returns the number of tiles.
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
