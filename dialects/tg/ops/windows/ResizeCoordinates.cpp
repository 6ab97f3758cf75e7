//===- ResizeCoordinates.cpp - source coordinates of resized positions ----===//
#include "dialects/tg/ops/windows/ResizeCoordinates.h"

using namespace mlir;
using namespace tg;

HostCoordinates::HostCoordinates(StringRef mode, StringRef coordinates,
                                 int64_t from, int64_t to)
    : isLinear(mode == "linear"), from(from), scale(from), offset(0),
      divisor(to) {
  if (coordinates == "half_pixel") {
    scale = 2 * from;
    offset = from - to;
    divisor = 2 * to;
  } else if (coordinates == "align_corners") {
    scale = from - 1;
    divisor = std::max<int64_t>(to - 1, 1);
  }
  if (isLinear || coordinates == "asymmetric")
    return;
  // Add half a position.
  scale *= 2;
  offset = 2 * offset + divisor;
  divisor *= 2;
}

Neighbours HostCoordinates::find(int64_t position) const {
  int64_t number = std::max<int64_t>(scale * position + offset, 0);
  int64_t lower = std::min(number / divisor, from - 1);
  if (!isLinear || lower == from - 1)
    return {lower, lower, 0.0};
  return {lower, lower + 1, double(number % divisor) / double(divisor)};
}

Coordinates::Coordinates(ElementBuilder &element, StringRef mode,
                         StringRef coordinates, Value from, Value to)
    : element(element), ops(element.integers()), isLinear(mode == "linear"),
      from(from), to(to), last(ops.sub(from, ops.constant(1))), scale(from),
      offset(ops.constant(0)), divisor(to) {
  Value one = ops.constant(1);
  if (coordinates == "half_pixel") {
    scale = ops.add(from, from);
    offset = ops.sub(from, to);
    divisor = ops.add(to, to);
  } else if (coordinates == "align_corners") {
    scale = last;
    divisor = ops.max(ops.sub(to, one), one);
  }
  if (isLinear || coordinates == "asymmetric")
    return;
  scale = ops.add(scale, scale);
  offset = ops.add(ops.add(offset, offset), divisor);
  divisor = ops.add(divisor, divisor);
}

NeighbourValues Coordinates::find(Value position) {
  Value zero = ops.constant(0), one = ops.constant(1);
  Value number = ops.max(ops.add(ops.mul(scale, position), offset), zero);
  Value lower = ops.min(ops.div(number, divisor), last);
  if (!isLinear)
    return {lower, lower, zero};
  Value isLast = isAtLeast(lower, last);
  Value rest = ops.sub(number, ops.mul(lower, divisor));
  return {lower, ops.min(ops.add(lower, one), last),
          choose(isLast, zero, rest)};
}

Value Coordinates::firstReaching(Value least) {
  Value distance = ops.sub(least, offset);
  Value step = ops.max(scale, ops.constant(1));
  return ops.min(ops.ceilDiv(ops.max(distance, ops.constant(0)), step), to);
}

/// Returns the upper bound on positions that use one element, or 0 if the
/// extents do not determine it. An inner element is used by the positions
/// within one unit of coordinates, or two for "linear". The first and the last
/// element are also used by clamped positions.
int64_t Coordinates::maxPositions() const {
  constexpr int64_t limit = int64_t(1) << 28;
  std::optional<int64_t> numbers[] = {
      constantNumber(from), constantNumber(to), constantNumber(scale),
      constantNumber(offset), constantNumber(divisor)};
  if (!llvm::all_of(numbers, [](auto number) { return number.has_value(); }) ||
      *numbers[0] > limit || *numbers[1] > limit || *numbers[2] < 1)
    return 0;
  auto [elements, positions, step, start, unit] = std::tuple(
      *numbers[0], *numbers[1], *numbers[2], *numbers[3], *numbers[4]);
  int64_t middle = llvm::divideCeil(isLinear ? 2 * unit : unit, step);
  int64_t first = llvm::divideCeil(std::max<int64_t>(unit - start, 0), step);
  int64_t bound = (elements - (isLinear ? 2 : 1)) * unit - start;
  int64_t rest =
      positions - std::max<int64_t>(bound + (isLinear ? 1 : 0), 0) / step;
  return std::max({middle, first, rest});
}

Span Coordinates::positionsOf(Value place) {
  Value zero = ops.constant(0), one = ops.constant(1);
  // Coordinates below the first element or above the last are clamped to it.
  Value isFirst = isAtLeast(zero, place);
  Value isLast = isAtLeast(place, last);
  // The span begins with the positions that have the element as their upper
  // neighbour. If there are none, it begins after the positions of the element
  // below.
  Value least = isLinear ? ops.add(ops.mul(ops.sub(place, one), divisor), one)
                         : ops.mul(place, divisor);
  Value end = ops.mul(ops.add(place, one), divisor);
  return {choose(isFirst, zero, firstReaching(least)),
          choose(isLast, to, firstReaching(end)), maxPositions(),
          /*isFull=*/false};
}

Value Coordinates::weight(Value rest, Type elementType) {
  OpBuilder &builder = element.builder;
  Type type = computeType(elementType);
  Value number = arith::SIToFPOp::create(builder, element.loc, type, rest);
  Value whole = arith::SIToFPOp::create(builder, element.loc, type, divisor);
  return arith::DivFOp::create(builder, element.loc, number, whole);
}
