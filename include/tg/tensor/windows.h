/// Operations on images [n, h, w, c], rows [n, w, c] and volumes [n, d, h, w,
/// c]: one, two or three spatial dimensions between the batch and the channels.
#ifndef TG_TENSOR_WINDOWS_H
#define TG_TENSOR_WINDOWS_H

#include "functional.h"

#include <array>

namespace tg {

//===-- Windows -----------------------------------------------------------===//

/// The windows of pooling. Lists have a number per spatial dimension, or one
/// for all.
struct PoolOptions {
  /// The extents of a window.
  std::vector<int64_t> window;
  /// From window to window, and from position to position of one.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
};
/// The greatest element of each window; padding never is.
Tensor maxPool(Operand input, const PoolOptions &options);

struct IndexedPool {
  Tensor values, indices;
};
/// The same, and the row-major position of each in its window: u8, i32 where a
/// window has more than 256 elements.
IndexedPool maxPoolWithIndices(Operand input, const PoolOptions &options);

struct UnpoolOptions {
  /// The windows that the elements were pooled by.
  PoolOptions pool;
  /// The spatial extents of the result: numbers, or integer scalars that are
  /// known at run time. Those that the windows slid over.
  std::vector<Operand> sizes;
};
/// The values where maxPoolWithIndices found them, zeros elsewhere; values of
/// one place add up.
Tensor maxUnpool(Operand values, Operand indices, const UnpoolOptions &options);

struct AvgPoolOptions {
  /// As of PoolOptions.
  std::vector<int64_t> window, strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// Divides by the extents of the window, at the ends of an image too; else by
  /// the number of its elements that lie in it.
  bool countPadding = false;
};
/// The mean of each window.
Tensor avgPool(Operand input, const AvgPoolOptions &options);

struct LocalResponseNormOptions {
  /// The number of channels on each side of one that count.
  int64_t radius = 5;
  double bias = 1, alpha = 1, beta = 0.5;
};
/// x / (bias + alpha · s)^beta with s the sum of squares of the channel and of
/// those beside it. Krizhevsky et al., "ImageNet Classification with Deep
/// Convolutional Neural Networks", 2012.
Tensor localResponseNorm(Operand input,
                         const LocalResponseNormOptions &options = {});

/// The spatial extents of what windows give, of a pool or a convolution with
/// such a kernel, without building anything: convolvedExtents({28, 28},
/// {.window = {3}, .strides = {2}}) is 13 and 13. How many inputs a layer
/// behind has follows. Throws GraphError where lists do not fit the dimensions
/// or no window fits.
std::vector<int64_t>
convolvedExtents(const std::vector<int64_t> &extents,
                 const PoolOptions &options,
                 std::source_location where = std::source_location::current());
/// The same of a transposed convolution.
std::vector<int64_t>
transposedExtents(const std::vector<int64_t> &extents,
                  const PoolOptions &options,
                  TransposedSize size = TransposedSize::greatest,
                  std::source_location where = std::source_location::current());

//===-- Other extents -----------------------------------------------------===//

/// The nearest element, or what lies between the two neighbours on each axis.
enum class ResizeMode { nearest, linear };
/// The place in an image of s for the place p of o: the middles of elements
/// meet, (p + ½) · s / o - ½; the middles of the outermost elements meet, p ·
/// (s - 1) / (o - 1); the first corners meet, p · s / o. PyTorch and TensorFlow
/// 2 have the first.
enum class Coordinates { halfPixel, alignCorners, asymmetric };

struct ResizeOptions {
  /// The spatial extents of the result: numbers, or integer scalars that are
  /// known at run time; at least 1.
  std::vector<Operand> sizes;
  ResizeMode mode = ResizeMode::linear;
  Coordinates coordinates = Coordinates::halfPixel;
};
Tensor resize(Operand input, const ResizeOptions &options);

/// The result of `resize` whose extents are so many times those of the input.
struct UpsampleOptions {
  std::vector<int64_t> scale;
  ResizeMode mode = ResizeMode::nearest;
  Coordinates coordinates = Coordinates::halfPixel;
};
Tensor upsample(Operand input, const UpsampleOptions &options);

/// Each block of `block` elements on each side as channels, those of its first
/// element first, and the reverse: [n, h, w, c] to [n, h / block, w / block,
/// block · block · c]. The block divides known extents.
Tensor spaceToDepth(Operand input, int64_t block);
Tensor depthToSpace(Operand input, int64_t block);

struct FixedUnpoolOptions {
  /// The matrix of factors that replaces an element: rows and columns, row by
  /// row. None: 1 at its first place, 0 elsewhere.
  std::array<int64_t, 2> shape = {2, 2};
  std::vector<double> matrix = {};
};
/// Every element as a matrix times it: [n, h, w, c] to [n, h · rows, w ·
/// columns, c].
Tensor fixedUnpool(Operand input, const FixedUnpoolOptions &options = {});

} // namespace tg

#endif // TG_TENSOR_WINDOWS_H
