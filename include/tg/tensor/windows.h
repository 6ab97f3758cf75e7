/// Operations on images [n, h, w, c], rows [n, w, c] and volumes [n, d, h, w,
/// c]: one, two or three spatial dimensions between the batch and the channels.
#ifndef TG_TENSOR_WINDOWS_H
#define TG_TENSOR_WINDOWS_H

#include "functional.h"

#include <array>

namespace tg {

//===-- Windows -----------------------------------------------------------===//

/// The size and the movement of windows. Each list has one number per spatial
/// dimension, or a single number for all.
struct PoolOptions {
  /// The extents of a window.
  std::vector<int64_t> window;
  /// The distance between windows, and the distance between the elements of a
  /// window.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
};
/// Returns the maximum of the elements of each window, without the padding.
Tensor maxPool(Operand input, const PoolOptions &options);

struct IndexedPool {
  Tensor values, indices;
};
/// Also returns the row-major position of each maximum in its window: u8, or
/// i32 if a window has more than 256 elements.
IndexedPool maxPoolWithIndices(Operand input, const PoolOptions &options);

struct UnpoolOptions {
  /// The options of the pooling that is reversed.
  PoolOptions pool;
  /// The spatial extents of the result, which are the extents of the pooled
  /// input: numbers, or integer scalars computed at run time.
  std::vector<Operand> sizes;
};
/// Puts the values at the positions that maxPoolWithIndices() found, and zeros
/// elsewhere. Values with the same position are added.
Tensor maxUnpool(Operand values, Operand indices, const UnpoolOptions &options);

struct AvgPoolOptions {
  /// The same as in PoolOptions.
  std::vector<int64_t> window, strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// True: divides by the size of the window, padding included. False: divides
  /// by the number of elements of the input in the window.
  bool countPadding = false;
};
/// Returns the mean of each window.
Tensor avgPool(Operand input, const AvgPoolOptions &options);

struct LocalResponseNormOptions {
  /// The number of neighbouring channels on each side.
  int64_t radius = 5;
  double bias = 1, alpha = 1, beta = 0.5;
};
/// x / (bias + alpha · s)^beta, where s is the sum of squares of the channel
/// and its neighbours. Krizhevsky et al., "ImageNet Classification with Deep
/// Convolutional Neural Networks", 2012.
Tensor localResponseNorm(Operand input,
                         const LocalResponseNormOptions &options = {});

/// Returns the spatial extents of the result of a pool or of a convolution with
/// this window, without building anything. For example, an input of {28, 28}
/// with .window = {3} and .strides = {2} gives {13, 13}. They determine the
/// number of inputs of the next layer. Throws GraphError if lists do not fit
/// the dimensions or no window fits.
std::vector<int64_t>
convolvedExtents(const std::vector<int64_t> &extents,
                 const PoolOptions &options,
                 std::source_location where = std::source_location::current());
/// The same for a transposed convolution.
std::vector<int64_t>
transposedExtents(const std::vector<int64_t> &extents,
                  const PoolOptions &options,
                  TransposedSize size = TransposedSize::greatest,
                  std::source_location where = std::source_location::current());

//===-- Other extents -----------------------------------------------------===//

/// The interpolation: the nearest element, or linear between the two neighbours
/// on each axis.
enum class ResizeMode { nearest, linear };
/// The mapping of position p on an axis of the result, which has o elements, to
/// a position on the axis of the input, which has s elements. halfPixel aligns
/// the outer edges of both: (p + ½) · s / o - ½. alignCorners aligns the
/// centers of the outermost elements: p · (s - 1) / (o - 1). asymmetric maps
/// position 0 to 0: p · s / o. PyTorch and TensorFlow 2 use halfPixel.
enum class Coordinates { halfPixel, alignCorners, asymmetric };

struct ResizeOptions {
  /// The spatial extents of the result, at least 1: numbers, or integer scalars
  /// computed at run time.
  std::vector<Operand> sizes;
  ResizeMode mode = ResizeMode::linear;
  Coordinates coordinates = Coordinates::halfPixel;
};
Tensor resize(Operand input, const ResizeOptions &options);

/// The options of upsample(), a resize() to multiples of the input's extents.
struct UpsampleOptions {
  std::vector<int64_t> scale;
  ResizeMode mode = ResizeMode::nearest;
  Coordinates coordinates = Coordinates::halfPixel;
};
Tensor upsample(Operand input, const UpsampleOptions &options);

/// spaceToDepth() moves each square block of `block` x `block` elements to
/// channels: [n, h, w, c] becomes [n, h / block, w / block, block · block · c].
/// The channels of the block's first element come first. depthToSpace() does
/// the reverse. `block` must divide the static extents.
Tensor spaceToDepth(Operand input, int64_t block);
Tensor depthToSpace(Operand input, int64_t block);

struct FixedUnpoolOptions {
  /// The matrix of factors: its numbers of rows and columns, and its elements
  /// in row-major order. Without elements: 1 at the first position, 0
  /// elsewhere.
  std::array<int64_t, 2> shape = {2, 2};
  std::vector<double> matrix = {};
};
/// Computes the Kronecker product of each channel with a matrix of factors: [n,
/// h, w, c] becomes [n, h · rows, w · columns, c].
Tensor fixedUnpool(Operand input, const FixedUnpoolOptions &options = {});

} // namespace tg

#endif // TG_TENSOR_WINDOWS_H
