//===- GroupedFilterPlan.h - split-K slices of filter gradients -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// The numbers of channel chunks, of lines of positions, and of parts of the
/// sum over all lines (split-K slices). The sums of a part stay in registers
/// tap by tap, and the parts are added in order. The number of parts follows
/// from extents alone.
struct PartCounts {
  PartCounts(const GroupedPlan &plan, EntryExtents &entry);

  mlir::Value chunks, lines, parts;
};

/// The taps that one pass over the lines of a part sums.
struct TapPass {
  /// The first tap and the number of taps, in the linear numbering of all axes
  /// but the last one.
  int64_t first, count;
  /// The number of interleaved accumulators of each tap.
  unsigned interleaved;
};

/// Returns the number of taps of all axes but the last one.
int64_t countOuterTaps(const GroupedPlan &plan);
/// Returns the number of sums for each channel that lanes run over.
int64_t countRows(const GroupedPlan &plan);
/// Returns the maximum number of parts of a sum.
int64_t maxParts(const GroupedPlan &plan);
/// Returns the passes over all taps. The registers hold the sums of all taps of
/// a pass.
llvm::SmallVector<TapPass> choosePasses(const GroupedPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
