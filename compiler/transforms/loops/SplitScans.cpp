//===- SplitScans.cpp - products of all steps of a scan at once -----------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/loops/InvariantWork.h"
#include "compiler/transforms/loops/ScanSplitter.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_SPLITSCANS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
struct SplitScans : tg::impl::SplitScansBase<SplitScans> {
  void runOnOperation() override {
    // Inner loops go first, because their work may also leave the outer loops.
    SmallVector<Operation *> loops;
    getOperation().walk([&](Operation *op) {
      // Data-dependent sizes measured in a step differ between steps.
      auto measures = [](tgx::MeasureOp) { return WalkResult::interrupt(); };
      if (isa<ScanOp, WhileOp>(op) && !op->walk(measures).wasInterrupted())
        loops.push_back(op);
    });
    InvariantWork invariant(getOperation());
    for (Operation *op : loops) {
      if (auto loop = dyn_cast<WhileOp>(op)) {
        opsMoved += invariant.move(loop);
        continue;
      }
      auto scan = cast<ScanOp>(op);
      opsMoved += invariant.move(scan);
      if (unsigned moved = ScanSplitter(scan).run()) {
        opsMoved += moved;
        invariant.forget();
      }
    }
  }
};
} // namespace
