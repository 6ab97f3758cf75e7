//===- GroupedFilterPlan.h - split-K slices of filter gradients -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// The division of a filter gradient's sum over the lines of positions. The
/// order of the contraction divides the lines into summation blocks. The blocks
/// of a group are added, and then the groups. A split-K slice is a block or a
/// group, so the number of slices changes no bit.
struct GroupedSlices {
  explicit GroupedSlices(const GroupedPlan &plan);

  /// Returns true if there may be several groups of blocks.
  bool hasGroups() const { return groupBlocks.has_value(); }
  /// Returns true if a block may take several visits.
  bool hasPartialBlocks() const {
    return visitLines <
           blockLines.value_or(staticExtent(lines).value_or(visitLines + 1));
  }

  /// The number of lines of a block, and the number of blocks of a group; none
  /// if all lines or blocks belong together.
  std::optional<int64_t> blockLines, groupBlocks;
  /// The number of lines of a slice; none if there is one slice with one block.
  std::optional<int64_t> sliceLines;
  /// The number of lines that all channels of a chunk read one after the other,
  /// which divides `blockLines`.
  int64_t visitLines;
  /// The number of lines, and of slices.
  mlir::AffineExpr lines, slices;
};

/// The taps whose sums are computed in one pass over the lines of a block.
struct TapPass {
  /// The first tap and the number of taps. Taps are linearized over all axes
  /// but the last one.
  int64_t first, count;
};

/// Returns the number of taps of all axes but the last one.
int64_t countOuterTaps(const GroupedPlan &plan);
/// Returns the number of sums per lane channel: the taps of all axes times the
/// channels of a group. These are the rows of the partials buffer.
int64_t countRows(const GroupedPlan &plan);
/// Returns the passes over all taps. The registers hold the sums of all taps of
/// a pass.
llvm::SmallVector<TapPass> choosePasses(const GroupedPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDFILTERPLAN_H
