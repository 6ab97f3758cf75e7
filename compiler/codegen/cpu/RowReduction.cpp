//===- RowReduction.cpp - reductions of one group after the other ---------===//
#include "compiler/codegen/cpu/Accumulators.h"
#include "compiler/codegen/cpu/ReductionEmitters.h"
#include "compiler/codegen/cpu/Streaming.h"
#include "compiler/codegen/cpu/TileGrid.h"
#include "compiler/codegen/cpu/VectorLoop.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// Elements of a tile, in whole rows.
static constexpr int64_t kTileElements = 16 * 1024;
/// The longest row of which values are kept between phases: they stay in the
/// second-level cache beside the row itself.
static constexpr int64_t kRowBytes = 64 * 1024;
/// The shortest row worth asking for: shorter ones follow each other so fast
/// that the hardware sees one stream.
static constexpr int64_t kLeastPrefetched = 2 * 1024;

namespace {

/// Emits a kernel row by row. A row is a reduced group: `segments` times
/// `columns` elements, with vectors along the columns.
class RowReduction {
public:
  RowReduction(KernelFrame &frame, const ReductionPlan &plan);
  LogicalResult emit();

private:
  TileGrid grid(EntryExtents &entry);
  void takeRowBuffers();
  void emitRow(Value row);
  void emitPhase(unsigned phase);
  SmallVector<Value> sweepSegment(ValueRange totals);
  SmallVector<Value> sweepVectors(ValueRange totals);
  SmallVector<Value> sweepMasked(ValueRange totals);
  SmallVector<Value> step(Value column, unsigned width, unsigned copies);
  Position position(Value column, unsigned width) const;
  void prefetchNextRow(const Position &place);
  void storeReduced();
  unsigned chooseSets() const;

  KernelFrame &frame;
  const ReductionPlan &plan;
  ElementEmitter elements;
  IterationSpace space;
  /// Groups of the space: kept ones, and reduced ones that make the segments
  /// and the columns.
  SmallVector<unsigned> kept, outerReduced, inner;
  unsigned lanes;
  Streaming streaming;
  /// Elements along the columns, and how many fill whole vectors.
  Value columns, vectorEnd, tailMask;
  /// Values that later phases load again, and where they lie.
  DenseMap<Value, Elements> rowBuffers;

  /// What is being emitted.
  unsigned phase = 0;
  SmallVector<Value> keptIndex, segmentIndex;
  Value segmentBegin, offsetInRow;
};

} // namespace

/// The outputs that have the kernel's full space.
static SmallVector<unsigned> fullOutputs(const ReductionPlan &plan) {
  SmallVector<unsigned> outputs;
  for (unsigned phase = 0; phase < plan.getNumPhases(); ++phase)
    llvm::append_range(outputs, plan.getFullOutputs(phase));
  return outputs;
}

/// The extent of a row of them.
static AffineExpr rowElements(const ReductionPlan &plan, MLIRContext *context) {
  if (plan.getExtents().empty())
    return getAffineConstantExpr(1, context);
  return plan.getExtents().back();
}

RowReduction::RowReduction(KernelFrame &frame, const ReductionPlan &plan)
    : frame(frame), plan(plan), elements(frame), space(plan.makeSpace(frame)),
      lanes(chooseLanes(frame.kernel, frame.target)),
      streaming(frame, plan.reducesTrailingAxes() ? lanes : 1,
                fullOutputs(plan),
                rowElements(plan, frame.kernel.getContext())) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group)
    (plan.isReduced(space.getLastAxis(group)) ? outerReduced : kept)
        .push_back(group);
  if (!outerReduced.empty())
    inner.push_back(outerReduced.pop_back_val());
  // Lanes along another axis than the last lie apart in full outputs.
  bool isStrided = !plan.reducesTrailingAxes() && !fullOutputs(plan).empty();
  if (inner.empty() || isStrided)
    lanes = 1;
}

TileGrid RowReduction::grid(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value rowElements = ops.mul(entry.get(space.getProduct(outerReduced)),
                              entry.get(space.getProduct(inner)));
  return TileGrid(ops, entry.get(space.getProduct(kept)), rowElements,
                  ops.constant(kTileElements), /*wholeRows=*/true);
}

/// Memory for the values that more than one phase needs, where a row is short
/// and does not stay in registers anyway.
void RowReduction::takeRowBuffers() {
  AffineExpr length = space.getProduct(outerReduced) * space.getProduct(inner);
  std::optional<int64_t> count = staticExtent(length);
  bool isRegister = count && *count <= lanes && frame.target.level >= 4;
  if (!count || isRegister)
    return;
  SmallVector<Value> reused;
  SmallVector<AffineExpr> bytes;
  int64_t total = 0;
  for (unsigned number = 0; number < plan.getNumPhases(); ++number)
    for (Value value : plan.getReusedValues(number)) {
      int64_t size = *count * elementBytes(getElementTypeOrSelf(value));
      if (total + size > kRowBytes)
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
// One step: some columns of a row
//===----------------------------------------------------------------------===//

Position RowReduction::position(Value column, unsigned width) const {
  SmallVector<Value> indices(space.getNumGroups());
  for (auto [group, index] : llvm::zip_equal(kept, keptIndex))
    indices[group] = index;
  for (auto [group, index] : llvm::zip_equal(outerReduced, segmentIndex))
    indices[group] = index;
  if (inner.empty())
    return space.position(indices, 0, width);
  indices[inner[0]] = column;
  return space.position(indices, inner[0], width);
}

/// Asks for the same place of the next row. The first phase waits for memory
/// and the others compute: so they overlap.
void RowReduction::prefetchNextRow(const Position &place) {
  AffineExpr length = space.getProduct(outerReduced) * space.getProduct(inner);
  std::optional<int64_t> count = staticExtent(length);
  if (phase != 1 || !count || !plan.reducesTrailingAxes())
    return;
  for (BlockArgument argument : frame.kernel.getBlock().getArguments()) {
    Elements memory = frame.argument(argument);
    int64_t bytes = *count * elementBytes(memory.elementType);
    if (frame.extentsOf(argument) != plan.getExtents() ||
        bytes < kLeastPrefetched || bytes > kRowBytes)
      continue;
    IntegerOps ops = frame.integers();
    Value next =
        ops.add(elements.offsetOf(argument, place), ops.constant(*count));
    LLVM::Prefetch::create(frame.builder, frame.loc,
                           addressOf(frame.builder, frame.loc, memory, next),
                           /*rw=*/0,
                           /*hint=*/2, /*cache=*/1);
  }
}

/// The operands of the phase's reductions, one set per copy. Stores the phase's
/// outputs and what later phases load again.
SmallVector<Value> RowReduction::step(Value column, unsigned width,
                                      unsigned copies) {
  SmallVector<Value> operands;
  Lanes alive{width, width > 1 ? elements.mask : Value()};
  for (unsigned copy = 0; copy < copies; ++copy) {
    IntegerOps ops = frame.integers();
    Value at = ops.add(column, ops.constant(int64_t(copy) * width));
    offsetInRow = ops.add(segmentBegin, at);
    Position place = position(at, width);
    if (width == lanes && !alive.mask)
      prefetchNextRow(place);
    for (ReductionOpInterface reduction : plan.getReductions(phase))
      operands.push_back(
          elements.elementOrZero(reduction->getOperand(0), place, width));
    for (unsigned number : plan.getFullOutputs(phase)) {
      Value output = frame.kernel.getOutputs()[number];
      Value value = elements.elementOrZero(output, place, width);
      storeElements(frame.builder, frame.loc, frame.output(number),
                    elements.offsetOf(output, place), value, alive,
                    width == lanes && !alive.mask && streaming.streams(number));
    }
    for (Value reused : plan.getReusedValues(phase))
      if (rowBuffers.count(reused))
        storeElements(frame.builder, frame.loc, rowBuffers[reused], offsetInRow,
                      elements.elementOrZero(reused, place, width), alive);
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// One phase: a sweep over a row
//===----------------------------------------------------------------------===//

/// Independent accumulators hide the latency of additions.
unsigned RowReduction::chooseSets() const {
  if (lanes == 1)
    return 1;
  bool isShort =
      plan.getReductions(phase).size() == 1 && !plan.isExpensivePhase(phase);
  return isShort ? 4 : 2;
}

/// Whole vectors.
SmallVector<Value> RowReduction::sweepVectors(ValueRange totals) {
  Accumulators sums(frame, plan.getReductions(phase));
  IntegerOps ops = frame.integers();
  unsigned sets = chooseSets();
  auto round = [&](unsigned copies) {
    return [this, copies](Value column) { return step(column, lanes, copies); };
  };
  Value begin = ops.constant(0);
  Value mainEnd = ops.roundDown(columns, int64_t(lanes) * sets);
  SmallVector<Value> sum = sums.accumulate(
      begin, mainEnd, int64_t(lanes) * sets, lanes, sets, totals, round(sets));
  if (sets == 1)
    return sum;
  return emitCarryLoop(frame, mainEnd, vectorEnd, lanes, sum,
                       [&](Value column, ValueRange carried) {
                         SmallVector<Value> elements = step(column, lanes, 1);
                         return sums.combine(carried, elements);
                       });
}

/// The last vector, with dead lanes.
SmallVector<Value> RowReduction::sweepMasked(ValueRange totals) {
  Accumulators sums(frame, plan.getReductions(phase));
  OpBuilder &builder = frame.builder;
  auto emitStep = [&]() -> SmallVector<Value> {
    elements.mask = tailMask;
    SmallVector<Value> operands = step(vectorEnd, lanes, /*copies=*/1);
    elements.mask = {};
    return sums.combine(totals, sums.blend(tailMask, operands));
  };
  Value any =
      frame.integers().compare(arith::CmpIPredicate::slt, vectorEnd, columns);
  if (std::optional<int64_t> constant = constantNumber(any))
    return *constant ? emitStep() : SmallVector<Value>(totals);
  auto branch = scf::IfOp::create(builder, frame.loc, TypeRange(totals), any,
                                  /*withElseRegion=*/!totals.empty());
  OpBuilder::InsertionGuard guard(builder);
  if (totals.empty()) {
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    return emitStep();
  }
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, frame.loc, emitStep());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, frame.loc, totals);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// All columns of a segment. `totals` are vectors, and behind them scalars for
/// a tail that is not masked.
SmallVector<Value> RowReduction::sweepSegment(ValueRange totals) {
  Accumulators sums(frame, plan.getReductions(phase));
  size_t count = plan.getReductions(phase).size();
  SmallVector<Value> result = sweepVectors(totals.take_front(count));
  if (lanes == 1)
    return result;
  if (frame.target.level >= 4)
    return sweepMasked(result);
  llvm::append_range(
      result,
      emitCarryLoop(frame, vectorEnd, columns, 1, totals.drop_front(count),
                    [&](Value column, ValueRange carried) {
                      SmallVector<Value> elements =
                          step(column, /*width=*/1, /*copies=*/1);
                      return sums.combine(carried, elements);
                    }));
  return result;
}

void RowReduction::emitPhase(unsigned number) {
  phase = number;
  Accumulators sums(frame, plan.getReductions(phase));
  bool hasScalars = lanes > 1 && frame.target.level < 4;
  SmallVector<Value> totals = sums.neutral(lanes);
  if (hasScalars)
    llvm::append_range(totals, sums.neutral(/*lanes=*/1));
  Value segments = frame.extent(space.getProduct(outerReduced));
  totals = emitCarryLoop(frame, frame.integers().constant(0), segments, 1,
                         totals, [&](Value segment, ValueRange carried) {
                           segmentIndex = space.split(segment, outerReduced);
                           segmentBegin =
                               frame.integers().mul(segment, columns);
                           return sweepSegment(carried);
                         });
  ValueRange all(totals);
  size_t count = plan.getReductions(phase).size();
  SmallVector<Value> results = sums.foldLanes(all.take_front(count));
  if (hasScalars)
    results = sums.combine(results, all.drop_front(count));
  for (auto [reduction, result] :
       llvm::zip_equal(plan.getReductions(phase), results))
    elements.provide(reduction->getResult(0),
                     [&, value = result](const Position &, unsigned width) {
                       return splatTo(frame.builder, frame.loc, value, width);
                     });
  for (Value reused : plan.getReusedValues(phase))
    if (rowBuffers.count(reused))
      elements.provide(reused, [&, reused](const Position &, unsigned width) {
        return loadElements(frame.builder, frame.loc, rowBuffers[reused],
                            offsetInRow,
                            {width, width > 1 ? elements.mask : Value()});
      });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void RowReduction::storeReduced() {
  Value zero = frame.integers().constant(0);
  segmentIndex.assign(outerReduced.size(), zero);
  Position full = position(zero, /*width=*/1);
  for (unsigned number : plan.getReducedOutputs()) {
    Value output = frame.kernel.getOutputs()[number];
    Position place = plan.reducedPosition(frame, output, full);
    Value value = elements.elementOrZero(output, place, /*lanes=*/1);
    storeElements(frame.builder, frame.loc, frame.output(number),
                  elements.offsetOf(output, place), value, Lanes());
  }
}

void RowReduction::emitRow(Value row) {
  elements.setBarrier(frame.builder.getInsertionBlock());
  keptIndex = space.split(row, kept);
  for (auto &buffer : rowBuffers)
    elements.withdraw(buffer.first);
  for (unsigned number = 0; number < plan.getNumPhases(); ++number)
    emitPhase(number);
  storeReduced();
}

LogicalResult RowReduction::emit() {
  frame.setTiles([&](EntryExtents &entry) { return grid(entry).getCount(); });
  TileGrid::Box box = grid(frame.entry).box(frame.integers(), frame.tile);
  IntegerOps ops = frame.integers();
  columns = frame.extent(space.getProduct(inner));
  vectorEnd = ops.roundDown(columns, lanes);
  if (lanes > 1 && frame.target.level >= 4)
    tailMask = buildMask(frame.builder, frame.loc, vectorEnd, columns, lanes);
  takeRowBuffers();
  streaming.emit([&] {
    if (kept.empty())
      return emitRow(ops.constant(0));
    buildFor(frame.builder, frame.loc, box.rowBegin, box.rowEnd, 1,
             [&](Value row) { emitRow(row); });
  });
  return failure(elements.hasFailed());
}

LogicalResult tg::emitRowReduction(KernelFrame &frame,
                                   const ReductionPlan &plan) {
  return RowReduction(frame, plan).emit();
}
