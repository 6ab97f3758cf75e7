//===- GroupedSums.cpp - sums of products of positions --------------------===//
#include "compiler/codegen/cpu/contraction/grouped/GroupedSums.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;

/// Returns true if the channels of the result are contiguous in the rhs.
static bool hasColumnsInOrder(const GroupedPlan &plan) {
  const GroupedWindows &groups = plan.groups;
  const ContractionIndex &last = plan.contraction.rhs.indices.back();
  return groups.columns == 1 ? groups.channels == 1
                             : last.terms.back().dimension == groups.column;
}

int64_t GroupedSums::countCopiedElements(const GroupedPlan &plan) {
  return hasColumnsInOrder(plan)
             ? 0
             : llvm::product_of(plan.taps) * plan.groups.channels * plan.chunk;
}

GroupedSums::GroupedSums(const GroupedPlan &plan,
                         std::pair<Value, Value> channels, const Elements &copy)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), channels(channels), copy(copy) {
  const Contraction &contraction = plan.contraction;
  rhs = frame.argument(cast<BlockArgument>(contraction.rhs.value));
  rhsOrigin = ops.constant(0);
  for (const WindowAxis &axis : plan.groups.windows.axes)
    tapStrides.push_back(frame.extent(contraction.rhs.strideOf(axis.tap)));
  channelStride =
      frame.extent(contraction.rhs.strideOf(plan.groups.windows.channel));
}

Value GroupedSums::offsetOf(const ChannelVector &vector) const {
  return ops.add(rhsOrigin, vector.first);
}

SmallVector<Value> GroupedSums::emit(const ResultLine &line,
                                     const LineTile &tile,
                                     const ChannelVector &vector,
                                     Value filter) const {
  SmallVector<Value> zeros(tile.size, buildZero(plan, vector.lanes));
  return sumOuter(line, tile, vector, /*axis=*/0, line.lhsBegin, filter, zeros);
}

/// Sums over the taps of the axes from `axis` on, one loop for each axis.
SmallVector<Value> GroupedSums::sumOuter(const ResultLine &line,
                                         const LineTile &tile,
                                         const ChannelVector &vector,
                                         unsigned axis, Value lhs, Value rhs,
                                         ValueRange sums) const {
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

SmallVector<Value> GroupedSums::sumChannels(const LineTile &tile,
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
SmallVector<Value> GroupedSums::sumTaps(const LineTile &tile,
                                        const ChannelVector &vector, Value lhs,
                                        Value rhs, Value channel,
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
  // The taps of a position ascend, so along a reversed axis elements descend.
  std::map<int64_t, SmallVector<LineTile::Read>> readsAt = tile.findReads();
  auto elements = llvm::to_vector(llvm::make_first_range(readsAt));
  if (plan.lineAxis().dilation < 0)
    std::reverse(elements.begin(), elements.end());
  for (int64_t distance : elements) {
    Value element =
        loadPresent(plan, tile, distance, vector.lanes, [&](Value index) {
          return loadLanes(plan, vector, ops.add(lhs, ops.mul(index, stride)),
                           channel);
        });
    if (!element)
      continue;
    for (const LineTile::Read &read : readsAt[distance])
      sums[read.position] =
          multiplyAdd(plan, element, factorOf(read.tap), sums[read.position]);
  }
  return sums;
}

void GroupedSums::copyFilter() {
  if (hasColumnsInOrder(plan))
    return;
  const ContractionTensor &filter = plan.contraction.rhs;
  const GroupedWindows &groups = plan.groups;
  Value columns = ops.constant(groups.columns);
  Value columnStride = frame.extent(filter.strideOf(groups.column));
  Value groupStride = frame.extent(filter.strideOf(groups.group));
  SmallVector<Value> extents;
  for (int64_t taps : plan.taps)
    extents.push_back(ops.constant(taps));
  Value zero = ops.constant(0);
  Value all = ops.constant(groups.channels);
  Value chunk = ops.constant(plan.chunk);
  auto copyElement = [&](Value from, Value to, Value result) {
    Value group = ops.div(result, columns);
    Value column = ops.rem(result, columns);
    from = ops.add(from, ops.add(ops.mul(group, groupStride),
                                 ops.mul(column, columnStride)));
    storeElements(builder, loc, copy,
                  ops.add(to, ops.sub(result, channels.first)),
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
               buildFor(builder, loc, channels.first, channels.second, 1,
                        [&](Value result) { copyElement(from, to, result); });
             });
           });
  rhs = copy;
  channelStride = chunk;
  rhsOrigin = ops.sub(zero, channels.first);
  int64_t stride = groups.channels * plan.chunk;
  for (size_t axis = plan.taps.size(); axis-- > 0; stride *= plan.taps[axis])
    tapStrides[axis] = ops.constant(stride);
}
