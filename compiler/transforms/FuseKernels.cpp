//===- FuseKernels.cpp - every computing op into a kernel -----------------===//
#include "compiler/transforms/KernelOutliner.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/StateOps.h"

namespace tg {
#define GEN_PASS_DEF_FUSEKERNELS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Clusters and other ops of the function so that producers come first, else
/// in program order.
static SmallVector<PointerUnion<Cluster *, Operation *>>
sortTopologically(func::FuncOp function, const FusionPlan &plan) {
  using Node = PointerUnion<Cluster *, Operation *>;
  SmallVector<Node> order;
  llvm::SmallPtrSet<void *, 32> done;
  std::function<void(Node)> visit = [&](Node node) {
    if (!done.insert(node.getOpaqueValue()).second)
      return;
    auto visitOperands = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp()) {
          Cluster *cluster = plan.clusterOf(source);
          visit(cluster ? Node(cluster) : Node(source));
        }
    };
    if (auto *cluster = dyn_cast<Cluster *>(node))
      llvm::for_each(cluster->ops, visitOperands);
    else
      visitOperands(cast<Operation *>(node));
    order.push_back(node);
  };
  for (Operation &op : function.getBody().front()) {
    Cluster *cluster = plan.clusterOf(&op);
    visit(cluster ? Node(cluster) : Node(&op));
  }
  return order;
}

/// Whether something outside kernels reads the value itself: views read their
/// first operand, the others are numbers that the extents already tell.
static bool needsMemory(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isView(user))
    return use.getOperandNumber() == 0;
  return isa<AssignOp, func::ReturnOp>(user);
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
  }

  LogicalResult fuseFunction(func::FuncOp function, KernelOutliner &outliner) {
    wrapOutsideUses(function);
    FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
    if (failed(symbols))
      return failure();
    ExtentAnalysis &extents = symbols->getAnalysis();
    FusionPlan plan(function, extents, maximumOps);
    if (fuse)
      merges += plan.fuse();
    recordEntryChecks(function, *symbols, [](Operation *) { return true; });
    Block &body = function.getBody().front();
    auto order = sortTopologically(function, plan);
    OpBuilder builder(function.getContext());
    builder.setInsertionPointToEnd(&body);
    for (auto node : order) {
      if (auto *op = dyn_cast<Operation *>(node)) {
        op->moveBefore(&body, body.end());
        continue;
      }
      outliner.outline(*cast<Cluster *>(node), *symbols, extents, builder);
    }
    eraseDead(body);
    return verifyAllInKernels(function);
  }

  /// Erases the fused originals, users first.
  static void eraseDead(Block &body) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOpTriviallyDead(&op)) {
          op.erase();
          changed = true;
        }
    }
  }

  /// The invariant of the phase: ops outside kernels do not compute.
  static LogicalResult verifyAllInKernels(func::FuncOp function) {
    for (Operation &op : function.getBody().front())
      if (!isa<tgx::CallOp, ReadOp, AssignOp, ConstantOp, tgx::SizeOp,
               tgx::EntryCheckOp, func::ReturnOp>(op) &&
          !isView(&op))
        return op.emitOpError("stands in no kernel after fusion");
    return success();
  }
};
} // namespace
