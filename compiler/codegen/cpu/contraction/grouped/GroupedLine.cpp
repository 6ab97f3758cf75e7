//===- GroupedLine.cpp - windows along a line, several at a time ----------===//
#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tg;

static Value offsetOf(KernelFrame &frame, const WindowAxis &axis) {
  return axis.offset ? frame.extent(axis.offset) : frame.integers().constant(0);
}

//===----------------------------------------------------------------------===//
// Positions and their taps
//===----------------------------------------------------------------------===//

// With a divisor, a tap of position x reads element
//   (x + offset + tap * dilation) / divisor.
// If x + offset is u * divisor + phase, that is element
//   u + (phase + tap * dilation) / divisor,
// for the taps for which the quotient is a whole number. These are the same
// taps for every u.
SmallVector<LinePhase> tg::findPhases(KernelFrame &frame,
                                      const WindowAxis &axis, int64_t taps,
                                      Value positions) {
  IntegerOps ops = frame.integers();
  Value offset = offsetOf(frame, axis);
  Value divisor = ops.constant(axis.divisor);
  SmallVector<LinePhase> phases;
  for (int64_t phaseIndex = 0; phaseIndex < axis.divisor; ++phaseIndex) {
    LinePhase &phase = phases.emplace_back();
    phase.positionStep = axis.divisor;
    phase.elementStep = axis.stride;
    for (int64_t tap = 0; tap < taps; ++tap)
      if ((phaseIndex + tap * axis.dilation) % axis.divisor == 0)
        phase.taps.push_back(
            {tap, (phaseIndex + tap * axis.dilation) / axis.divisor});
    llvm::sort(phase.taps,
               [](const LinePhase::Tap &one, const LinePhase::Tap &other) {
                 return one.shift < other.shift;
               });
    phase.firstElement = offset;
    phase.firstPosition = ops.constant(0);
    phase.count = positions;
    if (axis.divisor == 1)
      continue;
    Value shifted = ops.sub(offset, ops.constant(phaseIndex));
    phase.firstElement =
        ops.floorDiv(ops.add(shifted, ops.constant(axis.divisor - 1)), divisor);
    phase.firstPosition =
        ops.sub(ops.mul(phase.firstElement, divisor), shifted);
    Value remaining =
        ops.max(ops.constant(0), ops.sub(positions, phase.firstPosition));
    phase.count = ops.ceilDiv(remaining, divisor);
  }
  return phases;
}

/// Returns the first of the taps [0, tapStep) that reads an element, or `none`
/// if none does. Tap t reads element (dividend + t * dilation) / divisor if the
/// division is exact. The pattern repeats after `tapStep` taps.
static Value findFirstTap(KernelFrame &frame, const WindowAxis &axis,
                          Value dividend, int64_t tapStep, Value none) {
  IntegerOps ops = frame.integers();
  Value first = none;
  Value divisor = ops.constant(axis.divisor);
  for (int64_t tap = tapStep; tap-- > 0;) {
    Value tapDividend = ops.add(dividend, ops.constant(tap * axis.dilation));
    Value multiple = ops.mul(ops.floorDiv(tapDividend, divisor), divisor);
    Value isExact =
        ops.compare(arith::CmpIPredicate::eq, multiple, tapDividend);
    first = frame.builder.createOrFold<arith::SelectOp>(
        frame.loc, isExact, ops.constant(tap), first);
  }
  return first;
}

TapRange tg::findTaps(KernelFrame &frame, const WindowAxis &axis, int64_t taps,
                      Value extent, Value position) {
  IntegerOps ops = frame.integers();
  int64_t common = std::gcd(axis.divisor, axis.dilation);
  TapRange range;
  range.tapStep = axis.divisor / common;
  range.elementStep = axis.dilation / common;
  Value zero = ops.constant(0);
  Value tapCount = ops.constant(taps);
  Value dividend = ops.add(ops.mul(position, ops.constant(axis.stride)),
                           offsetOf(frame, axis));
  range.firstTap = axis.divisor == 1 ? zero
                                     : findFirstTap(frame, axis, dividend,
                                                    range.tapStep, tapCount);
  range.firstElement = ops.floorDiv(
      ops.add(dividend, ops.mul(range.firstTap, ops.constant(axis.dilation))),
      ops.constant(axis.divisor));
  Value stepCount =
      ops.ceilDiv(ops.max(zero, ops.sub(tapCount, range.firstTap)),
                  ops.constant(range.tapStep));
  // Returns the number of steps, from 0 to stepCount, after which the element
  // has moved by at least `distance`.
  auto stepsTo = [&](Value distance) {
    int64_t step = std::abs(range.elementStep);
    Value roundedUp = ops.add(distance, ops.constant(step - 1));
    return ops.min(stepCount,
                   ops.max(zero, ops.floorDiv(roundedUp, ops.constant(step))));
  };
  bool isAscending = range.elementStep > 0;
  Value last = ops.sub(extent, ops.constant(1));
  range.begin = stepsTo(isAscending ? ops.sub(zero, range.firstElement)
                                    : ops.sub(range.firstElement, last));
  range.end =
      stepsTo(isAscending ? ops.sub(extent, range.firstElement)
                          : ops.add(range.firstElement, ops.constant(1)));
  return range;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

SmallVector<Value> tg::lineIndexOf(KernelFrame &frame,
                                   const ContractionTensor &tensor,
                                   Value number) {
  SmallVector<Value> extents;
  for (AffineExpr extent : lineExtentsOf(tensor))
    extents.push_back(frame.extent(extent));
  return splitIndex(frame.integers(), number, extents);
}

ResultLine tg::findLine(KernelFrame &frame, const Contraction &contraction,
                        const WindowedLhs &windows, ArrayRef<int64_t> taps,
                        Value imageStride, Value number) {
  ResultLine line;
  line.index = lineIndexOf(frame, contraction.result, number);
  line.lhsBegin = frame.integers().mul(line.index[0], imageStride);
  for (auto [axis, window] :
       llvm::enumerate(ArrayRef(windows.axes).drop_back()))
    line.ranges.push_back(findTaps(
        frame, window, taps[axis],
        frame.extent(contraction.lhs.extents[axis + 1]), line.index[axis + 1]));
  return line;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

std::map<int64_t, SmallVector<LineTile::Read>> LineTile::findReads() const {
  std::map<int64_t, SmallVector<Read>> reads;
  for (unsigned position = 0; position < size; ++position)
    for (auto [tapIndex, tap] : llvm::enumerate(phase.taps))
      reads[position * phase.elementStep + tap.shift].push_back(
          {position, unsigned(tapIndex)});
  return reads;
}

Value LineTile::elementAt(IntegerOps ops, int64_t distance) const {
  Value begin = ops.mul(first, ops.constant(phase.elementStep));
  return ops.add(ops.add(phase.firstElement, begin), ops.constant(distance));
}

Presence LineTile::presenceOf(int64_t distance) const {
  if (isInner)
    return Presence::inside;
  auto constant = [](Value value) { return constantNumber(value); };
  std::optional<int64_t> begin = constant(first);
  std::optional<int64_t> end = constant(extent);
  std::optional<int64_t> element = constant(phase.firstElement);
  if (!begin || !end || !element)
    return Presence::unknown;
  int64_t index = *element + *begin * phase.elementStep + distance;
  return index >= 0 && index < *end ? Presence::inside : Presence::outside;
}

namespace {
using TileBuilder =
    function_ref<SmallVector<Value>(const LineTile &tile, ValueRange carried)>;

/// Emits the tiles of one phase.
class TileLoops {
public:
  TileLoops(KernelFrame &frame, const LinePhase &phase, Value extent,
            unsigned maxPositions, TileBuilder build)
      : frame(frame), ops(frame.integers()), phase(phase), extent(extent),
        maxPositions(maxPositions), build(build) {}

  SmallVector<Value> emit(ValueRange initial) const;

private:
  SmallVector<Value> emitStatic(int64_t count, int64_t size,
                                ValueRange initial) const;
  SmallVector<Value> emitDynamic(ValueRange initial) const;
  std::pair<int64_t, int64_t> findInnerTiles(int64_t count, int64_t size) const;
  SmallVector<Value> emitLoop(Value begin, Value end, unsigned size,
                              bool isInner, ValueRange initial) const;

  KernelFrame &frame;
  IntegerOps ops;
  const LinePhase &phase;
  Value extent;
  unsigned maxPositions;
  TileBuilder build;
};
} // namespace

SmallVector<Value> TileLoops::emitLoop(Value begin, Value end, unsigned size,
                                       bool isInner, ValueRange initial) const {
  return emitCarryLoop(
      frame, begin, end, size, initial, [&](Value first, ValueRange carried) {
        return build({phase, first, size, extent, isInner}, carried);
      });
}

/// Returns the range [begin, end) of the whole tiles whose windows all lie
/// inside the lhs.
std::pair<int64_t, int64_t> TileLoops::findInnerTiles(int64_t count,
                                                      int64_t size) const {
  auto isInner = [&](int64_t tile) {
    LineTile candidate{phase, ops.constant(tile * size), unsigned(size), extent,
                       /*isInner=*/false};
    return llvm::all_of(candidate.findReads(), [&](const auto &read) {
      return candidate.presenceOf(read.first) == Presence::inside;
    });
  };
  int64_t fullTiles = count / size, begin = 0;
  while (begin < fullTiles && !isInner(begin))
    ++begin;
  int64_t end = begin;
  while (end < fullTiles && isInner(end))
    ++end;
  return {begin, end};
}

SmallVector<Value> TileLoops::emitStatic(int64_t count, int64_t size,
                                         ValueRange initial) const {
  auto [begin, end] = findInnerTiles(count, size);
  SmallVector<Value> carried(initial);
  auto emitBorder = [&](int64_t first, int64_t last) {
    for (int64_t position = first; position < last; position += size) {
      unsigned positions = std::min(size, last - position);
      carried = build({phase, ops.constant(position), positions, extent,
                       /*isInner=*/false},
                      carried);
    }
  };
  emitBorder(0, begin * size);
  carried = emitLoop(ops.constant(begin * size), ops.constant(end * size), size,
                     /*isInner=*/true, carried);
  emitBorder(end * size, count);
  return carried;
}

SmallVector<Value> TileLoops::emitDynamic(ValueRange initial) const {
  Value zero = ops.constant(0);
  Value begin = zero;
  Value end = phase.count;
  if (!phase.taps.empty()) {
    Value step = ops.constant(phase.elementStep);
    auto firstPositionAt = [&](Value distance) {
      Value roundedUp = ops.add(distance, ops.constant(phase.elementStep - 1));
      return ops.min(phase.count, ops.max(zero, ops.floorDiv(roundedUp, step)));
    };
    Value front =
        ops.add(phase.firstElement, ops.constant(phase.taps.front().shift));
    Value back =
        ops.add(phase.firstElement, ops.constant(phase.taps.back().shift));
    begin = firstPositionAt(ops.sub(zero, front));
    end = ops.max(begin, firstPositionAt(ops.sub(extent, back)));
  }
  Value fullEnd =
      ops.add(begin, ops.roundDown(ops.sub(end, begin), int64_t(maxPositions)));
  SmallVector<Value> carried(initial);
  carried = emitLoop(zero, begin, 1, /*isInner=*/false, carried);
  carried = emitLoop(begin, fullEnd, maxPositions, /*isInner=*/true, carried);
  carried = emitLoop(fullEnd, end, 1, /*isInner=*/true, carried);
  return emitLoop(end, phase.count, 1, /*isInner=*/false, carried);
}

SmallVector<Value> TileLoops::emit(ValueRange initial) const {
  std::optional<int64_t> count = constantNumber(phase.count);
  if (count == 0)
    return initial;
  if (!count || !constantNumber(phase.firstElement) || !constantNumber(extent))
    return emitDynamic(initial);
  int64_t tiles = llvm::divideCeil(*count, maxPositions);
  int64_t size = llvm::divideCeil(*count, tiles);
  auto [begin, end] = findInnerTiles(*count, size);
  if (llvm::divideCeil(*count, size) - (end - begin) > tuning::kMaxBorderTiles)
    return emitDynamic(initial);
  return emitStatic(*count, size, initial);
}

SmallVector<Value> tg::emitLineTiles(KernelFrame &frame, const LinePhase &phase,
                                     Value extent, unsigned maxPositions,
                                     ValueRange initial, TileBuilder build) {
  return TileLoops(frame, phase, extent, maxPositions, build).emit(initial);
}
