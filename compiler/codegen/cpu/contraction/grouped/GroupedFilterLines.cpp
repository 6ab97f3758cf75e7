//===- GroupedFilterLines.cpp - lines in gradients of grouped filters -----===//
#include "compiler/codegen/cpu/contraction/grouped/GroupedFilterLines.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tg;

GroupedFilterLines::GroupedFilterLines(const GroupedPlan &plan)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops) {
  const ContractionTensor &lhs = plan.contraction.lhs,
                          &factors = plan.contraction.rhs;
  line = findPhases(frame, plan.lineAxis(), plan.lineTaps(),
                    frame.extent(*(factors.extents.end() - 2)))[0];
  lineExtent = frame.extent(*(lhs.extents.end() - 2));
  rhs = frame.argument(cast<BlockArgument>(factors.value));
  rhsStride = frame.extent(factors.extents.back());
}

/// Returns the number of positions of a tile along a line. One iteration of the
/// loop over positions sums over one tile.
static unsigned positionsOf(const GroupedPlan &plan) {
  int64_t maxPositions = std::min(tuning::kMaxLinePositions,
                                  tuning::kMaxLineProducts /
                                      (plan.lineTaps() * countOuterTaps(plan)));
  return std::max<int64_t>(1, maxPositions);
}

/// Returns the lhs line that a tap reads for a line of positions.
GroupedFilterLines::TapLine
GroupedFilterLines::tapLineOf(int64_t tap, ArrayRef<Value> index) const {
  const ContractionTensor &lhs = plan.contraction.lhs;
  SmallVector<int64_t> digits;
  for (int64_t taps : llvm::reverse(ArrayRef(plan.taps).drop_back())) {
    digits.push_back(tap % taps);
    tap /= taps;
  }
  TapLine line{ops.mul(index[0], plan.strideOf(lhs, 0))};
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
    line.isInside = line.isInside ? builder.createOrFold<arith::AndIOp>(
                                        loc, line.isInside, isInExtent)
                                  : isInExtent;
    line.lhs =
        ops.add(line.lhs, ops.mul(element, plan.strideOf(lhs, axis + 1)));
  }
  return line;
}

// If no tap is outside of the lhs, the taps of a pass share the factors of the
// rhs, and their chains of additions run side by side.
SmallVector<Value> GroupedFilterLines::add(const TapPass &pass, Value number,
                                           const ChannelVector &vector,
                                           Value channel,
                                           ValueRange sums) const {
  SmallVector<Value> index = lineIndexOf(frame, plan.contraction.rhs, number);
  Value rhsBegin = ops.add(ops.mul(ops.mul(number, line.count), rhsStride),
                           plan.sharesRhs ? channel : vector.first);
  SmallVector<TapLine> tapLines;
  Value areInside;
  for (int64_t tap = 0; tap < pass.count; ++tap) {
    TapLine tapLine = tapLineOf(pass.first + tap, index);
    areInside = areInside ? builder.createOrFold<arith::AndIOp>(
                                loc, areInside, tapLine.isInside)
                          : tapLine.isInside;
    tapLines.push_back(tapLine);
  }
  auto addTaps = [&](ArrayRef<TapLine> some, ValueRange start,
                     unsigned positions) {
    return emitLineTiles(frame, line, lineExtent, positions, start,
                         [&](const LineTile &tile, ValueRange carried) {
                           return addTile(tile, vector, channel, some, rhsBegin,
                                          carried);
                         });
  };
  auto addAll = [&] { return addTaps(tapLines, sums, positionsOf(plan)); };
  if (!areInside)
    return addAll();
  return buildIf(areInside, sums, addAll, [&] {
    SmallVector<Value> next;
    for (auto [tap, tapLine] : llvm::enumerate(tapLines)) {
      ValueRange start = sums.slice(tap * plan.lineTaps(), plan.lineTaps());
      llvm::append_range(
          next,
          buildIf(
              tapLine.isInside, start,
              [&] { return addTaps(tapLine, start, tuning::kBorderPositions); },
              [&] { return llvm::to_vector_of<Value>(start); }));
    }
    return next;
  });
}

/// Returns the sums that one of two branches returns.
SmallVector<Value> GroupedFilterLines::buildIf(
    Value condition, ValueRange sums,
    function_ref<SmallVector<Value>()> buildThen,
    function_ref<SmallVector<Value>()> buildElse) const {
  auto branch = scf::IfOp::create(builder, loc, sums.getTypes(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, buildThen());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, buildElse());
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Adds the products of the positions of a tile, in ascending order for each
/// tap.
SmallVector<Value>
GroupedFilterLines::addTile(const LineTile &tile, const ChannelVector &vector,
                            Value channel, ArrayRef<TapLine> tapLines,
                            Value rhs, ValueRange start) const {
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
  for (const auto &[distance, reads] : tile.findReads())
    for (auto [number, tapLine] : llvm::enumerate(tapLines)) {
      Value lhs = tapLine.lhs;
      Value element =
          loadPresent(plan, tile, distance, vector.lanes, [&](Value index) {
            return loadLanes(plan, vector, ops.add(lhs, ops.mul(index, stride)),
                             plan.sharesRhs ? ops.constant(0) : channel);
          });
      if (!element)
        continue;
      for (const LineTile::Read &read : reads) {
        int64_t tap = tile.phase.taps[read.tap].index;
        Value &sum = sums[number * plan.lineTaps() + tap];
        sum = multiplyAdd(plan, element, factorOf(read.position), sum);
      }
    }
  return sums;
}
