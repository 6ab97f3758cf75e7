//===- RowReduction.cpp - reductions of one group after another -----------===//
#include "compiler/codegen/cpu/reduction/RowReduction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/cpu/reduction/ReductionLoops.h"

using namespace mlir;
using namespace tg;

TileGrid RowReduction::grid(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  return TileGrid(ops, entry.get(space.getProduct(parallel)),
                  entry.get(rowExtent()),
                  ops.constant(tuning::kReductionTileElements),
                  /*wholeRows=*/true);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Returns the number of lines of a part, which is a block of them: a smallest
/// block, or a block of blocks if the lines are short. 0 if the order has no
/// blocks of lines.
int64_t RowReduction::linesOfUnit() const {
  SmallVector<int64_t> sizes = blockSizes(1, order.getLines().take_front(2));
  if (sizes.empty())
    return 0;
  std::optional<int64_t> length = staticExtent(lineExtent());
  bool isShort = length && *length * sizes[0] < tuning::kPartElements;
  return isShort ? sizes.back() : sizes.front();
}

/// Returns the number of parts that a row can be split into: blocks of lines,
/// or blocks of the elements of its only line that become a number each.
AffineExpr RowReduction::countUnits() const {
  if (!outer.empty())
    return linesOfUnit() ? lineTiles.getCount().ceilDiv(linesOfUnit())
                         : getAffineConstantExpr(1, frame.builder.getContext());
  return numberBlocks.empty()
             ? getAffineConstantExpr(1, frame.builder.getContext())
             : lineExtent().ceilDiv(numberBlocks[0]);
}

/// Returns the number of parts of each row. Only rows of a single phase are
/// split.
Value RowReduction::countParts(EntryExtents &entry) {
  if (plan.getNumPhases() != 1 || plan.getReductions(0).empty())
    return entry.integers().constant(1);
  return ReductionParts::chooseCount(entry.integers(), entry.get(countUnits()),
                                     entry.get(rowExtent()),
                                     entry.get(space.getProduct(parallel)));
}

void RowReduction::makeParts() {
  AffineExpr units = countUnits();
  AffineExpr results = units * space.getProduct(parallel);
  SmallVector<int64_t> folds =
      blockSizes(1, order.getBlocks().drop_front(
                        std::min<size_t>(2, order.getBlocks().size())));
  if (!outer.empty()) {
    folds.clear();
    for (int64_t size : blockSizes(1, order.getLines()))
      if (size > linesOfUnit())
        folds.push_back(size / linesOfUnit());
  }
  parts.emplace(frame, plan.getReductions(0), countParts(frame.entry),
                frame.extent(space.getProduct(parallel)),
                ReductionParts::Size{units, units},
                ReductionParts::Size{results, results}, folds,
                ReductionParts::Form::total);
}

/// Sets the part of its rows that the tile reduces: all elements, a block of
/// lines, or a block of the elements of the only line.
void RowReduction::setPart() {
  IntegerOps ops = frame.integers();
  stepBegin = elementBegin = ops.constant(0);
  stepEnd = frame.extent(lineTiles.getCount());
  elementEnd = frame.extent(lineExtent());
  part = ops.rem(frame.tile, parts->getCount());
  auto split = [&](Value &first, Value &last, int64_t unit) {
    Value size = parts->sizeOf(last, unit);
    first = ops.mul(part, size);
    last = ops.min(last, ops.add(first, size));
  };
  if (parts->isSplit() && !outer.empty())
    split(stepBegin, stepEnd, linesOfUnit());
  else if (parts->isSplit())
    split(elementBegin, elementEnd, numberBlocks[0]);
  std::optional<int64_t> count = staticExtent(lineExtent());
  if (count && *count % lanes != 0)
    lastMask = buildMask(frame.builder, frame.loc, ops.constant(0),
                         ops.constant(*count % lanes), lanes);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Finds the values that more than one phase needs and that have room in
/// memory. The values of a row that is not longer than a step stay in
/// registers.
void RowReduction::findSavedValues() {
  std::optional<int64_t> count = staticExtent(rowExtent());
  if (!count || (*count <= order.getStepElements() && !isDivided()))
    return;
  int64_t total = 0;
  for (unsigned each = 0; each < plan.getNumPhases(); ++each)
    for (Value value : plan.getReusedValues(each)) {
      int64_t size = *count * elementBytes(getElementTypeOrSelf(value));
      if (total + size > tuning::kSavedRowBytes)
        continue;
      total += size;
      saved.push_back(value);
    }
}

/// Allocates memory for saved values, and for the operands of the reductions of
/// a divided line.
void RowReduction::allocateBuffers() {
  findSavedValues();
  MLIRContext *context = frame.builder.getContext();
  SmallVector<AffineExpr> bytes;
  auto add = [&](int64_t size) {
    bytes.push_back(getAffineConstantExpr(size, context));
  };
  for (Value value : saved)
    add(*staticExtent(rowExtent()) * elementBytes(getElementTypeOrSelf(value)));
  size_t operands = 0;
  for (unsigned each = 0; isDivided() && each < plan.getNumPhases(); ++each)
    operands = std::max(operands, plan.getReductions(each).size());
  // The types of the operands differ from phase to phase.
  for (size_t each = 0; each < operands; ++each)
    add(RowPass::bufferedElements(*this) * int64_t(sizeof(int64_t)));
  if (bytes.empty())
    return;
  lineBuffers = frame.takeScratch(bytes);
  for (auto [value, memory] : llvm::zip(saved, lineBuffers))
    rowBuffers[value] = {memory, getElementTypeOrSelf(value)};
  lineBuffers.erase(lineBuffers.begin(), lineBuffers.begin() + saved.size());
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RowReduction::storeReduced() {
  Value zero = frame.integers().constant(0);
  outerIndex.assign(outer.size(), zero);
  Position full = position(SmallVector<Value>(line.size(), zero), /*width=*/1);
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
  parts->finishTotal(part, row, results, Lanes(),
                     [&](ValueRange merged) { finishRow(merged); });
}

/// Emits a tile: whole rows, or a part of one.
void RowReduction::reduceTile(const TileGrid &tiles) {
  IntegerOps ops = frame.integers();
  TileGrid::Box box = tiles.box(ops, ops.div(frame.tile, parts->getCount()));
  setPart();
  allocateBuffers();
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
