/// Layers that bring values to a common scale.
#ifndef TG_NN_NORMALIZATION_H
#define TG_NN_NORMALIZATION_H

#include "../layer.h"

namespace tg {

struct BatchNormalizationOptions {
  /// The channels: every one has its own mean, variance, gamma and beta.
  int64_t axis = -1;
  /// How much of the moving averages a training step keeps.
  double momentum = 0.99;
  /// Added to the variance.
  double epsilon = 1e-3;
  /// Has a trainable beta, a trainable gamma; without: 0 and 1.
  bool center = true, scale = true;
  Initializer betaInitializer = zeros(), gammaInitializer = ones();
  Initializer meanInitializer = zeros(), varianceInitializer = ones();
  /// How gamma and beta are trained.
  VariableOptions variables = {};
  std::string name = {};
};

/// (x - mean) · gamma / sqrt(variance + epsilon) + beta per channel. While
/// training, mean and biased variance are those of the batch over all axes but
/// the channels', and a step moves `moving_mean` and `moving_variance` towards
/// them; afterwards these are used. Inputs have rank 2 or more. Of rank 4 the
/// moving variance takes the unbiased variance, N / (N - 1) of the other for N
/// values per channel, as the fused kernel of TensorFlow does.
class BatchNormalization : public BaseLayer {
public:
  BatchNormalization(
      BatchNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name, chosen.variables),
        options(std::move(chosen)), where(place) {}

protected:
  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;
  Tensor test(Tensor input) override;

private:
  Tensor normalize(const Tensor &input, const Moments &moments);

  BatchNormalizationOptions options;
  std::source_location where;
  Variable gamma, beta, movingMean, movingVariance;
};

/// What the layers below share: (x - mean) · gamma / sqrt(variance + epsilon) +
/// beta, with moments of each example alone, while training and afterwards.
struct ExampleNormalization : public BaseLayer {
protected:
  ExampleNormalization(bool hasBeta, bool hasGamma, VariableOptions trained,
                       std::string name, std::source_location place)
      : BaseLayer(place, std::move(name), std::move(trained)), center(hasBeta),
        scale(hasGamma), where(place) {}

  /// x · gamma + beta, one of each along the axes of x.
  Tensor affine(Tensor normalized, std::vector<int64_t> axes);

  bool center, scale;
  std::source_location where;
};

struct LayerNormalizationOptions {
  /// What is normalized together; gamma and beta have their extents, which are
  /// known.
  std::vector<int64_t> axes = {-1};
  double epsilon = 1e-5;
  /// Has a trainable beta, a trainable gamma; without: 0 and 1.
  bool center = true, scale = true;
  VariableOptions variables = {};
  std::string name = {};
};

/// Ba, Kiros and Hinton, "Layer Normalization", 2016. PyTorch: LayerNorm.
class LayerNormalization : public ExampleNormalization {
public:
  LayerNormalization(
      LayerNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : ExampleNormalization(chosen.center, chosen.scale, chosen.variables,
                             chosen.name, place),
        options(std::move(chosen)) {}

protected:
  Tensor train(Tensor input) override;

private:
  LayerNormalizationOptions options;
};

struct GroupNormalizationOptions {
  /// How many groups of neighbouring channels; divides their number.
  int64_t groups = 32;
  double epsilon = 1e-5;
  bool center = true, scale = true;
  VariableOptions variables = {};
  std::string name = {};
};

/// Of [n, ..., c]: the moments of an example are those of a group of channels
/// at all places; gamma and beta [c]. Wu and He, "Group Normalization", 2018.
/// PyTorch: GroupNorm, with the channels last.
class GroupNormalization : public ExampleNormalization {
public:
  GroupNormalization(
      GroupNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : ExampleNormalization(chosen.center, chosen.scale, chosen.variables,
                             chosen.name, place),
        options(std::move(chosen)) {}

protected:
  Tensor train(Tensor input) override;

private:
  GroupNormalizationOptions options;
};

struct InstanceNormalizationOptions {
  double epsilon = 1e-5;
  bool center = true, scale = true;
  VariableOptions variables = {};
  std::string name = {};
};

/// Of [n, ..., c]: the moments of an example are those of a channel at all
/// places; gamma and beta [c]. Ulyanov et al., "Instance Normalization", 2016.
/// PyTorch: InstanceNorm with affine, the channels last.
class InstanceNormalization : public ExampleNormalization {
public:
  InstanceNormalization(
      InstanceNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : ExampleNormalization(chosen.center, chosen.scale, chosen.variables,
                             chosen.name, place),
        options(std::move(chosen)) {}

protected:
  Tensor train(Tensor input) override;

private:
  InstanceNormalizationOptions options;
};

struct RmsNormalizationOptions {
  double epsilon = 1e-6;
  bool scale = true;
  VariableOptions variables = {};
  std::string name = {};
};

/// x · gamma / sqrt(mean(x²) + epsilon) over the last dimension, without mean
/// and beta; gamma [c]. Zhang and Sennrich, "Root Mean Square Layer
/// Normalization", 2019. PyTorch: RMSNorm.
class RmsNormalization : public ExampleNormalization {
public:
  RmsNormalization(RmsNormalizationOptions chosen = {},
                   std::source_location place = std::source_location::current())
      : ExampleNormalization(false, chosen.scale, chosen.variables, chosen.name,
                             place),
        options(std::move(chosen)) {}

protected:
  Tensor train(Tensor input) override;

private:
  RmsNormalizationOptions options;
};

struct L2NormalizeOptions {
  int64_t axis = -1;
  std::string name = {};
};

/// x / sqrt(max(Σ x² along an axis, 1e-12)).
class L2Normalize : public BaseLayer {
public:
  L2Normalize(L2NormalizeOptions chosen = {},
              std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options(chosen) {}

protected:
  Tensor train(Tensor input) override;

private:
  L2NormalizeOptions options;
};

} // namespace tg

#endif // TG_NN_NORMALIZATION_H
