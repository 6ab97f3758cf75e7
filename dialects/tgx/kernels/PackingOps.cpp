//===- PackingOps.cpp - matrices as the panels of a target ----------------===//
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// pack, unpack
//===----------------------------------------------------------------------===//

StringRef tgx::winogradAlgorithm(int64_t positions) {
  return positions == 2 ? "winograd_2x2" : "winograd";
}

std::optional<int64_t> tgx::winogradTileOf(std::optional<StringRef> algorithm) {
  for (int64_t positions : kWinogradTiles)
    if (algorithm == winogradAlgorithm(positions))
      return positions;
  return std::nullopt;
}

RankedTensorType PanelsAttr::getPackedType(RankedTensorType matrix) const {
  int64_t columns = matrix.getDimSize(getAxis());
  int64_t k = 1;
  int64_t panels = llvm::divideCeil(columns, getWidth());
  if (int64_t tileExtent = getWinograd() + 2; getWinograd())
    // The columns are on axis 2 or 3 of the filter, and the rows are on the
    // other one.
    return RankedTensorType::get({tileExtent * tileExtent, panels,
                                  matrix.getDimSize(5 - getAxis()), getWidth()},
                                 matrix.getElementType());
  for (auto [axis, extent] : llvm::enumerate(matrix.getShape()))
    if (axis != getAxis())
      k *= extent;
  return RankedTensorType::get({panels, k, getWidth()},
                               matrix.getElementType());
}

/// Checks C1 of both ops: the layout is valid for a tensor of this type.
static LogicalResult verifyLayout(Operation *op, PanelsAttr layout,
                                  RankedTensorType tensor) {
  bool isFilter = layout.getWinograd() != 0;
  if (isFilter && !llvm::is_contained(kWinogradTiles, layout.getWinograd()))
    return op->emitOpError()
           << "expected tiles of 4 or 2 positions along an axis, found "
           << layout << " [C1]";
  if (isFilter && (tensor.getRank() != 4 || !tensor.hasStaticShape() ||
                   tensor.getDimSize(0) != 3 || tensor.getDimSize(1) != 3))
    return op->emitOpError()
           << "expected a filter of 3x3 and static extents, found " << tensor
           << " [C1]";
  if (tensor.getRank() < 2 || !tensor.hasStaticShape())
    return op->emitOpError()
           << "expected static extents and a rank of at least 2, found "
           << tensor << " [C1]";
  int64_t first = isFilter ? tensor.getRank() - 2 : 0;
  int64_t axis = layout.getAxis();
  if (axis < first || axis >= tensor.getRank() || layout.getWidth() < 1)
    return op->emitOpError()
           << "expected columns along one of axes " << first << " to "
           << tensor.getRank() - 1 << " and a width of at least 1, found "
           << layout << " [C1]";
  return success();
}

/// Checks C1 and C2 of both ops: `panels` is the type of the panels of a static
/// tensor.
static LogicalResult verifyPanels(Operation *op, PanelsAttr layout,
                                  RankedTensorType tensor,
                                  RankedTensorType panels) {
  if (failed(verifyLayout(op, layout, tensor)))
    return failure();
  RankedTensorType expected = layout.getPackedType(tensor);
  if (panels != expected)
    return op->emitOpError() << "expected panels of type " << expected
                             << ", found " << panels << " [C2]";
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPanels(*this, getLayout(), getInput().getType(),
                      getResult().getType());
}

LogicalResult UnpackOp::verify() {
  return verifyPanels(*this, getLayout(), getResult().getType(),
                      getInput().getType());
}

LogicalResult
UnpackOp::inferExtents(tg::ShapeInference &inference,
                       SmallVectorImpl<tg::TensorExtents> &results) {
  tg::TensorExtents result{getResult().getType().getElementType(), {}};
  for (int64_t extent : getResult().getType().getShape())
    result.dims.push_back(inference.constant(extent));
  results.push_back(result);
  return success();
}
