/// Operations on tensors. Shapes are checked when the line runs; an error
/// carries the line and the operation's own sentence. Negative axes count from
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
/// [..., m, n] = [..., m, k] x [..., k, n].
Tensor matmul(Operand lhs, Operand rhs, const MatmulOptions &options = {});

/// input x weight + bias: [n, units] from [n, d], [d, units] and [units].
Tensor xwPlusB(Operand input, Operand weight, Operand bias);
/// A bias [c] added along an axis of extent c.
Tensor biasAdd(Operand input, Operand bias, int64_t axis = -1);

/// The sum of products over `axes` dimensions: the last of lhs, the first of
/// rhs, or over these dimensions pair by pair. The others stay in order.
Tensor tensordot(Operand lhs, Operand rhs, int64_t axes = 2);
Tensor tensordot(Operand lhs, Operand rhs, std::vector<int64_t> lhsAxes,
                 std::vector<int64_t> rhsAxes);
/// [m, n] from [m] and [n].
Tensor outer(Operand lhs, Operand rhs);
/// Sums of products by the names of dimensions, as NumPy has them: "ij,jk->ik"
/// is matmul, "ii->i" the diagonal, "...ij->...ji" a transpose. A letter that
/// the result lacks is summed over; without an arrow the result has the letters
/// that occur once, by the alphabet. Extents of one letter are equal.
Tensor einsum(const std::string &equation, const Operands &inputs,
              std::source_location where = std::source_location::current());

struct AttentionOptions {
  /// Truth values, broadcast to [..., m, n]: which keys a query sees. None: all
  /// of them. A query that sees none gets zeros.
  Tensor mask = {};
  /// Whole numbers [n], one for each example of dimension 0: how many of its
  /// keys there are; those behind are not seen. None: all.
  Tensor lengths = {};
  /// A query sees the keys up to its own place alone.
  bool causal = false;
  /// The probability with which a query misses a key; what stays is scaled by
  /// 1 / (1 - rate). In [0, 1).
  double rate = 0;
};
/// softmax(query x keyᵀ / sqrt(d)) x value: [..., m, e] from queries [..., m,
/// d], keys [..., n, d] and values [..., n, e]. Vaswani et al., "Attention Is
/// All You Need", 2017.
Tensor attention(Operand query, Operand key, Operand value,
                 const AttentionOptions &options = {});

//===-- Convolution -------------------------------------------------------===//

/// Zeros before and after the elements of a dimension.
struct Zeros {
  int64_t before = 0, after = 0;
};
/// The distance by which windows reach over the ends of the spatial dimensions.
/// A window of k positions d apart reaches over r = (k - 1) · d + 1.
class Padding {
public:
  enum Rule {
    /// Nowhere: floor((extent - r) / stride) + 1 windows.
    valid,
    /// As far as ceil(extent / stride) windows do; where the zeros are odd the
    /// further one stands behind.
    same
  };
  Padding(Rule chosen) : rule(chosen) {}
  /// Over these zeros, per spatial dimension or one for all: {{1, 1}, {0, 2}}.
  Padding(std::initializer_list<Zeros> given) : zeros(given) {}
  Padding(std::vector<Zeros> given) : zeros(std::move(given)) {}

  /// The DSL's own.
  Rule rule = valid;
  std::vector<Zeros> zeros = {};
};

/// Lists have a number per spatial dimension, or one for all.
struct ConvOptions {
  /// From window to window, and from position to position of one.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  /// Parts of the input's and the result's channels that have nothing to do
  /// with each other.
  int64_t groups = 1;
};
/// Cross-correlation with the channels last: [n, s, c] with a filter [k, c /
/// groups, f] to [n, o, f], with one, two or three extents s, k and o. The
/// channels are known.
Tensor conv1d(Operand input, Operand filter, const ConvOptions &options = {});
Tensor conv2d(Operand input, Operand filter, const ConvOptions &options = {});
Tensor conv3d(Operand input, Operand filter, const ConvOptions &options = {});

struct DepthwiseConvOptions {
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
};
/// Each channel by itself, with m filters: [n, h, w, c] with [kh, kw, c, m] to
/// [n, oh, ow, c · m]; the result's channel c · m + i is of filter i.
Tensor depthwiseConv2d(Operand input, Operand filter,
                       const DepthwiseConvOptions &options = {});
/// The same, and then sums over the channels: by a filter [1, 1, c · m, f] to
/// [n, oh, ow, f].
Tensor separableConv2d(Operand input, Operand depthwise, Operand pointwise,
                       const DepthwiseConvOptions &options = {});

/// The extent of a transposed convolution's result. With Padding::same it is
/// extent · stride. Else there are several that as many windows fit as the
/// input has elements:
enum class TransposedSize {
  /// extent · stride + r - 1, the greatest, as TensorGraph has it;
  greatest,
  /// extent · stride + max(r - stride, 0), as Keras and Tensorpack have it.
  keras
};
struct ConvTransposeOptions {
  /// As of the convolution that this is the reverse of.
  std::vector<int64_t> strides = {1}, dilations = {1};
  Padding padding = Padding::valid;
  int64_t groups = 1;
  /// Less the zeros where the padding is given as such.
  TransposedSize size = TransposedSize::greatest;
  /// The extents of the result in place of that: numbers, or integer scalars
  /// that are known at run time.
  std::vector<Operand> outputSizes = {};
};
/// The adjoint of a convolution: [n, o, c] with its filter [k, f / groups, c]
/// to [n, s, f].
Tensor convTranspose2d(Operand input, Operand filter,
                       const ConvTransposeOptions &options = {});
Tensor convTranspose3d(Operand input, Operand filter,
                       const ConvTransposeOptions &options = {});

//===-- Shapes and data movement ------------------------------------------===//

/// The extent of a dimension as a scalar i64.
Tensor extentOf(Operand input, int64_t axis);
/// All extents as a list of i64.
Tensor shapeOf(Operand input);
/// The number of elements along the axes, as a scalar of a type.
Tensor elementCount(Operand input, const std::vector<int64_t> &axes,
                    DType dtype);
/// The same elements in row-major order; one -1 follows from the others.
Tensor reshape(Operand input, std::vector<int64_t> shape);
/// [n, d1, ...] to [n, d1 · ...].
Tensor flatten(Operand input);
/// The dimensions from the first to the last of these as one, and the reverse:
/// one of known extent as several.
Tensor flatten(Operand input, int64_t first, int64_t last = -1);
Tensor unflatten(Operand input, int64_t axis, std::vector<int64_t> extents);
/// A new dimension of extent 1, which is number `axis` of the result.
Tensor expandDims(Operand input, int64_t axis);
/// Without dimensions of extent 1: these, or all.
Tensor squeeze(Operand input, std::vector<int64_t> axes = {});
/// Result dimension i is input dimension permutation[i].
Tensor transpose(Operand input, std::vector<int64_t> permutation);
/// With the extents of `like`, by broadcasting.
Tensor broadcastLike(Operand input, Operand like);
/// Zeros, ones with the extents and type of `like`.
Tensor zerosLike(Operand like);
Tensor onesLike(Operand like);
/// Checks extents at run time and knows them from here; -1 stays unknown. Those
/// that depend on data, as of what a loop lets grow, get room for as many as
/// `bounds` says, 0 for any.
Tensor ensureShape(Operand input, std::vector<int64_t> shape,
                   std::vector<int64_t> bounds = {});

struct SliceOptions {
  /// Numbers, or integer scalars that are known at run time.
  std::vector<Operand> starts;
  /// The same; -1: to the end, from a start that does not depend on data. A
  /// size that is a tensor may: the result then has room for the whole input.
  std::vector<Operand> sizes;
  /// At least 1; empty: 1 each. Tensor's [] takes negative steps.
  std::vector<int64_t> strides = {};
};
/// Returns a box of the input. A box that reaches beyond the input is an error,
/// at run time if not before.
Tensor slice(Operand input, const SliceOptions &options);
/// The same with lists of integers, one for each dimension of the input, that
/// are known at run time; a size of -1 is to the end. TensorFlow: tf.slice.
Tensor slice(Operand input, Operand starts, Operand sizes);
/// `base` with the elements from `starts` replaced by `update`.
Tensor updateSlice(Operand base, Operand update,
                   const std::vector<Operand> &starts);

/// The elements around a padded tensor 1 2 3: a value, 0 0 1 2 3 0 0; the
/// elements mirrored at the outermost one, 3 2 1 2 3 2 1; or the outermost one
/// again, 1 1 1 2 3 3 3.
enum class PadMode { constant, reflect, edge };

struct PadOptions {
  /// Per dimension: elements before and after.
  std::vector<int64_t> low, high;
  double value = 0;
  PadMode mode = PadMode::constant;
};
/// Elements around those of the input; none less than 0.
Tensor pad(Operand input, const PadOptions &options);
/// One behind the other along an axis; the other extents are equal. At least
/// one.
Tensor concat(const Operands &inputs, int64_t axis,
              std::source_location where = std::source_location::current());
/// Equal parts of a known extent.
std::vector<Tensor> split(Operand input, int64_t parts, int64_t axis);
/// A new dimension over tensors of one shape, and its reverse.
Tensor stack(const Operands &inputs, int64_t axis = 0,
             std::source_location where = std::source_location::current());
std::vector<Tensor> unstack(Operand input, int64_t axis = 0);
/// Last to first along each of these axes.
Tensor reverse(Operand input, std::vector<int64_t> axes);
/// So many copies side by side along each dimension, at least 1: [2, 3] with
/// {1, 2} to [2, 6].
Tensor tile(Operand input, std::vector<int64_t> repeats);
/// Each element along an axis so many times, one behind the other, at least
/// once: 1 2 3 to 1 1 2 2 3 3. NumPy: repeat; PyTorch: repeat_interleave.
Tensor repeat(Operand input, int64_t count, int64_t axis = 0);
/// Every element moved by `shift` places along an axis; what leaves at the end
/// comes in at the start, and the other way round where `shift` is negative.
Tensor roll(Operand input, int64_t shift, int64_t axis);
/// Matrices [..., n, n] with the rows [..., n] on their diagonals and zeros
/// elsewhere, and the diagonals of such matrices.
Tensor diag(Operand input);
Tensor diagPart(Operand input);
/// Matrices [..., m, n] without what is more than `lower` places below the
/// diagonal or more than `upper` above it; -1 leaves that side whole. {-1, 0}
/// is the lower triangle.
Tensor bandPart(Operand input, int64_t lower, int64_t upper);

struct GatherOptions {
  int64_t axis = 0, batchDims = 0;
};
/// Rows by index; an index out of range is an error at run time.
Tensor gather(Operand input, Operand indices,
              const GatherOptions &options = {});
/// Elements at positions along an axis: the indices have the input's rank, and
/// its extents but for the axis. One out of range is an error at run time.
Tensor takeAlongAxis(Operand input, Operand indices, int64_t axis = -1);
/// Returns the slices at places: the last dimension of the indices [..., k], k
/// known, selects [..., dk, ...] of an input [d0, ..., dk, ...]. An index out
/// of range is an error at run time.
Tensor gatherNd(Operand input, Operand indices);
/// The coordinates of what is true, [count, rank] in row-major order; how many
/// there are is known when the library runs.
Tensor nonzero(Operand mask);
/// The same, as TensorFlow calls it.
inline Tensor where(Operand mask) { return nonzero(mask); }
/// The elements of the first dimensions of the input, those of the mask, for
/// which it is true: [count, ...].
Tensor booleanMask(Operand input, Operand mask);
/// The same indices; one that is not in [0, size) is an error at run time.
Tensor ensureIndex(Operand indices, int64_t size);
/// `base` with every update added at the place where gather would read it.
Tensor scatterAdd(Operand base, Operand indices, Operand updates,
                  const GatherOptions &options = {});
/// The index along an axis, in the extents of `like`.
Tensor iotaLike(Operand like, int64_t axis, DType dtype = i64);
/// 1 at the index, an integer, 0 elsewhere, in a new last dimension; an index
/// out of range gives zeros.
Tensor oneHot(Operand indices, int64_t size, DType dtype = f32);
/// Is the position along dimension 1 of `like` below the row's length?
Tensor sequenceMask(Operand lengths, Operand like);

//===-- Random draws ------------------------------------------------------===//

/// Draws with the extents and type of `like`, another in each training step,
/// and in each call of a function that changes no variable
/// (Program::randomUniform says what draws follow from): uniform in [0, 1), or
/// standard normal.
Tensor randomUniformLike(Operand like);
Tensor randomNormalLike(Operand like);

struct DropoutOptions {
  /// The probability of a zero; what stays is scaled by 1 / (1 - rate).
  Operand rate = 0.5;
  /// Extents of the draw; -1: the input's, 1: one draw for all. Empty: the
  /// input's shape.
  std::vector<int64_t> noiseShape = {};
};
/// Zeros at places that are drawn anew in each training step, and in each call
/// of a function that changes no variable, as Program::randomUniform says.
/// Srivastava et al., "Dropout", 2014.
Tensor dropout(Operand input, const DropoutOptions &options = {});
/// The rows along dimension 0 in another order in each training step, and in
/// each call of a function that changes no variable, as Program::randomUniform
/// says.
Tensor shuffle(Operand input);
/// One draw of a class (i64) per row of logits, another in each training step,
/// and in each call of a function that changes no variable, as
/// Program::randomUniform says.
Tensor categorical(Operand logits);

//===-- Normalization -----------------------------------------------------===//

struct BatchNormOptions {
  /// The channels.
  int64_t axis = -1;
  double epsilon = 1e-3;
};
/// (x - mean) · gamma / sqrt(variance + epsilon) + beta, all per channel.
Tensor batchNorm(Operand input, const Moments &moments, Operand gamma,
                 Operand beta, const BatchNormOptions &options = {});
/// The same over the last dimension of each row; gamma and beta per element.
Tensor layerNorm(Operand input, Operand gamma, Operand beta,
                 double epsilon = 1e-5);

} // namespace tg

#endif // TG_TENSOR_FUNCTIONAL_H
