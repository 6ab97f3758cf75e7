//===- GroupedContraction.cpp - convolutions of groups of channels --------===//
#include "compiler/codegen/cpu/contraction/grouped/GroupedContraction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedEmitters.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;

/// Returns true if the sum runs over positions.
static bool reducesPositions(const Contraction &contraction,
                             const GroupedWindows &groups) {
  return contraction.dimensions[groups.windows.outer].kind ==
         DimensionKind::reduced;
}

bool tg::hasGroupedLines(const Contraction &contraction) {
  std::optional<GroupedWindows> groups = contraction.findGroupedWindows();
  return groups && !reducesPositions(contraction, *groups);
}

/// Returns true if the taps that stand in the code are few: those along a line,
/// or, of a filter's gradient, all of them.
static bool hasFewTaps(const Contraction &contraction,
                       const GroupedWindows &groups) {
  int64_t taps = 1;
  ArrayRef<WindowAxis> axes = groups.windows.axes;
  if (!reducesPositions(contraction, groups))
    axes = axes.take_back();
  for (const WindowAxis &axis : axes)
    taps *= *staticExtent(contraction.dimensions[axis.tap].extent);
  return taps > 0 && taps <= tuning::kMostEmittedTaps;
}

/// Returns the meaning of the lanes of the kernel's vectors.
static std::optional<GroupedLanes> findLanes(const KernelFrame &frame,
                                             const Contraction &contraction) {
  return GroupedLanes::find(contraction,
                            chooseLanes(frame.kernel, frame.target));
}

bool tg::canRunByLanes(const KernelFrame &frame,
                       const Contraction &contraction) {
  auto isOperand = [&](Value value) {
    return isa<BlockArgument>(value) &&
           getElementTypeOrSelf(value) == contraction.accumulator;
  };
  std::optional<GroupedLanes> lanes = findLanes(frame, contraction);
  return frame.target.usesVectors && isa<FloatType>(contraction.accumulator) &&
         isOperand(contraction.lhs.value) && isOperand(contraction.rhs.value) &&
         lanes && hasFewTaps(contraction, lanes->groups);
}

LogicalResult tg::emitGroupedContraction(KernelFrame &frame,
                                         Contraction contraction) {
  GroupedLanes lanes = *findLanes(frame, contraction);
  GroupedPlan plan(frame, std::move(contraction), lanes);
  return reducesPositions(plan.contraction, plan.groups)
             ? emitGroupedFilter(plan)
             : emitGroupedPositions(plan);
}
