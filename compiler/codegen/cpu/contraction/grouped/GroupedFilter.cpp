//===- GroupedFilter.cpp - gradients of grouped filters -------------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedEmitters.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedFilterPlan.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits one tile of the launch: a split-K slice of the sums of a chunk of
/// channels, or the finalize step.
class GroupedFilter {
public:
  /// `lanesMemory` has room for a vector.
  GroupedFilter(const GroupedPlan &plan, const GroupedSlices &slices,
                Elements partials, Elements lanesMemory);

  LogicalResult emit();

private:
  void emitSlice();
  void emitPass(const TapPass &pass, Value slice, const ChannelVector &vector,
                Value channel);
  SmallVector<Value> sumLine(const TapPass &pass, Value line,
                             const ChannelVector &vector, Value channel,
                             ValueRange sums) const;
  Value lhsLineOf(int64_t tap, ArrayRef<Value> index, Value &isInside) const;
  SmallVector<Value> sumTile(const LineTile &tile, const ChannelVector &vector,
                             Value channel, Value lhs, Value rhs,
                             ValueRange start) const;
  void sumBlock(const TapPass &pass, Value begin, Value end,
                const ChannelVector &vector, Value channel,
                function_ref<void(int64_t tap, Value sum)> store) const;
  void addSum(Value slice, int64_t tap, Value channel,
              const ChannelVector &vector, Value sum, Value isFirst);
  Value addSlices(Value begin, Value end, Value row,
                  const ChannelVector &vector) const;
  Value addAllSlices(Value row, const ChannelVector &vector) const;
  void finalize();
  void store(Value tap, Value channel, const ChannelVector &vector, Value sum);
  void storeLanes(Value tap, Value channel, Value first, unsigned lanes,
                  Value sum);

  const GroupedPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  const GroupedSlices &slices;
  Value chunks, lines, sliceCount;
  /// `partials` is the partials buffer, [slices][taps][channels of a
  /// group][channels of the lanes]; its pointer is null if there is only one
  /// summation block. `lanesMemory` is scratch memory for one vector.
  Elements partials, lanesMemory;
  LinePhase line;
  Elements rhs;
  Value lineExtent, rhsStride;
  /// The number of channels of a group, and the number of channels that vectors
  /// run over.
  Value groupChannels, laneChannels;
  ElementEmitter elements;
};

} // namespace

/// Returns the number of positions of a tile along a line. One iteration of the
/// loop over positions sums over one tile.
static unsigned positionsOf(const GroupedPlan &plan) {
  int64_t maxPositions = std::min(tuning::kMaxLinePositions,
                                  tuning::kMaxLineProducts /
                                      (plan.lineTaps() * countOuterTaps(plan)));
  return std::max<int64_t>(1, maxPositions);
}

GroupedFilter::GroupedFilter(const GroupedPlan &plan,
                             const GroupedSlices &slices, Elements partials,
                             Elements lanesMemory)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), slices(slices), chunks(ops.constant(plan.countChunks())),
      lines(frame.extent(slices.lines)),
      sliceCount(frame.extent(slices.slices)), partials(partials),
      lanesMemory(lanesMemory), elements(frame) {
  const ContractionTensor &lhs = plan.contraction.lhs,
                          &factors = plan.contraction.rhs;
  line = findPhases(frame, plan.lineAxis(), plan.lineTaps(),
                    frame.extent(*(factors.extents.end() - 2)))[0];
  lineExtent = frame.extent(*(lhs.extents.end() - 2));
  rhs = frame.argument(cast<BlockArgument>(factors.value));
  rhsStride = frame.extent(factors.extents.back());
  groupChannels = ops.constant(plan.groups.channels);
  laneChannels = frame.extent(plan.laneChannels);
}

LogicalResult GroupedFilter::emit() {
  if (!partials.pointer) {
    emitSlice();
    return failure(elements.hasFailed());
  }
  Value isSlice = ops.compare(arith::CmpIPredicate::slt, frame.tile,
                              ops.mul(chunks, sliceCount));
  auto branch =
      scf::IfOp::create(builder, loc, isSlice, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitSlice();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  finalize();
  return failure(elements.hasFailed());
}

void GroupedFilter::emitSlice() {
  Value slice = ops.div(frame.tile, chunks);
  auto [begin, end] = channelsOf(plan, ops.rem(frame.tile, chunks));
  forEachChannelVector(
      plan, elements, begin, end, [&](const ChannelVector &vector) {
        emitCarryLoop(frame, ops.constant(0), groupChannels, 1, {},
                      [&](Value channel, ValueRange) -> SmallVector<Value> {
                        for (const TapPass &pass : choosePasses(plan))
                          emitPass(pass, slice, vector, channel);
                        return {};
                      });
      });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void GroupedFilter::emitPass(const TapPass &pass, Value slice,
                             const ChannelVector &vector, Value channel) {
  Value zero = ops.constant(0);
  if (!partials.pointer)
    return sumBlock(pass, zero, lines, vector, channel,
                    [&](int64_t tap, Value sum) {
                      store(ops.constant(tap), channel, vector, sum);
                    });
  Value begin = ops.mul(slice, ops.constant(*slices.sliceLines));
  Value end = ops.min(lines, ops.add(begin, ops.constant(*slices.sliceLines)));
  buildFor(builder, loc, begin, end, *slices.blockLines, [&](Value first) {
    Value isFirst = ops.compare(arith::CmpIPredicate::eq, first, begin);
    Value blockEnd =
        ops.min(end, ops.add(first, ops.constant(*slices.blockLines)));
    sumBlock(pass, first, blockEnd, vector, channel,
             [&](int64_t tap, Value sum) {
               addSum(slice, tap, channel, vector, sum, isFirst);
             });
  });
}

/// Sums over the lines [begin, end), a summation block, and calls `store` with
/// the sum of each tap of the pass.
void GroupedFilter::sumBlock(
    const TapPass &pass, Value begin, Value end, const ChannelVector &vector,
    Value channel, function_ref<void(int64_t tap, Value sum)> store) const {
  SmallVector<Value> sums(pass.count * plan.lineTaps(),
                          buildZero(plan, vector.lanes));
  sums = buildFor(builder, loc, begin, end, 1, sums,
                  [&](Value line, ValueRange carried) {
                    return sumLine(pass, line, vector, channel, carried);
                  });
  for (auto [tap, sum] : llvm::enumerate(sums))
    store(pass.first * plan.lineTaps() + tap, sum);
}

/// Returns the offset of the lhs line that a tap reads, for channel 0. Combines
/// `isInside`, which may be null, with the conditions that the line is inside
/// the lhs.
Value GroupedFilter::lhsLineOf(int64_t tap, ArrayRef<Value> index,
                               Value &isInside) const {
  const ContractionTensor &lhs = plan.contraction.lhs;
  SmallVector<int64_t> digits;
  for (int64_t taps : llvm::reverse(ArrayRef(plan.taps).drop_back())) {
    digits.push_back(tap % taps);
    tap /= taps;
  }
  Value offset = ops.mul(index[0], plan.strideOf(lhs, 0));
  for (auto [axis, window] : llvm::enumerate(plan.outerAxes())) {
    int64_t distance = digits[digits.size() - 1 - axis] * window.dilation;
    Value element =
        ops.add(ops.mul(index[axis + 1], ops.constant(window.stride)),
                ops.constant(distance));
    if (window.offset)
      element = ops.add(element, frame.extent(window.offset));
    // Compared as unsigned numbers, negative indices are large.
    Value isInExtent = ops.compare(arith::CmpIPredicate::ult, element,
                                   frame.extent(lhs.extents[axis + 1]));
    isInside = isInside ? builder.createOrFold<arith::AndIOp>(loc, isInside,
                                                              isInExtent)
                        : isInExtent;
    offset = ops.add(offset, ops.mul(element, plan.strideOf(lhs, axis + 1)));
  }
  return offset;
}

SmallVector<Value> GroupedFilter::sumLine(const TapPass &pass, Value number,
                                          const ChannelVector &vector,
                                          Value channel,
                                          ValueRange sums) const {
  SmallVector<Value> next;
  SmallVector<Value> index = lineIndexOf(frame, plan.contraction.rhs, number);
  Value rhsBegin = ops.add(ops.mul(ops.mul(number, line.count), rhsStride),
                           plan.sharesRhs ? channel : vector.first);
  for (int64_t tap = 0; tap < pass.count; ++tap) {
    ValueRange start = sums.slice(tap * plan.lineTaps(), plan.lineTaps());
    auto sumTiles = [&](Value lhsBegin) {
      return emitLineTiles(frame, line, lineExtent, positionsOf(plan), start,
                           [&](const LineTile &tile, ValueRange carried) {
                             return sumTile(tile, vector, channel, lhsBegin,
                                            rhsBegin, carried);
                           });
    };
    Value isInside;
    Value lhsBegin = lhsLineOf(pass.first + tap, index, isInside);
    if (!isInside) {
      llvm::append_range(next, sumTiles(lhsBegin));
      continue;
    }
    auto branch = scf::IfOp::create(builder, loc, start.getTypes(), isInside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, start);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, sumTiles(lhsBegin));
    llvm::append_range(next, branch.getResults());
  }
  return next;
}

/// Sums over the positions of a tile, in ascending order for each tap.
SmallVector<Value> GroupedFilter::sumTile(const LineTile &tile,
                                          const ChannelVector &vector,
                                          Value channel, Value lhs, Value rhs,
                                          ValueRange start) const {
  SmallVector<Value> sums(start), factors(tile.size);
  Value stride = plan.strideOf(plan.contraction.lhs, plan.taps.size());
  auto factorOf = [&](unsigned position) {
    if (!factors[position]) {
      Value offset =
          ops.mul(ops.add(tile.first, ops.constant(position)), rhsStride);
      Lanes lanes{vector.lanes, vector.mask};
      factors[position] =
          splatTo(builder, loc,
                  loadElements(builder, loc, this->rhs, ops.add(rhs, offset),
                               plan.sharesRhs ? Lanes() : lanes),
                  plan.sharesRhs ? vector.lanes : 1);
    }
    return factors[position];
  };
  for (const auto &[distance, reads] : tile.findReads()) {
    Value element =
        loadPresent(plan, tile, distance, vector.lanes, [&](Value index) {
          return loadLanes(plan, vector, ops.add(lhs, ops.mul(index, stride)),
                           plan.sharesRhs ? ops.constant(0) : channel);
        });
    if (!element)
      continue;
    for (const LineTile::Read &read : reads) {
      int64_t tap = tile.phase.taps[read.tap].index;
      sums[tap] =
          multiplyAdd(plan, element, factorOf(read.position), sums[tap]);
    }
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Adds the sum of a block to the sums of its slice or, if it is the first
/// block, to zero.
void GroupedFilter::addSum(Value slice, int64_t tap, Value channel,
                           const ChannelVector &vector, Value sum,
                           Value isFirst) {
  Value row = ops.add(ops.mul(ops.constant(tap), groupChannels), channel);
  row = ops.add(ops.mul(slice, ops.constant(countRows(plan))), row);
  Value offset = ops.add(ops.mul(row, laneChannels), vector.first);
  Lanes lanes{vector.lanes, vector.mask};
  Value start = buildZero(plan, vector.lanes);
  if (*slices.sliceLines != *slices.blockLines)
    start = arith::SelectOp::create(
        builder, loc, isFirst, start,
        loadElements(builder, loc, partials, offset, lanes));
  sum = arith::AddFOp::create(builder, loc, start, sum);
  storeElements(builder, loc, partials, offset, sum, lanes);
}

/// Adds the sums of the slices [begin, end) in order.
Value GroupedFilter::addSlices(Value begin, Value end, Value row,
                               const ChannelVector &vector) const {
  Value rows = ops.constant(countRows(plan));
  return buildFor(
      builder, loc, begin, end, 1, buildZero(plan, vector.lanes),
      [&](Value slice, ValueRange carried) -> SmallVector<Value> {
        Value sliceRow = ops.add(ops.mul(slice, rows), row);
        Value sums =
            loadElements(builder, loc, partials,
                         ops.add(ops.mul(sliceRow, laneChannels), vector.first),
                         {vector.lanes, vector.mask});
        return {arith::AddFOp::create(builder, loc, carried[0], sums)};
      })[0];
}

/// Adds the sums of all slices: those of each group, and then those of the
/// groups.
Value GroupedFilter::addAllSlices(Value row,
                                  const ChannelVector &vector) const {
  Value zero = ops.constant(0);
  if (!slices.hasGroups() || *slices.sliceLines != *slices.blockLines)
    return addSlices(zero, sliceCount, row, vector);
  Value size = ops.constant(*slices.groupBlocks);
  return buildFor(
      builder, loc, zero, sliceCount, *slices.groupBlocks,
      buildZero(plan, vector.lanes),
      [&](Value begin, ValueRange carried) -> SmallVector<Value> {
        Value end = ops.min(sliceCount, ops.add(begin, size));
        return {arith::AddFOp::create(builder, loc, carried[0],
                                      addSlices(begin, end, row, vector))};
      })[0];
}

/// Adds the slices in order, and stores the outputs.
void GroupedFilter::finalize() {
  Value zero = ops.constant(0);
  Value rows = ops.constant(countRows(plan));
  buildFor(builder, loc, zero, rows, 1, [&](Value row) {
    buildFor(builder, loc, zero, chunks, 1, [&](Value chunk) {
      auto [begin, end] = channelsOf(plan, chunk);
      forEachChannelVector(
          plan, elements, begin, end, [&](const ChannelVector &vector) {
            store(ops.div(row, groupChannels), ops.rem(row, groupChannels),
                  vector, addAllSlices(row, vector));
          });
    });
  });
}

/// Computes the outputs from a sum and stores them, lane by lane if the lanes
/// are not contiguous in the result.
void GroupedFilter::store(Value tap, Value channel, const ChannelVector &vector,
                          Value sum) {
  if (!plan.sharesRhs || plan.groups.channels == 1 || vector.lanes == 1)
    return storeLanes(tap, channel, vector.first, vector.lanes, sum);
  storeElements(builder, loc, lanesMemory, ops.constant(0), sum,
                {vector.lanes, {}});
  Value count =
      ops.min(ops.constant(vector.lanes), ops.sub(laneChannels, vector.first));
  buildFor(builder, loc, ops.constant(0), count, 1, [&](Value lane) {
    storeLanes(tap, channel, ops.add(vector.first, lane), /*lanes=*/1,
               loadElements(builder, loc, lanesMemory, lane, {}));
  });
}

void GroupedFilter::storeLanes(Value tap, Value channel, Value first,
                               unsigned lanes, Value sum) {
  SmallVector<Value> extents;
  for (int64_t taps : plan.taps)
    extents.push_back(ops.constant(taps));
  Position position;
  position.index = splitIndex(ops, tap, extents);
  if (plan.sharesRhs)
    position.index.append({first, channel});
  else
    position.index.append({channel, first});
  position.laneStep.assign(position.index.size(), 0);
  *(position.laneStep.end() - (plan.sharesRhs ? 2 : 1)) = lanes > 1 ? 1 : 0;
  elements.setBarrier(builder.getInsertionBlock());
  elements.provide(plan.contraction.result.value,
                   [sum](const Position &, unsigned) { return sum; });
  auto outputs =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  storeOutputs(elements, outputs, lanes, [&](Value) { return position; });
}

LogicalResult tg::emitGroupedFilter(const GroupedPlan &plan) {
  KernelFrame &frame = plan.frame;
  GroupedSlices slices(plan);
  frame.setTiles([&](EntryExtents &entry) {
    IntegerOps ops = entry.integers();
    return ops.mul(ops.constant(plan.countChunks()), entry.get(slices.slices));
  });
  Elements partials{{}, plan.type};
  if (slices.sliceLines) {
    AffineExpr bytes = plan.laneChannels * slices.slices *
                       (countRows(plan) * elementBytes(plan.type));
    partials.pointer = frame.takePartials({bytes}, {bytes})[0];
  }
  Elements lanesMemory{{}, plan.type};
  if (plan.sharesRhs && plan.groups.channels > 1)
    lanesMemory.pointer = frame.takeScratch({getAffineConstantExpr(
        plan.lanes * elementBytes(plan.type), frame.kernel.getContext())})[0];
  return GroupedFilter(plan, slices, partials, lanesMemory).emit();
}
