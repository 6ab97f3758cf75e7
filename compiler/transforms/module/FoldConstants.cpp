//===- FoldConstants.cpp - bit-exact constant folding ---------------------===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/evaluation/ExactEvaluation.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tg {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {

/// op(constants) => constant
struct EvaluateOnConstants
    : public OpInterfaceRewritePattern<EvaluableOpInterface> {
  EvaluateOnConstants(MLIRContext *context, int64_t maxBytes,
                      Pass::Statistic &evaluated)
      : OpInterfaceRewritePattern(context), maxBytes(maxBytes),
        evaluated(evaluated) {}

  LogicalResult matchAndRewrite(EvaluableOpInterface op,
                                PatternRewriter &rewriter) const override;

private:
  FailureOr<SmallVector<HostTensor>> makeResults(Operation *op,
                                                 PatternRewriter &) const;
  int64_t maxBytes;
  Pass::Statistic &evaluated;
};

/// reshape(reshape(x)) => reshape(x)
struct FoldReshapeOfReshape : public OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!inner || !inner.getType().hasStaticShape() ||
        !inner.getInput().getType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "not a reshape of known extents");
    rewriter.modifyOpInPlace(
        op, [&] { op.getInputMutable().assign(inner.getInput()); });
    return success();
  }
};

/// transpose(transpose(x)) => transpose(x)
struct FoldTransposeOfTranspose : public OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not a transpose of a transpose");
    SmallVector<int64_t> first = inner.getPermutation();
    SmallVector<int64_t> both = llvm::map_to_vector(
        op.getPermutation(), [&](int64_t axis) { return first[axis]; });
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getInput(),
                                             rewriter.getI64ArrayAttr(both));
    return success();
  }
};

/// op(x, neutral) => x, if all bits stay the same.
template <typename Op, int neutral>
struct DropNeutralOperand : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    // Only multiplication has its neutral element on both sides.
    for (auto [operand, other] :
         {std::pair(op.getLhs(), op.getRhs()), {op.getRhs(), op.getLhs()}}) {
      if (operand == op.getRhs() && !std::is_same_v<Op, MulOp>)
        continue;
      if (operand.getType() != op.getType() || !isNeutral(other))
        continue;
      rewriter.replaceOp(op, operand);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no neutral operand");
  }

private:
  static bool isNeutral(Value value) {
    // A dynamic extent is compared at run time, so the op must stay. A static
    // extent was already compared.
    auto type = cast<RankedTensorType>(value.getType());
    SplatElementsAttr splat;
    if (!type.hasStaticShape() || !matchPattern(value, m_Constant(&splat)))
      return false;
    if (isa<FloatType>(type.getElementType())) {
      APFloat number = splat.getSplatValue<APFloat>();
      return number.isExactlyValue(double(neutral));
    }
    return splat.getSplatValue<APInt>() == uint64_t(neutral);
  }
};

} // namespace

FailureOr<SmallVector<HostTensor>>
EvaluateOnConstants::makeResults(Operation *op,
                                 PatternRewriter &rewriter) const {
  SmallVector<HostTensor> results;
  for (Type type : op->getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (!tensor.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "unknown extents");
    std::optional<int64_t> bytes =
        checkedByteCount(tensor.getShape(), tensor.getElementType());
    if (!bytes || *bytes > maxBytes)
      return rewriter.notifyMatchFailure(op, "the result is too large");
    results.emplace_back(tensor.getElementType(), tensor.getShape());
  }
  return results;
}

/// Returns the values as a constant, with a single element if all are equal bit
/// for bit.
static DenseElementsAttr attributeOf(const HostTensor &tensor) {
  size_t size = elementBytes(tensor.getElementType());
  ArrayRef<char> bytes(tensor.data(), tensor.getNumBytes());
  // If the bytes equal themselves shifted by one element, all elements are
  // equal.
  if (bytes.size() <= size || bytes.drop_front(size) != bytes.drop_back(size))
    return tensor.toAttribute();
  if (tensor.getElementType().isInteger(1))
    return DenseElementsAttr::get(tensor.getType(), bytes.front() != 0);
  return DenseElementsAttr::getFromRawBuffer(tensor.getType(),
                                             bytes.take_front(size));
}

LogicalResult
EvaluateOnConstants::matchAndRewrite(EvaluableOpInterface op,
                                     PatternRewriter &rewriter) const {
  if (op->hasTrait<mlir::OpTrait::ConstantLike>())
    return rewriter.notifyMatchFailure(op, "already a constant");
  if (op->getNumOperands() == 0)
    return rewriter.notifyMatchFailure(op, "cheaper to compute than to read");
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    auto constant = operand.getDefiningOp<ConstantOp>();
    std::optional<HostTensor> tensor;
    if (constant)
      tensor = HostTensor::fromAttribute(constant.getValue(), maxBytes);
    if (!tensor)
      return rewriter.notifyMatchFailure(op, "an operand is not known");
    operands.push_back(std::move(*tensor));
  }
  FailureOr<SmallVector<HostTensor>> results = makeResults(op, rewriter);
  if (failed(results))
    return failure();
  std::string error = evaluateExactly(op, operands, *results);
  if (!error.empty())
    return rewriter.notifyMatchFailure(op, error);
  SmallVector<Value> constants;
  for (const HostTensor &result : *results)
    constants.push_back(
        ConstantOp::create(rewriter, op->getLoc(), attributeOf(result)));
  rewriter.replaceOp(op, constants);
  ++evaluated;
  return success();
}

namespace {
struct FoldConstants : public tg::impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<EvaluateOnConstants>(&getContext(), maxBytes, opsEvaluated);
    patterns.add<FoldReshapeOfReshape, FoldTransposeOfTranspose,
                 DropNeutralOperand<MulOp, 1>, DropNeutralOperand<DivOp, 1>,
                 DropNeutralOperand<SubOp, 0>>(&getContext());
    // Constants keep their positions, and therefore their locations.
    GreedyRewriteConfig config;
    config.enableConstantCSE(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
