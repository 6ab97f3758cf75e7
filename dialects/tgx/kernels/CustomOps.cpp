//===- CustomOps.cpp - ops that are kernels by themselves -----------------===//
#include "dialects/tgx/Tgx.h"
#include "dialects/tgx/kernels/TrueElements.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// first_equal
//===----------------------------------------------------------------------===//

LogicalResult FirstEqualOp::verify() {
  auto type = cast<RankedTensorType>(getIndices().getType());
  if (type.getRank() == 1 &&
      getResult().getType() == type.clone(IntegerType::get(getContext(), 64)))
    return success();
  return emitOpError() << "expected indices of rank 1 and a result of i64 with "
                          "their extent, found "
                       << type << " and " << getResult().getType() << " [C1]";
}

LogicalResult
FirstEqualOp::inferExtents(tg::ShapeInference &inference,
                           SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back(
      {getElementTypeOrSelf(getResult()), inference.extentsOf(getIndices())});
  return success();
}

AffineExpr FirstEqualOp::getElementBound(const tg::ExtentAnalysis &extents) {
  return extents.extentsOf(getIndices()).front();
}

//===----------------------------------------------------------------------===//
// count_true, list_true, take_true
//===----------------------------------------------------------------------===//

/// Checks a tensor with one count for each part of the elements of `input`.
static LogicalResult verifyParts(Operation *op, RankedTensorType input,
                                 RankedTensorType parts) {
  RankedTensorType expected = typeOfParts(input);
  if (succeeded(verifyCompatibleShape(expected, parts)) &&
      parts.getElementType() == expected.getElementType())
    return success();
  return op->emitOpError() << "expected a number for each part, " << expected
                           << ", found " << parts << " [C1]";
}

RankedTensorType tgx::typeOfParts(RankedTensorType input) {
  int64_t parts = ShapedType::kDynamic;
  if (input.hasStaticShape())
    parts =
        llvm::divideCeil(input.getNumElements(), CountTrueOp::kPartElements);
  return RankedTensorType::get({parts},
                               IntegerType::get(input.getContext(), 64));
}

LogicalResult CountTrueOp::verify() {
  return verifyParts(*this, getInput().getType(), getResult().getType());
}

LogicalResult
CountTrueOp::inferExtents(tg::ShapeInference &inference,
                          SmallVectorImpl<tg::TensorExtents> &results) {
  AffineExpr elements =
      tg::productOf(inference.extentsOf(getInput()), getContext());
  results.push_back({getResult().getType().getElementType(),
                     {tg::simplifyExtent(countParts(elements))}});
  return success();
}

LogicalResult ListTrueOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType type = getResult().getType();
  if (failed(verifyParts(*this, input, getStarts().getType())))
    return failure();
  if (input.getRank() > 0 && type.getElementType().isSignlessInteger(64) &&
      type.getRank() == 2 && type.getDimSize(1) == input.getRank())
    return success();
  return emitOpError() << "expected coordinates of i64 for each dimension of "
                       << input << ", found " << type << " [C2]";
}

LogicalResult
ListTrueOp::inferExtents(tg::ShapeInference &inference,
                         SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back({getResult().getType().getElementType(),
                     {inference.sizeOf(getCount()),
                      inference.constant(getInput().getType().getRank())}});
  return success();
}

// A coordinate is less than the extent of its dimension. If there is a
// coordinate, no other dimension is empty, so the product of the extents is a
// bound.
AffineExpr ListTrueOp::getElementBound(const tg::ExtentAnalysis &extents) {
  return tg::simplifyExtent(
      tg::productOf(extents.extentsOf(getInput()), getContext()));
}

LogicalResult TakeTrueOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType mask = getMask().getType();
  RankedTensorType type = getResult().getType();
  if (failed(verifyParts(*this, mask, getStarts().getType())))
    return failure();
  if (input.getRank() == 1 && type.getRank() == 1 &&
      succeeded(verifyCompatibleShape(input, mask)) &&
      type.getElementType() == input.getElementType())
    return success();
  return emitOpError() << "expected a result with some elements of " << input
                       << " and a mask with its extent, found " << type
                       << " and " << mask << " [C2]";
}

LogicalResult
TakeTrueOp::inferExtents(tg::ShapeInference &inference,
                         SmallVectorImpl<tg::TensorExtents> &results) {
  if (failed(inference.merge(inference.extentsOf(getMask()).front(),
                             inference.extentsOf(getInput()).front(),
                             "mask dim 0", "input dim 0", "C2")))
    return failure();
  results.push_back(
      {getResult().getType().getElementType(), {inference.sizeOf(getCount())}});
  return success();
}
