//===- TrueElements.cpp - how tg.nonzero finds elements that are true -----===//
#include "dialects/tgx/TrueElements.h"
#include "dialects/tg/IndexingOps.h"
#include "dialects/tg/ReductionOps.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tgx;

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
