//===- DataMovementOps.cpp - ops that move elements without computing -----===//
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/movement/DataMovementOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

/// Returns the sum of an extent and `addend`. Reports G1 if the extent is
/// static and the sum is too large.
static FailureOr<AffineExpr> addExtents(ShapeInference &inference,
                                        AffineExpr extent, int64_t addend) {
  int64_t sum;
  std::optional<int64_t> known = staticExtent(extent);
  if (known && __builtin_add_overflow(*known, addend, &sum))
    return inference.fail("expected an extent below 2^63, found the sum of " +
                          Twine(*known) + " and " + Twine(addend) + " [G1]");
  return extent + addend;
}

LogicalResult PadOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                  SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  SmallVector<int64_t> low = adaptor.getLow();
  SmallVector<int64_t> high = adaptor.getHigh();
  if (failed(checkListLength(inference, low, "low", dims.size())) ||
      failed(checkListLength(inference, high, "high", dims.size())))
    return failure();
  for (auto [dim, before, after] : llvm::zip_equal(dims, low, high)) {
    if (before < 0 || after < 0)
      return inference.fail("expected low and high of at least 0, found " +
                            Twine(std::min(before, after)) + " [C1]");
    FailureOr<AffineExpr> inner = addExtents(inference, dim, before);
    if (failed(inner))
      return failure();
    FailureOr<AffineExpr> padded = addExtents(inference, *inner, after);
    if (failed(padded))
      return failure();
    dim = *padded;
  }
  RankedTensorType input = typeOf(adaptor.getInput());
  RankedTensorType value = typeOf(adaptor.getValue());
  if (value.getRank() != 0 || value.getElementType() != input.getElementType())
    return inference.fail("expected the value to be of rank 0 and the input's "
                          "element type, found " +
                          llvm::to_string(value) + " [C2]");
  results.push_back({input.getElementType(), dims});
  return success();
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t count) { return count == 0; };
  if (!llvm::all_of(getLow(), isZero) || !llvm::all_of(getHigh(), isZero))
    return {};
  return getInput();
}

SmallVector<Value> PadOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  Value inner = buildSliceLike(builder, cotangents[0], getLow(), {},
                               /*strides=*/{}, getInput());
  Value all = buildSumTo(builder, cotangents[0], getValue());
  Value innerSum = buildSumTo(builder, inner, getValue());
  return {inner, SubOp::create(builder, getLoc(), all, innerSum)};
}

std::string PadOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  SmallVector<int64_t> low = getLow();
  for (int64_t element = 0; element < results[0].getNumElements(); ++element)
    copyElement(results[0], element, operands[1], 0);
  copyInto(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    Index to(index);
    for (auto [coordinate, before] : llvm::zip_equal(to, low))
      coordinate += before;
    return to;
  });
  return {};
}

// Lanes differ along at most one axis. On each other axis all lanes are in the
// input, or none is.
Value PadOp::buildElement(ElementBuilder &element, const Position &position) {
  IntegerOps ops = element.integers();
  Position inner = position;
  Value inside;
  bool neverEmpty = true;
  std::optional<unsigned> laneAxis;
  for (auto [axis, before, after] : llvm::enumerate(getLow(), getHigh())) {
    if (before == 0 && after == 0)
      continue;
    inner.index[axis] = ops.sub(position.index[axis], ops.constant(before));
    if (position.laneStep[axis] != 0) {
      if (laneAxis)
        return {};
      laneAxis = axis;
      continue;
    }
    Value index = inner.index[axis];
    Value extent = element.operandExtent(0, axis);
    Value within = buildWithin(element, index, extent);
    inside = inside ? arith::AndIOp::create(element.builder, element.loc,
                                            inside, within)
                    : within;
    inner.index[axis] = buildClamp(element, index, extent);
    neverEmpty &= isNeverEmpty(getInput().getType(), axis);
  }
  if (!inside && !laneAxis)
    return element.operand(0, position);
  Value border = element.operand(1, Position());
  if (!border)
    return {};
  auto readInput = [&]() -> Value {
    if (!laneAxis)
      return element.operand(0, inner);
    return element.operandWithin(0, inner, *laneAxis,
                                 element.operandExtent(0, *laneAxis), border);
  };
  return inside ? element.pick(inside, neverEmpty, readInput, border)
                : readInput();
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

/// Merges the extents of the input with this index into `dims`, the extents of
/// the concatenation of the inputs before it. Checks C3.
static LogicalResult mergeConcatInput(ShapeInference &inference, size_t index,
                                      ArrayRef<AffineExpr> input, size_t axis,
                                      SmallVectorImpl<AffineExpr> &dims) {
  for (auto [dim, extent] : llvm::enumerate(input)) {
    if (dim == axis) {
      std::optional<int64_t> known = staticExtent(extent);
      FailureOr<AffineExpr> sum =
          known ? addExtents(inference, dims[dim], *known)
                : FailureOr<AffineExpr>(dims[dim] + extent);
      if (failed(sum))
        return failure();
      dims[dim] = inference.keep(*sum);
      continue;
    }
    FailureOr<AffineExpr> merged = inference.merge(
        extent, dims[dim], "dim " + Twine(dim) + " of input " + Twine(index),
        "that dim of the inputs before it", "C3");
    if (failed(merged))
      return failure();
    dims[dim] = *merged;
  }
  return success();
}

LogicalResult ConcatOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  ValueRange inputs = adaptor.getInputs();
  if (inputs.empty())
    return inference.fail("expected at least one input, found none [C1]");
  SmallVector<AffineExpr> dims = inference.extentsOf(inputs[0]);
  Type elementType = typeOf(inputs[0]).getElementType();
  if (failed(inference.checkAxis(adaptor.getAxis(), dims.size())))
    return failure();
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (typeOf(input).getElementType() != elementType ||
        typeOf(input).getRank() != int64_t(dims.size()))
      return inference.fail("expected input " + Twine(index) +
                            " to have the rank and element type of input 0, "
                            "found " +
                            llvm::to_string(typeOf(input)) + " and " +
                            llvm::to_string(typeOf(inputs[0])) + " [C2]");
    if (index != 0 &&
        failed(mergeConcatInput(inference, index, inference.extentsOf(input),
                                adaptor.getAxis(), dims)))
      return failure();
  }
  results.push_back({elementType, dims});
  return success();
}

unsigned ConcatOp::getConcatenationAxis() { return getAxis(); }

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? getInputs()[0] : OpFoldResult();
}

SmallVector<Value> ConcatOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  SmallVector<Value> gradients;
  int64_t axis = getAxis();
  int64_t start = 0;
  Value dynamicStart;
  for (Value input : getInputs()) {
    SmallVector<int64_t> starts(getType().getRank(), 0);
    starts[axis] = dynamicStart ? -1 : start;
    gradients.push_back(
        buildSliceLike(builder, cotangents[0], starts,
                       dynamicStart ? ValueRange(dynamicStart) : ValueRange(),
                       /*strides=*/{}, input));
    if (!dynamicStart && !typeOf(input).isDynamicDim(axis)) {
      start += typeOf(input).getDimSize(axis);
      continue;
    }
    if (!dynamicStart)
      dynamicStart =
          buildScalarConstant(builder, getLoc(), builder.getI64Type(), start);
    Value extent = buildDim(builder, getLoc(), input, axis);
    dynamicStart = AddOp::create(builder, getLoc(), dynamicStart, extent);
  }
  return gradients;
}

/// The upper bound on inputs of a concat that is computed at once, because the
/// code searches all inputs for each element.
static constexpr size_t kMaxConcatInputs = 64;

bool ConcatOp::isComposed() { return getInputs().size() > kMaxConcatInputs; }

// Builds a concat of concats, each of at most kMaxConcatInputs inputs.
SmallVector<Value> ConcatOp::decompose(OpBuilder &builder) {
  SmallVector<Value> groups;
  for (ValueRange inputs = getInputs(); !inputs.empty();) {
    size_t count = std::min(inputs.size(), kMaxConcatInputs);
    ValueRange group = inputs.take_front(count);
    groups.push_back(
        count == 1 ? group[0]
                   : ConcatOp::create(builder, getLoc(), group, getAxis()));
    inputs = inputs.drop_front(count);
  }
  return {ConcatOp::create(builder, getLoc(), groups, getAxis())};
}

std::string ConcatOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  int64_t start = 0;
  int64_t axis = getAxis();
  for (const HostTensor &operand : operands) {
    copyInto(results[0], operand, [&](ArrayRef<int64_t> index) {
      Index to(index);
      to[axis] += start;
      return to;
    });
    start += operand.getShape()[axis];
  }
  return {};
}

Value ConcatOp::buildElement(ElementBuilder &element,
                             const Position &position) {
  unsigned axis = getAxis();
  Type type = element.elementType(getType().getElementType());
  Value result = arith::ConstantOp::create(element.builder, element.loc,
                                           element.builder.getZeroAttr(type));
  Value index = position.index[axis];
  for (auto [operand, input] : llvm::enumerate(getInputs())) {
    Value extent = element.operandExtent(operand, axis);
    if (typeOf(input).getDimSize(axis) != 0) {
      Position operandPosition = position;
      operandPosition.index[axis] = index;
      unsigned lanes = lanesTogether(element, position, axis, index, extent);
      if (lanes == 0) {
        result = element.operandWithin(operand, operandPosition, axis, extent,
                                       result);
      } else {
        operandPosition.index[axis] = buildClamp(element, index, extent, lanes);
        result = element.pick(
            buildWithin(element, index, extent),
            isNeverEmpty(input.getType(), axis),
            [&, operand = operand] {
              return element.operand(operand, operandPosition);
            },
            result);
      }
      if (!result)
        return {};
    }
    index = element.integers().sub(index, extent);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

LogicalResult ReverseOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  RankedTensorType input = typeOf(adaptor.getInput());
  results.push_back(
      {input.getElementType(), inference.extentsOf(adaptor.getInput())});
  return inference.checkAxes(adaptor.getAxes(), input.getRank());
}

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  return getAxes().empty() ? getInput() : OpFoldResult();
}

SmallVector<Value> ReverseOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  return {ReverseOp::create(builder, getLoc(), cotangents[0], getAxes())};
}

std::string ReverseOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  fillFrom(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    Index from(index);
    for (int64_t axis : getAxes())
      from[axis] = operands[0].getShape()[axis] - 1 - index[axis];
    return from;
  });
  return {};
}

Value ReverseOp::buildElement(ElementBuilder &element,
                              const Position &position) {
  IntegerOps ops = element.integers();
  Position from = position;
  for (int64_t axis : getAxes()) {
    Value last = ops.sub(element.operandExtent(0, axis), ops.constant(1));
    from.index[axis] = ops.sub(last, position.index[axis]);
    from.laneStep[axis] = -position.laneStep[axis];
  }
  return element.operand(0, from);
}
