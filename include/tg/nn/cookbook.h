/// Small functions that graph cookbooks copy from program to program.
/// extentsOf() and reshape() are in tensor/shapes.h, makeParallel() in
/// graph/device.h, softmax() and leakyRelu() in tensor/functional.h.
#ifndef TG_NN_COOKBOOK_H
#define TG_NN_COOKBOOK_H

#include "beam_search.h"
#include "layer.h"

namespace tg {

/// Computes the logarithms of the softmax of the logits.
Tensor logProbFromLogits(Operand logits, int64_t axis = -1);

/// Computes the entropy of the softmax of the logits: -Σ p log p along an axis.
/// It is the logarithm of the number of logits if all are equal.
Tensor entropy(Operand logits, int64_t axis = -1);

/// Gathers rows within each example: from [n, k, ...] and indices [n, m] to [n,
/// m, ...].
Tensor batchGather(Operand tensor, Operand indices);

/// Computes begin + (end - begin) · weight: begin for weight 0, end for
/// weight 1.
Tensor lerp(Operand begin, Operand end, Operand weight);

/// Tiles the input to the extents of `like`. The input's dimensions correspond
/// to the last dimensions of `like`: [1, 2] like [6, 3, 4] becomes [6, 3, 4]. A
/// static extent of the input must divide the corresponding extent of `like` if
/// that extent is static. If one of the two is dynamic, both must be equal, or
/// the input's extent must be 1.
Tensor tileLike(Operand input, Operand like);

struct DenseOptions {
  /// The activation. Default: none, so the result is the plain product.
  Activation activation = {};
  bool useBias = true;
  Initializer weightInitializer = glorotUniform();
  /// The variable scope; "": dense, dense_1 …
  std::string name = {};
};
/// Computes input · kernel + bias over the last dimension, for any rank. The
/// variables follow the reuse rule of the open scope. TensorFlow: layers.dense.
Tensor dense(const Tensor &input, int64_t units,
             const DenseOptions &options = {},
             std::source_location where = std::source_location::current());

struct DenseLayersOptions {
  Activation activation = relu;
  /// Omits the activation of the last layer, which then returns logits.
  bool linearTopLayer = false;
  /// The rate of dropout before each layer. The number 0 disables dropout.
  Operand rate = 0.0;
  bool training = false;
  Initializer weightInitializer = glorotUniform();
  /// The variable scope; "": dense_layers, dense_layers_1 …
  std::string name = {};
};
/// Applies dense layers one after another over the last dimension:
/// denseLayers(x, {512, 10}, {.linearTopLayer = true}). The variables are
/// dense/kernel, dense/bias, dense_1/kernel …
Tensor
denseLayers(const Tensor &input, const std::vector<int64_t> &units,
            const DenseLayersOptions &options = {},
            std::source_location where = std::source_location::current());

struct ConvLayersOptions {
  /// The kernel sizes, the strides, and the window sizes of max pooling after
  /// each layer: a number per layer, or one for all. Pooling strides equal the
  /// window size. An empty list or a window size of 1 disables pooling.
  std::vector<int64_t> kernels = {3}, strides = {1}, pools = {};
  /// The padding of convolutions and pooling.
  Padding padding = Padding::same;
  Activation activation = relu;
  /// The rate of dropout before each layer. The number 0 disables dropout.
  Operand rate = 0.0;
  bool training = false;
  Initializer weightInitializer = glorotUniform();
  /// The variable scope; "": conv_layers, conv_layers_1 …
  std::string name = {};
};
/// Applies convolutions one after another to [n, w, c], [n, h, w, c] or [n, d,
/// h, w, c]: convLayers(image, {32, 64, 128}, {.pools = {2}}). The variables
/// are conv/kernel, conv/bias, conv_1/kernel …
Tensor convLayers(const Tensor &input, const std::vector<int64_t> &filters,
                  const ConvLayersOptions &options = {},
                  std::source_location where = std::source_location::current());

struct KernelGridOptions {
  /// The number of kernels per row. 0: the square root of their number, rounded
  /// up.
  int64_t columns = 0;
  /// The width of the black border on each side of a kernel, in pixels.
  int64_t border = 1;
};
/// Arranges the f kernels [h, w, c, f] of a convolution in one picture [1, rows
/// · (h + 2 · border), columns · (w + 2 · border), c]. Values range from 0 for
/// the least weight to 1 for the greatest. c is 1 or 3 for viewable pictures.
/// If f does not fill the last row, the rest of the row is black.
Tensor kernelsOnGrid(Operand kernel, const KernelGridOptions &options = {});

/// Normal distributions with diagonal covariance. The last dimension ranges
/// over the elements of the random vector.
struct Gaussian {
  Operand mean = 0.0, logVariance = 0.0;
};
/// Computes the Kullback-Leibler divergence KL(q || p) for each row of q; it is
/// 0 if both are equal. The default p is the standard normal distribution. A
/// number applies to all dimensions. q.logVariance must be a tensor.
Tensor gaussianKl(const Gaussian &q, const Gaussian &p = {});

struct SqueezeAndExciteOptions {
  /// The number of channels per squeezed channel.
  int64_t ratio = 16;
  /// The variable scope; "": squeeze_and_excite, squeeze_and_excite_1 …
  std::string name = {};
};
/// Scales each channel of [n, ..., c] by its importance for the example:
/// sigmoid(relu(mean · W₁) · W₂), with the mean over all positions. The
/// variables are dense/kernel [c, c / ratio] and dense_1/kernel [c / ratio, c].
Tensor
squeezeAndExcite(const Tensor &input,
                 const SqueezeAndExciteOptions &options = {},
                 std::source_location where = std::source_location::current());

struct CookbookNormalizationOptions {
  /// Uses the moments of the batch and updates the moving averages.
  bool training = false;
  double epsilon = 0.001, momentum = 0.9;
  /// Updates the moving variance with the unbiased variance, as TensorFlow's
  /// fused kernel does.
  bool fused = false;
  /// The variable scope; "": batch_normalization, batch_normalization_1 …
  std::string name = {};
};
/// Applies batch normalization over all dimensions but the last, with the
/// variables beta, gamma, avg_mean and avg_variance. In eager mode the moving
/// averages are updated immediately. In a graph they are updated when the
/// collection update_ops is run:
///
///   auto moved = program.collection("update_ops");
///   ControlDependencies after({moved.begin(), moved.end()});
///   Updates train = Adam().minimize(loss);
///
/// The layer BatchNormalization needs none of this.
Tensor batchNormalization(
    const Tensor &input, const CookbookNormalizationOptions &options = {},
    std::source_location where = std::source_location::current());

struct MergeOptions {
  Activation activation = relu;
  /// The variable scope; "": merge, merge_1 …
  std::string name = {};
};
/// Computes activation(Σ tensorᵢ · Wᵢ + bᵢ) over the last dimensions and
/// broadcasts the other dimensions. This equals a dense layer applied to the
/// concatenation of the tensors, but does not tile them. The variables are
/// proj_0/kernel, proj_0/bias, proj_1 …
Tensor merge(const std::vector<Tensor> &tensors, int64_t units,
             const MergeOptions &options = {},
             std::source_location where = std::source_location::current());

/// Runs the beam search of the cookbook, with the same steps and states as
/// beamSearch(). The tokens [n, width, length + 1] start with the begin token.
/// A finished beam is extended by every token at no cost, so its copies
/// displace other beams. beamSearch() does not copy them.
template <typename Step>
Beams rnnBeamSearch(
    Step step, const BeamStates &states, const BeamSearchOptions &options,
    std::source_location where = std::source_location::current()) {
  return dsl::buildBeamSearch(dsl::regionOf(step), states.tensors(), options,
                              dsl::FinishedBeams::copied, where);
}

} // namespace tg

#endif // TG_NN_COOKBOOK_H
