//===- ReductionLoops.cpp - choice of a reduction's loop structure --------===//
#include "compiler/codegen/cpu/reduction/ReductionLoops.h"

using namespace mlir;
using namespace tg;

/// Returns true if neighbouring elements contribute to different results.
static bool isInnermostParallel(KernelFrame &frame, const ReductionPlan &plan) {
  IterationSpace space = plan.makeSpace(frame);
  unsigned groups = space.getNumGroups();
  return groups && !plan.isReduced(space.getLastAxis(groups - 1));
}

LogicalResult tg::emitReduction(KernelFrame &frame) {
  ReductionPlan plan(frame);
  bool byColumns = isInnermostParallel(frame, plan) && plan.getNumPhases() == 1;
  if (!byColumns && plan.usesShifts())
    return frame.kernel.emitOpError()
           << "expected a reduction that subtracts shifts to be one pass over "
              "columns, found "
           << (plan.getNumPhases() == 1 ? "rows" : "several passes");
  return byColumns ? emitColumnReduction(frame, plan)
                   : emitRowReduction(frame, plan);
}
