//===- ResizeOps.cpp - tensors of other spatial extents -------------------===//
#include "dialects/tg/ResizeOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Spatial.h"
#include "dialects/tg/WindowElements.h"

using namespace mlir;
using namespace tg;

#define GET_OP_CLASSES
#include "dialects/tg/ResizeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// C7 of spatial extents; `what` names the first: "input dim 1".
static LogicalResult checkSizes(ShapeInference &inference,
                                ArrayRef<AffineExpr> sizes, StringRef what) {
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    std::optional<int64_t> known = staticExtent(size);
    if (known && *known < 1)
      return inference.fail("expected " + what + " " + Twine(axis + 1) +
                            " to be at least 1, found " + Twine(*known) +
                            " [C7]");
    if (!known)
      inference.require(size, ExtentRelation::atLeast, inference.constant(1),
                        what + " " + Twine(axis + 1), "R1");
  }
  return success();
}

/// The extents of `from` with other spatial ones.
static LogicalResult inferResize(ShapeInference &inference, Value from,
                                 ArrayRef<int64_t> list, ValueRange dynamic,
                                 StringRef listName, StringRef fromName,
                                 SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> dims = inference.extentsOf(from);
  if (failed(checkSpatialRank(inference, dims.size())))
    return failure();
  FailureOr<SmallVector<AffineExpr>> sizes =
      fillSpatialSizes(inference, list, dynamic, listName, dims.size());
  if (failed(sizes) ||
      failed(checkSizes(inference, ArrayRef(dims).drop_front().drop_back(),
                        (fromName + " dim").str())) ||
      failed(checkSizes(inference, *sizes, "result dim")))
    return failure();
  llvm::copy(*sizes, dims.begin() + 1);
  results.push_back({typeOf(from).getElementType(), dims});
  return success();
}

/// Two for each product of an element and a weight.
static AffineExpr countResizeFlops(const ExtentAnalysis &extents, Value large,
                                   StringRef mode) {
  int64_t rank = typeOf(large).getRank() - 2;
  return extents.countElements(large) *
         (mode == "linear" ? int64_t(2) << rank : 0);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

namespace {
/// The elements that one result position is made of on an axis.
struct Neighbours {
  int64_t lower, upper;
  double upperWeight;
};

/// The coordinates of an axis in the compiler's memory: of position p
/// (scale * p + offset) / divisor, for "nearest" rounded down.
struct HostCoordinates {
  HostCoordinates(StringRef mode, StringRef coordinates, int64_t from,
                  int64_t to);
  Neighbours find(int64_t position) const;

  bool isLinear;
  int64_t from, scale, offset, divisor;
};

/// The elements that one result position is made of on an axis, at run time:
/// `rest` / divisor is the weight of the upper one.
struct NeighbourValues {
  Value lower, upper, rest;
};

/// The same coordinates at run time.
class Coordinates {
public:
  Coordinates(ElementBuilder &element, StringRef mode, StringRef coordinates,
              Value from, Value to);

  NeighbourValues find(Value position);
  /// The positions that the element is in.
  Span positionsOf(Value place);
  /// A weight of `rest`.
  Value weight(Value rest, Type elementType);

private:
  /// The first position whose number, the coordinate times the divisor, is at
  /// least this.
  Value firstReaching(Value least);
  int64_t mostPositions() const;
  Value isAtLeast(Value lhs, Value rhs) {
    return ops.compare(arith::CmpIPredicate::sge, lhs, rhs);
  }
  Value choose(Value condition, Value a, Value b) {
    return element.builder.createOrFold<arith::SelectOp>(element.loc, condition,
                                                         a, b);
  }

  ElementBuilder &element;
  IntegerOps ops;
  bool isLinear;
  Value from, to, last, scale, offset, divisor;
};
} // namespace

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
  // Half a position more.
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

/// The most positions that one element is in; 0 where extents do not say it. An
/// element in the middle has as many as one unit of coordinates, or two, and
/// those at the ends have what is brought there.
int64_t Coordinates::mostPositions() const {
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
  // What is below the first element, and what above the last, is brought there.
  Value isFirst = isAtLeast(zero, place);
  Value isLast = isAtLeast(place, last);
  // Where an element is the upper one of none, it begins behind the lower one.
  Value least = isLinear ? ops.add(ops.mul(ops.sub(place, one), divisor), one)
                         : ops.mul(place, divisor);
  Value end = ops.mul(ops.add(place, one), divisor);
  return {choose(isFirst, zero, firstReaching(least)),
          choose(isLast, to, firstReaching(end)), mostPositions(),
          /*isFull=*/false};
}

Value Coordinates::weight(Value rest, Type elementType) {
  OpBuilder &builder = element.builder;
  Type type = computeType(elementType);
  Value number = arith::SIToFPOp::create(builder, element.loc, type, rest);
  Value whole = arith::SIToFPOp::create(builder, element.loc, type, divisor);
  return arith::DivFOp::create(builder, element.loc, number, whole);
}

/// 1 - weight.
static Value buildRest(ElementBuilder &element, Value weight) {
  Value one = arith::ConstantOp::create(
      element.builder, element.loc,
      element.builder.getFloatAttr(weight.getType(), 1.0));
  return arith::SubFOp::create(element.builder, element.loc, one, weight);
}

/// The coordinates of all spatial axes between a tensor of the lesser and one
/// of the greater rank of meaning: what resize reads and what it makes.
template <typename Op>
static std::vector<Coordinates>
coordinatesOf(ElementBuilder &element, Op op,
              function_ref<Value(unsigned)> from,
              function_ref<Value(unsigned)> to) {
  std::vector<Coordinates> axes;
  for (int64_t axis = 1; axis + 1 < op.getType().getRank(); ++axis)
    axes.emplace_back(element, op.getMode(), op.getCoordinates(), from(axis),
                      to(axis));
  return axes;
}

/// Visits the elements that a position of the result of resize is made of, and
/// their weights.
template <typename Op>
static void visitNeighbours(Op op, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                            ArrayRef<int64_t> position,
                            function_ref<void(int64_t, double)> look) {
  unsigned rank = from.size() - 2;
  SmallVector<Neighbours> axes;
  for (unsigned axis = 1; axis <= rank; ++axis)
    axes.push_back(
        HostCoordinates(op.getMode(), op.getCoordinates(), from[axis], to[axis])
            .find(position[axis]));
  Index place(position);
  for (unsigned corner = 0; corner < 1u << rank; ++corner) {
    double weight = 1;
    for (unsigned axis = 0; axis < rank; ++axis) {
      bool isUpper = corner >> axis & 1;
      place[axis + 1] = isUpper ? axes[axis].upper : axes[axis].lower;
      weight *= isUpper ? axes[axis].upperWeight : 1 - axes[axis].upperWeight;
    }
    if (weight != 0)
      look(flatten(place, from), weight);
  }
}

//===----------------------------------------------------------------------===//
// resize
//===----------------------------------------------------------------------===//

LogicalResult ResizeOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  return inferResize(inference, adaptor.getInput(), adaptor.getSizes(),
                     adaptor.getDynamic(), "sizes", "input", results);
}

AffineExpr ResizeOp::countFlops(const ExtentAnalysis &extents) {
  return countResizeFlops(extents, getResult(), getMode());
}

SmallVector<StringRef> ResizeOp::getSizeAttributes() { return {"sizes"}; }

SmallVector<Value> ResizeOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  auto [sizes, dynamic] = spatialSizesOf(builder, getInput());
  SmallVector<Value> gradients(getNumOperands());
  gradients[0] =
      ResizeGradOp::create(builder, getLoc(), cotangents[0], dynamic, sizes,
                           getModeAttr(), getCoordinatesAttr());
  return gradients;
}

std::string ResizeOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  const HostTensor &input = operands[0];
  visitFloatType(input.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t at = 0; at < results[0].getNumElements(); ++at) {
      ArrayRef<int64_t> shape = results[0].getShape();
      double sum = 0;
      visitNeighbours(*this, input.getShape(), shape, unflatten(at, shape),
                      [&](int64_t place, double weight) {
                        sum += weight * input.values<T>()[place];
                      });
      results[0].values<T>()[at] = T(sum);
    }
  });
  return {};
}

namespace {
/// The elements around a position of the result of resize, axis by axis.
class Interpolation {
public:
  Interpolation(ElementBuilder &element, ResizeOp op, const Position &position);
  /// The element, null where the operand has none.
  Value build() { return build(0); }

private:
  struct Axis {
    NeighbourValues neighbours;
    Value isExact, upper, lower;
  };
  Value build(unsigned axis);

  ElementBuilder &element;
  Position place;
  SmallVector<Axis> axes;
  bool isLinear;
};
} // namespace

Interpolation::Interpolation(ElementBuilder &element, ResizeOp op,
                             const Position &position)
    : element(element), place(position), isLinear(op.getMode() == "linear") {
  std::vector<Coordinates> coordinates = coordinatesOf(
      element, op,
      [&](unsigned axis) { return element.operandExtent(0, axis); },
      [&](unsigned axis) { return element.resultExtent(0, axis); });
  for (auto [number, axis] : llvm::enumerate(coordinates)) {
    Axis each;
    each.neighbours = axis.find(position.index[number + 1]);
    if (isLinear) {
      Value rest = each.neighbours.rest;
      IntegerOps ops = element.integers();
      each.isExact =
          ops.compare(arith::CmpIPredicate::eq, rest, ops.constant(0));
      Value weight = axis.weight(rest, op.getType().getElementType());
      each.upper = element.splat(weight);
      each.lower = element.splat(buildRest(element, weight));
    }
    axes.push_back(each);
  }
}

Value Interpolation::build(unsigned number) {
  if (number == axes.size())
    return element.operand(0, place);
  const Axis &axis = axes[number];
  place.index[number + 1] = axis.neighbours.lower;
  Value lower = build(number + 1);
  if (!isLinear || !lower)
    return lower;
  place.index[number + 1] = axis.neighbours.upper;
  Value upper = build(number + 1);
  if (!upper)
    return {};
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  Value between = arith::AddFOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, lower, axis.lower),
      arith::MulFOp::create(builder, loc, upper, axis.upper));
  // An element itself is passed on as it is, with what is beside it infinite.
  return arith::SelectOp::create(builder, loc, axis.isExact, lower, between);
}

Value ResizeOp::buildElement(ElementBuilder &element,
                             const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  return Interpolation(element, *this, position).build();
}

//===----------------------------------------------------------------------===//
// resize_grad
//===----------------------------------------------------------------------===//

LogicalResult
ResizeGradOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                           SmallVectorImpl<TensorExtents> &results) {
  return inferResize(inference, adaptor.getOutputGrad(),
                     adaptor.getInputSizes(), adaptor.getDynamic(),
                     "input_sizes", "output_grad", results);
}

AffineExpr ResizeGradOp::countFlops(const ExtentAnalysis &extents) {
  return countResizeFlops(extents, getOutputGrad(), getMode());
}

SmallVector<StringRef> ResizeGradOp::getSizeAttributes() {
  return {"input_sizes"};
}

SmallVector<Value> ResizeGradOp::buildGradient(OpBuilder &builder,
                                               ValueRange cotangents) {
  auto [sizes, dynamic] = spatialSizesOf(builder, getOutputGrad());
  SmallVector<Value> gradients(getNumOperands());
  gradients[0] = ResizeOp::create(builder, getLoc(), cotangents[0], dynamic,
                                  sizes, getModeAttr(), getCoordinatesAttr());
  return gradients;
}

std::string ResizeGradOp::evaluate(ArrayRef<HostTensor> operands,
                                   MutableArrayRef<HostTensor> results) {
  const HostTensor &g = operands[0];
  visitFloatType(g.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> sums(results[0].getNumElements());
    for (int64_t at = 0; at < g.getNumElements(); ++at)
      visitNeighbours(*this, results[0].getShape(), g.getShape(),
                      unflatten(at, g.getShape()),
                      [&](int64_t place, double weight) {
                        sums[place] += weight * g.values<T>()[at];
                      });
    llvm::transform(sums, results[0].values<T>().begin(),
                    [](double sum) { return T(sum); });
  });
  return {};
}

Value ResizeGradOp::buildElement(ElementBuilder &element,
                                 const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  Type type = getType().getElementType();
  std::vector<Coordinates> axes = coordinatesOf(
      element, *this,
      [&](unsigned axis) { return element.resultExtent(0, axis); },
      [&](unsigned axis) { return element.operandExtent(0, axis); });
  SmallVector<Value> places = spatialOf(position);
  SmallVector<Span> spans;
  for (auto [axis, place] : llvm::zip_equal(axes, places))
    spans.push_back(axis.positionsOf(place));
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(element.elementType(type)));
  bool hasAll = true, isLinear = getMode() == "linear";
  // Of the positions of a span, each is made of this element, as the upper or
  // the lower one; with the weight 0 it is not.
  auto weightOf = [&](ArrayRef<Value> numbers) {
    Value product;
    for (auto [axis, place, number] : llvm::zip_equal(axes, places, numbers)) {
      NeighbourValues neighbours = axis.find(number);
      Value upper = axis.weight(neighbours.rest, type);
      Value isLower = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, neighbours.lower, place);
      Value weight = arith::SelectOp::create(builder, loc, isLower,
                                             buildRest(element, upper), upper);
      product = product ? arith::MulFOp::create(builder, loc, product, weight)
                        : weight;
    }
    return product;
  };
  auto add = [&](ArrayRef<Value> numbers,
                 ValueRange sum) -> SmallVector<Value> {
    Value g = element.operand(0, withSpatial(position, numbers));
    hasAll &= bool(g);
    if (!g)
      return sum;
    if (isLinear) {
      Value weight = weightOf(numbers);
      Value none = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(weight.getType()));
      Value isPart = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OGT, weight, none);
      g = arith::SelectOp::create(
          builder, loc, isPart,
          arith::MulFOp::create(builder, loc, g, element.splat(weight)), zero);
    }
    return {arith::AddFOp::create(builder, loc, sum[0], g)};
  };
  SmallVector<Value> sum = buildSpans(element, spans, {zero}, add);
  return hasAll ? sum[0] : Value();
}
