//===- FuseKernels.cpp - fusion of ops into kernels -----------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/fusion/ClusterOrder.h"
#include "compiler/transforms/fusion/KernelOutliner.h"
#include "compiler/transforms/fusion/RecomputedOps.h"
#include "compiler/transforms/fusion/SavedValues.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

namespace tg {
#define GEN_PASS_DEF_FUSEKERNELS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Returns true if an op outside of kernels reads the memory of the value: the
/// viewed operand of a view, a part of a join, an input of a host op, or an
/// operand of an op with effects or of the terminator. Factors of Winograd's
/// algorithm, which copies their tiles, are also in memory; sizes are not.
static bool needsMemory(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<OrderedOpInterface>(user) && orderOf(user).getWinograd())
    return isa<FloatType>(getElementTypeOrSelf(use.get()));
  if (auto view = dyn_cast<ViewOpInterface>(user))
    return &use == &view.getViewedOperand();
  if (auto host = dyn_cast<HostOpInterface>(user)) {
    OperandRange inputs = host.getHostInputs();
    return !inputs.empty() &&
           use.getOperandNumber() - inputs.getBeginOperandIndex() <
               inputs.size();
  }
  return user->hasTrait<mlir::OpTrait::IsTerminator>() ||
         isa<tgx::JoinOp, RegionOpInterface>(user) || !isMemoryEffectFree(user);
}

/// Copies each cloned value that an op outside of kernels uses, such as an
/// assigned or returned constant, by a materialize op, which becomes a loop
/// kernel of its own.
static void wrapOutsideUses(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (op.getNumResults() != 1 || !isClonedIntoKernels(&op))
      continue;
    Value copy;
    for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
      if (!needsMemory(use))
        continue;
      if (!copy) {
        OpBuilder builder(op.getContext());
        builder.setInsertionPointAfter(&op);
        copy = tgx::MaterializeOp::create(
            builder, op.getLoc(), op.getResult(0).getType(), op.getResult(0));
      }
      use.set(copy);
    }
  }
}

LogicalResult tg::verifyAllInKernels(func::FuncOp function) {
  WalkResult walk = function.walk([](Operation *op) {
    if (isa<func::FuncOp>(op) || !isComputed(op))
      return WalkResult::advance();
    op->emitOpError("is not in a kernel after fusion");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct FuseKernels : tg::impl::FuseKernelsBase<FuseKernels> {
  using FuseKernelsBase::FuseKernelsBase;

  void runOnOperation() override {
    PlanTarget target(getOperation());
    KernelOutliner outliner(getOperation(), &target);
    for (func::FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(fuseFunction(function, target, outliner)))
        return signalPassFailure();
    outliner.finish();
    kernels += outliner.getKernelCount();
    markAnalysesPreserved<FunctionSymbols>();
  }

  LogicalResult fuseFunction(func::FuncOp function, const PlanTarget &target,
                             KernelOutliner &outliner) {
    forEachBlock(function, wrapOutsideUses);
    auto &symbols = getChildAnalysis<FunctionSymbols>(function);
    if (failed(symbols.verify(function)))
      return failure();
    recordEntryChecks(function, symbols, [](Operation *) { return true; });
    forEachBlock(function, [&](Block &body) {
      fuseBlock(body, symbols, target, outliner);
    });
    return verifyAllInKernels(function);
  }

  void fuseBlock(Block &body, FunctionSymbols &symbols,
                 const PlanTarget &target, KernelOutliner &outliner) {
    ExtentAnalysis &extents = symbols.getAnalysis();
    FusionPlan plan(body, extents, {maximumOps, target});
    if (fuse)
      merges += plan.fuse();
    if (fuse && repeat) {
      repetitions += recomputeForAll(plan, extents);
      repetitions += saveFewerValues(plan, extents);
      repetitions += recomputeForReaders(plan, extents);
      plan.eraseUnused();
    }
    if (fuse)
      merges += plan.sinkRemaining();
    savedBytes += plan.getSavedBytes();
    ClusterOrder order(plan);
    OpBuilder builder(body.getParentOp()->getContext());
    builder.setInsertionPointToEnd(&body);
    for (ClusterOrder::Node node : order.get()) {
      if (auto *op = dyn_cast<Operation *>(node)) {
        op->moveBefore(&body, body.end());
        continue;
      }
      outliner.outline(*cast<Cluster *>(node), symbols, extents, builder);
    }
    eraseDead(body, plan);
  }

  /// Erases the fused originals, then the ops that only they used; users first.
  static void eraseDead(Block &body, const FusionPlan &plan) {
    for (bool isOriginal : {true, false})
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOriginal == (plan.clusterOf(&op) != nullptr) &&
            isOpTriviallyDead(&op))
          op.erase();
  }
};
} // namespace
