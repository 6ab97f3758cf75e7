//===- GroupedFilterPlan.cpp - split-K slices of filter gradients ---------===//
#include "compiler/codegen/cpu/contraction/grouped/GroupedFilterPlan.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

int64_t tg::countOuterTaps(const GroupedPlan &plan) {
  return llvm::product_of(ArrayRef(plan.taps).drop_back());
}

int64_t tg::countRows(const GroupedPlan &plan) {
  return llvm::product_of(plan.taps) * plan.groups.channels;
}

/// Returns the number of lines for which the elements that a vector of channels
/// reads stay in L2.
static int64_t usualVisitLines(const GroupedPlan &plan) {
  std::optional<int64_t> width =
      staticExtent(*(plan.contraction.rhs.extents.end() - 2));
  int64_t positions = std::max<int64_t>(1, width.value_or(1));
  return std::max<int64_t>(1, tuning::kVisitPositions / positions);
}

GroupedSlices::GroupedSlices(const GroupedPlan &plan)
    : visitLines(usualVisitLines(plan)),
      lines(productOf(lineExtentsOf(plan.contraction.rhs),
                      plan.type.getContext())) {
  MLIRContext *context = plan.type.getContext();
  slices = getAffineConstantExpr(1, context);
  ArrayRef<int64_t> lengths =
      orderOf(plan.contraction.result.value.getDefiningOp()).getBlocks();
  std::optional<int64_t> known = staticExtent(lines);
  if (lengths.empty() || (known && *known <= lengths[0]))
    return;
  blockLines = sliceLines = lengths[0];
  visitLines = std::min(visitLines, *blockLines);
  while (*blockLines % visitLines)
    --visitLines;
  if (lengths.size() > 1 && !(known && *known <= lengths[0] * lengths[1]))
    groupBlocks = lengths[1];
  if (groupBlocks && (!known || *known > *blockLines * tuning::kMaxParts))
    *sliceLines *= *groupBlocks;
  slices = lines.ceilDiv(*sliceLines);
}

SmallVector<TapPass> tg::choosePasses(const GroupedPlan &plan) {
  int64_t registers = plan.frame.target.vectorRegisters;
  int64_t taps = plan.lineTaps();
  int64_t outer = countOuterTaps(plan);
  // The registers that do not hold sums hold an element, and the factors of the
  // positions that read it.
  int64_t sumRegisters = registers - std::min(taps, registers / 8) - 2;
  int64_t maxPerPass = std::clamp<int64_t>(sumRegisters / taps, 1, outer);
  int64_t count = llvm::divideCeil(outer, llvm::divideCeil(outer, maxPerPass));
  SmallVector<TapPass> passes;
  for (int64_t first = 0; first < outer; first += count)
    passes.push_back({first, std::min(count, outer - first)});
  return passes;
}
