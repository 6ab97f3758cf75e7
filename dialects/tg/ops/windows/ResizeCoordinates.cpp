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
  int64_t numerator = std::max<int64_t>(scale * position + offset, 0);
  int64_t lower = std::min(numerator / divisor, from - 1);
  if (!isLinear || lower == from - 1)
    return {lower, lower, 0.0};
  return {lower, lower + 1, double(numerator % divisor) / double(divisor)};
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
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  Value numerator = ops.max(ops.add(ops.mul(scale, position), offset), zero);
  Value lower = ops.min(ops.div(numerator, divisor), last);
  if (!isLinear)
    return {lower, lower, zero};
  Value isLast = isAtLeast(lower, last);
  Value rest = ops.sub(numerator, ops.mul(lower, divisor));
  return {lower, ops.min(ops.add(lower, one), last),
          choose(isLast, zero, rest)};
}

Value Coordinates::firstReaching(Value minimum) {
  Value distance = ops.sub(minimum, offset);
  Value step = ops.max(scale, ops.constant(1));
  return ops.min(ops.ceilDiv(ops.max(distance, ops.constant(0)), step), to);
}

/// Returns the upper bound on positions that use one element, or 0 if the
/// extents do not determine it. An inner element is used by the positions
/// within one unit of coordinates, or two for "linear". The first and the last
/// element are also used by clamped positions.
int64_t Coordinates::maxPositions() const {
  constexpr int64_t limit = int64_t(1) << 28;
  std::optional<int64_t> constants[] = {
      constantNumber(from), constantNumber(to), constantNumber(scale),
      constantNumber(offset), constantNumber(divisor)};
  if (!llvm::all_of(constants,
                    [](auto constant) { return constant.has_value(); }) ||
      *constants[0] > limit || *constants[1] > limit || *constants[2] < 1)
    return 0;
  auto [elements, positions, step, start, unit] =
      std::tuple(*constants[0], *constants[1], *constants[2], *constants[3],
                 *constants[4]);
  int64_t innerCount = llvm::divideCeil(isLinear ? 2 * unit : unit, step);
  int64_t firstCount =
      llvm::divideCeil(std::max<int64_t>(unit - start, 0), step);
  int64_t bound = (elements - (isLinear ? 2 : 1)) * unit - start;
  int64_t lastCount =
      positions - std::max<int64_t>(bound + (isLinear ? 1 : 0), 0) / step;
  return std::max({innerCount, firstCount, lastCount});
}

Span Coordinates::positionsOf(Value index) {
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  // Coordinates below the first element or above the last are clamped to it.
  Value isFirst = isAtLeast(zero, index);
  Value isLast = isAtLeast(index, last);
  // The span begins with the positions that have the element as their upper
  // neighbour. If there are none, it begins after the positions of the element
  // below.
  Value minimum = isLinear ? ops.add(ops.mul(ops.sub(index, one), divisor), one)
                           : ops.mul(index, divisor);
  Value end = ops.mul(ops.add(index, one), divisor);
  return {choose(isFirst, zero, firstReaching(minimum)),
          choose(isLast, to, firstReaching(end)), maxPositions(),
          /*isFull=*/false};
}

Value Coordinates::weight(Value rest, Type elementType) {
  OpBuilder &builder = element.builder;
  Type type = computeType(elementType);
  Value numerator = arith::SIToFPOp::create(builder, element.loc, type, rest);
  Value denominator =
      arith::SIToFPOp::create(builder, element.loc, type, divisor);
  return arith::DivFOp::create(builder, element.loc, numerator, denominator);
}
