//===- TileGrid.cpp - the division of rows and columns into tiles ---------===//
#include "compiler/codegen/cpu/elementwise/TileGrid.h"

using namespace mlir;
using namespace tg;

TileGrid::TileGrid(IntegerOps ops, Value rows, Value columns,
                   Value tileElements, bool wholeRows)
    : wholeRows(wholeRows), rows(rows), columns(columns),
      columnStep(tileElements) {
  Value one = ops.constant(1);
  rowStep = ops.max(one, ops.div(tileElements, ops.max(columns, one)));
  columnTiles = wholeRows ? one : ops.ceilDiv(columns, tileElements);
  count = ops.mul(ops.ceilDiv(rows, rowStep), columnTiles);
}

TileGrid::Box TileGrid::box(IntegerOps ops, Value tile) const {
  Box box;
  Value one = ops.constant(1);
  Value divisor = ops.max(columnTiles, one);
  Value rowTile = ops.div(tile, divisor);
  box.rowBegin = ops.mul(rowTile, rowStep);
  box.rowEnd = ops.min(rows, ops.add(box.rowBegin, rowStep));
  if (wholeRows) {
    box.columnBegin = ops.constant(0);
    box.columnEnd = columns;
    return box;
  }
  box.columnBegin = ops.mul(ops.rem(tile, divisor), columnStep);
  box.columnEnd = ops.min(columns, ops.add(box.columnBegin, columnStep));
  return box;
}
