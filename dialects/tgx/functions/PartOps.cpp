//===- PartOps.cpp - values and buffers that are parts of larger ones -----===//
#include "dialects/tgx/functions/BufferPlaces.h"
#include "dialects/tgx/verification/Verification.h"

using namespace mlir;
using namespace tgx;

int64_t tgx::elementsFrom(RankedTensorType type, unsigned axis) {
  int64_t count = 1;
  for (int64_t extent : type.getShape().drop_front(axis))
    count *= extent;
  return count;
}

RowsAttr tgx::rowsAlong(RankedTensorType whole, unsigned axis) {
  ArrayRef<int64_t> before = whole.getShape().take_front(axis);
  if (llvm::all_of(before, [](int64_t extent) { return extent == 1; }))
    return {};
  return RowsAttr::get(whole.getContext(), axis, elementsFrom(whole, axis));
}

LogicalResult tgx::verifyPart(Operation *op, RankedTensorType part,
                              RankedTensorType whole, int64_t axis,
                              StringRef label) {
  bool fits = axis >= 0 && axis < whole.getRank() &&
              part.getRank() == whole.getRank() &&
              part.getElementType() == whole.getElementType();
  for (int64_t dimension = 0; fits && dimension < whole.getRank();
       ++dimension) {
    int64_t partExtent = part.getDimSize(dimension);
    int64_t wholeExtent = whole.getDimSize(dimension);
    bool isUnknown =
        ShapedType::isDynamic(partExtent) || ShapedType::isDynamic(wholeExtent);
    fits = isUnknown           ? dimension < axis
           : dimension == axis ? partExtent <= wholeExtent
                               : partExtent == wholeExtent;
  }
  if (fits && tg::checkedByteCount(whole.getShape().drop_front(axis),
                                   whole.getElementType()))
    return success();
  return op->emitOpError() << "expected " << part << " to be a part of "
                           << whole << " along axis " << axis
                           << ", with static extents from there on [" << label
                           << "]";
}

//===----------------------------------------------------------------------===//
// join
//===----------------------------------------------------------------------===//

LogicalResult JoinOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getParts().empty())
    return emitOpError() << "expected at least one part, found none [C1]";
  int64_t sum = 0;
  for (Value part : getParts()) {
    auto partType = cast<RankedTensorType>(part.getType());
    if (failed(verifyPart(*this, partType, type, getAxis(), "C2")))
      return failure();
    sum += partType.getDimSize(getAxis());
  }
  if (sum == type.getDimSize(getAxis()))
    return success();
  return emitOpError() << "expected parts of " << type.getDimSize(getAxis())
                       << " indices along axis " << getAxis() << ", found "
                       << sum << " [C3]";
}

unsigned JoinOp::getConcatenationAxis() { return getAxis(); }

RowsAttr JoinOp::getRows() {
  return rowsAlong(cast<RankedTensorType>(getResult().getType()), getAxis());
}

int64_t JoinOp::getOffset(unsigned index) {
  int64_t offset = 0;
  for (Value part : getParts().take_front(index))
    offset += cast<RankedTensorType>(part.getType()).getDimSize(getAxis());
  return offset;
}

/// Infers the extents of the result. Except along the axis, they are the
/// extents of the first part, or static extents of other parts that have them.
LogicalResult
JoinOp::inferExtents(tg::ShapeInference &inference,
                     SmallVectorImpl<tg::TensorExtents> &results) {
  auto type = cast<RankedTensorType>(getResult().getType());
  tg::TensorExtents result{type.getElementType(),
                           inference.extentsOf(getParts().front())};
  for (Value part : getParts())
    for (auto [extent, other] :
         llvm::zip_equal(result.dims, inference.extentsOf(part)))
      if (!tg::staticExtent(extent) && tg::staticExtent(other))
        extent = other;
  result.dims[getAxis()] = inference.constant(type.getDimSize(getAxis()));
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// part
//===----------------------------------------------------------------------===//

LogicalResult PartOp::verify() {
  auto type = cast<RankedTensorType>(getBuffer().getType());
  auto whole = cast<RankedTensorType>(getSource().getType());
  if (failed(verifyPart(*this, type, whole, getAxis(), "C1")))
    return failure();
  int64_t offset = getOffset();
  int64_t extent = whole.getDimSize(getAxis());
  if (offset >= 0 && offset <= extent - type.getDimSize(getAxis()))
    return success();
  return emitOpError() << "expected " << type.getDimSize(getAxis())
                       << " indices from " << offset
                       << " on to be within the extent, found an extent of "
                       << extent << " [C2]";
}

int64_t PartOp::countElementsBefore() {
  auto whole = cast<RankedTensorType>(getSource().getType());
  return getOffset() * elementsFrom(whole, getAxis() + 1);
}

int64_t PartOp::countRowElements() {
  return elementsFrom(cast<RankedTensorType>(getBuffer().getType()), getAxis());
}

RowsAttr PartOp::getRows() {
  return rowsAlong(cast<RankedTensorType>(getSource().getType()), getAxis());
}

/// Returns the bytes of the part, which are the bytes of its elements in each
/// row times the number of rows.
AffineExpr PartOp::countBytes() {
  auto whole = cast<RankedTensorType>(getSource().getType());
  AffineExpr bytes = sizedBuffer(getSource()).countBytes();
  int64_t rowStride = std::max<int64_t>(1, elementsFrom(whole, getAxis()));
  return bytes.floorDiv(rowStride) * countRowElements();
}
