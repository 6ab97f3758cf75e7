//===- FewChannelPlan.h - convolutions with positions as lanes ------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"

namespace tg {

/// The sizes of a convolution to few channels. All extents that determine them
/// are static.
struct FewChannelSizes {
  /// Returns the sizes, or none if the contraction is not a convolution to few
  /// channels.
  static std::optional<FewChannelSizes> find(const Contraction &contraction,
                                             const TargetDescription &target);

  WindowedLhs windows;
  unsigned lanes;
  /// The number of taps of each axis.
  llvm::SmallVector<int64_t, 3> taps;
  /// The number of channels that are summed over, and the number of channels of
  /// the result.
  int64_t channels, columns;
  /// The number of elements of a line of the lhs, and the number of positions
  /// of a line of the result.
  int64_t lineElements, linePositions;
  /// `origin` is the index, in a lhs line, of the element that the copy of the
  /// line begins with; it is negative with padding. `rowStride` is the number
  /// of elements per channel of a copied line (its row stride), including those
  /// that a last vector reads after the end of the line.
  int64_t origin, rowStride;
  /// `ringLines` is the number of lines of a ring buffer. There is one ring
  /// buffer for each combination of taps of all axes but the last two.
  /// `copiedLines` is the number of lines of all ring buffers.
  int64_t ringLines, copiedLines;

  /// Returns the number of elements of all channels of a copied line.
  int64_t copiedLineElements() const { return channels * rowStride; }
  /// Returns the length of a line of sums in elements, with room for a last
  /// register tile that extends past the end of the line.
  int64_t paddedLineLength() const;
  const WindowAxis &lineAxis() const { return windows.axes.back(); }
  /// Returns all axes but the last one, along which lines run.
  llvm::ArrayRef<WindowAxis> outerAxes() const {
    return llvm::ArrayRef(windows.axes).drop_back();
  }
  /// Returns the number of vectors that a register tile has for each column,
  /// for lines of `positions` positions.
  unsigned vectorsOf(const TargetDescription &target, int64_t positions) const;
};

/// The plan of a convolution to few channels.
struct FewChannelPlan {
  FewChannelPlan(KernelFrame &frame, Contraction product);
  FewChannelPlan(const FewChannelPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  FewChannelSizes sizes;
  /// The type of operands and sums.
  mlir::Type type;
  IntegerOps ops;
  /// The filter, and the strides of its elements.
  Elements filter;
  llvm::SmallVector<mlir::Value, 3> tapStrides;
  mlir::Value channelStride, columnStride;

  /// Returns the stride of the lhs along an axis, in elements.
  mlir::Value strideOfLhs(unsigned axis) const;
};

/// The number of lines of the result, and the number of launch tiles that they
/// are divided into.
struct FewChannelCounts {
  FewChannelCounts(const FewChannelPlan &plan, EntryExtents &entry);

  mlir::Value lines, tiles;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELPLAN_H
