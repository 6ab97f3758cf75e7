//===- GroupedFilterPlan.h - split-K slices of filter gradients -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// The extents of the launch: the number of chunks of channels, the number of
/// lines of positions, and the number of split-K slices into which the lines
/// are divided. A slice holds the sums of one pass over the taps in registers.
/// The slices are added in order, and their number depends on extents alone.
struct SliceCounts {
  SliceCounts(const GroupedPlan &plan, EntryExtents &entry);

  mlir::Value chunks, lines, slices;
};

/// The taps whose sums are computed in one pass over the lines of a split-K
/// slice.
struct TapPass {
  /// The first tap and the number of taps. Taps are linearized over all axes
  /// but the last one.
  int64_t first, count;
  /// The number of interleaved accumulators of each tap.
  unsigned interleaved;
};

/// Returns the number of taps of all axes but the last one.
int64_t countOuterTaps(const GroupedPlan &plan);
/// Returns the number of sums per lane channel: the taps of all axes times the
/// channels of a group. These are the rows of the partials buffer.
int64_t countRows(const GroupedPlan &plan);
/// Returns the maximum number of split-K slices.
int64_t maxSlices(const GroupedPlan &plan);
/// Returns the passes over all taps. The registers hold the sums of all taps of
/// a pass.
llvm::SmallVector<TapPass> choosePasses(const GroupedPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
