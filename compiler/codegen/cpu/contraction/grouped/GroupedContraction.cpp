//===- GroupedContraction.cpp - convolutions with groups of channels ------===//
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

/// Returns true if there are taps, and the taps that are unrolled in the code
/// are few: the taps along a line or, for the gradient of a filter, all taps.
static bool hasFewTaps(const Contraction &contraction,
                       const GroupedWindows &groups) {
  auto countTaps = [&](const WindowAxis &axis) {
    return staticExtent(contraction.dimensions[axis.tap].extent).value_or(0);
  };
  ArrayRef<WindowAxis> axes = groups.windows.axes;
  if (!llvm::all_of(axes, countTaps))
    return false;
  if (!reducesPositions(contraction, groups))
    axes = axes.take_back();
  int64_t taps = 1;
  for (const WindowAxis &axis : axes)
    taps *= countTaps(axis);
  return taps <= tuning::kMaxEmittedTaps;
}

/// Returns the name of the algorithm for the kind of a grouped contraction.
static StringRef nameOf(const GroupedLanes &lanes) {
  if (lanes.sharesRhs)
    return {};
  bool isDepthwise = lanes.groups.channels == 1 || lanes.groups.columns == 1;
  return isDepthwise ? "depthwise" : "groups";
}

StringRef GroupedContraction::findUnmetRequirement(
    const ContractionRequest &request, const TargetDescription &target) const {
  const Contraction &contraction = request.contraction;
  if (!target.usesVectors || !request.hasFloatOperands() || !request.readsLhs ||
      !request.readsRhs || request.layout)
    return "vectors, and operands that are in memory and have the type of the "
           "sums";
  std::optional<GroupedLanes> lanes =
      GroupedLanes::find(contraction, target.lanes(request.getLaneBytes()));
  if (!lanes || nameOf(*lanes) != name)
    return "a convolution with this kind of groups";
  if (lanes->groups.channels < 1 || lanes->groups.columns < 1)
    return "at least one channel per group";
  if (!hasFewTaps(contraction, lanes->groups))
    return "at least one tap, and few enough to unroll";
  bool isGradient = reducesPositions(contraction, lanes->groups);
  size_t maxBlocks = isGradient && !lanes->sharesRhs ? 2 : 0;
  if (request.getOrder().getBlocks().size() > maxBlocks)
    return isGradient ? "sums in blocks of lines and groups of these"
                      : "sums in one chain";
  if (!request.rowOrder)
    return {};
  if (lanes->sharesRhs || isGradient)
    return "no reductions next to the gradient of a filter";
  // A part is a line, whose positions are computed in order.
  if (!request.reducesTiles({1, 0}, 1) || request.rowOrder.getLines()[0] != 1)
    return "reductions line by line";
  return {};
}

LogicalResult GroupedContraction::emit(KernelFrame &frame,
                                       Contraction contraction) const {
  GroupedLanes lanes =
      *GroupedLanes::find(contraction, chooseLanes(frame.kernel, frame.target));
  GroupedPlan plan(frame, std::move(contraction), lanes);
  return reducesPositions(plan.contraction, plan.groups)
             ? emitGroupedFilter(plan)
             : emitGroupedPositions(plan);
}
