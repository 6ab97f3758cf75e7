//===- ShapeOps.cpp - the elements of a tensor under another shape --------===//
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/ScopedPrinter.h"
#include <cstring>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/movement/ShapeOpsDefinitions.inc"

/// Returns true if input and result have the same static type, so that the op
/// folds to its input. Equal types with a `?` may have different extents.
static bool isSameStaticType(Value input, Value result) {
  return input.getType() == result.getType() && typeOf(input).hasStaticShape();
}

/// Evaluates ops that keep the elements and their order.
static std::string copyAll(ArrayRef<HostTensor> operands,
                           MutableArrayRef<HostTensor> results) {
  if (results[0].getNumBytes() != 0)
    std::memcpy(results[0].data(), operands[0].data(),
                results[0].getNumBytes());
  return {};
}

//===----------------------------------------------------------------------===//
// ensure_shape
//===----------------------------------------------------------------------===//

/// Bounds an extent by `bound`, unless `bound` is 0.
static LogicalResult restrictExtent(ShapeInference &inference,
                                    AffineExpr &extent, int64_t bound,
                                    size_t axis) {
  if (bound < 0)
    return inference.fail(
        "expected entries of bounds to be at least 0, found " + Twine(bound) +
        " [G4]");
  if (bound == 0)
    return success();
  std::string what = "dim " + std::to_string(axis) + " of the input";
  std::optional<int64_t> known = staticExtent(extent);
  if (known && *known > bound)
    return inference.fail("expected " + what + " (" + Twine(*known) +
                          ") to be at most " + Twine(bound) + " [R1]");
  if (!known)
    extent = inference.restrict(extent, bound, what, "R1");
  return success();
}

/// Fails if a tensor with the bounds as its extents would have 2^63 bytes or
/// more. A `?` without a bound counts as 1.
static LogicalResult checkBoundedSize(ShapeInference &inference,
                                      Type elementType,
                                      ArrayRef<AffineExpr> dims,
                                      ArrayRef<int64_t> bounds) {
  SmallVector<int64_t> upperBounds;
  for (auto [dim, bound] : llvm::zip_equal(dims, bounds))
    upperBounds.push_back(
        staticExtent(dim).value_or(std::max<int64_t>(bound, 1)));
  if (checkedByteCount(upperBounds, elementType))
    return success();
  return inference.fail(
      "expected bounds of tensors with fewer than 2^63 "
      "bytes, found [" +
      llvm::join(
          llvm::map_range(bounds,
                          [](int64_t bound) { return std::to_string(bound); }),
          ", ") +
      "] [G1]");
}

LogicalResult
EnsureShapeOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                            SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  SmallVector<int64_t> shape = adaptor.getShape();
  SmallVector<int64_t> bounds =
      adaptor.getBounds().value_or(SmallVector<int64_t>(dims.size(), 0));
  if (failed(checkListLength(inference, shape, "shape", dims.size())) ||
      failed(checkListLength(inference, bounds, "bounds", dims.size())))
    return failure();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (failed(restrictExtent(inference, dims[axis], bounds[axis], axis)))
      return failure();
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
        "dim " + Twine(axis) + " of the input", "shape", "C2", "R1");
    if (failed(merged))
      return failure();
    dims[axis] = *merged;
  }
  Type elementType = typeOf(adaptor.getInput()).getElementType();
  results.push_back({elementType, dims});
  return adaptor.getBounds()
             ? checkBoundedSize(inference, elementType, dims, bounds)
             : success();
}

OpFoldResult EnsureShapeOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() && !getBounds() ? getInput()
                                                           : OpFoldResult();
}

Value EnsureShapeOp::buildSource(OpBuilder &) { return getInput(); }

Value EnsureShapeOp::buildFound(OpBuilder &builder, Value source,
                                unsigned axis) {
  return buildDim(builder, getLoc(), source, axis);
}

// Converts g to the type of the input.
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

/// Checks C1: if `dynamic` is empty, shape has at most one -1, and no 0 in
/// addition to a -1.
static LogicalResult checkInferredEntry(ShapeInference &inference,
                                        ArrayRef<int64_t> shape) {
  int64_t unknown = llvm::count(shape, -1);
  if (unknown > 1)
    return inference.fail("expected at most one -1 in shape, found " +
                          Twine(unknown) + " [C1]");
  if (unknown == 1 && llvm::is_contained(shape, 0))
    return inference.fail("expected no 0 in a shape with a -1, found " +
                          llvm::to_string(llvm::interleaved_array(shape)) +
                          " [C1]");
  return success();
}

/// Returns the extents of `shape`, with its one -1 inferred from the element
/// count.
static FailureOr<SmallVector<AffineExpr>> inferEntry(ShapeInference &inference,
                                                     ArrayRef<int64_t> shape,
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

LogicalResult ReshapeOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
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
  if (failed(dims) || failed(inference.merge(count, productOf(*dims, context),
                                             "the element count of the input",
                                             "that of the result", "C2", "R1")))
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
  if (failed(
          checkListLength(inference, permutation, "permutation", input.size())))
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

/// Returns the result extents; C2 is not checked. Without `dynamic` a -1 copies
/// the extent of the input.
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
      return inference.fail("expected no -1 at broadcast dim " + Twine(axis) +
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
    // A `?` that happens to be 1 is not broadcast.
    if (type.getDimSize(axis) == 1)
      continue;
    FailureOr<AffineExpr> merged =
        inference.merge((*dims)[axis + shift], extent,
                        "dim " + Twine(axis + shift) + " of shape",
                        "dim " + Twine(axis) + " of the input", "C2");
    if (failed(merged))
      return failure();
    (*dims)[axis + shift] = *merged;
  }
  results.push_back({type.getElementType(), *dims});
  return success();
}

// A -1 never aligns with a static 1, which would be broadcast.
void BroadcastToOp::setCopiedSizes() {
  if (!getDynamic().empty())
    return;
  SmallVector<int64_t> shape(getShape());
  ArrayRef<int64_t> input = typeOf(getInput()).getShape();
  MutableArrayRef<int64_t> aligned =
      MutableArrayRef(shape).take_back(input.size());
  for (auto [size, extent] : llvm::zip_equal(aligned, input))
    if (size == -1 && !ShapedType::isDynamic(extent))
      size = extent;
  setShape(shape);
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
