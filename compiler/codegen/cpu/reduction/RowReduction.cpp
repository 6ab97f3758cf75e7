//===- RowReduction.cpp - reductions of one group after another -----------===//
#include "compiler/codegen/cpu/reduction/RowReduction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/cpu/reduction/ReductionLoops.h"

using namespace mlir;
using namespace tg;

TileGrid RowReduction::grid(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value rowElements = ops.mul(entry.get(space.getProduct(outerReduced)),
                              entry.get(space.getProduct(inner)));
  return TileGrid(ops, entry.get(space.getProduct(parallel)), rowElements,
                  ops.constant(tuning::kReductionTileElements),
                  /*wholeRows=*/true);
}

/// Returns the number of parts of each row. Only rows of a single phase are
/// split.
Value RowReduction::countParts(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  if (plan.getNumPhases() != 1 || plan.getReductions(0).empty())
    return ops.constant(1);
  Value elements = ops.mul(entry.get(space.getProduct(outerReduced)),
                           entry.get(space.getProduct(inner)));
  return ReductionParts::chooseCount(ops, elements,
                                     entry.get(space.getProduct(parallel)));
}

void RowReduction::makeParts() {
  AffineExpr maxParts =
      getAffineConstantExpr(tuning::kMaxParts, frame.kernel.getContext());
  parts.emplace(frame, plan.getReductions(0), countParts(frame.entry),
                frame.extent(space.getProduct(parallel)),
                ReductionParts::Size{maxParts, maxParts},
                ReductionParts::Size{maxParts, maxParts});
}

/// Sets the part of its rows that the tile reduces: all elements, a range of
/// segments, or a range of columns.
void RowReduction::setPart() {
  IntegerOps ops = frame.integers();
  columns = frame.extent(space.getProduct(inner));
  segmentBegin = columnBegin = ops.constant(0);
  segmentEnd = frame.extent(space.getProduct(outerReduced));
  columnEnd = columns;
  part = ops.rem(frame.tile, parts->getCount());
  auto split = [&](Value &first, Value &last, int64_t unit) {
    Value units =
        ops.ceilDiv(ops.ceilDiv(last, parts->getCount()), ops.constant(unit));
    Value size = ops.mul(units, ops.constant(unit));
    first = ops.min(last, ops.mul(part, size));
    last = ops.min(last, ops.add(first, size));
  };
  if (parts->isSplit() && outerReduced.empty())
    split(columnBegin, columnEnd, tuning::kRowPartColumns);
  else if (parts->isSplit())
    split(segmentBegin, segmentEnd, /*unit=*/1);
  Value count = ops.sub(columnEnd, columnBegin);
  vectorEnd = ops.add(columnBegin, ops.roundDown(count, lanes));
  if (lanes > 1 && frame.target.masksBytes)
    remainderMask =
        buildMask(frame.builder, frame.loc, vectorEnd, columnEnd, lanes);
}

/// Allocates memory for values that more than one phase needs, if rows are
/// short and do not stay in registers anyway.
void RowReduction::allocateRowBuffers() {
  AffineExpr length = rowExtent();
  std::optional<int64_t> count = staticExtent(length);
  bool fitsRegister = count && *count <= lanes && frame.target.masksBytes;
  if (!count || fitsRegister)
    return;
  SmallVector<Value> reused;
  SmallVector<AffineExpr> bytes;
  int64_t total = 0;
  for (unsigned each = 0; each < plan.getNumPhases(); ++each)
    for (Value value : plan.getReusedValues(each)) {
      int64_t size = *count * elementBytes(getElementTypeOrSelf(value));
      if (total + size > tuning::kSavedRowBytes)
        continue;
      total += size;
      reused.push_back(value);
      bytes.push_back(getAffineConstantExpr(size, length.getContext()));
    }
  if (reused.empty())
    return;
  for (auto [value, memory] : llvm::zip_equal(reused, frame.takeScratch(bytes)))
    rowBuffers[value] = {memory, getElementTypeOrSelf(value)};
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RowReduction::storeReduced() {
  Value zero = frame.integers().constant(0);
  segmentIndex.assign(outerReduced.size(), zero);
  Position full = position(zero, /*width=*/1);
  for (unsigned index : plan.getReducedOutputs()) {
    Value output = frame.kernel.getOutputs()[index];
    Position reduced = plan.reducedPosition(frame, output, full);
    Value value = elements.elementOrZero(output, reduced, /*lanes=*/1);
    storeElements(frame.builder, frame.loc, frame.output(index),
                  elements.offsetOf(output, reduced), value, Lanes());
  }
}

/// Stores the reduced outputs of the current row, given the results of the last
/// phase.
void RowReduction::finishRow(ValueRange results) {
  RowPass(*this, plan.getNumPhases() - 1).provide(results);
  storeReduced();
}

void RowReduction::enterRow(Value row) {
  elements.setBarrier(frame.builder.getInsertionBlock());
  parallelIndex = space.split(row, parallel);
}

void RowReduction::emitRow(Value row) {
  enterRow(row);
  for (auto &buffer : rowBuffers)
    elements.withdraw(buffer.first);
  SmallVector<Value> results;
  for (unsigned phase = 0; phase < plan.getNumPhases(); ++phase) {
    if (phase)
      RowPass(*this, phase - 1).provide(results);
    results = RowPass(*this, phase).emit();
  }
  // Rows with several phases are not split. So if there are parts, `results`
  // belong to the only phase.
  if (!parts->isSplit())
    return finishRow(results);
  parts->finishPart(part, row, {results}, Lanes(),
                    [&](ValueRange merged) { finishRow(merged); });
}

/// Emits a tile: whole rows, or a part of one.
void RowReduction::reduceTile(const TileGrid &tiles) {
  IntegerOps ops = frame.integers();
  TileGrid::Box box = tiles.box(ops, ops.div(frame.tile, parts->getCount()));
  setPart();
  allocateRowBuffers();
  nonTemporal.emit([&] {
    if (parallel.empty())
      return emitRow(ops.constant(0));
    buildFor(frame.builder, frame.loc, box.rowBegin, box.rowEnd, 1,
             [&](Value row) { emitRow(row); });
  });
}

/// Emits the finalize step: merges all parts of all rows.
void RowReduction::combineParts() {
  Value rows = frame.extent(space.getProduct(parallel));
  buildFor(frame.builder, frame.loc, frame.integers().constant(0), rows, 1,
           [&](Value row) {
             enterRow(row);
             finishRow(parts->combine(row, Lanes()));
           });
}

LogicalResult RowReduction::emit() {
  auto countTiles = [&](EntryExtents &entry) {
    return entry.integers().mul(grid(entry).getCount(), countParts(entry));
  };
  frame.setTiles(countTiles);
  makeParts();
  TileGrid tiles = grid(frame.entry);
  parts->emit(
      countTiles(frame.entry), [&] { reduceTile(tiles); },
      [&] { combineParts(); });
  return failure(elements.hasFailed());
}

LogicalResult tg::emitRowReduction(KernelFrame &frame,
                                   const ReductionPlan &plan) {
  return RowReduction(frame, plan).emit();
}
