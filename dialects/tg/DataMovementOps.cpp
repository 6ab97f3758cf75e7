//===- DataMovementOps.cpp - ops that place elements without computing ----===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/Elementwise.h"
#include "dialects/tg/Movement.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include <cstring>
#include <numeric>

using namespace mlir;
using namespace tg;

/// The type of a value, which all values of the dialect have.
static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether the op gives its input back: the fold of most ops here. Equal types
/// with a `?` may still be other extents.
static bool isSameStaticType(Value input, Value result) {
  return input.getType() == result.getType() && typeOf(input).hasStaticShape();
}

/// The value of ops that keep the elements and their order.
static std::string copyAll(ArrayRef<HostTensor> operands,
                           MutableArrayRef<HostTensor> results) {
  if (results[0].getNumBytes() != 0)
    std::memcpy(results[0].data(), operands[0].data(),
                results[0].getNumBytes());
  return {};
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

LogicalResult
ConstantOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                         SmallVectorImpl<TensorExtents> &results) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type)
    return inference.fail("expected the value of a ranked tensor [C1]");
  TensorExtents extents{type.getElementType(), {}};
  for (int64_t extent : type.getShape())
    extents.dims.push_back(inference.constant(extent));
  results.push_back(std::move(extents));
  return success();
}

LogicalResult ConstantOp::verify() {
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource)
    return success();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return emitOpError() << "expected resource '"
                         << resource.getRawHandle().getKey()
                         << "' to be present [C1]";
  std::optional<int64_t> bytes = checkedByteCount(
      getType().getShape(), getType().getElementType());
  if (!bytes || int64_t(blob->getData().size()) != *bytes)
    return emitOpError() << "expected a resource of " << bytes.value_or(-1)
                         << " bytes, found " << blob->getData().size()
                         << " [C1]";
  uint64_t alignment = blob->getDataAlignment();
  if (!llvm::isPowerOf2_64(alignment) || alignment > 4096)
    return emitOpError() << "expected a resource aligned to a power of two up "
                            "to 4096, found "
                         << alignment << " [C1]";
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

AffineExpr ConstantOp::inferNumber(ShapeInference &inference) {
  auto value = dyn_cast<DenseIntElementsAttr>(getValue());
  if (!value || getType().getRank() != 0 ||
      !getType().getElementType().isSignlessInteger(64))
    return {};
  return inference.constant(value.getSplatValue<APInt>().getSExtValue());
}

std::string ConstantOp::evaluate(ArrayRef<HostTensor>,
                                 MutableArrayRef<HostTensor> results) {
  std::optional<HostTensor> value = HostTensor::fromAttribute(
      getValue(), std::numeric_limits<int64_t>::max());
  if (!value)
    return "expected a constant with its values";
  results[0] = std::move(*value);
  return {};
}

// Only one value for all elements can be part of a kernel's code; others are
// loaded from memory.
Value ConstantOp::buildElement(ElementBuilder &element, const Position &) {
  auto value = dyn_cast<DenseElementsAttr>(getValue());
  if (!value || !value.isSplat())
    return {};
  Type type = registerType(getType().getElementType());
  TypedAttr number;
  if (isa<FloatType>(type))
    number = FloatAttr::get(type, value.getSplatValue<APFloat>());
  else
    number = IntegerAttr::get(type, value.getSplatValue<APInt>());
  return element.splat(
      arith::ConstantOp::create(element.builder, element.loc, number));
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  SmallVector<int64_t> shape = adaptor.getShape();
  FailureOr<SmallVector<AffineExpr>> dims =
      inference.fillList(shape, adaptor.getDynamic(), "shape");
  if (failed(dims) || failed(inference.checkAxis(adaptor.getAxis(),
                                                 shape.size())))
    return failure();
  Type type = adaptor.getElementType().getValue();
  if (!type.isF32() && !type.isF64() && !type.isSignlessInteger(32) &&
      !type.isSignlessInteger(64) && !type.isUnsignedInteger(8))
    return inference.fail("expected element_type to be a number [C2]");
  results.push_back({type, *dims});
  return success();
}

std::string IotaOp::evaluate(ArrayRef<HostTensor>,
                             MutableArrayRef<HostTensor> results) {
  HostTensor &result = results[0];
  visitElementType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t at = 0; at < result.getNumElements(); ++at)
      result.values<T>()[at] = T(unflatten(at, result.getShape())[getAxis()]);
  });
  return {};
}

Value IotaOp::buildElement(ElementBuilder &element, const Position &position) {
  Value index = element.laneIndex(position, getAxis());
  Type type = element.elementType(getType().getElementType());
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return arith::SIToFPOp::create(element.builder, element.loc, type, index);
  if (bits == 64)
    return index;
  return arith::TruncIOp::create(element.builder, element.loc, type, index);
}

//===----------------------------------------------------------------------===//
// dim
//===----------------------------------------------------------------------===//

LogicalResult DimOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                  SmallVectorImpl<TensorExtents> &results) {
  results.push_back(
      {IntegerType::get(inference.getContext(), 64), {}});
  return inference.checkAxis(adaptor.getAxis(),
                             typeOf(adaptor.getInput()).getRank());
}

AffineExpr DimOp::inferNumber(ShapeInference &inference) {
  return inference.extentsOf(getInput())[getAxis()];
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  RankedTensorType input = typeOf(getInput());
  if (input.isDynamicDim(getAxis()))
    return {};
  return DenseElementsAttr::get(getType(), input.getDimSize(getAxis()));
}

std::string DimOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  results[0].values<int64_t>()[0] = operands[0].getShape()[getAxis()];
  return {};
}

Value DimOp::buildElement(ElementBuilder &element, const Position &) {
  return element.splat(element.operandExtent(0, getAxis()));
}

//===----------------------------------------------------------------------===//
// ensure_shape
//===----------------------------------------------------------------------===//

LogicalResult
EnsureShapeOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                            SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  SmallVector<int64_t> shape = adaptor.getShape();
  if (failed(checkListLength(inference, shape, "shape", dims.size())))
    return failure();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent < -1)
      return inference.fail("expected entries of shape to be at least -1, "
                            "found " +
                            Twine(extent) + " [G4]");
    if (extent == -1) {
      dims[axis] = inference.forget(dims[axis]);
      continue;
    }
    FailureOr<AffineExpr> merged = inference.merge(
        dims[axis], inference.constant(extent),
        "dim " + Twine(axis) + " of the input", "shape", "C2");
    if (failed(merged))
      return failure();
    dims[axis] = *merged;
  }
  results.push_back({typeOf(adaptor.getInput()).getElementType(), dims});
  return success();
}

OpFoldResult EnsureShapeOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : OpFoldResult();
}

// The checks on the type are the op's own, so only the content is left.
SmallVector<Value> EnsureShapeOp::buildGradient(OpBuilder &builder,
                                                ValueRange cotangents) {
  return {EnsureShapeOp::create(builder, getLoc(), cotangents[0],
                                extentList(getInput()))};
}

std::string EnsureShapeOp::evaluate(ArrayRef<HostTensor> operands,
                                    MutableArrayRef<HostTensor> results) {
  return copyAll(operands, results);
}

Value EnsureShapeOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  return element.operand(0, position);
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// C1: with empty dynamic at most one -1, and then no 0 beside it.
static LogicalResult checkInferredEntry(ShapeInference &inference,
                                        ArrayRef<int64_t> shape) {
  int64_t unknown = llvm::count(shape, -1);
  if (unknown > 1)
    return inference.fail("expected at most one -1 in shape, found " +
                          Twine(unknown) + " [C1]");
  if (unknown == 1 && llvm::is_contained(shape, 0))
    return inference.fail("expected no 0 beside a -1 in shape [C1]");
  return success();
}

/// The extents of `shape` with its one -1 inferred from the element count.
static FailureOr<SmallVector<AffineExpr>>
inferEntry(ShapeInference &inference, ArrayRef<int64_t> shape,
           AffineExpr count) {
  AffineExpr others = inference.constant(1);
  SmallVector<AffineExpr> dims;
  for (int64_t extent : shape) {
    if (extent < -1)
      return inference.fail("expected entries of shape to be at least -1, "
                            "found " +
                            Twine(extent) + " [G4]");
    dims.push_back(inference.constant(extent));
    if (extent != -1)
      others = others * extent;
  }
  auto *entry = llvm::find(shape, -1);
  if (entry != shape.end())
    dims[entry - shape.begin()] = count.floorDiv(others);
  return dims;
}

LogicalResult
ReshapeOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                        SmallVectorImpl<TensorExtents> &results) {
  SmallVector<int64_t> shape = adaptor.getShape();
  MLIRContext *context = inference.getContext();
  AffineExpr count =
      productOf(inference.extentsOf(adaptor.getInput()), context);
  FailureOr<SmallVector<AffineExpr>> dims;
  if (!adaptor.getDynamic().empty()) {
    dims = inference.fillList(shape, adaptor.getDynamic(), "shape");
  } else {
    if (failed(checkInferredEntry(inference, shape)))
      return failure();
    dims = inferEntry(inference, shape, count);
  }
  if (failed(dims) ||
      failed(inference.merge(count, productOf(*dims, context),
                             "the element count of the input",
                             "that of the result", "C2")))
    return failure();
  results.push_back({typeOf(adaptor.getInput()).getElementType(), *dims});
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return isSameStaticType(getInput(), getResult()) ? getInput()
                                                   : OpFoldResult();
}

SmallVector<Value> ReshapeOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  SmallVector<Value> gradients(getNumOperands());
  gradients[0] = buildReshapeLike(builder, cotangents[0], getInput());
  return gradients;
}

std::string ReshapeOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return copyAll(operands, results);
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

LogicalResult
TransposeOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                          SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> input = inference.extentsOf(adaptor.getInput());
  SmallVector<int64_t> permutation = adaptor.getPermutation();
  if (failed(checkListLength(inference, permutation, "permutation",
                             input.size())))
    return failure();
  TensorExtents result{typeOf(adaptor.getInput()).getElementType(), {}};
  for (auto [axis, from] : llvm::enumerate(permutation)) {
    if (from < 0 || from >= int64_t(input.size()) ||
        llvm::is_contained(ArrayRef(permutation).take_front(axis), from))
      return inference.fail("expected a permutation of the " +
                            Twine(input.size()) + " dimensions, found " +
                            Twine(from) + " at " + Twine(axis) + " [C1]");
    result.dims.push_back(input[from]);
  }
  results.push_back(std::move(result));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  return llvm::is_sorted(getPermutation()) ? getInput() : OpFoldResult();
}

SmallVector<Value> TransposeOp::buildGradient(OpBuilder &builder,
                                              ValueRange cotangents) {
  SmallVector<int64_t> inverse(getType().getRank());
  for (auto [axis, from] : llvm::enumerate(getPermutation()))
    inverse[from] = axis;
  return {TransposeOp::create(builder, getLoc(), cotangents[0], inverse)};
}

std::string TransposeOp::evaluate(ArrayRef<HostTensor> operands,
                                  MutableArrayRef<HostTensor> results) {
  SmallVector<int64_t> permutation = getPermutation();
  fillFrom(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    Index from(index.size());
    for (auto [axis, inputAxis] : llvm::enumerate(permutation))
      from[inputAxis] = index[axis];
    return from;
  });
  return {};
}

Value TransposeOp::buildElement(ElementBuilder &element,
                                const Position &position) {
  Position from = position;
  for (auto [axis, inputAxis] : llvm::enumerate(getPermutation())) {
    from.index[inputAxis] = position.index[axis];
    from.laneStep[inputAxis] = position.laneStep[axis];
  }
  return element.operand(0, from);
}

//===----------------------------------------------------------------------===//
// broadcast_to
//===----------------------------------------------------------------------===//

/// The result extents before C2; without `dynamic` a -1 copies the input's.
static FailureOr<SmallVector<AffineExpr>>
broadcastExtents(ShapeInference &inference, RankedTensorType type,
                 ArrayRef<AffineExpr> input, ArrayRef<int64_t> shape,
                 ValueRange dynamic) {
  if (!dynamic.empty())
    return inference.fillList(shape, dynamic, "shape");
  size_t shift = shape.size() - input.size();
  SmallVector<AffineExpr> dims;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent < -1)
      return inference.fail("expected entries of shape to be at least -1, "
                            "found " +
                            Twine(extent) + " [G4]");
    if (extent == -1 && (axis < shift || type.getDimSize(axis - shift) == 1))
      return inference.fail("expected no -1 at stretched dim " + Twine(axis) +
                            " [C3]");
    dims.push_back(extent == -1 ? input[axis - shift]
                                : inference.constant(extent));
  }
  return dims;
}

LogicalResult
BroadcastToOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                            SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> input = inference.extentsOf(adaptor.getInput());
  SmallVector<int64_t> shape = adaptor.getShape();
  if (shape.size() < input.size())
    return inference.fail("expected shape to have at least " +
                          Twine(input.size()) + " entries, found " +
                          Twine(shape.size()) + " [C1]");
  RankedTensorType type = typeOf(adaptor.getInput());
  FailureOr<SmallVector<AffineExpr>> dims =
      broadcastExtents(inference, type, input, shape, adaptor.getDynamic());
  if (failed(dims))
    return failure();
  size_t shift = shape.size() - input.size();
  for (auto [axis, extent] : llvm::enumerate(input)) {
    // A `?` that happens to be 1 does not stretch.
    if (type.getDimSize(axis) == 1)
      continue;
    FailureOr<AffineExpr> merged = inference.merge(
        (*dims)[axis + shift], extent, "dim " + Twine(axis + shift) +
        " of shape", "dim " + Twine(axis) + " of the input", "C2");
    if (failed(merged))
      return failure();
    (*dims)[axis + shift] = *merged;
  }
  results.push_back({type.getElementType(), *dims});
  return success();
}

OpFoldResult BroadcastToOp::fold(FoldAdaptor) {
  return isSameStaticType(getInput(), getResult()) ? getInput()
                                                   : OpFoldResult();
}

SmallVector<Value> BroadcastToOp::buildGradient(OpBuilder &builder,
                                                ValueRange cotangents) {
  SmallVector<Value> gradients(getNumOperands());
  gradients[0] = buildSumTo(builder, cotangents[0], getInput());
  return gradients;
}

std::string BroadcastToOp::evaluate(ArrayRef<HostTensor> operands,
                                    MutableArrayRef<HostTensor> results) {
  ArrayRef<int64_t> types = typeOf(getInput()).getShape();
  fillFrom(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    Index from(index.take_back(types.size()));
    for (auto [axis, extent] : llvm::enumerate(types))
      if (extent == 1)
        from[axis] = 0;
    return from;
  });
  return {};
}

Value BroadcastToOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  return element.operand(
      0, broadcastPosition(element, position, typeOf(getInput()).getShape()));
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

LogicalResult PadOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                  SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  SmallVector<int64_t> low = adaptor.getLow(), high = adaptor.getHigh();
  if (failed(checkListLength(inference, low, "low", dims.size())) ||
      failed(checkListLength(inference, high, "high", dims.size())))
    return failure();
  for (auto [dim, before, after] : llvm::zip_equal(dims, low, high)) {
    if (before < 0 || after < 0)
      return inference.fail("expected low and high of at least 0, found " +
                            Twine(std::min(before, after)) + " [C1]");
    dim = dim + before + after;
  }
  RankedTensorType input = typeOf(adaptor.getInput());
  RankedTensorType value = typeOf(adaptor.getValue());
  if (value.getRank() != 0 || value.getElementType() != input.getElementType())
    return inference.fail("expected the value to be of rank 0 and the input's "
                          "element type [C2]");
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
  for (int64_t at = 0; at < results[0].getNumElements(); ++at)
    copyElement(results[0], at, operands[1], 0);
  placeInto(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    Index to(index);
    for (auto [place, before] : llvm::zip_equal(to, low))
      place += before;
    return to;
  });
  return {};
}

Value PadOp::buildElement(ElementBuilder &element, const Position &position) {
  Position inner = position;
  Value inside;
  bool neverEmpty = true;
  for (auto [axis, before, after] : llvm::enumerate(getLow(), getHigh())) {
    if (before == 0 && after == 0)
      continue;
    if (position.laneStep[axis] != 0)
      return {};
    Value index = element.sub(position.index[axis], element.integer(before));
    Value extent = element.operandExtent(0, axis);
    Value within = buildWithin(element, index, extent);
    inside = inside ? arith::AndIOp::create(element.builder, element.loc,
                                            inside, within)
                    : within;
    inner.index[axis] = buildClamp(element, index, extent);
    neverEmpty &= isNeverEmpty(getInput().getType(), axis);
  }
  if (!inside)
    return element.operand(0, position);
  Value border = element.operand(1, Position());
  if (!border)
    return {};
  return element.pick(inside, neverEmpty,
                      [&] { return element.operand(0, inner); }, border);
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

/// C3: merges the extents of input `number` into those of the others.
static LogicalResult mergeConcatInput(ShapeInference &inference, size_t number,
                                      ArrayRef<AffineExpr> input, size_t axis,
                                      SmallVectorImpl<AffineExpr> &dims) {
  for (auto [dim, extent] : llvm::enumerate(input)) {
    if (dim == axis) {
      dims[dim] = dims[dim] + extent;
      continue;
    }
    FailureOr<AffineExpr> merged = inference.merge(
        extent, dims[dim],
        "dim " + Twine(dim) + " of input " + Twine(number),
        "that of the inputs before", "C3");
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
    return inference.fail("expected at least one input [C1]");
  SmallVector<AffineExpr> dims = inference.extentsOf(inputs[0]);
  Type elementType = typeOf(inputs[0]).getElementType();
  if (failed(inference.checkAxis(adaptor.getAxis(), dims.size())))
    return failure();
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (typeOf(input).getElementType() != elementType ||
        typeOf(input).getRank() != int64_t(dims.size()))
      return inference.fail("expected input " + Twine(number) +
                            " to have the rank and element type of input 0 "
                            "[C2]");
    if (number != 0 &&
        failed(mergeConcatInput(inference, number, inference.extentsOf(input),
                                adaptor.getAxis(), dims)))
      return failure();
  }
  results.push_back({elementType, dims});
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? getInputs()[0] : OpFoldResult();
}

SmallVector<Value> ConcatOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  SmallVector<Value> gradients;
  int64_t axis = getAxis(), start = 0;
  Value dynamicStart;
  for (Value input : getInputs()) {
    SmallVector<int64_t> starts(getType().getRank(), 0);
    starts[axis] = dynamicStart ? -1 : start;
    gradients.push_back(buildSliceLike(
        builder, cotangents[0], starts,
        dynamicStart ? ValueRange(dynamicStart) : ValueRange(), /*strides=*/{},
        input));
    if (!dynamicStart && !typeOf(input).isDynamicDim(axis)) {
      start += typeOf(input).getDimSize(axis);
      continue;
    }
    if (!dynamicStart)
      dynamicStart = buildScalarConstant(builder, getLoc(),
                                         builder.getI64Type(), start);
    Value extent = buildDim(builder, getLoc(), input, axis);
    dynamicStart = AddOp::create(builder, getLoc(), dynamicStart, extent);
  }
  return gradients;
}

std::string ConcatOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  int64_t start = 0, axis = getAxis();
  for (const HostTensor &operand : operands) {
    placeInto(results[0], operand, [&](ArrayRef<int64_t> index) {
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
  if (position.laneStep[axis] != 0)
    return {};
  Type type = element.elementType(getType().getElementType());
  Value result = arith::ConstantOp::create(
      element.builder, element.loc, element.builder.getZeroAttr(type));
  Value index = position.index[axis];
  for (auto [number, input] : llvm::enumerate(getInputs())) {
    Value extent = element.operandExtent(number, axis);
    if (typeOf(input).getDimSize(axis) != 0) {
      Position place = position;
      place.index[axis] = buildClamp(element, index, extent);
      result = element.pick(
          buildWithin(element, index, extent),
          isNeverEmpty(input.getType(), axis),
          [&, number = number] { return element.operand(number, place); },
          result);
      if (!result)
        return {};
    }
    index = element.sub(index, extent);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

LogicalResult
ReverseOp::inferResults(Adaptor adaptor, ShapeInference &inference,
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
  Position from = position;
  for (int64_t axis : getAxes()) {
    Value last =
        element.sub(element.operandExtent(0, axis), element.integer(1));
    from.index[axis] = element.sub(last, position.index[axis]);
    from.laneStep[axis] = -position.laneStep[axis];
  }
  return element.operand(0, from);
}
