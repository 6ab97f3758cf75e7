//===- ResizeOps.cpp - tensors of other spatial extents -------------------===//
#include "dialects/tg/ops/windows/ResizeOps.h"
#include "dialects/tg/ops/windows/ResizeCoordinates.h"
#include "dialects/tg/ops/windows/Spatial.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/windows/ResizeOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Checks C7 of spatial extents; `what` names the first extent: "input dim 1".
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

/// Infers the extents of `from` with other spatial extents.
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

/// Returns two operations for each product of an element and a weight.
static AffineExpr countResizeFlops(const ExtentAnalysis &extents, Value large,
                                   StringRef mode) {
  int64_t rank = typeOf(large).getRank() - 2;
  return extents.countElements(large) *
         (mode == "linear" ? int64_t(2) << rank : 0);
}

//===----------------------------------------------------------------------===//
// Coordinates of both ops
//===----------------------------------------------------------------------===//

/// Builds 1 - weight.
static Value buildComplement(ElementBuilder &element, Value weight) {
  Value one = arith::ConstantOp::create(
      element.builder, element.loc,
      element.builder.getFloatAttr(weight.getType(), 1.0));
  return arith::SubFOp::create(element.builder, element.loc, one, weight);
}

/// Returns the coordinates of all spatial axes between the tensor that resize
/// reads, with extents `from`, and its result, with extents `to`.
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

/// Calls `function` with the linear index and the weight of each element from
/// which a position of the result of resize is computed.
template <typename Op>
static void visitNeighbours(Op op, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                            ArrayRef<int64_t> position,
                            function_ref<void(int64_t, double)> function) {
  unsigned rank = from.size() - 2;
  SmallVector<Neighbours> axes;
  for (unsigned axis = 1; axis <= rank; ++axis)
    axes.push_back(
        HostCoordinates(op.getMode(), op.getCoordinates(), from[axis], to[axis])
            .find(position[axis]));
  Index element(position);
  for (unsigned corner = 0; corner < 1u << rank; ++corner) {
    double weight = 1;
    for (unsigned axis = 0; axis < rank; ++axis) {
      bool isUpper = corner >> axis & 1;
      element[axis + 1] = isUpper ? axes[axis].upper : axes[axis].lower;
      weight *= isUpper ? axes[axis].upperWeight : 1 - axes[axis].upperWeight;
    }
    if (weight != 0)
      function(flatten(element, from), weight);
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
    for (int64_t target = 0; target < results[0].getNumElements(); ++target) {
      ArrayRef<int64_t> shape = results[0].getShape();
      double sum = 0;
      visitNeighbours(*this, input.getShape(), shape, unflatten(target, shape),
                      [&](int64_t element, double weight) {
                        sum += weight * input.values<T>()[element];
                      });
      results[0].values<T>()[target] = T(sum);
    }
  });
  return {};
}

namespace {
/// Interpolates between the elements around a position of the result of resize,
/// axis by axis.
class Interpolation {
public:
  Interpolation(ElementBuilder &element, ResizeOp op, const Position &position);
  /// Builds the element; null if the operand has no vector form.
  Value build() { return build(0); }

private:
  struct Axis {
    NeighbourValues neighbours;
    Value isExact, upper, lower;
  };
  Value build(unsigned axis);

  ElementBuilder &element;
  Position source;
  SmallVector<Axis> axes;
  bool isLinear;
};
} // namespace

Interpolation::Interpolation(ElementBuilder &element, ResizeOp op,
                             const Position &position)
    : element(element), source(position), isLinear(op.getMode() == "linear") {
  std::vector<Coordinates> coordinates = coordinatesOf(
      element, op,
      [&](unsigned axis) { return element.operandExtent(0, axis); },
      [&](unsigned axis) { return element.resultExtent(0, axis); });
  for (auto [index, axis] : llvm::enumerate(coordinates)) {
    Axis interpolated;
    interpolated.neighbours = axis.find(position.index[index + 1]);
    if (isLinear) {
      Value rest = interpolated.neighbours.rest;
      IntegerOps ops = element.integers();
      interpolated.isExact =
          ops.compare(arith::CmpIPredicate::eq, rest, ops.constant(0));
      Value weight = axis.weight(rest, op.getType().getElementType());
      interpolated.upper = element.splat(weight);
      interpolated.lower = element.splat(buildComplement(element, weight));
    }
    axes.push_back(interpolated);
  }
}

Value Interpolation::build(unsigned index) {
  if (index == axes.size())
    return element.operand(0, source);
  const Axis &axis = axes[index];
  source.index[index + 1] = axis.neighbours.lower;
  Value lower = build(index + 1);
  if (!isLinear || !lower)
    return lower;
  source.index[index + 1] = axis.neighbours.upper;
  Value upper = build(index + 1);
  if (!upper)
    return {};
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  Value between = arith::AddFOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, lower, axis.lower),
      arith::MulFOp::create(builder, loc, upper, axis.upper));
  // An exact coordinate returns the element unchanged, even if its neighbour is
  // infinite.
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
    for (int64_t source = 0; source < g.getNumElements(); ++source)
      visitNeighbours(*this, results[0].getShape(), g.getShape(),
                      unflatten(source, g.getShape()),
                      [&](int64_t element, double weight) {
                        sums[element] += weight * g.values<T>()[source];
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
  SmallVector<Value> elementIndices = spatialOf(position);
  SmallVector<Span> spans;
  for (auto [axis, elementIndex] : llvm::zip_equal(axes, elementIndices))
    spans.push_back(axis.positionsOf(elementIndex));
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(element.elementType(type)));
  bool hasAll = true;
  bool isLinear = getMode() == "linear";
  // Each position of a span depends on this element, as the upper or the lower
  // neighbour. It does not if the weight is 0.
  auto weightOf = [&](ArrayRef<Value> positions) {
    Value product;
    for (auto [axis, elementIndex, outputPosition] :
         llvm::zip_equal(axes, elementIndices, positions)) {
      NeighbourValues neighbours = axis.find(outputPosition);
      Value upper = axis.weight(neighbours.rest, type);
      Value isLower =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                neighbours.lower, elementIndex);
      Value weight = arith::SelectOp::create(
          builder, loc, isLower, buildComplement(element, upper), upper);
      product = product ? arith::MulFOp::create(builder, loc, product, weight)
                        : weight;
    }
    return product;
  };
  auto add = [&](ArrayRef<Value> positions,
                 ValueRange sum) -> SmallVector<Value> {
    Value g = element.operand(0, withSpatial(position, positions));
    hasAll &= bool(g);
    if (!g)
      return sum;
    if (isLinear) {
      Value weight = weightOf(positions);
      Value zeroWeight = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(weight.getType()));
      Value contributes = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OGT, weight, zeroWeight);
      g = arith::SelectOp::create(
          builder, loc, contributes,
          arith::MulFOp::create(builder, loc, g, element.splat(weight)), zero);
    }
    return {arith::AddFOp::create(builder, loc, sum[0], g)};
  };
  SmallVector<Value> sum = buildSpans(element, spans, {zero}, add);
  return hasAll ? sum[0] : Value();
}
