// Replaces math functions that would become library calls.
#include "compiler/codegen/cpu/math/Functions.h"
#include "compiler/codegen/cpu/math/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace tg {
#define GEN_PASS_DEF_EXPANDMATH
#include "compiler/codegen/cpu/math/Passes.h.inc"
} // namespace tg

using namespace tg;

namespace {

/// A math op of one operand => the ops that `expand` builds.
template <typename Op, Value (*expand)(const FloatOps &, Value)>
struct ExpandUnary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!FloatOps::supports(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32 or f64");
    FloatOps ops(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, expand(ops, op.getOperand()));
    return success();
  }
};

/// An op of two operands => the ops that `expand` builds.
template <typename Op, Value (*expand)(const FloatOps &, Value, Value)>
struct ExpandBinary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!FloatOps::supports(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32 or f64");
    FloatOps ops(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, expand(ops, op.getLhs(), op.getRhs()));
    return success();
  }
};

/// math.fma, a library call where there is no such instruction =>
/// llvm.intr.fmuladd, which is then a product and a sum.
struct RelaxFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!FloatOps::supports(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32 or f64");
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
  patterns.add<ExpandUnary<math::ExpOp, expandExp>,
               ExpandUnary<math::ExpM1Op, expandExpm1>,
               ExpandUnary<math::LogOp, expandLog>,
               ExpandUnary<math::Log1pOp, expandLog1p>,
               ExpandUnary<math::TanhOp, expandTanh>,
               ExpandUnary<math::ErfOp, expandErf>,
               ExpandBinary<math::PowFOp, expandPow>,
               ExpandBinary<arith::RemFOp, expandRemainder>, RelaxFma>(
      patterns.getContext());
}
