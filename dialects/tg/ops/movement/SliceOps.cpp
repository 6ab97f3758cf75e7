//===- SliceOps.cpp - boxes of tensors by their start ---------------------===//
#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/movement/SliceOpsDefinitions.inc"

/// Builds the start of a box on every axis. The operands from index
/// `firstDynamic` on give the -1 entries.
static SmallVector<Value> buildStarts(ElementBuilder &element,
                                      ArrayRef<int64_t> starts,
                                      unsigned firstDynamic) {
  SmallVector<Value> values;
  for (int64_t start : starts)
    values.push_back(start == -1 ? element.scalar(firstDynamic++)
                                 : element.integers().constant(start));
  return values;
}

/// Returns the distance from the first to the last element of a box. Returns -1
/// for an empty box, so that it may begin after the last element of a tensor.
static AffineExpr reachOf(AffineExpr size, int64_t stride) {
  // This is 1 for all sizes above 0.
  AffineExpr isNonempty = size.ceilDiv(int64_t(1) << 62);
  return (size - 1) * stride + (1 - isNonempty) * (stride - 1);
}

/// Returns the bounds of starts: a start is valid if the whole box fits from
/// there.
static SmallVector<SizeBound>
startBounds(ArrayRef<int64_t> starts,
            std::optional<SmallVector<int64_t>> givenStrides,
            unsigned firstDynamic, ArrayRef<AffineExpr> extents,
            ArrayRef<AffineExpr> sizes) {
  SmallVector<int64_t> strides = stridesOrOnes(givenStrides, starts.size());
  SmallVector<SizeBound> bounds;
  for (auto [axis, start] : llvm::enumerate(starts))
    if (start == -1)
      bounds.push_back({firstDynamic++,
                        extents[axis] - reachOf(sizes[axis], strides[axis])});
  return bounds;
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

/// Returns the sizes. `dynamic` fills their -1 entries; if it is empty, a -1
/// stands for all elements up to the end.
static FailureOr<SmallVector<AffineExpr>>
sliceSizes(ShapeInference &inference, ArrayRef<int64_t> sizes,
           ValueRange dynamic, ArrayRef<AffineExpr> extents,
           const SliceExtents &slice) {
  if (!dynamic.empty()) {
    auto filled = inference.fillList(sizes, dynamic, "sizes");
    if (succeeded(filled))
      for (auto [axis, size] : llvm::enumerate(*filled))
        inference.bound(size, extents[axis], "size on dim " + Twine(axis),
                        "R1");
    return filled;
  }
  SmallVector<AffineExpr> result;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (size < -1)
      return inference.fail("expected entries of sizes to be at least -1, "
                            "found " +
                            Twine(size) + " [G4]");
    int64_t stride = std::max<int64_t>(slice.strides[axis], 1);
    if (size == -1)
      inference.bound(slice.starts[axis], extents[axis],
                      "start on dim " + Twine(axis), "R1");
    result.push_back(size == -1
                         ? (extents[axis] - slice.starts[axis]).ceilDiv(stride)
                         : inference.constant(size));
  }
  return result;
}

LogicalResult SliceOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                    SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> extents = inference.extentsOf(adaptor.getInput());
  size_t rank = extents.size();
  SmallVector<int64_t> starts = adaptor.getStarts();
  SmallVector<int64_t> sizes = adaptor.getSizes();
  SliceExtents slice;
  slice.strides = stridesOrOnes(adaptor.getStrides(), rank);
  if (failed(checkListLength(inference, starts, "starts", rank)) ||
      failed(checkListLength(inference, sizes, "sizes", rank)) ||
      failed(checkListLength(inference, slice.strides, "strides", rank)))
    return failure();
  ValueRange dynamic = adaptor.getDynamic();
  size_t unknownStarts =
      std::min<size_t>(llvm::count(starts, -1), dynamic.size());
  FailureOr<SmallVector<AffineExpr>> filled =
      inference.fillList(starts, dynamic.take_front(unknownStarts), "starts");
  if (failed(filled))
    return failure();
  slice.starts = *filled;
  filled = sliceSizes(inference, sizes, dynamic.drop_front(unknownStarts),
                      extents, slice);
  if (failed(filled))
    return failure();
  slice.sizes = *filled;
  results.push_back({typeOf(adaptor.getInput()).getElementType(), slice.sizes});
  return checkSlice(inference, extents, slice);
}

SmallVector<StringRef> SliceOp::getSizeAttributes() {
  return {"starts", "sizes"};
}

SmallVector<SizeBound> SliceOp::getSizeBounds(const ExtentAnalysis &analysis) {
  return startBounds(getStarts(), getStrides(), /*firstDynamic=*/1,
                     analysis.extentsOf(getInput()),
                     analysis.extentsOf(getResult()));
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // Equal static extents allow only the start 0 and, for extents above 1, the
  // stride 1.
  bool keepsAll =
      getInput().getType() == getType() && getType().hasStaticShape();
  return keepsAll && getDynamic().empty() ? getInput() : OpFoldResult();
}

SmallVector<Value> SliceOp::buildGradient(OpBuilder &builder,
                                          ValueRange cotangents) {
  SmallVector<int64_t> starts = getStarts();
  SmallVector<Value> gradients(getNumOperands());
  Value zeros = buildZerosLike(builder, getInput());
  gradients[0] =
      UpdateSliceOp::create(builder, getLoc(), zeros, cotangents[0],
                            getDynamic().take_front(llvm::count(starts, -1)),
                            getStartsAttr(), getStridesAttr());
  return gradients;
}

std::string SliceOp::evaluate(ArrayRef<HostTensor> operands,
                              MutableArrayRef<HostTensor> results) {
  Index starts = fillNumbers(getStarts(), operands.drop_front());
  SmallVector<int64_t> strides = stridesOrOnes(getStrides(), starts.size());
  fillFrom(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    Index from(starts);
    for (auto [axis, coordinate] : llvm::enumerate(from))
      coordinate += index[axis] * strides[axis];
    return from;
  });
  return {};
}

Value SliceOp::buildElement(ElementBuilder &element, const Position &position) {
  IntegerOps ops = element.integers();
  Position from = position;
  SmallVector<Value> starts =
      buildStarts(element, getStarts(), /*firstDynamic=*/1);
  SmallVector<int64_t> strides = stridesOrOnes(getStrides(), starts.size());
  for (auto [axis, start] : llvm::enumerate(starts)) {
    Value offset = ops.mul(position.index[axis], ops.constant(strides[axis]));
    from.index[axis] = ops.add(start, offset);
    from.laneStep[axis] = position.laneStep[axis] * strides[axis];
  }
  return element.operand(0, from);
}

//===----------------------------------------------------------------------===//
// update_slice
//===----------------------------------------------------------------------===//

LogicalResult
UpdateSliceOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                            SmallVectorImpl<TensorExtents> &results) {
  RankedTensorType base = typeOf(adaptor.getBase());
  RankedTensorType update = typeOf(adaptor.getUpdate());
  size_t rank = base.getRank();
  if (update.getRank() != base.getRank() ||
      update.getElementType() != base.getElementType())
    return inference.fail("expected the update to have the rank and element "
                          "type of the base, found " +
                          llvm::to_string(update) + " and " +
                          llvm::to_string(base) + " [C4]");
  SmallVector<int64_t> starts = adaptor.getStarts();
  SliceExtents slice;
  slice.strides = stridesOrOnes(adaptor.getStrides(), rank);
  if (failed(checkListLength(inference, starts, "starts", rank)) ||
      failed(checkListLength(inference, slice.strides, "strides", rank)))
    return failure();
  FailureOr<SmallVector<AffineExpr>> filled =
      inference.fillList(starts, adaptor.getDynamic(), "starts");
  if (failed(filled))
    return failure();
  slice.starts = *filled;
  slice.sizes = inference.extentsOf(adaptor.getUpdate());
  SmallVector<AffineExpr> extents = inference.extentsOf(adaptor.getBase());
  results.push_back({base.getElementType(), extents});
  return checkSlice(inference, extents, slice);
}

SmallVector<StringRef> UpdateSliceOp::getSizeAttributes() { return {"starts"}; }

SmallVector<SizeBound>
UpdateSliceOp::getSizeBounds(const ExtentAnalysis &analysis) {
  return startBounds(getStarts(), getStrides(), /*firstDynamic=*/2,
                     analysis.extentsOf(getBase()),
                     analysis.extentsOf(getUpdate()));
}

// The gradient of the base is 0 at the replaced elements; the update gets the
// gradient there.
SmallVector<Value> UpdateSliceOp::buildGradient(OpBuilder &builder,
                                                ValueRange cotangents) {
  SmallVector<Value> gradients(getNumOperands());
  Value zeros = buildZerosLike(builder, getUpdate());
  gradients[0] =
      UpdateSliceOp::create(builder, getLoc(), cotangents[0], zeros,
                            getDynamic(), getStartsAttr(), getStridesAttr());
  gradients[1] = buildSliceLike(builder, cotangents[0], getStarts(),
                                getDynamic(), getStridesAttr(), getUpdate());
  return gradients;
}

std::string UpdateSliceOp::evaluate(ArrayRef<HostTensor> operands,
                                    MutableArrayRef<HostTensor> results) {
  Index starts = fillNumbers(getStarts(), operands.drop_front(2));
  SmallVector<int64_t> strides = stridesOrOnes(getStrides(), starts.size());
  results[0] = operands[0];
  copyInto(results[0], operands[1], [&](ArrayRef<int64_t> index) {
    Index to(starts);
    for (auto [axis, coordinate] : llvm::enumerate(to))
      coordinate += index[axis] * strides[axis];
    return to;
  });
  return {};
}

namespace {
/// The position in the update of an element of the result.
struct UpdateAccess {
  Position position;
  Value inside;           ///< scalar i1; null if the position is always inside
  bool neverEmpty = true; ///< the clamped position can always be read
  /// The axis along which some lanes may be in the update and some not.
  std::optional<unsigned> laneAxis = {};
};
} // namespace

/// Converts `access` to a position in the box on one axis, on which the box
/// starts at `start`, and adds the condition for being inside. Returns false if
/// some lanes may be in the box and some not, and these lanes are not
/// neighbours.
static bool restrictToBox(ElementBuilder &element, UpdateAccess &access,
                          unsigned axis, Value start, int64_t stride,
                          Value extent) {
  OpBuilder &builder = element.builder;
  IntegerOps ops = element.integers();
  Value offset = ops.sub(access.position.index[axis], start);
  unsigned lanes =
      lanesTogether(element, access.position, axis, offset, extent);
  if (lanes == 0 && stride == 1 && !access.laneAxis) {
    access.position.index[axis] = offset;
    access.laneAxis = axis;
    return true;
  }
  if (lanes == 0 || (lanes > 1 && stride != 1))
    return false;
  Value within;
  if (stride != 1) {
    Value step = ops.constant(stride);
    Value remainder =
        arith::RemSIOp::create(builder, element.loc, offset, step);
    offset = arith::DivSIOp::create(builder, element.loc, offset, step);
    within =
        arith::CmpIOp::create(builder, element.loc, arith::CmpIPredicate::eq,
                              remainder, ops.constant(0));
  }
  for (Value condition : {access.inside, buildWithin(element, offset, extent)})
    if (condition)
      within = within ? arith::AndIOp::create(builder, element.loc, within,
                                              condition)
                      : condition;
  access.inside = within;
  access.position.index[axis] = buildClamp(element, offset, extent, lanes);
  return true;
}

Value UpdateSliceOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  UpdateAccess access{position, {}};
  SmallVector<int64_t> starts = getStarts();
  SmallVector<Value> boxStarts =
      buildStarts(element, starts, /*firstDynamic=*/2);
  SmallVector<int64_t> strides = stridesOrOnes(getStrides(), starts.size());
  for (auto [axis, start] : llvm::enumerate(starts)) {
    int64_t extent = typeOf(getBase()).getDimSize(axis);
    bool isWhole = start == 0 && strides[axis] == 1 &&
                   !ShapedType::isDynamic(extent) &&
                   typeOf(getUpdate()).getDimSize(axis) == extent;
    if (isWhole)
      continue;
    if (!restrictToBox(element, access, axis, boxStarts[axis], strides[axis],
                       element.operandExtent(1, axis)))
      return {};
    if (access.laneAxis != axis)
      access.neverEmpty &= isNeverEmpty(getUpdate().getType(), axis);
  }
  if (!access.inside && !access.laneAxis)
    return element.operand(1, access.position);
  Value baseElement = element.operand(0, position);
  if (!baseElement)
    return {};
  auto readUpdate = [&]() -> Value {
    if (!access.laneAxis)
      return element.operand(1, access.position);
    return element.operandWithin(1, access.position, *access.laneAxis,
                                 element.operandExtent(1, *access.laneAxis),
                                 baseElement);
  };
  return access.inside ? element.pick(access.inside, access.neverEmpty,
                                      readUpdate, baseElement)
                       : readUpdate();
}
