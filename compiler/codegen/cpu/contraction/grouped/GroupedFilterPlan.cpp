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

int64_t tg::maxSlices(const GroupedPlan &plan) {
  return std::max<int64_t>(1, tuning::kMaxParts / plan.countChunks());
}

SliceCounts::SliceCounts(const GroupedPlan &plan, EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  MLIRContext *context = plan.type.getContext();
  Value one = ops.constant(1);
  chunks = ops.constant(plan.countChunks());
  lines = entry.get(productOf(lineExtentsOf(plan.contraction.rhs), context));
  AffineExpr width = *(plan.contraction.rhs.extents.end() - 2);
  Value positions = ops.mul(lines, entry.get(width));
  Value maxByReads = ops.div(ops.mul(positions, ops.constant(plan.chunk)),
                             ops.constant(tuning::kPartElements));
  // A slice should have few sums compared to the elements that it reads.
  Value maxBySums = ops.div(positions, ops.constant(countRows(plan)));
  Value maxByLines = ops.min(ops.constant(maxSlices(plan)), lines);
  slices = ops.max(one, ops.min(maxByLines, ops.min(maxByReads, maxBySums)));
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
  int64_t interleaved = std::clamp<int64_t>(sumRegisters / (count * taps), 1,
                                            tuning::kMaxFilterAccumulators);
  SmallVector<TapPass> passes;
  for (int64_t first = 0; first < outer; first += count)
    passes.push_back(
        {first, std::min(count, outer - first), unsigned(interleaved)});
  return passes;
}
