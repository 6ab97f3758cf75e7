//===- TrueElements.cpp - elements that are true, counted and listed ------===//
#include "dialects/tgx/TrueElements.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/IndexingOps.h"
#include "dialects/tg/ReductionOps.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// count_true, list_true
//===----------------------------------------------------------------------===//

/// One number for each part of these elements: tensor<?xi64>, or static.
static RankedTensorType typeOfParts(RankedTensorType input) {
  int64_t parts = ShapedType::kDynamic;
  if (input.hasStaticShape())
    parts =
        llvm::divideCeil(input.getNumElements(), CountTrueOp::kPartElements);
  return RankedTensorType::get({parts},
                               IntegerType::get(input.getContext(), 64));
}

/// Checks what has a number for each part of these elements.
static LogicalResult verifyParts(Operation *op, RankedTensorType input,
                                 RankedTensorType parts) {
  RankedTensorType expected = typeOfParts(input);
  if (succeeded(verifyCompatibleShape(expected, parts)) &&
      parts.getElementType() == expected.getElementType())
    return success();
  return op->emitOpError() << "expected a number for each part, " << expected
                           << ", found " << parts << " [C1]";
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
  RankedTensorType input = getInput().getType(), type = getResult().getType();
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

// A coordinate is below the extent of its dimension. Where there is one, no
// other dimension has none.
AffineExpr ListTrueOp::getElementBound(const tg::ExtentAnalysis &extents) {
  return tg::simplifyExtent(
      tg::productOf(extents.extentsOf(getInput()), getContext()));
}

//===----------------------------------------------------------------------===//
// How tg.nonzero is found
//===----------------------------------------------------------------------===//

namespace {
/// Counts of parts, the sum of which is the extent, and the running sum of
/// which says where the coordinates of each part go.
struct NonzeroSource
    : tg::FoundExtentsOpInterface::ExternalModel<NonzeroSource, tg::NonzeroOp> {
  Value buildSource(Operation *op, OpBuilder &builder) const {
    Value input = op->getOperand(0);
    return CountTrueOp::create(
        builder, op->getLoc(),
        typeOfParts(cast<RankedTensorType>(input.getType())), input);
  }

  Value buildFound(Operation *op, OpBuilder &builder, Value counts,
                   unsigned) const {
    return tg::ReduceSumOp::create(builder, op->getLoc(), counts,
                                   /*axes=*/ArrayAttr(), /*keep_dims=*/false);
  }

  Value buildResult(Operation *op, OpBuilder &builder, Value counts,
                    ValueRange extents) const {
    Value input = op->getOperand(0);
    Value starts =
        tg::CumsumOp::create(builder, op->getLoc(), counts, /*axis=*/0,
                             /*exclusive=*/true, /*reverse=*/false);
    int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
    auto type = RankedTensorType::get({ShapedType::kDynamic, rank},
                                      builder.getI64Type());
    return ListTrueOp::create(builder, op->getLoc(), type, input, starts,
                              extents.front());
  }
};
} // namespace

void tgx::attachTrueElements(MLIRContext *context) {
  tg::NonzeroOp::attachInterface<NonzeroSource>(*context);
}
