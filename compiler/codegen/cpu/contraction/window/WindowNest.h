//===- WindowNest.h - the sum of a convolution as nested dimensions -------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWNEST_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWNEST_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// An axis of windows in a copy of the lhs that has no gaps and no borders:
///   position * positionStep + tap * tapStep
/// of the copy is that, times `sourceStep`, plus an offset, of the lhs. Taps
/// run in the direction in which the copy does.
struct LineAxis {
  WindowAxis window;
  int64_t positionStep, tapStep, sourceStep;
  /// All taps, and how many of them one position meets at most.
  int64_t tapExtent, taps;
  /// True if the first tap of the op is the last one of the copy.
  bool reversed;

  LineAxis(const WindowAxis &window, int64_t taps);
  /// The positions of one residue: as many as the result has, or those that are
  /// `window.divisor` apart.
  mlir::AffineExpr positions(mlir::AffineExpr extent) const {
    return extent.ceilDiv(window.divisor);
  }
  /// Elements of the copy over which so many positions reach.
  int64_t reach(int64_t positions) const {
    return (positions - 1) * positionStep + (taps - 1) * tapStep + 1;
  }
};

/// The reduced dimensions of a contraction with windows, the outermost first,
/// and how blocks of the sum are cut from them.
///
/// A block is `chunk` steps of dimension `cut` times all of the inner ones.
class WindowNest {
public:
  /// A block has about `mostReduced` steps at most.
  WindowNest(const Contraction &contraction, const WindowedLhs &windows,
             int64_t mostReduced);

  /// A dimension of the nest: neighbours in the copy, of the iteration space.
  struct Dimension {
    llvm::SmallVector<unsigned, 3> dimensions;
    /// The product of their extents; the most for taps that depend on the
    /// residue.
    mlir::AffineExpr extent;

    unsigned innermost() const { return dimensions.back(); }
  };

  WindowedLhs windows;
  /// One for each of the windows.
  llvm::SmallVector<LineAxis, 3> axes;
  /// Channels of the lhs.
  int64_t channels;
  /// True if the sum runs over positions: the gradient of a filter.
  bool reducesPositions;
  llvm::SmallVector<Dimension, 4> nest;
  unsigned cut = 0;
  int64_t chunk = 1;
  /// Steps of a block, at most.
  int64_t blockSize = 1;

  /// Returns the number of residues of positions, all axes together.
  int64_t countResidues() const;
  /// The most steps along a dimension of the nest that a block takes; none for
  /// all of an unknown extent.
  std::optional<int64_t> stepsOf(unsigned number) const;
  /// The axis along which lines lie below each other; null for one axis.
  const LineAxis *vertical() const {
    return axes.size() < 2 ? nullptr : &axes[axes.size() - 2];
  }
  /// The axes that planes count.
  llvm::ArrayRef<LineAxis> planeAxes() const {
    return llvm::ArrayRef(axes).drop_back(std::min<size_t>(2, axes.size()));
  }

private:
  void addPositions(const Contraction &contraction);
  void addTaps(const Contraction &contraction);
  void cutBlocks(int64_t mostReduced);
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWNEST_H
