//===- TrueElements.cpp - the positions of true elements for tg.nonzero ---===//
#include "dialects/tgx/kernels/TrueElements.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "dialects/tgx/Tgx.h"

using namespace mlir;
using namespace tgx;

namespace {
/// Builds the number of true elements in each part of the input. The sum of
/// these numbers is the extent of the result. Their exclusive prefix sums are
/// the rows of the result at which the coordinates of the parts begin.
struct NonzeroSource
    : tg::DataDependentSizeOpInterface::ExternalModel<NonzeroSource,
                                                      tg::NonzeroOp> {
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

/// Returns the tgx.list_true that defines `indices`, directly or through views,
/// if `op` is its only user and in the same block. Returns null otherwise.
static ListTrueOp findOnlyUsedList(Operation *op, Value indices) {
  while (indices.hasOneUse()) {
    auto list = indices.getDefiningOp<ListTrueOp>();
    if (list)
      return list->getBlock() == op->getBlock() ? list : nullptr;
    auto view = indices.getDefiningOp<tg::ViewOpInterface>();
    if (!view)
      return nullptr;
    indices = view.getViewedOperand().get();
  }
  return nullptr;
}

namespace {
/// Rewrites gather(x, list_true(p)) to take_true(x, p) for a vector x, so that
/// the list of positions, of 8 bytes each, is neither written nor read. If rows
/// of several elements are gathered, the cost of the list does not matter.
struct GatherOfTrueElements
    : tg::DecomposableOpInterface::ExternalModel<GatherOfTrueElements,
                                                 tg::GatherOp> {
  bool isComposed(Operation *op) const {
    auto gather = cast<tg::GatherOp>(op);
    auto isVector = [](Value value) {
      return cast<RankedTensorType>(value.getType()).getRank() == 1;
    };
    if (gather.getBatchDims() != 0 || !isVector(gather.getInput()) ||
        !isVector(gather.getIndices()))
      return false;
    ListTrueOp list = findOnlyUsedList(op, gather.getIndices());
    return list && isVector(list.getInput());
  }

  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto gather = cast<tg::GatherOp>(op);
    ListTrueOp list = findOnlyUsedList(op, gather.getIndices());
    return {TakeTrueOp::create(builder, op->getLoc(), gather.getType(),
                               gather.getInput(), list.getInput(),
                               list.getStarts(), list.getCount())};
  }
};
} // namespace

void tgx::attachTrueElements(MLIRContext *context) {
  tg::NonzeroOp::attachInterface<NonzeroSource>(*context);
  tg::GatherOp::attachInterface<GatherOfTrueElements>(*context);
}
