//===- ContractionLhs.cpp - rows of the lhs, copied or in place -----------===//
#include "compiler/codegen/cpu/contraction/ContractionEmitter.h"
#include "compiler/codegen/cpu/contraction/PanelPacking.h"

using namespace mlir;
using namespace tg;

/// Whether rows of the lhs are copied: those that meet one group of columns are
/// read once anyway.
bool ContractionEmitter::packsLhs() {
  std::optional<int64_t> columns = staticExtent(n);
  return lhsIsTransposed || !columns || *columns > shape.groupColumns();
}

/// Copies the rows of full register tiles next to each other.
void ContractionEmitter::packLhs(Value begin, Value depth) {
  if (lhsIsTransposed)
    return packTransposedLhs(begin, depth);
  Matrix lhs = lhsMatrix();
  Value first = ops.add(lhs.base, begin);
  buildFor(
      frame.builder, frame.loc, ops.constant(0), fullRows, 1, [&](Value row) {
        Value from = ops.add(ops.mul(ops.add(firstRow, row), lhs.row), first);
        Value to = ops.mul(row, ops.constant(shape.packedRow()));
        copyRow(frame, lhs.elements, from, packedLhs, to, depth, shape.lanes);
      });
}

/// The same depth by depth, in panels of rows.
void ContractionEmitter::packTransposedLhs(Value begin, Value depth) {
  Matrix lhs = lhsMatrix();
  OpBuilder &builder = frame.builder;
  Value width = ops.constant(shape.lhsPanelRows());
  auto copyPanel = [&](Value row) {
    Value count = ops.min(width, ops.sub(fullRows, row));
    Value first = ops.add(lhs.base, ops.add(firstRow, row));
    buildFor(builder, frame.loc, ops.constant(0), depth, 1, [&](Value at) {
      Value from = ops.add(ops.mul(ops.add(begin, at), lhs.column), first);
      Value to =
          ops.add(ops.mul(row, ops.constant(shape.depth)), ops.mul(at, width));
      copyRow(frame, lhs.elements, from, packedLhs, to, count, shape.lanes);
    });
  };
  buildFor(builder, frame.loc, ops.constant(0), fullRows, shape.lhsPanelRows(),
           copyPanel);
}

/// The rows of a register tile where packLhs left them.
Matrix ContractionEmitter::packedRows(Value row) {
  if (!lhsIsTransposed)
    return {packedLhs, ops.mul(row, ops.constant(shape.packedRow())),
            ops.constant(shape.packedRow()), ops.constant(1)};
  Value width = ops.constant(shape.lhsPanelRows());
  Value first = ops.roundDown(row, shape.lhsPanelRows());
  Value base =
      ops.add(ops.mul(first, ops.constant(shape.depth)), ops.sub(row, first));
  return {packedLhs, base, ops.constant(1), width};
}

/// The rows of a register tile in the lhs itself.
Matrix ContractionEmitter::rowsInPlace(Value row, Value begin) {
  Matrix lhs = lhsMatrix();
  lhs.base = ops.add(lhs.base, ops.add(ops.mul(ops.add(firstRow, row), lhs.row),
                                       ops.mul(begin, lhs.column)));
  return lhs;
}
