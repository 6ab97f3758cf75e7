//===- NarrowPlan.h - convolutions whose lanes are positions --------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_NARROWPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_NARROWPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"

namespace tg {

/// The numbers by which a convolution to few channels is cut; all of them
/// follow from static extents.
struct NarrowSizes {
  /// None where the contraction is no such convolution.
  static std::optional<NarrowSizes> find(const Contraction &contraction,
                                         const TargetDescription &target);

  WindowedLhs windows;
  unsigned lanes;
  /// Taps of each axis.
  llvm::SmallVector<int64_t, 3> taps;
  /// Channels that are summed over, and those of the result.
  int64_t channels, columns;
  /// Elements of a line of the lhs, and positions of one of the result.
  int64_t lineElements, linePositions;
  /// The element of a line of the lhs that is the first one of its copy, and
  /// the elements of the copy of a channel, those that a last vector reads
  /// beyond the line's end included.
  int64_t origin, pitch;
  /// Lines of the copy that one tap of the axes before the last two meets, and
  /// all lines of the copy.
  int64_t ringLines, copiedLines;

  /// Elements of all channels of a line of the copy.
  int64_t copiedLine() const { return channels * pitch; }
  const WindowAxis &lineAxis() const { return windows.axes.back(); }
  /// All axes but that of lines, with their taps.
  llvm::ArrayRef<WindowAxis> outerAxes() const {
    return llvm::ArrayRef(windows.axes).drop_back();
  }
  /// Vectors of each column's sums in a tile, for so many positions.
  unsigned vectorsOf(const TargetDescription &target, int64_t positions) const;
};

/// A convolution to few channels.
struct NarrowPlan {
  NarrowPlan(KernelFrame &frame, Contraction product);
  NarrowPlan(const NarrowPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  NarrowSizes sizes;
  /// The type of operands and sums.
  mlir::Type type;
  IntegerOps ops;
  /// The filter, and how far its elements lie apart.
  Elements filter;
  llvm::SmallVector<mlir::Value, 3> tapStrides;
  mlir::Value channelStride, columnStride;

  /// Elements of the lhs from one index of a dimension to the next.
  mlir::Value strideOfLhs(unsigned axis) const;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_NARROWPLAN_H
