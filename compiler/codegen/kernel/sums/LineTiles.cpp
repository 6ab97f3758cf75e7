//===- LineTiles.cpp - the lines of a sum in the order of tiles -----------===//
#include "compiler/codegen/kernel/sums/LineTiles.h"
#include "compiler/codegen/kernel/Loops.h"

using namespace mlir;
using namespace tg;

/// The size of a tile that covers its axis, whatever the extent is.
static constexpr int64_t kWholeAxis = int64_t(1) << 40;

LineTiles::LineTiles(KernelContext &context, const ReductionPlan &plan)
    : context(context), isTiled(!plan.getOrder().getTile().empty()) {
  SmallVector<AffineExpr> reduced;
  for (unsigned axis = 0; axis < plan.getFirstLineAxis(); ++axis)
    if (plan.isReduced(axis))
      reduced.push_back(plan.getExtents()[axis]);
  MLIRContext *mlirContext = context.builder.getContext();
  count = productOf(reduced, mlirContext);
  if (!isTiled)
    return;
  count = productOf(ArrayRef(reduced).drop_back(2), mlirContext);
  for (unsigned axis : {0, 1}) {
    int64_t size = plan.getOrder().getTile()[axis];
    sizes[axis] = size ? size : kWholeAxis;
    extents[axis] = reduced[reduced.size() - 2 + axis];
    tiles[axis] = extents[axis].ceilDiv(sizes[axis]);
    count = count * tiles[axis];
  }
}

LineTiles::Tile LineTiles::tileAt(Value step) const {
  IntegerOps ops = context.integers(), indices = context.indices();
  Value rows = context.extent(tiles[0]), columns = context.extent(tiles[1]);
  Value row = indices.div(step, columns);
  auto rangeOf = [&](unsigned axis, Value index) -> Range {
    Value size = ops.constant(sizes[axis]);
    Value begin = ops.mul(index, size);
    return {begin,
            ops.min(size, ops.sub(context.extent(extents[axis]), begin))};
  };
  Value plane =
      ops.mul(indices.div(row, rows), context.extent(extents[0] * extents[1]));
  return {plane, rangeOf(0, indices.rem(row, rows)),
          rangeOf(1, indices.rem(step, columns))};
}

Value LineTiles::firstLine(Value step) const {
  if (!isTiled)
    return step;
  IntegerOps ops = context.integers();
  Tile tile = tileAt(step);
  return ops.add(tile.plane,
                 ops.add(ops.mul(tile.rows.begin, context.extent(extents[1])),
                         tile.columns.begin));
}

Value LineTiles::countLines(Value begin, Value end) const {
  IntegerOps ops = context.integers();
  if (!isTiled)
    return ops.sub(end, begin);
  return buildFor(context.builder, context.loc, begin, end, 1, ops.constant(0),
                  [&](Value step, ValueRange carried) -> SmallVector<Value> {
                    Tile tile = tileAt(step);
                    return {ops.add(carried[0], ops.mul(tile.rows.size,
                                                        tile.columns.size))};
                  })[0];
}

SmallVector<Value>
LineTiles::chain(Accumulators &sums, Value begin, Value end, unsigned lanes,
                 Accumulators::IterationBuilder build) const {
  if (!isTiled)
    return sums.chain(begin, end, lanes, build);
  IntegerOps ops = context.integers();
  return sums.chain(begin, end, lanes, [&](Value step) {
    Tile tile = tileAt(step);
    Value zero = ops.constant(0);
    Value columns = context.extent(extents[1]);
    auto addRow = [&](Value row, ValueRange carried) {
      Value line = ops.add(ops.mul(ops.add(tile.rows.begin, row), columns),
                           tile.columns.begin);
      Value first = ops.add(tile.plane, line);
      return emitCarryLoop(context, zero, tile.columns.size, 1, carried,
                           [&](Value column, ValueRange terms) {
                             SmallVector<Value> next =
                                 build(ops.add(first, column));
                             return sums.combine(terms, next);
                           });
    };
    return emitCarryLoop(context, zero, tile.rows.size, 1, sums.neutral(lanes),
                         addRow);
  });
}
