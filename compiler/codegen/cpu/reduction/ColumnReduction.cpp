//===- ColumnReduction.cpp - reductions of neighbouring groups at once ----===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/NonTemporalStores.h"
#include "compiler/codegen/cpu/elementwise/TileGrid.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/cpu/reduction/ReductionLoops.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/kernel/sums/LineTiles.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::tuning;

namespace {

/// Emits a kernel whose innermost dimension is not reduced: for a few vectors
/// of its columns at a time, loops over the reduced dimensions. A line of the
/// sums is a single element here.
class ColumnReduction {
public:
  ColumnReduction(KernelFrame &frame, const ReductionPlan &plan);
  LogicalResult emit();

private:
  TileGrid grid(EntryExtents &entry);
  AffineExpr countUnits() const;
  Value countParts(EntryExtents &entry);
  ReductionParts makeParts();
  void reduceTile(const TileGrid &tiles);
  void combineParts();
  void emitRow(Value row, Value begin, Value end, unsigned unroll,
               VectorStep step);
  LogicalResult emitColumns(Value column, unsigned width, unsigned copies);
  SmallVector<Value> operandsAt(Value row, Value column, unsigned width,
                                unsigned copies, bool stores);
  void store(unsigned index, const Position &position, unsigned width);
  void storeOutputs(Value column, unsigned width, ValueRange results);
  /// Returns the linear index of the group at a column of the current row.
  Value groupAt(Value column) {
    IntegerOps ops = frame.integers();
    Value columns = frame.extent(columnCount);
    return ops.add(ops.mul(parallelRow, columns), column);
  }
  Lanes lanesOf(unsigned width) const {
    return {width, width > 1 ? elements.mask : Value()};
  }
  Position position(Value column, unsigned width) const;
  unsigned chooseUnroll() const;

  KernelFrame &frame;
  const ReductionPlan &plan;
  ElementEmitter elements;
  IterationSpace space;
  /// The groups of the space: parallel (not reduced) and reduced ones, and the
  /// last group if it is parallel, which forms the columns.
  SmallVector<unsigned> outerParallel, reduced, inner;
  unsigned lanes;
  LineTiles lineTiles;
  /// The number of columns, and the sizes in steps of the blocks of a sum.
  AffineExpr columnCount;
  SmallVector<int64_t> blocks;
  NonTemporalStores nonTemporal;

  /// The parts; the part that is emitted now, as its index and its range of
  /// steps; and the current row of parallel groups, as a linear index
  /// and by groups, with the indices of the reduced groups.
  std::optional<ReductionParts> parts;
  Value part, partBegin, partEnd, parallelRow;
  SmallVector<Value> parallelIndex, reducedIndex;
  LogicalResult result = success();
};

} // namespace

/// Returns the last group of a space if it is not reduced.
static SmallVector<unsigned> findColumns(const IterationSpace &space,
                                         const ReductionPlan &plan) {
  unsigned groups = space.getNumGroups();
  if (!groups || plan.isReduced(space.getLastAxis(groups - 1)))
    return {};
  return {groups - 1};
}

ColumnReduction::ColumnReduction(KernelFrame &frame, const ReductionPlan &plan)
    : frame(frame), plan(plan), elements(frame), space(plan.makeSpace(frame)),
      inner(findColumns(space, plan)),
      lanes(inner.empty() ? 1 : chooseLanes(frame.kernel, frame.target)),
      lineTiles(frame, plan), columnCount(space.getProduct(inner)),
      blocks(blockSizes(1, plan.getOrder().getLines())),
      nonTemporal(frame, lanes, plan.getFullOutputs(0), columnCount,
                  /*canTest=*/false) {
  for (unsigned group = 0; group + inner.size() < space.getNumGroups(); ++group)
    (plan.isReduced(space.getLastAxis(group)) ? reduced : outerParallel)
        .push_back(group);
}

TileGrid ColumnReduction::grid(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value height = ops.max(ops.constant(1), entry.get(space.getProduct(reduced)));
  Value minColumns = ops.constant(kTileColumns);
  Value columnsOfTile = ops.div(ops.constant(kReductionTileElements), height);
  Value columns = ops.mul(
      ops.ceilDiv(ops.max(columnsOfTile, minColumns), minColumns), minColumns);
  std::optional<int64_t> known = staticExtent(columnCount);
  if (known && *known <= kTileColumns)
    columns = minColumns;
  return TileGrid(ops, entry.get(space.getProduct(outerParallel)),
                  entry.get(columnCount), columns);
}

/// Returns the number of parts that a sum can be split into: blocks of blocks
/// of rows.
AffineExpr ColumnReduction::countUnits() const {
  if (blocks.size() < 2)
    return getAffineConstantExpr(1, frame.kernel.getContext());
  return lineTiles.getCount().ceilDiv(blocks[1]);
}

Value ColumnReduction::countParts(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value width = ops.min(entry.get(columnCount), ops.constant(kTileColumns));
  Value elements = ops.mul(entry.get(space.getProduct(reduced)), width);
  return ReductionParts::chooseCount(ops, entry.get(countUnits()), elements,
                                     grid(entry).getCount());
}

ReductionParts ColumnReduction::makeParts() {
  AffineExpr groups = space.getProduct(outerParallel) * columnCount;
  AffineExpr units = countUnits();
  SmallVector<int64_t> folds;
  for (int64_t size :
       ArrayRef(blocks).drop_front(std::min<size_t>(2, blocks.size())))
    folds.push_back(size / blocks[1]);
  return ReductionParts(frame, plan.getReductions(0), countParts(frame.entry),
                        frame.extent(groups), {units, units},
                        {groups * units, groups * units}, folds,
                        ReductionParts::Form::total);
}

Position ColumnReduction::position(Value column, unsigned width) const {
  return space.position({{outerParallel, parallelIndex},
                         {reduced, reducedIndex},
                         {inner, ArrayRef(column).take_front(inner.size())}},
                        inner.empty() ? 0 : inner[0], width);
}

/// Returns the operands of the reductions in one row, as one list per copy. If
/// `stores`, also stores the row of the outputs that are as large as the
/// operands.
SmallVector<Value> ColumnReduction::operandsAt(Value row, Value column,
                                               unsigned width, unsigned copies,
                                               bool stores) {
  reducedIndex = space.split(row, reduced);
  SmallVector<Value> operands;
  for (unsigned copy = 0; copy < copies; ++copy) {
    IntegerOps ops = frame.integers();
    Value copyColumn = ops.add(column, ops.constant(int64_t(copy) * width));
    Position full = position(copyColumn, width);
    for (ReductionOpInterface reduction : plan.getReductions(0))
      operands.push_back(
          elements.elementOrZero(reduction->getOperand(0), full, width));
    for (unsigned output :
         stores ? plan.getFullOutputs(0) : ArrayRef<unsigned>())
      store(output, full, width);
  }
  return operands;
}

/// Emits elements of an output and stores them.
void ColumnReduction::store(unsigned index, const Position &position,
                            unsigned width) {
  Value output = frame.kernel.getOutputs()[index];
  Value value = elements.elementOrZero(output, position, width);
  storeElements(
      frame.builder, frame.loc, frame.output(index),
      elements.offsetOf(output, position), value, lanesOf(width),
      width == lanes && !elements.mask ? nonTemporal.alignmentOf(index) : 0);
}

void ColumnReduction::storeOutputs(Value column, unsigned width,
                                   ValueRange results) {
  IntegerOps ops = frame.integers();
  provideResults(elements, plan.getReductions(0), results);
  reducedIndex.assign(reduced.size(), ops.constant(0));
  Position full = position(column, width);
  for (unsigned index : plan.getReducedOutputs()) {
    Value output = frame.kernel.getOutputs()[index];
    store(index, plan.reducedPosition(frame, output, full), width);
  }
}

LogicalResult ColumnReduction::emitColumns(Value column, unsigned width,
                                           unsigned copies) {
  elements.setBarrier(frame.builder.getInsertionBlock());
  ArrayRef<ReductionOpInterface> reductions = plan.getReductions(0);
  // The reductions of each copy are separate, because copies must not be folded
  // into each other.
  SmallVector<ReductionOpInterface> perCopy;
  for (unsigned copy = 0; copy < copies; ++copy)
    llvm::append_range(perCopy, reductions);
  Accumulators sums(frame, perCopy);
  auto emitBlock = [&](Value first, Value last) {
    GroupPart partial;
    partial.shifts = sums.chooseShifts(first, last, width, [&] {
      return operandsAt(lineTiles.firstLine(first), column, width, copies,
                        /*stores=*/false);
    });
    if (sums.usesShifts())
      partial.count = lineTiles.countLines(first, last);
    partial.terms = lineTiles.chain(sums, first, last, width, [&](Value row) {
      return sums.termsOf(
          operandsAt(row, column, width, copies, /*stores=*/true),
          partial.shifts);
    });
    return sums.asTotal(partial);
  };
  SmallVector<Value> totals =
      sums.nest(partBegin, partEnd, blocks, width, emitBlock);
  size_t terms = sums.getTerms().size() / copies;
  IntegerOps ops = frame.integers();
  for (unsigned copy = 0; copy < copies; ++copy) {
    Value copyColumn = ops.add(column, ops.constant(int64_t(copy) * width));
    auto total = llvm::to_vector(ArrayRef(totals).slice(copy * terms, terms));
    if (sums.usesShifts())
      total.push_back(totals.back());
    parts->finishTotal(
        part, groupAt(copyColumn), total, lanesOf(width),
        [&](ValueRange results) { storeOutputs(copyColumn, width, results); });
  }
  return failure(elements.hasFailed());
}

/// Returns the number of column vectors that are summed up side by side. Half
/// of the registers hold accumulators: the more columns of a row are read at
/// once, the better the memory bandwidth is used. Longer bodies are unrolled
/// less.
unsigned ColumnReduction::chooseUnroll() const {
  Accumulators sums(frame, plan.getReductions(0));
  unsigned count = sums.getTerms().size();
  unsigned registers = frame.target.vectorRegisters * kColumnSumPercent / 100;
  if (sums.usesShifts()) {
    count += plan.getReductions(0).size();
    registers = frame.target.vectorRegisters * kShiftedSumPercent / 100;
  }
  unsigned unroll = registers / count;
  auto ops = frame.kernel.getBlock().without_terminator();
  if (llvm::range_size(ops) > kShortColumnOps)
    unroll = std::min(unroll, plan.isExpensivePhase(0) ? kExpensiveColumnVectors
                                                       : kLongColumnVectors);
  if (auto columns = staticExtent(columnCount))
    unroll = std::min<int64_t>(unroll, *columns / lanes);
  return std::max(1u, unroll);
}

/// Emits a range of columns of one row of groups.
void ColumnReduction::emitRow(Value row, Value begin, Value end,
                              unsigned unroll, VectorStep step) {
  parallelRow = row;
  parallelIndex = space.split(row, outerParallel);
  int64_t divisor =
      std::gcd(columnCount.getLargestKnownDivisor(), kTileColumns);
  if (failed(
          emitVectorLoop(elements, begin, end, lanes, unroll, step, divisor)))
    result = failure();
}

/// Emits a tile: one part of the reduction of its columns.
void ColumnReduction::reduceTile(const TileGrid &tiles) {
  IntegerOps ops = frame.integers();
  Value count = parts->getCount();
  part = ops.rem(frame.tile, count);
  TileGrid::Box box = tiles.box(ops, ops.div(frame.tile, count));
  partEnd = frame.extent(lineTiles.getCount());
  partBegin = ops.constant(0);
  if (parts->isSplit()) {
    Value rows = parts->sizeOf(partEnd, blocks[1]);
    partBegin = ops.mul(part, rows);
    partEnd = ops.min(partEnd, ops.add(partBegin, rows));
  }
  auto reduceRow = [&](Value row) {
    emitRow(row, box.columnBegin, box.columnEnd, chooseUnroll(),
            [&](Value column, unsigned width, unsigned copies) {
              return emitColumns(column, width, copies);
            });
  };
  if (outerParallel.empty())
    reduceRow(ops.constant(0));
  else
    buildFor(frame.builder, frame.loc, box.rowBegin, box.rowEnd, 1, reduceRow);
}

/// Emits the finalize step: merges all parts of all columns.
void ColumnReduction::combineParts() {
  Value zero = frame.integers().constant(0);
  Value columns = frame.extent(columnCount);
  Value rows = frame.extent(space.getProduct(outerParallel));
  buildFor(frame.builder, frame.loc, zero, rows, 1, [&](Value row) {
    emitRow(row, zero, columns, /*unroll=*/1,
            [&](Value column, unsigned width, unsigned) {
              elements.setBarrier(frame.builder.getInsertionBlock());
              storeOutputs(column, width,
                           parts->combine(groupAt(column), lanesOf(width)));
              return failure(elements.hasFailed());
            });
  });
}

LogicalResult ColumnReduction::emit() {
  auto countTiles = [&](EntryExtents &entry) {
    return entry.integers().mul(grid(entry).getCount(), countParts(entry));
  };
  frame.setTiles(countTiles);
  parts.emplace(makeParts());
  TileGrid tiles = grid(frame.entry);
  parts->emit(
      countTiles(frame.entry),
      [&] { nonTemporal.emit([&] { reduceTile(tiles); }); },
      [&] { combineParts(); });
  return result;
}

LogicalResult tg::emitColumnReduction(KernelFrame &frame,
                                      const ReductionPlan &plan) {
  return ColumnReduction(frame, plan).emit();
}
