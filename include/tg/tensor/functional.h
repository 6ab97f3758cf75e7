/// Operations on tensors. Shapes are checked when the line runs; an error has
/// the user's line and the message of the operation. Negative axes count from
/// the end.
#ifndef TG_TENSOR_FUNCTIONAL_H
#define TG_TENSOR_FUNCTIONAL_H

#include "elementwise.h"
#include "reductions.h"
#include "tensor.h"

#include <initializer_list>

namespace tg {

//===-- Contraction -------------------------------------------------------===//

struct MatmulOptions {
  bool transposeLhs = false, transposeRhs = false;
};
/// Returns lhs x rhs, [..., m, n] from [..., m, k] and [..., k, n].
Tensor matmul(Operand lhs, Operand rhs, const MatmulOptions &options = {});

/// Returns input x weight + bias, [n, units] from [n, d], [d, units] and
/// [units].
Tensor xwPlusB(Operand input, Operand weight, Operand bias);
/// Adds a bias [c] along an axis of extent c.
Tensor biasAdd(Operand input, Operand bias, int64_t axis = -1);

/// Contracts the last `axes` dimensions of lhs with the first `axes` dimensions
/// of rhs, or the listed dimensions pair by pair. The other dimensions stay in
/// order.
Tensor tensordot(Operand lhs, Operand rhs, int64_t axes = 2);
Tensor tensordot(Operand lhs, Operand rhs, std::vector<int64_t> lhsAxes,
                 std::vector<int64_t> rhsAxes);
/// Returns the outer product [m, n] of [m] and [n].
Tensor outer(Operand lhs, Operand rhs);
/// Returns sums of products by the names of dimensions, like NumPy's einsum:
/// "ij,jk->ik" is matmul, "ii->i" the diagonal, "...ij->...ji" a transpose. A
/// letter that is missing from the result is summed over. Without an arrow the
/// result has the letters that occur once, in alphabetical order. All
/// dimensions of one letter have equal extents.
Tensor einsum(const std::string &equation, const Operands &inputs,
              std::source_location where = std::source_location::current());

struct AttentionOptions {
  /// The keys that a query attends to: booleans, broadcast to [..., m, n].
  /// None: all keys. A query that attends to no key gets zeros.
  Tensor mask = {};
  /// The number of keys of each example of dimension 0: integers [n]. Keys
  /// after this number are ignored. None: all keys.
  Tensor lengths = {};
  /// Lets a query attend only to keys up to its own position.
  bool causal = false;
  /// The dropout rate of the attention weights, in [0, 1): the probability that
  /// a query misses a key. The remaining weights are scaled by 1 / (1 - rate).
  double rate = 0;
};
/// Returns softmax(query x keyᵀ / sqrt(d)) x value: [..., m, e] from queries
/// [..., m, d], keys [..., n, d] and values [..., n, e]. Vaswani et al.,
/// "Attention Is All You Need", 2017.
Tensor attention(Operand query, Operand key, Operand value,
                 const AttentionOptions &options = {});

//===-- Convolution -------------------------------------------------------===//

/// The numbers of zeros before and after the elements of a dimension.
struct Zeros {
  int64_t before = 0, after = 0;
};
/// The padding at the ends of the spatial dimensions. A window of k elements
/// with dilation d covers r = (k - 1) · d + 1 elements.
class Padding {
public:
  enum Rule {
    /// No padding: floor((extent - r) / stride) + 1 windows.
    valid,
    /// As much padding as ceil(extent / stride) windows need. If the number of
    /// zeros is odd, the extra zero goes after the elements.
    same
  };
  Padding(Rule chosen) : rule(chosen) {}
  /// Pads by these zeros, given per spatial dimension or once for all: {{1, 1},
  /// {0, 2}}.
  Padding(std::initializer_list<Zeros> given) : zeros(given) {}
  Padding(std::vector<Zeros> given) : zeros(std::move(given)) {}

  /// Internal.
  Rule rule = valid;
  std::vector<Zeros> zeros = {};
};

/// The options of convolutions. Each list has a number per spatial dimension,
/// or one for all.
struct ConvOptions {
  /// The distance between windows, and the distance between the elements of a
  /// window.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// The number of groups that input and output channels are divided into. An
  /// output channel depends only on the input channels of its group.
  int64_t groups = 1;
};
/// Cross-correlation with the channels last: [n, o, f] from an input [n, s, c]
/// and a filter [k, c / groups, f], where s, k and o are one, two or three
/// extents. The numbers of channels must be static.
Tensor conv1d(Operand input, Operand filter, const ConvOptions &options = {});
Tensor conv2d(Operand input, Operand filter, const ConvOptions &options = {});
Tensor conv3d(Operand input, Operand filter, const ConvOptions &options = {});

struct DepthwiseConvOptions {
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
};
/// Convolves each channel separately, with m filters: [n, oh, ow, c · m] from
/// [n, h, w, c] and [kh, kw, c, m]. Channel c · m + i of the result belongs to
/// filter i of channel c.
Tensor depthwiseConv2d(Operand input, Operand filter,
                       const DepthwiseConvOptions &options = {});
/// The same, followed by a convolution with a filter [1, 1, c · m, f] across
/// the channels, to [n, oh, ow, f].
Tensor separableConv2d(Operand input, Operand depthwise, Operand pointwise,
                       const DepthwiseConvOptions &options = {});

/// The extent of a transposed convolution's result. With Padding::same it is
/// extent · stride. Otherwise several extents give the same number of windows
/// as the input has elements:
enum class TransposedSize {
  /// extent · stride + r - 1, the greatest of these, as in TensorGraph.
  greatest,
  /// extent · stride + max(r - stride, 0), as in Keras and Tensorpack.
  keras
};
struct ConvTransposeOptions {
  /// The options of the convolution whose adjoint is computed.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  int64_t groups = 1;
  /// The rule for the extents of the result. Explicit padding is subtracted
  /// from them.
  TransposedSize size = TransposedSize::greatest;
  /// The extents of the result, in place of `size`: numbers, or integer scalars
  /// computed at run time.
  std::vector<Operand> outputSizes = {};
};
/// The adjoint of a convolution: [n, s, f] from [n, o, c] and the filter [k, f
/// / groups, c] of the convolution.
Tensor convTranspose2d(Operand input, Operand filter,
                       const ConvTransposeOptions &options = {});
Tensor convTranspose3d(Operand input, Operand filter,
                       const ConvTransposeOptions &options = {});

//===-- Shapes and data movement ------------------------------------------===//

/// Returns the extent of a dimension as an i64 scalar.
Tensor extentOf(Operand input, int64_t axis);
/// Returns all extents as an i64 list.
Tensor shapeOf(Operand input);
/// Returns the number of elements along the axes, as a scalar of a type.
Tensor elementCount(Operand input, const std::vector<int64_t> &axes,
                    DType dtype);
/// Returns the same elements in row-major order in another shape. One extent
/// may be -1; it follows from the others.
Tensor reshape(Operand input, std::vector<int64_t> shape);
/// Reshapes [n, d1, ...] to [n, d1 · ...].
Tensor flatten(Operand input);
/// Merges the dimensions from `first` to `last` into one. unflatten() does the
/// reverse: it splits a dimension of static extent into several.
Tensor flatten(Operand input, int64_t first, int64_t last = -1);
Tensor unflatten(Operand input, int64_t axis, std::vector<int64_t> extents);
/// Inserts a dimension of extent 1, which becomes dimension `axis` of the
/// result.
Tensor expandDims(Operand input, int64_t axis);
/// Removes the given dimensions of extent 1, or all dimensions of extent 1 if
/// none are given.
Tensor squeeze(Operand input, std::vector<int64_t> axes = {});
/// Permutes the dimensions: result dimension i is input dimension
/// permutation[i].
Tensor transpose(Operand input, std::vector<int64_t> permutation);
/// Broadcasts the input to the extents of `like`.
Tensor broadcastLike(Operand input, Operand like);
/// Returns zeros or ones with the extents and type of `like`.
Tensor zerosLike(Operand like);
Tensor onesLike(Operand like);
/// Checks extents at run time; from here on they are static. -1 leaves an
/// extent unchanged. `bounds` has upper bounds for data-dependent extents, such
/// as extents that grow in a loop; 0: no bound.
Tensor ensureShape(Operand input, std::vector<int64_t> shape,
                   std::vector<int64_t> bounds = {});

struct SliceOptions {
  /// The first index per dimension: numbers, or integer scalars computed at run
  /// time.
  std::vector<Operand> starts;
  /// The number of elements per dimension, like `starts`. -1: all elements up
  /// to the end, if the start does not depend on data. A tensor may be a
  /// data-dependent size; the result then has room for the whole input.
  std::vector<Operand> sizes;
  /// The steps, at least 1. Empty: all steps are 1. Tensor's [] takes negative
  /// steps.
  std::vector<int64_t> strides = {};
};
/// Returns a part of the input. A part that exceeds the input is an error,
/// before the run if possible, otherwise at run time.
Tensor slice(Operand input, const SliceOptions &options);
/// The same with integer lists computed at run time, which have an element for
/// each dimension of the input. A size of -1 extends to the end. TensorFlow:
/// tf.slice.
Tensor slice(Operand input, Operand starts, Operand sizes);
/// Returns `base` with the elements from `starts` on replaced by `update`.
Tensor updateSlice(Operand base, Operand update,
                   const std::vector<Operand> &starts);

/// The elements around a padded tensor 1 2 3. constant: a value, 0 0 1 2 3 0 0.
/// reflect: the elements mirrored at the outermost one, 3 2 1 2 3 2 1. edge:
/// copies of the outermost element, 1 1 1 2 3 3 3.
enum class PadMode { constant, reflect, edge };

struct PadOptions {
  /// The numbers of elements before and after the input, per dimension.
  std::vector<int64_t> low, high;
  double value = 0;
  PadMode mode = PadMode::constant;
};
/// Adds elements around the input. The numbers of elements must not be
/// negative.
Tensor pad(Operand input, const PadOptions &options);
/// Concatenates tensors along an axis. There must be at least one, and the
/// other extents must be equal.
Tensor concat(const Operands &inputs, int64_t axis,
              std::source_location where = std::source_location::current());
/// Splits a static extent into equal parts.
std::vector<Tensor> split(Operand input, int64_t parts, int64_t axis);
/// Stacks tensors of one shape along a new dimension. unstack() does the
/// reverse.
Tensor stack(const Operands &inputs, int64_t axis = 0,
             std::source_location where = std::source_location::current());
std::vector<Tensor> unstack(Operand input, int64_t axis = 0);
/// Reverses the order of the elements along each of these axes.
Tensor reverse(Operand input, std::vector<int64_t> axes);
/// Repeats the tensor along each dimension the given number of times, at least
/// 1: [2, 3] with {1, 2} becomes [2, 6].
Tensor tile(Operand input, std::vector<int64_t> repeats);
/// Repeats each element along an axis `count` times, at least once: 1 2 3
/// becomes 1 1 2 2 3 3. NumPy: repeat; PyTorch: repeat_interleave.
Tensor repeat(Operand input, int64_t count, int64_t axis = 0);
/// Moves every element by `shift` positions along an axis, cyclically: elements
/// that leave at the end reappear at the start. A negative `shift` moves in the
/// opposite direction.
Tensor roll(Operand input, int64_t shift, int64_t axis);
/// diag() returns matrices [..., n, n] with the rows [..., n] on their
/// diagonals and zeros elsewhere. diagPart() returns the diagonals of such
/// matrices.
Tensor diag(Operand input);
Tensor diagPart(Operand input);
/// Sets the elements of matrices [..., m, n] to 0 that are more than `lower`
/// positions below the diagonal or more than `upper` above it. -1 keeps all
/// elements of that side. {-1, 0} gives the lower triangle.
Tensor bandPart(Operand input, int64_t lower, int64_t upper);

struct GatherOptions {
  int64_t axis = 0, batchDims = 0;
};
/// Gathers rows by index. An index out of range is an error at run time.
Tensor gather(Operand input, Operand indices,
              const GatherOptions &options = {});
/// Gathers elements by their indices along an axis. The indices have the rank
/// and the extents of the input, except the extent of the axis. An index out of
/// range is an error at run time.
Tensor takeAlongAxis(Operand input, Operand indices, int64_t axis = -1);
/// Gathers the elements at coordinates. The last dimension of the indices [...,
/// k] has the k coordinates of an element; k must be static. An input [d0, ...,
/// dk, ...] gives [..., dk, ...]. An index out of range is an error at run
/// time.
Tensor gatherNd(Operand input, Operand indices);
/// Returns the coordinates of the true elements, [count, rank] in row-major
/// order. `count` is a data-dependent size.
Tensor nonzero(Operand mask);
/// The same, under TensorFlow's name.
inline Tensor where(Operand mask) { return nonzero(mask); }
/// Returns the elements of the input where the mask is true, [count, ...]. The
/// dimensions of the mask are the first dimensions of the input.
Tensor booleanMask(Operand input, Operand mask);
/// Returns the indices unchanged. An index outside [0, size) is an error at run
/// time.
Tensor ensureIndex(Operand indices, int64_t size);
/// Returns `base` with each update added at the position from which gather()
/// with these indices would read.
Tensor scatterAdd(Operand base, Operand indices, Operand updates,
                  const GatherOptions &options = {});
/// Returns the index of each element along an axis, with the extents of `like`.
Tensor iotaLike(Operand like, int64_t axis, DType dtype = i64);
/// Returns 1 at the integer index and 0 elsewhere, in a new last dimension. An
/// index out of range gives zeros.
Tensor oneHot(Operand indices, int64_t size, DType dtype = f32);
/// Returns true where the position along dimension 1 of `like` is below the
/// row's length.
Tensor sequenceMask(Operand lengths, Operand like);

//===-- Random samples ----------------------------------------------------===//

/// Random samples with the extents and type of `like`: uniform in [0, 1), or
/// standard normal. They change in each training step, and in each call of a
/// function that changes no variable. Program::randomUniform documents what the
/// samples depend on.
Tensor randomUniformLike(Operand like);
Tensor randomNormalLike(Operand like);

struct DropoutOptions {
  /// The probability of a zero. The remaining elements are scaled by 1 / (1 -
  /// rate).
  Operand rate = 0.5;
  /// The extents of the random mask. -1: the input's extent; 1: one sample for
  /// the whole dimension. Empty: the input's shape.
  std::vector<int64_t> noiseShape = {};
};
/// Sets random elements to 0. They change in each training step, and in each
/// call of a function that changes no variable, as documented at
/// Program::randomUniform. Srivastava et al., "Dropout", 2014.
Tensor dropout(Operand input, const DropoutOptions &options = {});
/// Shuffles the rows along dimension 0. The order changes in each training
/// step, and in each call of a function that changes no variable, as documented
/// at Program::randomUniform.
Tensor shuffle(Operand input);
/// Samples a class (i64) per row of logits. The samples change in each training
/// step, and in each call of a function that changes no variable, as documented
/// at Program::randomUniform.
Tensor categorical(Operand logits);

//===-- Normalization -----------------------------------------------------===//

struct BatchNormOptions {
  /// The axis of the channels.
  int64_t axis = -1;
  double epsilon = 1e-3;
};
/// Returns (x - mean) · gamma / sqrt(variance + epsilon) + beta, all per
/// channel.
Tensor batchNorm(Operand input, const Moments &moments, Operand gamma,
                 Operand beta, const BatchNormOptions &options = {});
/// The same over the last dimension of each row. gamma and beta have a value
/// per element.
Tensor layerNorm(Operand input, Operand gamma, Operand beta,
                 double epsilon = 1e-5);

} // namespace tg

#endif // TG_TENSOR_FUNCTIONAL_H
