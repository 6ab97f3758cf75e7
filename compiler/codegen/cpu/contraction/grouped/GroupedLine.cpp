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
  Value offset = offsetOf(frame, axis), divisor = ops.constant(axis.divisor);
  SmallVector<LinePhase> phases;
  for (int64_t number = 0; number < axis.divisor; ++number) {
    LinePhase &phase = phases.emplace_back();
    phase.positionStep = axis.divisor;
    phase.elementStep = axis.stride;
    for (int64_t tap = 0; tap < taps; ++tap)
      if ((number + tap * axis.dilation) % axis.divisor == 0)
        phase.taps.push_back(
            {tap, (number + tap * axis.dilation) / axis.divisor});
    llvm::sort(phase.taps,
               [](const LinePhase::Tap &one, const LinePhase::Tap &other) {
                 return one.shift < other.shift;
               });
    phase.firstElement = offset;
    phase.firstPosition = ops.constant(0);
    phase.count = positions;
    if (axis.divisor == 1)
      continue;
    Value shifted = ops.sub(offset, ops.constant(number));
    phase.firstElement =
        ops.floorDiv(ops.add(shifted, ops.constant(axis.divisor - 1)), divisor);
    phase.firstPosition =
        ops.sub(ops.mul(phase.firstElement, divisor), shifted);
    Value left =
        ops.max(ops.constant(0), ops.sub(positions, phase.firstPosition));
    phase.count = ops.ceilDiv(left, divisor);
  }
  return phases;
}

/// Returns the first tap that reads an element, or `none` if no tap does. Tap t
/// reads element (at + t * dilation) / divisor if the division is exact.
static Value findFirstTap(KernelFrame &frame, const WindowAxis &axis, Value at,
                          int64_t tapStep, Value none) {
  IntegerOps ops = frame.integers();
  Value first = none, divisor = ops.constant(axis.divisor);
  for (int64_t tap = tapStep; tap-- > 0;) {
    Value moved = ops.add(at, ops.constant(tap * axis.dilation));
    Value whole = ops.mul(ops.floorDiv(moved, divisor), divisor);
    Value meets = ops.compare(arith::CmpIPredicate::eq, whole, moved);
    first = frame.builder.createOrFold<arith::SelectOp>(
        frame.loc, meets, ops.constant(tap), first);
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
  Value zero = ops.constant(0), count = ops.constant(taps);
  Value at = ops.add(ops.mul(position, ops.constant(axis.stride)),
                     offsetOf(frame, axis));
  range.firstTap = axis.divisor == 1
                       ? zero
                       : findFirstTap(frame, axis, at, range.tapStep, count);
  range.firstElement = ops.floorDiv(
      ops.add(at, ops.mul(range.firstTap, ops.constant(axis.dilation))),
      ops.constant(axis.divisor));
  count = ops.ceilDiv(ops.max(zero, ops.sub(count, range.firstTap)),
                      ops.constant(range.tapStep));
  // Returns the number of steps until the element is `distance` further.
  auto stepsTo = [&](Value distance) {
    int64_t step = std::abs(range.elementStep);
    Value up = ops.add(distance, ops.constant(step - 1));
    return ops.min(count, ops.max(zero, ops.floorDiv(up, ops.constant(step))));
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

std::map<int64_t, SmallVector<LineTile::Meeting>>
LineTile::findMeetings() const {
  std::map<int64_t, SmallVector<Meeting>> meetings;
  for (unsigned position = 0; position < size; ++position)
    for (auto [number, tap] : llvm::enumerate(phase.taps))
      meetings[position * phase.elementStep + tap.shift].push_back(
          {position, unsigned(number)});
  return meetings;
}

Value LineTile::elementAt(IntegerOps ops, int64_t distance) const {
  Value begin = ops.mul(first, ops.constant(phase.elementStep));
  return ops.add(ops.add(phase.firstElement, begin), ops.constant(distance));
}

Presence LineTile::presenceOf(int64_t distance) const {
  if (isInner)
    return Presence::inside;
  auto number = [](Value value) { return constantNumber(value); };
  std::optional<int64_t> begin = number(first), end = number(extent),
                         element = number(phase.firstElement);
  if (!begin || !end || !element)
    return Presence::unknown;
  int64_t at = *element + *begin * phase.elementStep + distance;
  return at >= 0 && at < *end ? Presence::inside : Presence::outside;
}

namespace {
using TileBuilder =
    function_ref<SmallVector<Value>(const LineTile &tile, ValueRange carried)>;

/// Emits the tiles of one phase.
class TileLoops {
public:
  TileLoops(KernelFrame &frame, const LinePhase &phase, Value extent,
            unsigned most, TileBuilder build)
      : frame(frame), ops(frame.integers()), phase(phase), extent(extent),
        most(most), build(build) {}

  SmallVector<Value> emit(ValueRange initial) const;

private:
  SmallVector<Value> emitKnown(int64_t count, int64_t size,
                               ValueRange initial) const;
  SmallVector<Value> emitUnknown(ValueRange initial) const;
  std::pair<int64_t, int64_t> findInner(int64_t count, int64_t size) const;
  SmallVector<Value> emitLoop(Value begin, Value end, unsigned size,
                              bool isInner, ValueRange initial) const;

  KernelFrame &frame;
  IntegerOps ops;
  const LinePhase &phase;
  Value extent;
  unsigned most;
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
std::pair<int64_t, int64_t> TileLoops::findInner(int64_t count,
                                                 int64_t size) const {
  auto isInner = [&](int64_t tile) {
    LineTile candidate{phase, ops.constant(tile * size), unsigned(size), extent,
                       /*isInner=*/false};
    return llvm::all_of(candidate.findMeetings(), [&](const auto &meeting) {
      return candidate.presenceOf(meeting.first) == Presence::inside;
    });
  };
  int64_t whole = count / size, begin = 0;
  while (begin < whole && !isInner(begin))
    ++begin;
  int64_t end = begin;
  while (end < whole && isInner(end))
    ++end;
  return {begin, end};
}

SmallVector<Value> TileLoops::emitKnown(int64_t count, int64_t size,
                                        ValueRange initial) const {
  auto [begin, end] = findInner(count, size);
  SmallVector<Value> carried(initial);
  auto emitBorder = [&](int64_t first, int64_t last) {
    for (int64_t at = first; at < last; at += size) {
      unsigned positions = std::min(size, last - at);
      carried = build({phase, ops.constant(at), positions, extent,
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

SmallVector<Value> TileLoops::emitUnknown(ValueRange initial) const {
  Value zero = ops.constant(0), begin = zero, end = phase.count;
  if (!phase.taps.empty()) {
    Value step = ops.constant(phase.elementStep);
    auto numberAt = [&](Value distance) {
      Value up = ops.add(distance, ops.constant(phase.elementStep - 1));
      return ops.min(phase.count, ops.max(zero, ops.floorDiv(up, step)));
    };
    Value front =
        ops.add(phase.firstElement, ops.constant(phase.taps.front().shift));
    Value back =
        ops.add(phase.firstElement, ops.constant(phase.taps.back().shift));
    begin = numberAt(ops.sub(zero, front));
    end = ops.max(begin, numberAt(ops.sub(extent, back)));
  }
  Value whole =
      ops.add(begin, ops.roundDown(ops.sub(end, begin), int64_t(most)));
  SmallVector<Value> carried(initial);
  carried = emitLoop(zero, begin, 1, /*isInner=*/false, carried);
  carried = emitLoop(begin, whole, most, /*isInner=*/true, carried);
  carried = emitLoop(whole, end, 1, /*isInner=*/true, carried);
  return emitLoop(end, phase.count, 1, /*isInner=*/false, carried);
}

SmallVector<Value> TileLoops::emit(ValueRange initial) const {
  std::optional<int64_t> count = constantNumber(phase.count);
  if (count == 0)
    return initial;
  if (!count || !constantNumber(phase.firstElement) || !constantNumber(extent))
    return emitUnknown(initial);
  int64_t tiles = llvm::divideCeil(*count, most);
  int64_t size = llvm::divideCeil(*count, tiles);
  auto [begin, end] = findInner(*count, size);
  if (llvm::divideCeil(*count, size) - (end - begin) > tuning::kMaxBorderTiles)
    return emitUnknown(initial);
  return emitKnown(*count, size, initial);
}

SmallVector<Value> tg::emitLineTiles(KernelFrame &frame, const LinePhase &phase,
                                     Value extent, unsigned most,
                                     ValueRange initial, TileBuilder build) {
  return TileLoops(frame, phase, extent, most, build).emit(initial);
}
