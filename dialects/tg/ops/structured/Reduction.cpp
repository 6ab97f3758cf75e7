//===- Reduction.cpp - common code of ops that reduce over axes -----------===//
#include "dialects/tg/ops/structured/Reduction.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/movement/ShapeOps.h"

using namespace mlir;
using namespace tg;

SmallVector<int64_t> tg::resolveAxes(std::optional<ArrayRef<int64_t>> axes,
                                     int64_t rank) {
  if (!axes)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> ascending(*axes);
  llvm::sort(ascending);
  return ascending;
}

LogicalResult tg::inferReduction(Value input,
                                 std::optional<ArrayRef<int64_t>> axes,
                                 bool keepDims, ShapeInference &inference,
                                 SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> dims = inference.extentsOf(input);
  SmallVector<int64_t> reduced = resolveAxes(axes, dims.size());
  if (failed(inference.checkAxes(reduced, dims.size())))
    return failure();
  TensorExtents result{getElementTypeOrSelf(input), {}};
  for (auto [axis, extent] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(reduced, int64_t(axis)))
      result.dims.push_back(extent);
    else if (keepDims)
      result.dims.push_back(inference.constant(1));
  }
  results.push_back(result);
  return success();
}

LogicalResult tg::inferAlongAxis(Value input, int64_t axis,
                                 ShapeInference &inference,
                                 SmallVectorImpl<TensorExtents> &results) {
  if (failed(inferUnary(input, inference, results)))
    return failure();
  return inference.checkAxis(axis, results[0].dims.size());
}

Value tg::buildKeptDims(OpBuilder &builder, Value reduced, Value input,
                        ArrayRef<int64_t> axes) {
  auto type = cast<RankedTensorType>(input.getType());
  if (cast<RankedTensorType>(reduced.getType()).getRank() == type.getRank())
    return reduced;
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  int64_t reducedAxis = 0;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    bool isReduced = llvm::is_contained(axes, int64_t(axis));
    bool isDynamic = !isReduced && ShapedType::isDynamic(extent);
    shape.push_back(isReduced ? 1 : isDynamic ? -1 : extent);
    if (isDynamic)
      dynamic.push_back(
          buildDim(builder, reduced.getLoc(), reduced, reducedAxis));
    reducedAxis += !isReduced;
  }
  return ReshapeOp::create(builder, reduced.getLoc(), reduced, dynamic, shape);
}

Value tg::buildDroppedDims(OpBuilder &builder, Value kept,
                           ArrayRef<int64_t> axes) {
  auto type = cast<RankedTensorType>(kept.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (llvm::is_contained(axes, int64_t(axis)))
      continue;
    bool isDynamic = ShapedType::isDynamic(extent);
    shape.push_back(isDynamic ? -1 : extent);
    if (isDynamic)
      dynamic.push_back(buildDim(builder, kept.getLoc(), kept, axis));
  }
  return ReshapeOp::create(builder, kept.getLoc(), kept, dynamic, shape);
}

std::vector<int64_t> tg::reducedElements(ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> axes) {
  std::vector<int64_t> elements = {0};
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    bool isReduced = llvm::is_contained(axes, int64_t(axis));
    std::vector<int64_t> next;
    next.reserve(elements.size() * extent);
    for (int64_t element : elements)
      for (int64_t i = 0; i < extent; ++i)
        next.push_back(isReduced ? element : element * extent + i);
    elements = std::move(next);
  }
  return elements;
}

Rows::Rows(ArrayRef<int64_t> shape, int64_t axis) : extent(shape[axis]) {
  for (int64_t before : shape.take_front(axis))
    outer *= before;
  for (int64_t after : shape.drop_front(axis + 1))
    inner *= after;
}
