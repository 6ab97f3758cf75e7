//===- GroupedPositions.cpp - grouped convolutions by positions -----------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedEmitters.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
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
  /// The sums of a tile along a line, until the epilogue reads them.
  Elements sums;
  /// A copy of the filter with contiguous channels of the result:
  /// [taps...][channels of a group][channels of a chunk].
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
  SmallVector<Value> sumOuter(const ResultLine &line, const LineTile &tile,
                              const ChannelVector &vector, unsigned axis,
                              Value lhs, Value rhs, ValueRange sums) const;
  SmallVector<Value> sumChannels(const LineTile &tile,
                                 const ChannelVector &vector, Value lhs,
                                 Value rhs, ValueRange sums) const;
  SmallVector<Value> sumTaps(const LineTile &tile, const ChannelVector &vector,
                             Value lhs, Value rhs, Value channel,
                             ValueRange start) const;
  SmallVector<Value> finish(const ResultLine &line, const LineTile &tile,
                            const ChannelVector &vector, ValueRange sums,
                            ValueRange totals);
  void prefetchNextLine(const Position &place);
  SmallVector<Value> store(const ResultLine &line, Value position,
                           const ChannelVector &vector, ValueRange totals);
  void copyFilter();

  const GroupedPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  LineCounts counts;
  GroupedScratch scratch;
  SmallVector<LinePhase> phases;
  Value firstChannel, endChannel;
  /// The elements of the rhs, the strides of its taps and channels, and the
  /// offset of channel 0 of the result.
  Elements rhs;
  SmallVector<Value, 3> tapStrides;
  Value channelStride, rhsOrigin;
  Value lineExtent;
  /// Null without reductions. Each line of the result has partial sums of its
  /// own.
  ResultReduction *reduction;
  /// Indices of the outputs that have the extents of the result.
  SmallVector<unsigned> outputs;
  NonTemporalStores nonTemporal;
  ElementEmitter elements;
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
  Value one = ops.constant(1), workers = entry.workers();
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

/// Returns true if the channels of the result are contiguous in the rhs.
static bool hasColumnsInOrder(const GroupedPlan &plan) {
  const GroupedWindows &groups = plan.groups;
  const ContractionIndex &last = plan.contraction.rhs.indices.back();
  return groups.columns == 1 ? groups.channels == 1
                             : last.terms.back().dimension == groups.column;
}

/// Returns the number of positions of a tile along a line. Their sums, the
/// factors of the tile's taps and one element stay in registers.
static unsigned positionsOf(const GroupedPlan &plan) {
  int64_t registers = plan.frame.target.vectorRegisters, taps = plan.lineTaps();
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

static GroupedScratch takeScratch(const GroupedPlan &plan) {
  int64_t bytes = elementBytes(plan.type);
  int64_t sums = takesRegisters(plan) ? 0 : positionsOf(plan) * plan.lanes;
  int64_t filter =
      hasColumnsInOrder(plan)
          ? 0
          : llvm::product_of(plan.taps) * plan.groups.channels * plan.chunk;
  auto size = [&](int64_t elements) {
    return getAffineConstantExpr(elements * bytes, plan.type.getContext());
  };
  SmallVector<Value> memory =
      plan.frame.takeScratch({size(sums), size(filter)});
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
      elements(frame) {
  const Contraction &contraction = plan.contraction;
  phases = findPhases(frame, plan.lineAxis(), plan.lineTaps(),
                      frame.extent(*(contraction.result.extents.end() - 2)));
  lineExtent = frame.extent(*(contraction.lhs.extents.end() - 2));
  std::tie(firstChannel, endChannel) =
      channelsOf(plan, ops.rem(frame.tile, counts.chunks));
  rhs = frame.argument(cast<BlockArgument>(contraction.rhs.value));
  rhsOrigin = ops.constant(0);
  for (const WindowAxis &axis : plan.groups.windows.axes)
    tapStrides.push_back(frame.extent(contraction.rhs.strideOf(axis.tap)));
  channelStride =
      frame.extent(contraction.rhs.strideOf(plan.groups.windows.channel));
}

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
  forEachChannelVector(plan, elements, firstChannel, endChannel,
                       [&](const ChannelVector &vector) {
                         reduction->storePart(
                             elements, zero, vector.first, vector.lanes,
                             reduction->getSums().endPart(
                                 reduction->getSums().beginPart(vector.lanes)));
                       });
}

void GroupedPositions::emitLines() {
  if (!hasColumnsInOrder(plan))
    copyFilter();
  if (reduction)
    leaveNothing();
  Value part = ops.div(frame.tile, counts.chunks);
  auto beginOf = [&](Value number) {
    return ops.div(ops.mul(number, counts.lines), counts.parts);
  };
  buildFor(builder, loc, beginOf(part), beginOf(ops.add(part, ops.constant(1))),
           1, [&](Value number) {
             ResultLine line = lineAt(number);
             forEachChannelVector(plan, elements, firstChannel, endChannel,
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
  Value begin = ops.add(rhsOrigin, vector.first);
  SmallVector<Value> totals;
  if (reduction)
    totals = reduction->getSums().beginPart(vector.lanes);
  for (const LinePhase &phase : phases)
    totals = emitLineTiles(
        frame, phase, lineExtent, positionsOf(plan), totals,
        [&](const LineTile &tile, ValueRange carried) -> SmallVector<Value> {
          SmallVector<Value> zeros(tile.size, buildZero(plan, vector.lanes));
          SmallVector<Value> sums = sumOuter(line, tile, vector, /*axis=*/0,
                                             line.lhsBegin, begin, zeros);
          return finish(line, tile, vector, sums, carried);
        });
  if (reduction)
    reduction->storePart(elements, number, vector.first, vector.lanes,
                         reduction->getSums().endPart(totals));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Sums over the taps of the axes from `axis` on, one loop for each axis.
SmallVector<Value>
GroupedPositions::sumOuter(const ResultLine &line, const LineTile &tile,
                           const ChannelVector &vector, unsigned axis,
                           Value lhs, Value rhs, ValueRange sums) const {
  if (axis == line.ranges.size())
    return sumChannels(tile, vector, lhs, rhs, sums);
  const TapRange &range = line.ranges[axis];
  Value lhsStride = plan.strideOf(plan.contraction.lhs, axis + 1);
  return emitCarryLoop(
      frame, range.begin, range.end, 1, sums,
      [&](Value step, ValueRange carried) {
        Value element = ops.add(range.firstElement,
                                ops.mul(step, ops.constant(range.elementStep)));
        Value tap =
            ops.add(range.firstTap, ops.mul(step, ops.constant(range.tapStep)));
        return sumOuter(line, tile, vector, axis + 1,
                        ops.add(lhs, ops.mul(element, lhsStride)),
                        ops.add(rhs, ops.mul(tap, tapStrides[axis])), carried);
      });
}

SmallVector<Value> GroupedPositions::sumChannels(const LineTile &tile,
                                                 const ChannelVector &vector,
                                                 Value lhs, Value rhs,
                                                 ValueRange sums) const {
  bool isPattern =
      plan.access == LaneAccess::pattern && vector.lanes > 1 && !vector.mask;
  if (isPattern && plan.groups.channels == plan.groups.columns &&
      plan.groups.channels <= tuning::kMaxPatternChannels) {
    SmallVector<Value> next(sums);
    for (int64_t number = 0; number < plan.groups.channels; ++number) {
      Value channel = ops.constant(number);
      next =
          sumTaps(tile, vector, lhs,
                  ops.add(rhs, ops.mul(channel, channelStride)), channel, next);
    }
    return next;
  }
  return emitCarryLoop(
      frame, ops.constant(0), ops.constant(plan.groups.channels), 1, sums,
      [&](Value channel, ValueRange carried) {
        return sumTaps(tile, vector, lhs,
                       ops.add(rhs, ops.mul(channel, channelStride)), channel,
                       carried);
      });
}

/// Sums over the taps along the line. Each element is loaded once for all
/// positions that read it.
SmallVector<Value> GroupedPositions::sumTaps(const LineTile &tile,
                                             const ChannelVector &vector,
                                             Value lhs, Value rhs,
                                             Value channel,
                                             ValueRange start) const {
  SmallVector<Value> sums(start), factors(tile.phase.taps.size());
  Value stride = plan.strideOf(plan.contraction.lhs, plan.taps.size());
  auto factorOf = [&](unsigned number) {
    if (!factors[number]) {
      Value tap = ops.constant(tile.phase.taps[number].index);
      factors[number] =
          loadElements(builder, loc, this->rhs,
                       ops.add(rhs, ops.mul(tap, tapStrides.back())),
                       {vector.lanes, vector.mask});
    }
    return factors[number];
  };
  for (const auto &[distance, reads] : tile.findReads()) {
    Value element =
        loadPresent(plan, tile, distance, vector.lanes, [&](Value index) {
          return loadLanes(plan, vector, ops.add(lhs, ops.mul(index, stride)),
                           channel);
        });
    if (!element)
      continue;
    for (const LineTile::Read &read : reads)
      sums[read.position] =
          multiplyAdd(plan, element, factorOf(read.tap), sums[read.position]);
  }
  return sums;
}

/// Copies the part of the rhs that the tile reads, with contiguous channels of
/// the result. The copy replaces the rhs from then on.
void GroupedPositions::copyFilter() {
  const ContractionTensor &filter = plan.contraction.rhs;
  const GroupedWindows &groups = plan.groups;
  Value columns = ops.constant(groups.columns),
        columnStride = frame.extent(filter.strideOf(groups.column)),
        groupStride = frame.extent(filter.strideOf(groups.group));
  SmallVector<Value> extents;
  for (int64_t taps : plan.taps)
    extents.push_back(ops.constant(taps));
  Value zero = ops.constant(0), all = ops.constant(groups.channels),
        chunk = ops.constant(plan.chunk);
  auto copy = [&](Value from, Value to, Value result) {
    Value group = ops.div(result, columns), column = ops.rem(result, columns);
    from = ops.add(from, ops.add(ops.mul(group, groupStride),
                                 ops.mul(column, columnStride)));
    storeElements(builder, loc, scratch.filter,
                  ops.add(to, ops.sub(result, firstChannel)),
                  loadElements(builder, loc, rhs, from, {}), {});
  };
  buildFor(builder, loc, zero, ops.constant(llvm::product_of(plan.taps)), 1,
           [&](Value at) {
             Value tap = zero;
             for (auto [digit, stride] :
                  llvm::zip_equal(splitIndex(ops, at, extents), tapStrides))
               tap = ops.add(tap, ops.mul(digit, stride));
             buildFor(builder, loc, zero, all, 1, [&](Value channel) {
               Value from = ops.add(tap, ops.mul(channel, channelStride));
               Value to = ops.mul(ops.add(ops.mul(at, all), channel), chunk);
               buildFor(builder, loc, firstChannel, endChannel, 1,
                        [&](Value result) { copy(from, to, result); });
             });
           });
  rhs = scratch.filter;
  channelStride = chunk;
  rhsOrigin = ops.sub(zero, firstChannel);
  int64_t stride = groups.channels * plan.chunk;
  for (size_t axis = plan.taps.size(); axis-- > 0; stride *= plan.taps[axis])
    tapStrides[axis] = ops.constant(stride);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Computes outputs from the sums of a tile: from registers or, if there are
/// many ops, position by position from memory. Returns the totals of the
/// reductions, including the positions of the tile.
SmallVector<Value> GroupedPositions::finish(const ResultLine &line,
                                            const LineTile &tile,
                                            const ChannelVector &vector,
                                            ValueRange sums,
                                            ValueRange totals) {
  auto storeAt = [&](Value number, Value sum, ValueRange carried) {
    elements.setBarrier(builder.getInsertionBlock());
    elements.provide(plan.contraction.result.value,
                     [sum](const Position &, unsigned) { return sum; });
    return store(line, tile.phase.positionOf(ops, ops.add(tile.first, number)),
                 vector, carried);
  };
  SmallVector<Value> carried(totals);
  Value scratchLanes = ops.constant(plan.lanes);
  for (auto [number, sum] : llvm::enumerate(sums)) {
    Value at = ops.constant(number);
    if (takesRegisters(plan))
      carried = storeAt(at, sum, carried);
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
                         return storeAt(number, sum, carried);
                       });
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
  return GroupedPositions(plan, counts, takeScratch(plan), reductions,
                          reduction ? &*reduction : nullptr)
      .emit();
}
