//===- WindowNest.h - the sum of a convolution as nested dimensions -------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWNEST_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWNEST_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// An axis of windows in a copy of the lhs. The copy contains the padding, and
/// leaves out elements between positions that no window reads. Tap `tap` of
/// position `position` reads element
///   position * positionStep + tap * tapStep
/// of the copy. Element e of the copy is element e * sourceStep + offset of the
/// lhs. Taps ascend in the copy.
///
/// The positions of a transposed convolution whose indices have the same
/// phase modulo the stride (`window.divisor`) form a phase: they read the
/// same taps. Without a divisor there is one phase.
struct LineAxis {
  WindowAxis window;
  int64_t positionStep, tapStep, sourceStep;
  /// The number of taps of the op, and the maximum number that one position
  /// reads.
  int64_t tapExtent, taps;
  /// True if the first tap of the op is the last one of the copy.
  bool reversed;

  LineAxis(const WindowAxis &window, int64_t taps);
  /// Returns the maximum number of positions of one phase, which are
  /// `window.divisor` apart in a result of `extent` positions.
  mlir::AffineExpr positions(mlir::AffineExpr extent) const {
    return extent.ceilDiv(window.divisor);
  }
  /// Returns the number of elements of the copy from the first one that
  /// `positions` neighbouring positions read to the last one.
  int64_t reach(int64_t positions) const {
    return (positions - 1) * positionStep + (taps - 1) * tapStep + 1;
  }
};

/// The reduced dimensions of a contraction with windows, the outermost first,
/// and the division of the sum into blocks.
///
/// A block has `chunk` steps of dimension `splitDimension` and all steps of the
/// inner dimensions.
class WindowNest {
public:
  /// Divides the sum into blocks of at most about `maxKBlock` steps.
  WindowNest(const Contraction &contraction, const WindowedLhs &windows,
             int64_t maxKBlock);

  /// A dimension of the nest: dimensions of the iteration space that are
  /// contiguous in the copy.
  struct Dimension {
    llvm::SmallVector<unsigned, 3> dimensions;
    /// The product of their extents. For taps whose number depends on the
    /// phase, the maximum.
    mlir::AffineExpr extent;

    unsigned innermost() const { return dimensions.back(); }
  };

  WindowedLhs windows;
  /// One entry for each axis of `windows`.
  llvm::SmallVector<LineAxis, 3> axes;
  /// The number of channels of the lhs.
  int64_t channels;
  /// True if the sum runs over positions, as in the gradient of a filter.
  bool reducesPositions;
  llvm::SmallVector<Dimension, 4> nest;
  unsigned splitDimension = 0;
  int64_t chunk = 1;
  /// The maximum number of steps of a block.
  int64_t blockSize = 1;

  /// Returns the number of phases of all axes together.
  int64_t countPhases() const;
  /// Returns the maximum number of steps of a block along a dimension of the
  /// nest, or none if a block takes all of a dynamic extent.
  std::optional<int64_t> stepsOf(unsigned dimension) const;
  /// Returns the axis that counts lines within a plane, or null if there is
  /// only one axis.
  const LineAxis *vertical() const {
    return axes.size() < 2 ? nullptr : &axes[axes.size() - 2];
  }
  /// Returns the axes that count planes: all but the last two.
  llvm::ArrayRef<LineAxis> planeAxes() const {
    return llvm::ArrayRef(axes).drop_back(std::min<size_t>(2, axes.size()));
  }

private:
  void addPositions(const Contraction &contraction);
  void addTaps(const Contraction &contraction);
  void chooseBlocks(int64_t maxKBlock);
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWNEST_H
