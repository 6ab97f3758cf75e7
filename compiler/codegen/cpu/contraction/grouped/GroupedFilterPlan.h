//===- GroupedFilterPlan.h - how gradients of filters are cut -------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// The parts of the sum over all lines of positions. The sums of a part stay in
/// registers tap by tap, and parts are added in order. Follows from extents
/// alone.
struct PartCounts {
  PartCounts(const GroupedPlan &plan, EntryExtents &entry);

  mlir::Value chunks, lines, parts;
};

/// The products of a pass over the lines of a part.
struct TapPass {
  /// Taps of all axes but the last one, by their number.
  int64_t first, count;
  /// Accumulators of each tap.
  unsigned interleaved;
};

/// Taps of all axes but the last one.
int64_t countOuterTaps(const GroupedPlan &plan);
/// Sums of each channel that lanes run over.
int64_t countRows(const GroupedPlan &plan);
/// The most parts that a sum is cut into.
int64_t mostParts(const GroupedPlan &plan);
/// As many taps at once as the registers hold sums of.
llvm::SmallVector<TapPass> choosePasses(const GroupedPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
