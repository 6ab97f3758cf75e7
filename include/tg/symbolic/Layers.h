/// The symbolic layers: functions of a name, an input and options, which make
/// their variables name/W, name/b and the like, or find them in a scope
/// that reuses variables. Options that are not given are those of the
/// argscopes, and else the defaults said here. Outputs are called
/// name/output.
#ifndef TG_SYMBOLIC_LAYERS_H
#define TG_SYMBOLIC_LAYERS_H

#include "Registry.h"

namespace tg::symbolic {

//===-- Options -----------------------------------------------------------===//

/// Two-dimensional convolutions; [n, h, w, c] or [n, c, h, w].
struct Conv2DOptions {
  /// Channels of the result; it has no default.
  std::optional<int64_t> filters = {};
  /// Extents of the filter W [kh, kw, c / split, filters]; no default.
  Sizes kernelSize = {};
  /// 1.
  Sizes strides = {};
  /// Padding::same.
  std::optional<Padding> padding = {};
  /// NHWC.
  std::optional<DataFormat> dataFormat = {};
  /// 1.
  Sizes dilationRate = {};
  /// None; Activation() for none within an argscope that has one.
  OptionalActivation activation = {};
  /// true.
  std::optional<bool> useBias = {};
  /// heNormal(), zeros().
  std::optional<Initializer> kernelInitializer = {}, biasInitializer = {};
  /// Penalties of W, of b and of the output; none.
  std::optional<Regularizer> kernelRegularizer = {};
  std::optional<Regularizer> biasRegularizer = {};
  std::optional<Regularizer> activityRegularizer = {};
  /// 1. Groups of channels that have nothing to do with each other.
  std::optional<int64_t> split = {};
};

/// The adjoint, with W [kh, kw, filters, c]; extents times strides, with
/// Padding::valid and max(k - stride, 0) more. As of Conv2DOptions.
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

/// x · W + b of what is flattened to [n, d]; W [d, units].
struct FullyConnectedOptions {
  /// No default.
  std::optional<int64_t> units = {};
  /// As of Conv2DOptions.
  OptionalActivation activation = {};
  std::optional<bool> useBias = {};
  std::optional<Initializer> kernelInitializer = {}, biasInitializer = {};
  std::optional<Regularizer> kernelRegularizer = {};
  std::optional<Regularizer> biasRegularizer = {};
  std::optional<Regularizer> activityRegularizer = {};
};

struct PoolingOptions {
  /// The window; no default. Strides: the window's extents.
  Sizes poolSize = {}, strides = {};
  /// Padding::valid.
  std::optional<Padding> padding = {};
  /// NHWC.
  std::optional<DataFormat> dataFormat = {};
};

struct GlobalAvgPoolingOptions {
  std::optional<DataFormat> dataFormat = {};
};

/// Each element as a matrix times it.
struct FixedUnPoolingOptions {
  /// Rows and columns of the matrix; no default.
  Sizes shape = {};
  /// Row by row. 1 at the first place, 0 elsewhere.
  std::vector<double> unpoolMat = {};
  std::optional<DataFormat> dataFormat = {};
};

/// Variables gamma, beta, mean/EMA, variance/EMA. Of rank 2 or 4.
struct BatchNormOptions {
  /// The channels; else where the data format has them.
  std::optional<int64_t> axis = {};
  /// Normalizes by the batch. Default: in a tower that trains. False in such a
  /// one: by the averages, which do not move.
  std::optional<bool> training = {};
  /// 0.9 and 1e-5.
  std::optional<double> momentum = {}, epsilon = {};
  /// Has a beta, a gamma; true.
  std::optional<bool> center = {}, scale = {};
  /// zeros(), ones().
  std::optional<Initializer> betaInitializer = {}, gammaInitializer = {};
  /// Examples that are normalized together; divides the batch. None: all.
  std::optional<int64_t> virtualBatchSize = {};
  std::optional<DataFormat> dataFormat = {};
  /// EmaUpdate::collection.
  std::optional<EmaUpdate> emaUpdate = {};
};

struct BatchRenormOptions {
  /// The greatest r, at least 1, and the greatest |d|; no defaults.
  std::optional<double> rmax = {}, dmax = {};
  /// As of BatchNormOptions.
  std::optional<double> momentum = {}, epsilon = {};
  std::optional<bool> center = {}, scale = {};
  std::optional<Initializer> gammaInitializer = {};
  std::optional<DataFormat> dataFormat = {};
};

/// Moments of each example, over all but the batch; gamma and beta per channel.
struct LayerNormOptions {
  /// 1e-5.
  std::optional<double> epsilon = {};
  /// Has a beta, a gamma; true.
  std::optional<bool> center = {}, scale = {};
  /// ones().
  std::optional<Initializer> gammaInitializer = {};
  std::optional<DataFormat> dataFormat = {};
};

/// Moments of each example and channel, of rank 4. As of LayerNormOptions.
struct InstanceNormOptions {
  std::optional<double> epsilon = {};
  std::optional<bool> center = {}, scale = {};
  std::optional<Initializer> gammaInitializer = {};
  std::optional<DataFormat> dataFormat = {};
};

struct MaxoutOptions {
  /// The number of neighbouring channels per output; no default.
  std::optional<int64_t> numUnit = {};
};

struct PReLUOptions {
  /// The first value of the one slope `alpha`; 0.001.
  std::optional<double> init = {};
};

/// One of both; without any, half of the elements stay.
struct DropoutOptions {
  /// The probability to stay, and that to be dropped.
  std::optional<Operand> keepProb = {}, rate = {};
};

/// BNReLU has none.
struct NoOptions {};

//===-- Layers ------------------------------------------------------------===//

/// The arguments that are given.
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

/// Calls a layer of this header.
LayerOutput callLayer(const char *layer, const std::string &name, Operand input,
                      std::vector<Argument> positional,
                      const Arguments &keyword);

/// A layer whose arguments have names alone: BatchNorm("bn", x, {.momentum =
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

/// A layer with a first positional argument: FullyConnected("fc0", x, 512).
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

/// A layer with two of them: Conv2D("conv0", x, 32, 3, {.activation = relu}).
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

/// BNReLU(x), also as an activation, and BNReLU("block", x): relu of a
/// batch normalization that is called `bn`.
class NormalizedReLU : public ScopedLayer<NoOptions> {
public:
  using ScopedLayer::operator();
  using ScopedLayer::ScopedLayer;

  LayerOutput operator()(Operand input) const;
};

/// Dropout(x, 0.5), Dropout("drop", x, {.rate = 0.2}): zeros at random in a
/// tower that trains, drawn as tg::dropout() does; the input as it is in
/// others. The positional number is the probability to stay.
class KeepingDropout : public LayerOfOne<DropoutOptions, double> {
public:
  using LayerOfOne::LayerOfOne;
  using LayerOfOne::operator();

  LayerOutput operator()(Operand input,
                         const DropoutOptions &options = {}) const;
  LayerOutput operator()(Operand input, double keepProb) const;
};

/// Maxout(x, 2), Maxout("max", x, 2).
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
/// Means of the elements that lie in the image.
inline constexpr LayerOfOne<PoolingOptions, Sizes> AvgPooling("AvgPooling");
/// [n, h, w, c] or [n, c, h, w] to [n, c].
inline constexpr ScopedLayer<GlobalAvgPoolingOptions>
    GlobalAvgPooling("GlobalAvgPooling");
inline constexpr LayerOfOne<FixedUnPoolingOptions, Sizes>
    FixedUnPooling("FixedUnPooling");
inline constexpr ScopedLayer<BatchNormOptions> BatchNorm("BatchNorm");
inline constexpr ScopedLayer<BatchRenormOptions> BatchRenorm("BatchRenorm");
inline constexpr ScopedLayer<LayerNormOptions> LayerNorm("LayerNorm");
inline constexpr ScopedLayer<InstanceNormOptions> InstanceNorm("InstanceNorm");
inline constexpr MaximumOut Maxout("Maxout");
/// x where x > 0, else alpha · x.
inline constexpr LayerOfOne<PReLUOptions, double> PReLU("PReLU");
inline constexpr NormalizedReLU BNReLU("BNReLU");
inline constexpr KeepingDropout Dropout("Dropout");

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_LAYERS_H
