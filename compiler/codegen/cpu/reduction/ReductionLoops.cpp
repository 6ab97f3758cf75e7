//===- ReductionLoops.cpp - choice of a reduction's loop structure --------===//
#include "compiler/codegen/cpu/reduction/ReductionLoops.h"

using namespace mlir;
using namespace tg;

/// Returns true if each line of the sums is a single element, whatever the
/// extents are at run time.
static bool hasShortLines(const ReductionPlan &plan) {
  for (size_t axis = plan.getFirstLineAxis(); axis < plan.getExtents().size();
       ++axis)
    if (staticExtent(plan.getExtents()[axis]) != 1)
      return false;
  return true;
}

LogicalResult tg::emitReduction(KernelFrame &frame) {
  ReductionPlan plan(frame);
  bool byColumns = hasShortLines(plan) && plan.getNumPhases() == 1;
  if (!byColumns && plan.usesShifts())
    return frame.kernel.emitOpError()
           << "expected a reduction that subtracts shifts to be one pass over "
              "columns, found "
           << (plan.getNumPhases() == 1 ? "rows" : "several passes");
  return byColumns ? emitColumnReduction(frame, plan)
                   : emitRowReduction(frame, plan);
}
