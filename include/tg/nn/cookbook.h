/// Small functions that cookbooks of graphs copy from program to program.
/// extentsOf() and reshape() are in tensor/shapes.h, makeParallel() in
/// graph/device.h, softmax() and leakyRelu() in tensor/functional.h.
#ifndef TG_NN_COOKBOOK_H
#define TG_NN_COOKBOOK_H

#include "beam_search.h"
#include "layer.h"

namespace tg {

/// The logarithms of the probabilities that a softmax gives.
Tensor logProbFromLogits(Operand logits, int64_t axis = -1);

/// Computes the entropy of the probabilities of a softmax: -Σ p log p along an
/// axis. The logarithm of the number of logits if all are equal.
Tensor entropy(Operand logits, int64_t axis = -1);

/// Rows of each example: of [n, k, ...] those that indices [n, m] list, [n, m,
/// ...].
Tensor batchGather(Operand tensor, Operand indices);

/// begin + (end - begin) · part: begin where the part is 0, end where it is 1.
Tensor lerp(Operand begin, Operand end, Operand part);

/// Copies side by side until the extents are those of `like`, whose last
/// dimensions the input's are: [1, 2] like [6, 3, 4] becomes [6, 3, 4]. Extents
/// divide known ones; unknown ones are equal, or 1 in the input.
Tensor tileLike(Operand input, Operand like);

struct DenseOptions {
  /// None: the product as it is.
  Activation activation = {};
  bool useBias = true;
  Initializer weightInitializer = glorotUniform();
  /// The scope of the variables; "": dense, dense_1 …
  std::string name = {};
};
/// input · kernel + bias over the last dimension, whatever the rank. The
/// variables follow the open scope's rule of reuse. TensorFlow: layers.dense.
Tensor dense(const Tensor &input, int64_t units,
             const DenseOptions &options = {},
             std::source_location where = std::source_location::current());

struct DenseLayersOptions {
  Activation activation = relu;
  /// The last layer gives the sums as they are: logits.
  bool linearTopLayer = false;
  /// The rate of dropout before each layer; there is none if it is the number
  /// 0.
  Operand rate = 0.0;
  bool training = false;
  Initializer weightInitializer = glorotUniform();
  /// The scope of the variables; "": dense_layers, dense_layers_1 …
  std::string name = {};
};
/// Dense layers one behind the other, over the last dimension: denseLayers(x,
/// {512, 10}, {.linearTopLayer = true}). The variables are dense/kernel,
/// dense/bias, dense_1/kernel …
Tensor
denseLayers(const Tensor &input, const std::vector<int64_t> &units,
            const DenseLayersOptions &options = {},
            std::source_location where = std::source_location::current());

struct ConvLayersOptions {
  /// A number for each layer, or one for all: the extents of kernels, the
  /// strides, and the windows of a pool of maxima behind each, which slide by
  /// their extent; no pools where there are none, or of 1.
  std::vector<int64_t> kernels = {3}, strides = {1}, pools = {};
  /// The padding of convolutions and pools.
  Padding padding = Padding::same;
  Activation activation = relu;
  /// The rate of dropout before each layer; there is none if it is the number
  /// 0.
  Operand rate = 0.0;
  bool training = false;
  Initializer weightInitializer = glorotUniform();
  /// The scope of the variables; "": conv_layers, conv_layers_1 …
  std::string name = {};
};
/// Convolutions one behind the other, of [n, w, c], [n, h, w, c] or [n, d, h,
/// w, c]: convLayers(image, {32, 64, 128}, {.pools = {2}}). The variables are
/// conv/kernel, conv/bias, conv_1/kernel …
Tensor convLayers(const Tensor &input, const std::vector<int64_t> &filters,
                  const ConvLayersOptions &options = {},
                  std::source_location where = std::source_location::current());

struct KernelGridOptions {
  /// Kernels side by side; 0: as many as below each other, or one more.
  int64_t columns = 0;
  /// Black places on each side of a kernel.
  int64_t border = 1;
};
/// The f kernels [h, w, c, f] of a convolution as one picture [1, rows · (h +
/// 2 · border), columns · (w + 2 · border), c], of 0 for the least weight to 1
/// for the greatest; c is 1 or 3 for pictures that people see. f need not be
/// a product: what is left of the last row is black.
Tensor kernelsOnGrid(Operand kernel, const KernelGridOptions &options = {});

/// Gaussians with a variance for each dimension, which are the last one.
struct Gaussian {
  Operand mean = 0.0, logVariance = 0.0;
};
/// The Kullback-Leibler divergence KL(q || p), a number for each row of q:
/// 0 where both are equal. Without p, of the standard normal distribution. What
/// is a number stands for all dimensions; the variance of q is a tensor.
Tensor gaussianKl(const Gaussian &q, const Gaussian &p = {});

struct SqueezeAndExciteOptions {
  /// The number of channels that are squeezed to one.
  int64_t ratio = 16;
  /// The scope of the variables; "": squeeze_and_excite, squeeze_and_excite_1 …
  std::string name = {};
};
/// Channels of [n, ..., c] multiplied by how much they matter to their example:
/// sigmoid(relu(mean · W₁) · W₂) of the mean over all positions. The variables
/// are dense/kernel [c, c / ratio] and dense_1/kernel.
Tensor
squeezeAndExcite(const Tensor &input,
                 const SqueezeAndExciteOptions &options = {},
                 std::source_location where = std::source_location::current());

struct CookbookNormalizationOptions {
  /// Uses the moments of the batch, and moves the averages.
  bool training = false;
  double epsilon = 0.001, momentum = 0.9;
  /// The average takes the unbiased variance, as TensorFlow's fused kernel
  /// gives it.
  bool fused = false;
  /// The scope of the variables; "": batch_normalization, batch_normalization_1
  /// …
  std::string name = {};
};
/// Batch normalization over all dimensions but the last one, with the variables
/// beta, gamma, avg_mean and avg_variance. In a graph the averages move where
/// what is in the collection update_ops is run:
///
///   auto moved = program.collection("update_ops");
///   ControlDependencies behind({moved.begin(), moved.end()});
///   Updates train = Adam().minimize(loss);
///
/// in eager mode at once. BatchNormalization is the layer, which needs none of
/// that.
Tensor batchNormalization(
    const Tensor &input, const CookbookNormalizationOptions &options = {},
    std::source_location where = std::source_location::current());

struct MergeOptions {
  Activation activation = relu;
  /// The scope of the variables; "": merge, merge_1 …
  std::string name = {};
};
/// activation(Σ tensorᵢ · Wᵢ + bᵢ) over the last dimensions, other ones
/// broadcast: what concatenating the tensors and one dense layer would give,
/// without tiling them. The variables are proj_0/kernel, proj_0/bias, proj_1 …
Tensor merge(const std::vector<Tensor> &tensors, int64_t units,
             const MergeOptions &options = {},
             std::source_location where = std::source_location::current());

/// The beam search that the cookbook documents, of the same steps and states as
/// beamSearch(). Its tokens [n, width, length + 1] start with the begin token.
/// A beam that is finished is followed by every token without cost, and so
/// crowds others out; beamSearch() has none of these copies.
template <typename Step>
Beams rnnBeamSearch(
    Step step, const BeamStates &states, const BeamSearchOptions &options,
    std::source_location where = std::source_location::current()) {
  return dsl::buildBeamSearch(dsl::regionOf(step), states.tensors(), options,
                              dsl::FinishedBeams::copied, where);
}

} // namespace tg

#endif // TG_NN_COOKBOOK_H
