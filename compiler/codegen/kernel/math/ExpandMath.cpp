// Expansion of math ops that would become library calls.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace tg {
#define GEN_PASS_DEF_EXPANDMATH
#include "compiler/codegen/kernel/math/Passes.h.inc"
} // namespace tg

using namespace tg;

namespace {

/// Replaces a math op by the ops that `expand` builds from its operands.
template <typename Op, auto expand> struct Expand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!FloatOps::supports(op.getType()))
      return rewriter.notifyMatchFailure(
          op, "expected f32 or f64, found another type");
    FloatOps ops(rewriter, op.getLoc(), op.getType());
    if constexpr (Op::template hasTrait<mlir::OpTrait::OneOperand>())
      rewriter.replaceOp(op, expand(ops, op.getOperand()));
    else
      rewriter.replaceOp(op, expand(ops, op.getLhs(), op.getRhs()));
    return success();
  }
};

/// Replaces math.fma by llvm.intr.fmuladd. On targets without FMA instructions
/// math.fma would become a library call, whereas llvm.intr.fmuladd becomes a
/// multiplication and an addition.
struct RelaxFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!FloatOps::supports(op.getType()))
      return rewriter.notifyMatchFailure(
          op, "expected f32 or f64, found another type");
    rewriter.replaceOpWithNewOp<LLVM::FMulAddOp>(op, op.getType(), op.getA(),
                                                 op.getB(), op.getC());
    return success();
  }
};

struct ExpandMathPass : tg::impl::ExpandMathBase<ExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandMathPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void tg::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns
      .add<Expand<math::ExpOp, expandExp>, Expand<math::ExpM1Op, expandExpm1>,
           Expand<math::LogOp, expandLog>, Expand<math::Log1pOp, expandLog1p>,
           Expand<math::TanhOp, expandTanh>, Expand<math::ErfOp, expandErf>,
           Expand<math::SinOp, expandSin>, Expand<math::CosOp, expandCos>,
           Expand<math::AtanOp, expandAtan>, Expand<math::PowFOp, expandPow>,
           Expand<arith::RemFOp, expandRemainder>, RelaxFma>(
          patterns.getContext());
}
