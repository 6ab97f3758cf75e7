/// Normalization layers.
#ifndef TG_NN_NORMALIZATION_H
#define TG_NN_NORMALIZATION_H

#include "../tensor/windows.h"
#include "layer.h"

#include <limits>
#include <optional>

namespace tg {

class Program;

/// The bounds of the correction of a training step from its batch moments to
/// the moving averages. Within the bounds, the result equals normalization by
/// the averages. Ioffe, "Batch Renormalization", 2017.
struct RenormOptions {
  /// r, the ratio of the batch deviation to its moving average, is clipped to
  /// [rmin, rmax]. d, the difference of the means divided by the average
  /// deviation, is clipped to [-dmax, dmax]. The bounds are numbers, or scalars
  /// of the program as renormSchedule() returns them.
  Operand rmin = 0.0, rmax = std::numeric_limits<double>::infinity();
  Operand dmax = std::numeric_limits<double>::infinity();
  /// The weight of the old moving average in an update.
  double momentum = 0.99;
};

struct RenormScheduleOptions {
  /// The last step without correction, that is, with plain batch normalization.
  int64_t begin = 5000;
  /// The steps at which the bounds of r and d reach their final values. They
  /// change linearly up to these steps.
  int64_t rEnd = 40000, dEnd = 25000;
  /// The final bounds: [1 / rmax, rmax] for r, with rmax of at least 1, and
  /// [-dmax, dmax] for d.
  double rmax = 3, dmax = 5;
  /// As in RenormOptions.
  double momentum = 0.99;
};
/// Returns bounds that follow the step of a program, by default with the
/// numbers of Ioffe's paper: BatchNormalization({.renorm =
/// renormSchedule(program)}). In eager mode the bounds are computed for the
/// step at the call. Throws GraphError if a bound would reach its final value
/// before it begins to change.
RenormOptions
renormSchedule(Program &program, const RenormScheduleOptions &options = {},
               std::source_location where = std::source_location::current());

struct BatchNormalizationOptions {
  /// The channel axis. Each channel has its own mean, variance, gamma and beta.
  int64_t axis = -1;
  /// The weight of the old moving average in an update.
  double momentum = 0.99;
  /// A constant that is added to the variance.
  double epsilon = 1e-3;
  /// Creates a trainable beta and a trainable gamma, respectively. Otherwise
  /// beta is 0 and gamma is 1.
  bool center = true, scale = true;
  Initializer betaInitializer = zeros(), gammaInitializer = ones();
  Initializer meanInitializer = zeros(), varianceInitializer = ones();
  /// Applies x · r + d to the normalized values in training, with the moving
  /// averages `renorm_mean` and `renorm_deviation`. No gradient flows through r
  /// and d.
  std::optional<RenormOptions> renorm = {};
  /// The number of examples that are normalized together in training; it must
  /// divide the batch size. The moments of the first group update the moving
  /// averages. With renorm, each group is corrected separately. 0: normalizes
  /// the whole batch. Tensorpack: virtual_batch_size.
  int64_t virtualBatchSize = 0;
  /// Uses the moving averages in training and does not update them.
  bool frozen = false;
  /// Updates the moving variance with the unbiased variance of the batch, as
  /// TensorFlow's fused kernel does. It is N / (N - 1) times the biased one for
  /// N values per channel. The option affects nothing else: kernels are fused
  /// in any case. Default: true for inputs of rank 4, as in TensorFlow.
  std::optional<bool> fused = {};
  /// Training options of beta and of gamma.
  VariableOptions betaVariable = {}, gammaVariable = {};
  /// Training options of both. A regularizer and a constraint are ignored,
  /// since they apply to weights only.
  VariableOptions variables = {};
  std::string name = {};
};

/// (x - mean) · gamma / sqrt(variance + epsilon) + beta per channel. Training
/// uses the mean and the biased variance of the batch over all axes but the
/// channel axis, and each step updates `moving_mean` and `moving_variance`.
/// Inference uses these moving averages. Inputs have rank 2 or more.
class BatchNormalization : public BaseLayer {
public:
  using BaseLayer::build;
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
  /// The factors r and d of renormalization; undefined without renorm.
  struct Factors {
    Tensor r, d;
  };
  Tensor normalize(const Tensor &input, const Moments &moments,
                   const Factors &factors);
  Tensor normalizeParts(const Tensor &input, int64_t axis);
  Factors factorsOf(const Moments &batch, const Tensor &mean,
                    const Tensor &deviation) const;
  void moveRenorm(const Moments &batch);
  void move(const Tensor &input, const Moments &batch, int64_t axis);
  int64_t axisOf(const Tensor &input) const;

  BatchNormalizationOptions options;
  std::source_location where;
  Variable gamma, beta, movingMean, movingVariance, renormMean, renormDeviation;
};

struct BatchRenormOptions {
  /// As in RenormOptions, with rmin = 1 / rmax.
  double rmax = 0, dmax = 0;
  int64_t axis = -1;
  double momentum = 0.9, epsilon = 1e-5;
  bool center = true, scale = true;
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// Batch normalization with renormalization, as in Tensorpack.
class BatchRenorm : public BatchNormalization {
public:
  BatchRenorm(BatchRenormOptions options,
              std::source_location place = std::source_location::current());
};

/// Batch normalization with momentum 0.9 and epsilon 1e-5, followed by ReLU, as
/// in Tensorpack.
class BNReLU : public BatchNormalization {
public:
  BNReLU(LayerOptions chosen = {},
         std::source_location place = std::source_location::current())
      : BatchNormalization(
            {.momentum = 0.9, .epsilon = 1e-5, .name = std::move(chosen.name)},
            place) {}

protected:
  Tensor train(Tensor input) override;
  Tensor test(Tensor input) override;
};

/// The base class of layers that normalize each example by its own moments, in
/// training and in inference: (x - mean) · gamma / sqrt(variance + epsilon) +
/// beta.
struct ExampleNormalization : public BaseLayer {
protected:
  ExampleNormalization(bool hasBeta, bool hasGamma, Initializer firstGamma,
                       VariableOptions trained, std::string name,
                       std::source_location place)
      : BaseLayer(place, std::move(name), std::move(trained)), center(hasBeta),
        scale(hasGamma), gammaInitializer(std::move(firstGamma)), where(place) {
  }

  /// Computes x · gamma + beta. gamma and beta have the extents of the given
  /// axes of x.
  Tensor affine(Tensor normalized, std::vector<int64_t> axes);

  bool center, scale;
  Initializer gammaInitializer;
  std::source_location where;
};

struct LayerNormalizationOptions {
  /// The axes that are normalized together. gamma and beta have the extents of
  /// these axes, which must be static.
  std::vector<int64_t> axes = {-1};
  double epsilon = 1e-5;
  /// Creates a trainable beta and a trainable gamma, respectively. Otherwise
  /// beta is 0 and gamma is 1.
  bool center = true, scale = true;
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// Normalization by the moments over the given axes. Ba, Kiros and Hinton,
/// "Layer Normalization", 2016. PyTorch: LayerNorm.
class LayerNormalization : public ExampleNormalization {
public:
  LayerNormalization(
      LayerNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : ExampleNormalization(chosen.center, chosen.scale,
                             chosen.gammaInitializer, chosen.variables,
                             chosen.name, place),
        options(std::move(chosen)) {}

protected:
  Tensor train(Tensor input) override;

private:
  LayerNormalizationOptions options;
};

struct GroupNormalizationOptions {
  /// The number of groups of adjacent channels. It must divide the number of
  /// channels.
  int64_t groups = 32;
  double epsilon = 1e-5;
  bool center = true, scale = true;
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// The normalization of [n, ..., c] by the moments of a group of channels of an
/// example, over all positions. gamma and beta are [c]. Wu and He, "Group
/// Normalization", 2018. PyTorch: GroupNorm, but with channels last.
class GroupNormalization : public ExampleNormalization {
public:
  GroupNormalization(
      GroupNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : ExampleNormalization(chosen.center, chosen.scale,
                             chosen.gammaInitializer, chosen.variables,
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
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// The normalization of [n, ..., c] by the moments of a channel of an example,
/// over all positions. gamma and beta are [c]. Ulyanov et al., "Instance
/// Normalization", 2016. PyTorch: InstanceNorm with affine, but with channels
/// last.
class InstanceNormalization : public ExampleNormalization {
public:
  InstanceNormalization(
      InstanceNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : ExampleNormalization(chosen.center, chosen.scale,
                             chosen.gammaInitializer, chosen.variables,
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
/// and beta; gamma is [c]. Zhang and Sennrich, "Root Mean Square Layer
/// Normalization", 2019. PyTorch: RMSNorm.
class RmsNormalization : public ExampleNormalization {
public:
  RmsNormalization(RmsNormalizationOptions chosen = {},
                   std::source_location place = std::source_location::current())
      : ExampleNormalization(false, chosen.scale, ones(), chosen.variables,
                             chosen.name, place),
        options(std::move(chosen)) {}

protected:
  Tensor train(Tensor input) override;

private:
  RmsNormalizationOptions options;
};

/// The options of an LRN layer: LocalResponseNormOptions and a name.
struct LRNOptions {
  int64_t radius = 5;
  double bias = 1, alpha = 1, beta = 0.5;
  std::string name = {};
};

/// Local response normalization: x / (bias + alpha · s)^beta, where s is the
/// sum of squares of the channel and of `radius` channels on each side.
class LRN : public BaseLayer {
public:
  LRN(LRNOptions chosen = {},
      std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name),
        options{chosen.radius, chosen.bias, chosen.alpha, chosen.beta} {}

protected:
  Tensor train(Tensor input) override;

private:
  LocalResponseNormOptions options;
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
