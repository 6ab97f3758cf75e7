//===- GroupedFilter.cpp - gradients of grouped filters -------------------===//
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedEmitters.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedFilterLines.h"
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
  GroupedFilter(const GroupedPlan &plan, const GroupedSlices &slices);

  LogicalResult emit();

private:
  /// Some lines of a summation block, which all channels of a chunk read while
  /// they are in the caches.
  struct Visit {
    Value slice, begin, end;
    /// The first channel of the chunk.
    Value chunk = {};
    /// True if the visit has the first or the last lines of its block, and if
    /// the block is the first one of the slice.
    Value beginsBlock = {}, endsBlock = {}, isInFirstBlock = {};
  };

  void emitSlice();
  Visit findVisit(Value slice, Value begin, Value first, Value end);
  void emitPass(const TapPass &pass, const Visit &visit,
                const ChannelVector &vector, Value channel);
  Value chainOffset(int64_t tap, const Visit &visit,
                    const ChannelVector &vector, Value channel);
  void addSum(const Visit &visit, int64_t tap, Value channel,
              const ChannelVector &vector, Value sum);
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
  /// summation block. `chains` is scratch memory for the sums of a block from
  /// one visit to the next, [taps][channels of a group][channels of a chunk];
  /// its pointer is null if a visit has whole blocks. `lanesMemory` is scratch
  /// memory for one vector.
  Elements partials, chains, lanesMemory;
  GroupedFilterLines filterLines;
  /// The number of channels of a group, and the number of channels that vectors
  /// run over.
  Value groupChannels, laneChannels;
  ElementEmitter elements;
};

} // namespace

GroupedFilter::GroupedFilter(const GroupedPlan &plan,
                             const GroupedSlices &slices)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), slices(slices), chunks(ops.constant(plan.countChunks())),
      lines(frame.extent(slices.lines)),
      sliceCount(frame.extent(slices.slices)), partials{{}, plan.type},
      chains{{}, plan.type}, lanesMemory{{}, plan.type}, filterLines(plan),
      groupChannels(ops.constant(plan.groups.channels)),
      laneChannels(frame.extent(plan.laneChannels)), elements(frame) {
  int64_t bytes = elementBytes(plan.type);
  if (slices.sliceLines) {
    AffineExpr size =
        plan.laneChannels * slices.slices * (countRows(plan) * bytes);
    partials.pointer = frame.takePartials({size}, {size})[0];
  }
  bool usesLanes = plan.sharesRhs && plan.groups.channels > 1;
  int64_t chainElements =
      slices.hasPartialBlocks() ? countRows(plan) * plan.chunk : 0;
  MLIRContext *context = plan.type.getContext();
  SmallVector<Value> scratch = frame.takeScratch(
      {getAffineConstantExpr(chainElements * bytes, context),
       getAffineConstantExpr(usesLanes ? plan.lanes * bytes : 0, context)});
  if (chainElements)
    chains.pointer = scratch[0];
  if (usesLanes)
    lanesMemory.pointer = scratch[1];
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
  auto [chunkBegin, chunkEnd] = channelsOf(plan, ops.rem(frame.tile, chunks));
  // Without lines, one visit stores zeros.
  Value begin = ops.constant(0), end = lines,
        bound = ops.max(lines, ops.constant(1));
  if (slices.sliceLines) {
    begin = ops.mul(slice, ops.constant(*slices.sliceLines));
    end = ops.min(lines, ops.add(begin, ops.constant(*slices.sliceLines)));
    bound = end;
  }
  buildFor(builder, loc, begin, bound, slices.visitLines, [&](Value first) {
    Visit visit = findVisit(slice, begin, first, end);
    visit.chunk = chunkBegin;
    forEachChannelVector(
        plan, elements, chunkBegin, chunkEnd, [&](const ChannelVector &vector) {
          emitCarryLoop(frame, ops.constant(0), groupChannels, 1, {},
                        [&](Value channel, ValueRange) -> SmallVector<Value> {
                          for (const TapPass &pass : choosePasses(plan))
                            emitPass(pass, visit, vector, channel);
                          return {};
                        });
        });
  });
}

/// Returns the visit that begins with line `first` of a slice [begin, end).
GroupedFilter::Visit GroupedFilter::findVisit(Value slice, Value begin,
                                              Value first, Value end) {
  auto isEqual = [&](Value a, Value b) {
    return ops.compare(arith::CmpIPredicate::eq, a, b);
  };
  Value visitEnd =
      ops.min(end, ops.add(first, ops.constant(slices.visitLines)));
  Visit visit{slice, first, visitEnd};
  visit.beginsBlock = visit.isInFirstBlock = isEqual(first, begin);
  visit.endsBlock = isEqual(visitEnd, end);
  if (!slices.blockLines)
    return visit;
  Value size = ops.constant(*slices.blockLines), zero = ops.constant(0);
  visit.beginsBlock = isEqual(ops.rem(first, size), zero);
  visit.endsBlock = builder.createOrFold<arith::OrIOp>(
      loc, visit.endsBlock, isEqual(ops.rem(visitEnd, size), zero));
  visit.isInFirstBlock =
      ops.compare(arith::CmpIPredicate::slt, ops.sub(first, begin), size);
  return visit;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Adds the products of the lines of a visit to the sums of a pass, and adds
/// those of a whole block to the sums of the slice.
void GroupedFilter::emitPass(const TapPass &pass, const Visit &visit,
                             const ChannelVector &vector, Value channel) {
  int64_t firstTap = pass.first * plan.lineTaps();
  SmallVector<Value> sums;
  for (int64_t tap = 0; tap < pass.count * plan.lineTaps(); ++tap) {
    Value sum = buildZero(plan, vector.lanes);
    if (chains.pointer)
      sum = arith::SelectOp::create(
          builder, loc, visit.beginsBlock, sum,
          loadElements(builder, loc, chains,
                       chainOffset(firstTap + tap, visit, vector, channel),
                       {vector.lanes, vector.mask}));
    sums.push_back(sum);
  }
  sums =
      buildFor(builder, loc, visit.begin, visit.end, 1, sums,
               [&](Value line, ValueRange carried) {
                 return filterLines.add(pass, line, vector, channel, carried);
               });
  auto endBlock = [&] {
    for (auto [index, sum] : llvm::enumerate(sums)) {
      int64_t tap = firstTap + index;
      if (partials.pointer)
        addSum(visit, tap, channel, vector, sum);
      else
        store(ops.constant(tap), channel, vector, sum);
    }
  };
  if (!chains.pointer)
    return endBlock();
  for (auto [tap, sum] : llvm::enumerate(sums))
    storeElements(builder, loc, chains,
                  chainOffset(firstTap + tap, visit, vector, channel), sum,
                  {vector.lanes, vector.mask});
  auto branch = scf::IfOp::create(builder, loc, visit.endsBlock);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  endBlock();
}

/// Returns the offset of the sum of a tap that the next visit continues.
Value GroupedFilter::chainOffset(int64_t tap, const Visit &visit,
                                 const ChannelVector &vector, Value channel) {
  Value row = ops.add(ops.mul(ops.constant(tap), groupChannels), channel);
  return ops.add(ops.mul(row, ops.constant(plan.chunk)),
                 ops.sub(vector.first, visit.chunk));
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Adds the sum of a block to the sums of its slice or, if it is the first
/// block, to zero.
void GroupedFilter::addSum(const Visit &visit, int64_t tap, Value channel,
                           const ChannelVector &vector, Value sum) {
  Value row = ops.add(ops.mul(ops.constant(tap), groupChannels), channel);
  row = ops.add(ops.mul(visit.slice, ops.constant(countRows(plan))), row);
  Value offset = ops.add(ops.mul(row, laneChannels), vector.first);
  Lanes lanes{vector.lanes, vector.mask};
  Value start = buildZero(plan, vector.lanes);
  if (*slices.sliceLines != *slices.blockLines)
    start = arith::SelectOp::create(
        builder, loc, visit.isInFirstBlock, start,
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
  return GroupedFilter(plan, slices).emit();
}
