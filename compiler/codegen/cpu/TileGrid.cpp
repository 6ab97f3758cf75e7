//===- TileGrid.cpp - how rows and columns are cut into tiles -------------===//
#include "compiler/codegen/cpu/TileGrid.h"

using namespace mlir;
using namespace tg;

TileGrid::TileGrid(IntegerOps ops, Value rows, Value columns,
                   int64_t tileElements, bool wholeRows)
    : columnStep(tileElements), wholeRows(wholeRows), rows(rows),
      columns(columns) {
  Value one = ops.constant(1), step = ops.constant(tileElements);
  rowStep = ops.max(one, ops.div(step, ops.max(columns, one)));
  columnTiles = wholeRows ? one : ops.ceilDiv(columns, step);
  count = ops.mul(ops.ceilDiv(rows, rowStep), columnTiles);
}

TileGrid::Box TileGrid::box(IntegerOps ops, Value tile) const {
  Box box;
  Value one = ops.constant(1), step = ops.constant(columnStep);
  Value divisor = ops.max(columnTiles, one);
  Value rowTile = ops.div(tile, divisor);
  box.rowBegin = ops.mul(rowTile, rowStep);
  box.rowEnd = ops.min(rows, ops.add(box.rowBegin, rowStep));
  if (wholeRows) {
    box.columnBegin = ops.constant(0);
    box.columnEnd = columns;
    return box;
  }
  box.columnBegin = ops.mul(ops.rem(tile, divisor), step);
  box.columnEnd = ops.min(columns, ops.add(box.columnBegin, step));
  return box;
}
