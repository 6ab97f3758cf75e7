//===- GroupedPositions.cpp - grouped convolutions by positions -----------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedEmitters.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedSums.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/Cost.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

namespace {

/// The number of chunks of channels, the number of lines of the result, and the
/// number of parts that the lines are divided into. A tile of the launch
/// computes one part of the lines for one chunk of channels.
struct LineCounts {
  LineCounts(const GroupedPlan &plan, EntryExtents &entry);

  Value chunks, lines, parts;
};

/// The scratch memory of a tile of the launch.
struct GroupedScratch {
  /// The sums of a tile along a line or, if phases alternate, of a line, until
  /// the epilogue reads them.
  Elements sums;
  /// A copy of the filter, if GroupedSums makes one.
  Elements filter;
};

/// Emits one tile of the launch.
class GroupedPositions {
public:
  /// `reduction` is null without reductions.
  GroupedPositions(const GroupedPlan &plan, const LineCounts &counts,
                   const GroupedScratch &scratch,
                   const std::optional<ReductionPlan> &reductions,
                   ResultReduction *reduction);

  LogicalResult emit();

private:
  void emitLines();
  void leaveNothing();
  ResultLine lineAt(Value number) const;
  void emitLine(Value number, const ResultLine &line,
                const ChannelVector &vector);
  SmallVector<Value> emitPhases(const ResultLine &line,
                                const ChannelVector &vector, ValueRange totals);
  SmallVector<Value> finish(const ResultLine &line, const LineTile &tile,
                            const ChannelVector &vector, ValueRange sums,
                            ValueRange totals);
  SmallVector<Value> finishPosition(const ResultLine &line, Value position,
                                    const ChannelVector &vector, Value sum,
                                    ValueRange totals);
  void prefetchNextLine(const Position &place);
  SmallVector<Value> store(const ResultLine &line, Value position,
                           const ChannelVector &vector, ValueRange totals);

  const GroupedPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  LineCounts counts;
  GroupedScratch scratch;
  /// Null without reductions. Each line of the result has partial sums of its
  /// own.
  ResultReduction *reduction;
  /// Indices of the outputs that have the extents of the result.
  SmallVector<unsigned> outputs;
  NonTemporalStores nonTemporal;
  ElementEmitter elements;
  SmallVector<LinePhase> phases;
  Value lineExtent;
  /// The channels [first, end) of the result.
  std::pair<Value, Value> channels;
  GroupedSums groupedSums;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tiles of the launch
//===----------------------------------------------------------------------===//

/// Chooses the number of parts so that each worker gets
/// min(workers, kTilesPerWorker) tiles, unless a tile would then have less than
/// about kGroupedTileElements elements.
LineCounts::LineCounts(const GroupedPlan &plan, EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  MLIRContext *context = plan.type.getContext();
  AffineExpr width = *(plan.contraction.result.extents.end() - 2);
  Value one = ops.constant(1);
  Value workers = entry.workers();
  chunks = ops.constant(plan.countChunks());
  lines = entry.get(productOf(lineExtentsOf(plan.contraction.result), context));
  Value line =
      ops.max(one, ops.mul(entry.get(width), ops.constant(plan.chunk)));
  Value least = ops.ceilDiv(ops.constant(tuning::kGroupedTileElements), line);
  Value most = ops.div(lines, least);
  Value wanted =
      ops.mul(workers, ops.min(workers, ops.constant(tuning::kTilesPerWorker)));
  parts = ops.max(one, ops.min(most, ops.ceilDiv(wanted, chunks)));
}

/// Returns the number of positions of a tile along a line. Their sums, the
/// factors of the tile's taps and one element stay in registers.
static unsigned positionsOf(const GroupedPlan &plan) {
  int64_t registers = plan.frame.target.vectorRegisters;
  int64_t taps = plan.lineTaps();
  int64_t most = registers - std::min(taps, registers / 4) - 2;
  most = std::min(
      {most, tuning::kMaxLinePositions, tuning::kMaxLineProducts / taps});
  return std::max<int64_t>(1, most);
}

/// Returns true if the ops after the contraction take sums from registers. They
/// must be few, because their code is emitted for each position of a tile.
static bool takesRegisters(const GroupedPlan &plan) {
  unsigned count = 0;
  Block &body = plan.frame.kernel.getBlock();
  for (Operation &op : body.without_terminator()) {
    if (isExpensive(&op))
      return false;
    count += !op.hasTrait<mlir::OpTrait::ConstantLike>();
  }
  return count <= tuning::kRegisterEpilogueOps + 1;
}

/// Returns true if neighbouring positions of a line are of different phases,
/// but reductions add them in order: all sums of a line wait in memory.
static bool alternatesPhases(const GroupedPlan &plan, bool hasReductions) {
  return hasReductions && plan.lineAxis().divisor != 1;
}

static GroupedScratch takeScratch(const GroupedPlan &plan, bool hasReductions) {
  int64_t bytes = elementBytes(plan.type);
  auto size = [&](int64_t elements) {
    return getAffineConstantExpr(elements * bytes, plan.type.getContext());
  };
  AffineExpr sums =
      size(takesRegisters(plan) ? 0 : positionsOf(plan) * plan.lanes);
  if (alternatesPhases(plan, hasReductions))
    sums = *(plan.contraction.result.extents.end() - 2) * size(plan.lanes);
  SmallVector<Value> memory = plan.frame.takeScratch(
      {sums, size(GroupedSums::countCopiedElements(plan))});
  return {{memory[0], plan.type}, {memory[1], plan.type}};
}

/// Returns the number of lanes of non-temporal stores, or 1 for none. The loop
/// along a line stores one vector for each position, which must be a whole
/// cache line to be stored non-temporally.
static unsigned nonTemporalLanesOf(const GroupedPlan &plan) {
  return plan.hasWholeVectors() &&
                 plan.frame.target.vectorBytes == tuning::kCacheLineBytes
             ? plan.lanes
             : 1;
}

GroupedPositions::GroupedPositions(
    const GroupedPlan &plan, const LineCounts &counts,
    const GroupedScratch &scratch,
    const std::optional<ReductionPlan> &reductions, ResultReduction *reduction)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), counts(counts), scratch(scratch), reduction(reduction),
      outputs(fullOutputsOf(frame, reductions)),
      nonTemporal(frame, nonTemporalLanesOf(plan), outputs, plan.laneChannels,
                  /*canTest=*/false),
      elements(frame),
      phases(findPhases(
          frame, plan.lineAxis(), plan.lineTaps(),
          frame.extent(*(plan.contraction.result.extents.end() - 2)))),
      lineExtent(frame.extent(*(plan.contraction.lhs.extents.end() - 2))),
      channels(channelsOf(plan, ops.rem(frame.tile, counts.chunks))),
      groupedSums(plan, channels, scratch.filter) {}

LogicalResult GroupedPositions::emit() {
  auto tile = [&] { nonTemporal.emit([&] { emitLines(); }); };
  if (reduction)
    reduction->emit(elements, ops.mul(counts.chunks, counts.parts), tile);
  else
    tile();
  return failure(elements.hasFailed());
}

/// Stores the partial sums of one empty line if the result has no lines, so
/// that the finalize step has partial sums to combine.
void GroupedPositions::leaveNothing() {
  if (constantNumber(counts.lines))
    return;
  Value zero = ops.constant(0);
  Value isEmpty = ops.compare(arith::CmpIPredicate::eq, counts.lines, zero);
  auto branch =
      scf::IfOp::create(builder, loc, isEmpty, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  forEachChannelVector(plan, elements, channels.first, channels.second,
                       [&](const ChannelVector &vector) {
                         reduction->storePart(
                             elements, zero, vector.first, vector.lanes,
                             reduction->getSums().endPart(
                                 reduction->getSums().beginPart(vector.lanes)));
                       });
}

void GroupedPositions::emitLines() {
  groupedSums.copyFilter();
  if (reduction)
    leaveNothing();
  Value part = ops.div(frame.tile, counts.chunks);
  auto beginOf = [&](Value number) {
    return ops.div(ops.mul(number, counts.lines), counts.parts);
  };
  buildFor(builder, loc, beginOf(part), beginOf(ops.add(part, ops.constant(1))),
           1, [&](Value number) {
             ResultLine line = lineAt(number);
             forEachChannelVector(plan, elements, channels.first,
                                  channels.second,
                                  [&](const ChannelVector &vector) {
                                    emitLine(number, line, vector);
                                  });
           });
}

ResultLine GroupedPositions::lineAt(Value number) const {
  return findLine(frame, plan.contraction, plan.groups.windows, plan.taps,
                  plan.strideOf(plan.contraction.lhs, 0), number);
}

void GroupedPositions::emitLine(Value number, const ResultLine &line,
                                const ChannelVector &vector) {
  Value filter = groupedSums.offsetOf(vector);
  SmallVector<Value> totals;
  if (reduction)
    totals = reduction->getSums().beginPart(vector.lanes);
  if (alternatesPhases(plan, reduction))
    totals = emitPhases(line, vector, totals);
  else
    for (const LinePhase &phase : phases)
      totals = emitLineTiles(
          frame, phase, lineExtent, positionsOf(plan), totals,
          [&](const LineTile &tile, ValueRange carried) -> SmallVector<Value> {
            return finish(line, tile, vector,
                          groupedSums.emit(line, tile, vector, filter),
                          carried);
          });
  if (reduction)
    reduction->storePart(elements, number, vector.first, vector.lanes,
                         reduction->getSums().endPart(totals));
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Stores the sums of all phases of a line, and then computes the outputs in
/// the order of the positions. Returns the totals of the reductions.
SmallVector<Value> GroupedPositions::emitPhases(const ResultLine &line,
                                                const ChannelVector &vector,
                                                ValueRange totals) {
  Value filter = groupedSums.offsetOf(vector), lanes = ops.constant(plan.lanes);
  for (const LinePhase &phase : phases)
    (void)emitLineTiles(
        frame, phase, lineExtent, positionsOf(plan), {},
        [&](const LineTile &tile, ValueRange) -> SmallVector<Value> {
          for (auto [number, sum] :
               llvm::enumerate(groupedSums.emit(line, tile, vector, filter))) {
            Value index = ops.add(tile.first, ops.constant(number));
            storeElements(builder, loc, scratch.sums,
                          ops.mul(phase.positionOf(ops, index), lanes), sum,
                          {vector.lanes, {}});
          }
          return {};
        });
  Value positions = frame.extent(*(plan.contraction.result.extents.end() - 2));
  return emitCarryLoop(
      frame, ops.constant(0), positions, 1, totals,
      [&](Value position, ValueRange carried) {
        Value sum = loadElements(builder, loc, scratch.sums,
                                 ops.mul(position, lanes), {vector.lanes, {}});
        return finishPosition(line, position, vector, sum, carried);
      });
}

/// Computes outputs from the sums of a tile: from registers or, if there are
/// many ops, position by position from memory. Returns the totals of the
/// reductions, including the positions of the tile.
SmallVector<Value> GroupedPositions::finish(const ResultLine &line,
                                            const LineTile &tile,
                                            const ChannelVector &vector,
                                            ValueRange sums,
                                            ValueRange totals) {
  auto finishAt = [&](Value number, Value sum, ValueRange carried) {
    Value index = ops.add(tile.first, number);
    return finishPosition(line, tile.phase.positionOf(ops, index), vector, sum,
                          carried);
  };
  SmallVector<Value> carried(totals);
  Value scratchLanes = ops.constant(plan.lanes);
  for (auto [number, sum] : llvm::enumerate(sums)) {
    Value at = ops.constant(number);
    if (takesRegisters(plan))
      carried = finishAt(at, sum, carried);
    else
      storeElements(builder, loc, scratch.sums, ops.mul(at, scratchLanes), sum,
                    {vector.lanes, {}});
  }
  if (takesRegisters(plan))
    return carried;
  return emitCarryLoop(frame, ops.constant(0), ops.constant(tile.size), 1,
                       carried, [&](Value number, ValueRange carried) {
                         Value sum = loadElements(builder, loc, scratch.sums,
                                                  ops.mul(number, scratchLanes),
                                                  {vector.lanes, {}});
                         return finishAt(number, sum, carried);
                       });
}

/// Computes the outputs at a position from its sum.
SmallVector<Value> GroupedPositions::finishPosition(const ResultLine &line,
                                                    Value position,
                                                    const ChannelVector &vector,
                                                    Value sum,
                                                    ValueRange totals) {
  elements.setBarrier(builder.getInsertionBlock());
  elements.provide(plan.contraction.result.value,
                   [sum](const Position &, unsigned) { return sum; });
  return store(line, position, vector, totals);
}

/// Prefetches the same position of the next line of the tensors that the ops
/// after the contraction read. The loop along a line reads one vector for each
/// position, a pattern that hardware prefetchers do not recognize.
void GroupedPositions::prefetchNextLine(const Position &place) {
  ArrayRef<AffineExpr> extents = plan.contraction.result.extents;
  Value line = plan.strideOf(plan.contraction.result, extents.size() - 3);
  for (BlockArgument argument : frame.kernel.getBlock().getArguments()) {
    if (frame.extentsOf(argument) != extents ||
        argument == plan.contraction.lhs.value)
      continue;
    prefetchElement(builder, loc, frame.argument(argument),
                    ops.add(elements.offsetOf(argument, place), line));
  }
}

/// Stores the outputs at a position, and returns the totals of the reductions,
/// including the position.
SmallVector<Value> GroupedPositions::store(const ResultLine &line,
                                           Value position,
                                           const ChannelVector &vector,
                                           ValueRange totals) {
  Position place;
  place.index = line.index;
  place.index.push_back(position);
  place.index.push_back(vector.first);
  place.laneStep.assign(place.index.size(), 0);
  place.laneStep.back() = vector.lanes > 1 ? 1 : 0;
  prefetchNextLine(place);
  storeOutputs(
      elements, outputs, vector.lanes, [&](Value) { return place; },
      &nonTemporal);
  if (!reduction)
    return {};
  return reduction->getSums().extendPart(
      totals, reduction->operandsAt(elements, place, vector.lanes));
}

LogicalResult tg::emitGroupedPositions(const GroupedPlan &plan) {
  KernelFrame &frame = plan.frame;
  frame.setTiles([&](EntryExtents &entry) {
    LineCounts counts(plan, entry);
    return entry.integers().mul(counts.chunks, counts.parts);
  });
  LineCounts counts(plan, frame.entry);
  std::optional<ReductionPlan> reductions = planReductions(frame);
  ContractionSpace space(frame, plan.contraction);
  AffineExpr lines = productOf(lineExtentsOf(plan.contraction.result),
                               frame.kernel.getContext());
  std::optional<ResultReduction> reduction;
  if (reductions)
    reduction.emplace(ResultReduction::Rows{frame, *reductions, space, lines});
  return GroupedPositions(plan, counts,
                          takeScratch(plan, reductions.has_value()), reductions,
                          reduction ? &*reduction : nullptr)
      .emit();
}
