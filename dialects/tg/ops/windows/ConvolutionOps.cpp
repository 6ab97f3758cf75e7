//===- ConvolutionOps.cpp - sums of products over windows -----------------===//
#include "dialects/tg/ops/windows/ConvolutionOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/movement/SliceOps.h"
#include "dialects/tg/ops/structured/ContractionOps.h"
#include "dialects/tg/ops/windows/ConvolutionSpace.h"
#include "dialects/tg/ops/windows/WinogradRules.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/windows/ConvolutionOpsDefinitions.inc"

SmallVector<StringRef> ConvTransposeOp::getSizeAttributes() {
  return {"output_sizes"};
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

Contraction ConvOp::getContraction(const ExtentAnalysis &analysis) {
  ConvolutionSpace space(*this, analysis);
  space.addPositions(DimensionKind::row, /*ofInput=*/false);
  space.addGroups();
  space.addOutputChannels(DimensionKind::column);
  space.addReducedTaps([&] { space.addInputChannels(DimensionKind::reduced); });
  return space.makeContraction(space.getInput(), space.getFilter(),
                               space.getOutput());
}

Contraction ConvTransposeOp::getContraction(const ExtentAnalysis &analysis) {
  ConvolutionSpace space(*this, analysis);
  space.addPositions(DimensionKind::row, /*ofInput=*/true);
  space.addGroups();
  space.addInputChannels(DimensionKind::column);
  space.addReducedTaps(
      [&] { space.addOutputChannels(DimensionKind::reduced); });
  return space.makeContraction(space.getOutput(), space.getFilter(),
                               space.getInput());
}

Contraction ConvFilterGradOp::getContraction(const ExtentAnalysis &analysis) {
  ConvolutionSpace space(*this, analysis);
  space.addTaps(DimensionKind::row);
  space.addInputChannels(DimensionKind::row);
  space.addGroups();
  space.addOutputChannels(DimensionKind::column);
  space.addPositions(DimensionKind::reduced, /*ofInput=*/false);
  return space.makeContraction(space.getInput(), space.getOutput(),
                               space.getFilter());
}

//===----------------------------------------------------------------------===//
// Orders of sums
//===----------------------------------------------------------------------===//

/// Verifies an order: blocks of products, or Winograd tiles. Only the gradient
/// of a filter sums over tiles, in blocks and groups of these; the other sums
/// over channels are one chain.
template <typename ConvolutionOp>
static LogicalResult verifyConvolutionOrder(ConvolutionOp op, OrderAttr order) {
  if (!order.getWinograd())
    return verifySequentialOrder(op, order);
  Windows windows = windowsOf(op);
  auto filter = cast<RankedTensorType>(rolesOf(op).filter.getType());
  bool fits =
      windows.getRank() == 2 && op.getGroups() == 1 &&
      elementBytes(filter.getElementType()) == winograd::kElementBytes &&
      llvm::all_of(llvm::seq(2u), [&](unsigned axis) {
        return filter.getDimSize(axis) == winograd::kTaps &&
               windows.strideOf(axis) == 1 && windows.dilationOf(axis) == 1;
      });
  if (!fits)
    return op->emitOpError()
           << "expected Winograd tiles only for windows of 3x3 elements with "
              "strides and dilations of 1, one group and f32, found "
           << order;
  size_t maxLengths = std::is_same_v<ConvolutionOp, ConvFilterGradOp> ? 2 : 0;
  if (order.getStepElements() > 1 || !order.getLines().empty() ||
      order.getBlocks().size() > maxLengths)
    return op->emitOpError()
           << "expected at most " << maxLengths
           << " lengths of blocks, and no lanes, accumulators and lines, next "
              "to Winograd tiles, found "
           << order;
  return success();
}

OrderAttr ConvOp::chooseOrder() { return getSequentialOrder(getContext()); }
OrderAttr ConvTransposeOp::chooseOrder() {
  return getSequentialOrder(getContext());
}

// With groups each sum has few products per line of positions. The first length
// counts lines.
OrderAttr ConvFilterGradOp::chooseOrder() {
  SmallVector<int64_t> blocks;
  if (getGroups() > 1)
    blocks = {32, 16};
  return OrderAttr::get(getContext(), 1, 1, blocks, {}, {}, 0);
}

LogicalResult ConvOp::verifyOrder(OrderAttr order) {
  return verifyConvolutionOrder(*this, order);
}
LogicalResult ConvTransposeOp::verifyOrder(OrderAttr order) {
  return verifyConvolutionOrder(*this, order);
}
LogicalResult ConvFilterGradOp::verifyOrder(OrderAttr order) {
  return verifyConvolutionOrder(*this, order);
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// Returns true if every window is one element: the filter has one position and
/// is a matrix of channels. A stride other than 1 skips elements and needs a
/// static extent.
template <typename ConvolutionOp> static bool isPointwise(ConvolutionOp op) {
  Windows windows = windowsOf(op);
  ShapeInference inference(op.getContext(), /*opName=*/"",
                           /*loc=*/std::nullopt);
  SmallVector<AffineExpr> input = inference.extentsOf(rolesOf(op).input);
  return op.getGroups() == 1 && windows.countPositions() == 1 &&
         llvm::all_of(llvm::seq(windows.getRank()), [&](unsigned axis) {
           AffineExpr extent = input[axis + 1];
           return (windows.strideOf(axis) == 1 || staticExtent(extent)) &&
                  windows.isInside(axis, extent);
         });
}

bool ConvOp::isComposed() { return isPointwise(*this); }
bool ConvTransposeOp::isComposed() { return isPointwise(*this); }
bool ConvFilterGradOp::isComposed() { return isPointwise(*this); }

/// Returns the strides of the elements that pointwise windows read, or none if
/// the windows read all elements.
template <typename ConvolutionOp>
static SmallVector<int64_t> readStridesOf(ConvolutionOp op) {
  Windows windows = windowsOf(op);
  SmallVector<int64_t> strides = {1};
  for (unsigned axis : llvm::seq(windows.getRank()))
    strides.push_back(windows.strideOf(axis));
  strides.push_back(1);
  if (llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
    strides.clear();
  return strides;
}

/// Builds the elements that pointwise windows read.
template <typename ConvolutionOp>
static Value buildWindows(OpBuilder &builder, ConvolutionOp op) {
  Value input = op.getInput();
  SmallVector<int64_t> strides = readStridesOf(op);
  if (strides.empty())
    return input;
  SmallVector<int64_t> starts(strides.size(), 0), sizes(strides.size(), -1);
  return SliceOp::create(builder, op.getLoc(), input, ValueRange(),
                         builder.getI64ArrayAttr(starts),
                         builder.getI64ArrayAttr(sizes),
                         builder.getI64ArrayAttr(strides));
}

SmallVector<Value> ConvOp::decompose(OpBuilder &builder) {
  Value matrix = buildAsMatrix(builder, getLoc(), getFilter());
  return {MatmulOp::create(builder, getLoc(), buildWindows(builder, *this),
                           matrix)};
}

SmallVector<Value> ConvTransposeOp::decompose(OpBuilder &builder) {
  Value matrix = buildAsMatrix(builder, getLoc(), getFilter());
  Value product = MatmulOp::create(builder, getLoc(), getInput(), matrix,
                                   /*transposeLhs=*/false,
                                   /*transposeRhs=*/true);
  SmallVector<int64_t> strides = readStridesOf(*this);
  if (strides.empty())
    return {product};
  // All extents except the number of images and of channels are static.
  SmallVector<Value> dynamic;
  auto type = cast<RankedTensorType>(product.getType());
  for (int64_t axis : {int64_t(0), type.getRank() - 1})
    if (type.isDynamicDim(axis))
      dynamic.push_back(buildDim(builder, getLoc(), product, axis));
  Value zeros = BroadcastToOp::create(builder, getLoc(),
                                      buildScalarLike(builder, product, 0.0),
                                      dynamic, extentList(getResult()));
  SmallVector<int64_t> starts(strides.size(), 0);
  return {UpdateSliceOp::create(builder, getLoc(), zeros, product, ValueRange(),
                                builder.getI64ArrayAttr(starts),
                                builder.getI64ArrayAttr(strides))};
}

SmallVector<Value> ConvFilterGradOp::decompose(OpBuilder &builder) {
  Value windows = buildWindows(builder, *this);
  Value product = MatmulOp::create(
      builder, getLoc(), buildAsMatrix(builder, getLoc(), windows),
      buildAsMatrix(builder, getLoc(), getOutputGrad()), /*transposeLhs=*/true);
  return {buildReshapeLike(builder, product, getResult())};
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Converts `value` to the type of `like`, which may have other static extents.
static Value buildTypeOf(OpBuilder &builder, Value value, Value like) {
  if (value.getType() == like.getType())
    return value;
  return EnsureShapeOp::create(builder, value.getLoc(), value,
                               extentList(like));
}

/// Builds a transposed convolution with the attributes of `op`. The result gets
/// the extents of `like`.
template <typename ConvolutionOp>
static Value buildTransposed(OpBuilder &b, ConvolutionOp op, Value output,
                             Value filter, Value like) {
  SmallVector<int64_t> extents = extentList(like);
  ArrayRef<int64_t> sizes = ArrayRef(extents).drop_front().drop_back();
  SmallVector<Value> dynamic;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (size == -1)
      dynamic.push_back(buildDim(b, op.getLoc(), like, axis + 1));
  Value result = ConvTransposeOp::create(
      b, op.getLoc(), output, filter, dynamic, b.getI64ArrayAttr(sizes),
      op.getStridesAttr(), op.getDilationsAttr(), op.getPaddingAttr(),
      op.getPadsAttr(), op.getGroupsAttr());
  return buildTypeOf(b, result, like);
}

/// Builds a convolution of other tensors with the attributes of `op`. The
/// result gets the type of `like`.
template <typename ConvolutionOp>
static Value buildConvolution(OpBuilder &b, ConvolutionOp op, Value input,
                              Value filter, Value like) {
  Value result = ConvOp::create(
      b, op.getLoc(), input, filter, op.getStridesAttr(), op.getDilationsAttr(),
      op.getPaddingAttr(), op.getPadsAttr(), op.getGroupsAttr());
  return buildTypeOf(b, result, like);
}

/// Builds the gradient with respect to a filter, with the attributes of `op`.
template <typename ConvolutionOp>
static Value buildFilterGrad(OpBuilder &b, ConvolutionOp op, Value input,
                             Value output) {
  SmallVector<int64_t> extents = extentList(op.getFilter());
  return ConvFilterGradOp::create(
      b, op.getLoc(), input, output,
      b.getI64ArrayAttr(ArrayRef(extents).drop_back(2)), op.getStridesAttr(),
      op.getDilationsAttr(), op.getPaddingAttr(), op.getPadsAttr(),
      op.getGroupsAttr());
}

SmallVector<Value> ConvOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  Value g = cotangents[0];
  return {buildTransposed(builder, *this, g, getFilter(), getInput()),
          buildFilterGrad(builder, *this, getInput(), g)};
}

SmallVector<Value> ConvTransposeOp::buildGradient(OpBuilder &builder,
                                                  ValueRange cotangents) {
  SmallVector<Value> gradients(getNumOperands());
  Value g = cotangents[0];
  gradients[0] = buildConvolution(builder, *this, g, getFilter(), getInput());
  gradients[1] = buildFilterGrad(builder, *this, g, getInput());
  return gradients;
}

SmallVector<Value> ConvFilterGradOp::buildGradient(OpBuilder &builder,
                                                   ValueRange cotangents) {
  Value g = cotangents[0];
  return {buildTransposed(builder, *this, getOutputGrad(), g, getInput()),
          buildConvolution(builder, *this, getInput(), g, getOutputGrad())};
}
