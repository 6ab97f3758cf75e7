/// The symbolic layers: functions of a name, an input and options. They create
/// the variables name/W, name/b and so on, or find them in a scope that reuses
/// variables. Options that are not given are taken from the argscopes; the
/// options below document the defaults without argscopes. The output is named
/// name/output.
#ifndef TG_SYMBOLIC_LAYERS_H
#define TG_SYMBOLIC_LAYERS_H

#include "Registry.h"

namespace tg::symbolic {

//===-- Options -----------------------------------------------------------===//

/// The options of a two-dimensional convolution of [n, h, w, c] or [n, c, h,
/// w].
struct Conv2DOptions {
  /// The number of output channels. Required.
  std::optional<int64_t> filters = {};
  /// The extents of the filter W [kh, kw, c / split, filters]. Required.
  Sizes kernelSize = {};
  /// Default: 1.
  Sizes strides = {};
  /// Default: Padding::same.
  std::optional<Padding> padding = {};
  /// Default: NHWC.
  std::optional<DataFormat> dataFormat = {};
  /// Default: 1.
  Sizes dilationRate = {};
  /// Default: none. Activation() means no activation, even if an argscope sets
  /// one.
  OptionalActivation activation = {};
  /// Default: true.
  std::optional<bool> useBias = {};
  /// Defaults: heNormal() and zeros().
  std::optional<Initializer> kernelInitializer = {}, biasInitializer = {};
  /// The penalties of W, of b and of the output. Default: none.
  std::optional<Regularizer> kernelRegularizer = {};
  std::optional<Regularizer> biasRegularizer = {};
  std::optional<Regularizer> activityRegularizer = {};
  /// The number of groups of channels that are convolved independently.
  /// Default: 1.
  std::optional<int64_t> split = {};
};

/// The options of a transposed convolution, with W [kh, kw, filters, c]. The
/// output extents are the input extents times the strides, plus max(k - stride,
/// 0) for Padding::valid. The options are documented in Conv2DOptions.
struct Conv2DTransposeOptions {
  std::optional<int64_t> filters = {};
  Sizes kernelSize = {}, strides = {};
  std::optional<Padding> padding = {};
  std::optional<DataFormat> dataFormat = {};
  OptionalActivation activation = {};
  std::optional<bool> useBias = {};
  std::optional<Initializer> kernelInitializer = {}, biasInitializer = {};
  std::optional<Regularizer> kernelRegularizer = {};
  std::optional<Regularizer> biasRegularizer = {};
  std::optional<Regularizer> activityRegularizer = {};
};

/// The options of x · W + b, where x is flattened to [n, d] and W is [d,
/// units].
struct FullyConnectedOptions {
  /// Required.
  std::optional<int64_t> units = {};
  /// As in Conv2DOptions.
  OptionalActivation activation = {};
  std::optional<bool> useBias = {};
  std::optional<Initializer> kernelInitializer = {}, biasInitializer = {};
  std::optional<Regularizer> kernelRegularizer = {};
  std::optional<Regularizer> biasRegularizer = {};
  std::optional<Regularizer> activityRegularizer = {};
};

struct PoolingOptions {
  /// The window, which is required, and the strides. Default strides: the
  /// window's extents.
  Sizes poolSize = {}, strides = {};
  /// Default: Padding::valid.
  std::optional<Padding> padding = {};
  /// Default: NHWC.
  std::optional<DataFormat> dataFormat = {};
};

struct GlobalAvgPoolingOptions {
  std::optional<DataFormat> dataFormat = {};
};

/// The options of a fixed unpooling layer: the Kronecker product of each
/// channel with a matrix.
struct FixedUnPoolingOptions {
  /// The rows and columns of the matrix. Required.
  Sizes shape = {};
  /// The elements of the matrix in row-major order. Default: 1 for the first
  /// element, 0 for the others.
  std::vector<double> unpoolMat = {};
  std::optional<DataFormat> dataFormat = {};
};

/// The options of batch normalization of an input of rank 2 or 4. The variables
/// are gamma, beta, mean/EMA and variance/EMA.
struct BatchNormOptions {
  /// The channel axis. By default it follows from the data format.
  std::optional<int64_t> axis = {};
  /// Normalizes by the moments of the batch. Default: true in a training tower.
  /// If false in a training tower, the layer uses the moving averages and does
  /// not update them.
  std::optional<bool> training = {};
  /// Defaults: 0.9 and 1e-5.
  std::optional<double> momentum = {}, epsilon = {};
  /// Creates beta and gamma, respectively. Default: true.
  std::optional<bool> center = {}, scale = {};
  /// Defaults: zeros() and ones().
  std::optional<Initializer> betaInitializer = {}, gammaInitializer = {};
  /// The number of examples that are normalized together; it must divide the
  /// batch size. Default: the whole batch.
  std::optional<int64_t> virtualBatchSize = {};
  std::optional<DataFormat> dataFormat = {};
  /// Default: EmaUpdate::collection.
  std::optional<EmaUpdate> emaUpdate = {};
};

struct BatchRenormOptions {
  /// The upper bounds of r and of |d| in Ioffe, "Batch Renormalization", 2017;
  /// `rmax` is at least 1. Required.
  std::optional<double> rmax = {}, dmax = {};
  /// As in BatchNormOptions.
  std::optional<double> momentum = {}, epsilon = {};
  std::optional<bool> center = {}, scale = {};
  std::optional<Initializer> gammaInitializer = {};
  std::optional<DataFormat> dataFormat = {};
};

/// The options of layer normalization: each example is normalized by its
/// moments over all dimensions but the batch. Gamma and beta are per channel.
struct LayerNormOptions {
  /// Default: 1e-5.
  std::optional<double> epsilon = {};
  /// Creates beta and gamma, respectively. Default: true.
  std::optional<bool> center = {}, scale = {};
  /// Default: ones().
  std::optional<Initializer> gammaInitializer = {};
  std::optional<DataFormat> dataFormat = {};
};

/// The options of instance normalization: the normalization of an input of rank
/// 4 by the moments of each channel of each example. The options are documented
/// in LayerNormOptions.
struct InstanceNormOptions {
  std::optional<double> epsilon = {};
  std::optional<bool> center = {}, scale = {};
  std::optional<Initializer> gammaInitializer = {};
  std::optional<DataFormat> dataFormat = {};
};

struct MaxoutOptions {
  /// The number of adjacent channels per output channel. Required.
  std::optional<int64_t> numUnit = {};
};

struct PReLUOptions {
  /// The initial value of the single slope `alpha`. Default: 0.001.
  std::optional<double> init = {};
};

/// The options of dropout; at most one of the two may be set. By default half
/// of the elements are kept.
struct DropoutOptions {
  /// The probability with which an element is kept, and the probability with
  /// which it is dropped.
  std::optional<Operand> keepProb = {}, rate = {};
};

/// The empty options of BNReLU.
struct NoOptions {};

//===-- Layers ------------------------------------------------------------===//

/// Returns the arguments for the options that are given.
Arguments argumentsOf(const Conv2DOptions &options);
Arguments argumentsOf(const Conv2DTransposeOptions &options);
Arguments argumentsOf(const FullyConnectedOptions &options);
Arguments argumentsOf(const PoolingOptions &options);
Arguments argumentsOf(const GlobalAvgPoolingOptions &options);
Arguments argumentsOf(const FixedUnPoolingOptions &options);
Arguments argumentsOf(const BatchNormOptions &options);
Arguments argumentsOf(const BatchRenormOptions &options);
Arguments argumentsOf(const LayerNormOptions &options);
Arguments argumentsOf(const InstanceNormOptions &options);
Arguments argumentsOf(const MaxoutOptions &options);
Arguments argumentsOf(const PReLUOptions &options);
Arguments argumentsOf(const DropoutOptions &options);
Arguments argumentsOf(const NoOptions &options);

/// Calls a layer of this header by name.
LayerOutput callLayer(const char *layer, const std::string &name, Operand input,
                      std::vector<Argument> positional,
                      const Arguments &keyword);

/// A layer whose options are all given by name: BatchNorm("bn", x, {.momentum =
/// 0.99}).
template <typename LayerOptions> class ScopedLayer {
public:
  using Options = LayerOptions;
  explicit constexpr ScopedLayer(const char *name) : called(name) {}

  LayerOutput operator()(const std::string &name, Operand input,
                         const Options &options = {}) const {
    return callLayer(called, name, std::move(input), {}, argumentsOf(options));
  }
  const char *layerName() const { return called; }

protected:
  const char *called;
};

/// A layer that also accepts its first option as a positional argument:
/// FullyConnected("fc0", x, 512).
template <typename Options, typename First>
class LayerOfOne : public ScopedLayer<Options> {
public:
  using ScopedLayer<Options>::ScopedLayer;
  using ScopedLayer<Options>::operator();

  LayerOutput operator()(const std::string &name, Operand input, First first,
                         const Options &options = {}) const {
    return callLayer(this->called, name, std::move(input), {std::move(first)},
                     argumentsOf(options));
  }
};

/// A layer that also accepts its first two options as positional arguments:
/// Conv2D("conv0", x, 32, 3, {.activation = relu}).
template <typename Options, typename First>
class LayerOfTwo : public ScopedLayer<Options> {
public:
  using ScopedLayer<Options>::ScopedLayer;
  using ScopedLayer<Options>::operator();

  LayerOutput operator()(const std::string &name, Operand input, First first,
                         Sizes second, const Options &options = {}) const {
    return callLayer(this->called, name, std::move(input),
                     {std::move(first), std::move(second)},
                     argumentsOf(options));
  }
};

/// Batch normalization in the scope `bn`, then ReLU. BNReLU(x) can also be used
/// as an activation; BNReLU("block", x) adds a scope `block`.
class NormalizedReLU : public ScopedLayer<NoOptions> {
public:
  using ScopedLayer::operator();
  using ScopedLayer::ScopedLayer;

  LayerOutput operator()(Operand input) const;
};

/// The dropout layer, Dropout(x, 0.5) or Dropout("drop", x, {.rate = 0.2}). It
/// zeroes elements at random in a training tower, as tg::dropout() does, and
/// returns the input unchanged in other towers. The positional number is the
/// probability with which an element is kept.
class KeepingDropout : public LayerOfOne<DropoutOptions, double> {
public:
  using LayerOfOne::LayerOfOne;
  using LayerOfOne::operator();

  LayerOutput operator()(Operand input,
                         const DropoutOptions &options = {}) const;
  LayerOutput operator()(Operand input, double keepProb) const;
};

/// The maxout layer, Maxout(x, 2) or Maxout("max", x, 2).
class MaximumOut : public LayerOfOne<MaxoutOptions, int64_t> {
public:
  using LayerOfOne::LayerOfOne;
  using LayerOfOne::operator();

  LayerOutput operator()(Operand input, int64_t numUnit) const;
};

inline constexpr LayerOfTwo<Conv2DOptions, int64_t> Conv2D("Conv2D");
inline constexpr LayerOfTwo<Conv2DTransposeOptions, int64_t>
    Conv2DTranspose("Conv2DTranspose");
inline constexpr LayerOfOne<FullyConnectedOptions, int64_t>
    FullyConnected("FullyConnected");
inline constexpr LayerOfOne<PoolingOptions, Sizes> MaxPooling("MaxPooling");
/// The mean of the elements of each window that lie inside the image.
inline constexpr LayerOfOne<PoolingOptions, Sizes> AvgPooling("AvgPooling");
/// The mean over all positions: [n, h, w, c] or [n, c, h, w] to [n, c].
inline constexpr ScopedLayer<GlobalAvgPoolingOptions>
    GlobalAvgPooling("GlobalAvgPooling");
inline constexpr LayerOfOne<FixedUnPoolingOptions, Sizes>
    FixedUnPooling("FixedUnPooling");
inline constexpr ScopedLayer<BatchNormOptions> BatchNorm("BatchNorm");
inline constexpr ScopedLayer<BatchRenormOptions> BatchRenorm("BatchRenorm");
inline constexpr ScopedLayer<LayerNormOptions> LayerNorm("LayerNorm");
inline constexpr ScopedLayer<InstanceNormOptions> InstanceNorm("InstanceNorm");
inline constexpr MaximumOut Maxout("Maxout");
/// x for x > 0, otherwise alpha · x.
inline constexpr LayerOfOne<PReLUOptions, double> PReLU("PReLU");
inline constexpr NormalizedReLU BNReLU("BNReLU");
inline constexpr KeepingDropout Dropout("Dropout");

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_LAYERS_H
