//===- FuseKernels.cpp - every computing op into a kernel -----------------===//
#include "compiler/transforms/ClusterOrder.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/KeptValues.h"
#include "compiler/transforms/KernelOutliner.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/RepeatedOps.h"

namespace tg {
#define GEN_PASS_DEF_FUSEKERNELS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Whether something outside kernels reads the value itself: views read what
/// they view, joins their parts, the others the effects and the end of the
/// function are about.
static bool needsMemory(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto view = dyn_cast<ViewOpInterface>(user))
    return &use == &view.getViewedOperand();
  return user->hasTrait<mlir::OpTrait::IsTerminator>() ||
         isa<tgx::JoinOp>(user) || !isMemoryEffectFree(user);
}

/// A loop kernel of its own for each cloned value that something outside
/// kernels uses: an assigned or returned constant.
static void wrapOutsideUses(func::FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (op.getNumResults() != 1 || !isClonedIntoKernels(&op))
      continue;
    Value copy;
    for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
      if (!needsMemory(use))
        continue;
      if (!copy) {
        OpBuilder builder(function.getContext());
        builder.setInsertionPointAfter(&op);
        copy = tgx::MaterializeOp::create(
            builder, op.getLoc(), op.getResult(0).getType(), op.getResult(0));
      }
      use.set(copy);
    }
  }
}

LogicalResult tg::verifyAllInKernels(func::FuncOp function) {
  for (Operation &op : function.getBody().front())
    if (isComputed(&op))
      return op.emitOpError("stands in no kernel after fusion");
  return success();
}

namespace {
struct FuseKernels : tg::impl::FuseKernelsBase<FuseKernels> {
  using FuseKernelsBase::FuseKernelsBase;

  void runOnOperation() override {
    KernelOutliner outliner(getOperation());
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(fuseFunction(function, outliner)))
        return signalPassFailure();
    outliner.finish();
    kernels += outliner.getKernelCount();
    markAnalysesPreserved<FunctionSymbols>();
  }

  LogicalResult fuseFunction(func::FuncOp function, KernelOutliner &outliner) {
    wrapOutsideUses(function);
    auto &symbols = getChildAnalysis<FunctionSymbols>(function);
    if (failed(symbols.verify(function)))
      return failure();
    ExtentAnalysis &extents = symbols.getAnalysis();
    FusionPlan plan(function, extents, {maximumOps, tilesProducts});
    if (fuse)
      merges += plan.fuse();
    if (fuse && repeat) {
      repetitions += repeatForAll(plan, extents);
      repetitions += keepLess(plan, extents);
      repetitions += repeatForReaders(plan, extents);
      plan.eraseUnused();
    }
    if (fuse)
      merges += plan.sinkRest();
    savedBytes += plan.getSavedBytes();
    recordEntryChecks(function, symbols, [](Operation *) { return true; });
    Block &body = function.getBody().front();
    ClusterOrder order(plan);
    OpBuilder builder(function.getContext());
    builder.setInsertionPointToEnd(&body);
    for (ClusterOrder::Node node : order.get()) {
      if (auto *op = dyn_cast<Operation *>(node)) {
        op->moveBefore(&body, body.end());
        continue;
      }
      outliner.outline(*cast<Cluster *>(node), symbols, extents, builder);
    }
    eraseDead(body, plan);
    return verifyAllInKernels(function);
  }

  /// Erases the fused originals, then what they alone used; users first.
  static void eraseDead(Block &body, const FusionPlan &plan) {
    for (bool isOriginal : {true, false})
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOriginal == (plan.clusterOf(&op) != nullptr) &&
            isOpTriviallyDead(&op))
          op.erase();
  }
};
} // namespace
