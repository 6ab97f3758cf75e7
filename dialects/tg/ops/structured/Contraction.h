//===- Contraction.h - iteration spaces of sums of products ---------------===//
//
// A contraction sums lhs x rhs over an iteration space:
//
//   result[r(point)] = sum over the reduced dimensions of
//                      lhs[a(point)] * rhs[b(point)]
//
// ContractionOpInterface describes an op by the dimensions of this space and by
// the maps from a point of it to an element of each tensor. Passes and emitters
// use only this description. A matrix product has plain maps; a convolution has
// windows:
//
//   conv              lhs: input, dimension p * stride + t * dilation - low
//   conv_transpose    lhs: output gradient, (q - t * dilation + low) / stride
//   conv_filter_grad  lhs: input as in conv; taps are rows, positions reduced
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_OPS_STRUCTURED_CONTRACTION_H
#define TG_DIALECTS_TG_OPS_STRUCTURED_CONTRACTION_H

#include "dialects/tg/extents/Extents.h"

namespace tg {

/// The role of a dimension of the iteration space.
enum class DimensionKind {
  /// Counts independent products.
  batch,
  /// Counts positions of the lhs and of the result: rows, output positions.
  row,
  /// Counts positions of the rhs and of the result.
  column,
  /// Is summed over; the result does not have it.
  reduced,
};

/// A dimension of the iteration space of a contraction.
struct IterationDimension {
  DimensionKind kind;
  mlir::AffineExpr extent;
};

/// The index along one dimension of a tensor at a point of the iteration space:
///   (sum over the terms of point[dimension] * factor + offset) / divisor
struct ContractionIndex {
  struct Term {
    unsigned dimension;
    int64_t factor = 1;
  };
  /// The terms of the sum; without terms the index is always the first element.
  /// In a result the terms are the digits of the index in a mixed radix, the
  /// highest first, so that each element belongs to one point.
  llvm::SmallVector<Term, 2> terms = {};
  /// The offset, over the symbols of the extents; null for 0.
  mlir::AffineExpr offset = {};
  int64_t divisor = 1;
  /// True if there are points at which the index lies outside of the tensor, or
  /// is not a whole number. The element counts as 0 at these points.
  bool isPartial = false;

  /// Returns the dimension of the iteration space that the index equals, or
  /// none if it is not exactly one, as for windows and broadcast tensors.
  std::optional<unsigned> getDimension() const;
};

/// A tensor that a contraction reads or writes.
struct ContractionTensor {
  mlir::Value value;
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// One index for each dimension of the tensor.
  llvm::SmallVector<ContractionIndex> indices;

  /// Returns true if the element changes along a dimension of the iteration
  /// space.
  bool varies(unsigned dimension) const;
  /// Returns the dimension of the tensor whose index is exactly `dimension` of
  /// the iteration space, or none if there is none.
  std::optional<unsigned> axisOf(unsigned dimension) const;
  /// Returns the number of elements of the tensor between neighbours along
  /// `dimension`.
  mlir::AffineExpr strideOf(unsigned dimension) const;
  /// Returns true if both dimensions can be collapsed into one: the elements
  /// along `outer` continue those along `inner` with the same stride.
  bool joins(unsigned outer, unsigned inner) const;
  /// Returns true if each index is one dimension or always 0. Strides then
  /// describe the access completely.
  bool isPlain() const;
};

/// An axis of a tensor that is read in windows, at
///   (position * stride + tap * dilation + offset) / divisor
/// Elements outside of the tensor and at fractional positions count as 0.
struct WindowAxis {
  /// Dimensions of the iteration space.
  unsigned position, tap;
  int64_t stride, dilation;
  mlir::AffineExpr offset;
  int64_t divisor;
};

/// A tensor that is read in windows: [outer, axes..., channels].
struct WindowedLhs {
  /// Dimensions of the iteration space.
  unsigned outer, channel;
  llvm::SmallVector<WindowAxis, 3> axes;
};

/// Windows with groups of channels. The channels of each group are multiplied
/// by a part of the rhs that belongs to the group. Groups follow each other in
/// the last dimension of lhs and result:
///   result  group * columns + column
struct GroupedWindows {
  /// `channel` counts the channels of a group.
  WindowedLhs windows;
  /// Dimensions of the iteration space.
  unsigned group, column;
  /// The numbers of channels and of columns in a group.
  int64_t channels, columns;
};

/// A sum of products.
struct Contraction {
  llvm::SmallVector<IterationDimension> dimensions;
  ContractionTensor lhs, rhs, result;
  /// The type in which products are summed, from the row of the operands in
  /// tg/dtypes.h.
  mlir::Type accumulator;

  /// Returns the indices of the dimensions of a kind, ascending.
  llvm::SmallVector<unsigned> dimensionsOf(DimensionKind kind) const;
  /// Returns the number of floating-point operations: a multiplication and an
  /// addition for each point at which the lhs has an element. Elements that are
  /// missing at borders are not subtracted.
  mlir::AffineExpr getFlops() const;
  /// Returns true if the dimensions of the result are the first ones, in order,
  /// and the last of them is a column dimension.
  bool hasPlainResult() const;
  /// Returns true for products of matrices: all tensors are plain, the
  /// dimensions of the result are the unreduced ones in order, with a column
  /// dimension last, and one dimension is reduced.
  bool isMatrixProduct() const;
  /// Returns the windows of the lhs of convolutions without groups, and of
  /// their gradients: the other tensors are plain, and the dimensions of the
  /// result are the unreduced ones in order, with a column dimension last.
  /// Returns none if the windows reach far beyond the lhs or are very far
  /// apart, because copies of the windows would then be too large.
  std::optional<WindowedLhs> findWindows() const;
  /// Returns the windows if there is one batch dimension, which counts groups
  /// of channels.
  std::optional<GroupedWindows> findGroupedWindows() const;
  /// Returns true if the lhs of a product of matrices has the dimensions of the
  /// result, with the reduced dimension in place of the last.
  bool hasRowsOfLhs() const;
  /// Returns the first row dimension of the result of a product of matrices.
  /// From it on, all but the last dimension together count rows of one matrix,
  /// since the rows of the lhs are contiguous along them. The dimensions before
  /// it count matrices.
  unsigned findFirstRowDimension() const;
};

/// Returns a tensor whose index along axis i is dimension `dimensions[i]` of
/// the iteration space, or always 0 if that entry is none.
ContractionTensor
plainTensor(mlir::Value value, llvm::ArrayRef<mlir::AffineExpr> extents,
            llvm::ArrayRef<std::optional<unsigned>> dimensions);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_STRUCTURED_CONTRACTION_H
