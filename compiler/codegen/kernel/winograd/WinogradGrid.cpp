//===- WinogradGrid.cpp - the Winograd tiles of images --------------------===//
#include "compiler/codegen/kernel/winograd/WinogradGrid.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

bool tg::hasAdjointFilter(const Contraction &contraction) {
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  return *contraction.rhs.axisOf(column) == kFilterRows;
}

SmallVector<AffineExpr, 2>
tg::countWinogradTiles(Tile tile, ArrayRef<AffineExpr> extents) {
  SmallVector<AffineExpr, 2> tiles;
  for (AffineExpr extent : extents)
    tiles.push_back(extent.ceilDiv(tile.positions));
  return tiles;
}

WinogradTileIndex tg::winogradTileIndexOf(KernelContext &context,
                                          ArrayRef<AffineExpr> tiles,
                                          Value index) {
  IntegerOps ops = context.indices();
  Value lines = context.extent(tiles[0]);
  Value columns = context.extent(tiles[1]);
  Value line = ops.div(index, columns);
  return {ops.div(line, lines), ops.rem(line, lines), ops.rem(index, columns)};
}

Value tg::firstElementOf(KernelContext &context, const WindowAxis &axis) {
  IntegerOps ops = context.integers();
  Value offset = axis.offset ? context.extent(axis.offset) : ops.constant(0);
  int64_t reach = (kTaps - 1) * axis.dilation;
  return reach < 0 ? ops.add(offset, ops.constant(reach)) : offset;
}
