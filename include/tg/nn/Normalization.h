/// Layers that bring values to a common scale.
#ifndef TG_NN_NORMALIZATION_H
#define TG_NN_NORMALIZATION_H

#include "../tensor/windows.h"
#include "layer.h"

#include <limits>
#include <optional>

namespace tg {

class Program;

/// The bounds on the distance between a training step's own mean and deviation
/// and their moving averages; beyond them the averages count. Ioffe, "Batch
/// Renormalization", 2017.
struct RenormOptions {
  /// The deviation of the batch over its average, r, is brought into [rmin,
  /// rmax]; the distance of the means over the average deviation, d, into
  /// [-dmax, dmax]. Numbers, or scalars of the program, as of renormSchedule().
  Operand rmin = 0.0, rmax = std::numeric_limits<double>::infinity();
  Operand dmax = std::numeric_limits<double>::infinity();
  /// The part of the averages that a training step keeps.
  double momentum = 0.99;
};

struct RenormScheduleOptions {
  /// Until this step nothing is corrected: batch normalization.
  int64_t begin = 5000;
  /// The steps at which r and d reach their last bounds, which they approach on
  /// a line.
  int64_t rEnd = 40000, dEnd = 25000;
  /// The last bounds: of r, 1 / rmax to rmax, at least 1, and of d.
  double rmax = 3, dmax = 5;
  /// As in RenormOptions.
  double momentum = 0.99;
};
/// Bounds that follow the step of a program, by default those of Ioffe's paper:
/// BatchNormalization({.renorm = renormSchedule(program)}). In eager mode those
/// of the step where it is called. Throws GraphError where a bound would end
/// before it begins.
RenormOptions
renormSchedule(Program &program, const RenormScheduleOptions &options = {},
               std::source_location where = std::source_location::current());

struct BatchNormalizationOptions {
  /// The channels: every one has its own mean, variance, gamma and beta.
  int64_t axis = -1;
  /// The part of the moving averages that a training step keeps.
  double momentum = 0.99;
  /// Added to the variance.
  double epsilon = 1e-3;
  /// Has a trainable beta, a trainable gamma; without: 0 and 1.
  bool center = true, scale = true;
  Initializer betaInitializer = zeros(), gammaInitializer = ones();
  Initializer meanInitializer = zeros(), varianceInitializer = ones();
  /// While training, x · r + d of what is normalized, with the averages
  /// `renorm_mean` and `renorm_deviation`, which no gradient passes.
  std::optional<RenormOptions> renorm = {};
  /// While training, each so many examples of a batch have moments of their
  /// own, of which those of the first move the averages; divides the batch.
  /// With renorm, each is brought to the averages by itself. 0: all together.
  /// Tensorpack: virtual_batch_size.
  int64_t virtualBatchSize = 0;
  /// Uses the moving averages while training, too, and moves none.
  bool frozen = false;
  /// Updates the moving variance with the unbiased variance of the batch, which
  /// is N / (N - 1) of the biased one for N values per channel, as TensorFlow's
  /// fused kernel does. Changes nothing else: kernels are fused in any case.
  /// None: true for inputs of rank 4, as TensorFlow chooses.
  std::optional<bool> fused = {};
  /// Training options of beta and of gamma.
  VariableOptions betaVariable = {}, gammaVariable = {};
  /// Training options of both. The regularizer and the constraint among them
  /// are ignored: these are for weights.
  VariableOptions variables = {};
  std::string name = {};
};

/// (x - mean) · gamma / sqrt(variance + epsilon) + beta per channel. While
/// training, mean and biased variance are those of the batch over all axes but
/// the channels', and a step moves `moving_mean` and `moving_variance` towards
/// them; afterwards these are used. Inputs have rank 2 or more.
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
  /// r and d of renormalization; none without.
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
  /// As of RenormOptions, with 1 / rmax for rmin.
  double rmax = 0, dmax = 0;
  int64_t axis = -1;
  double momentum = 0.9, epsilon = 1e-5;
  bool center = true, scale = true;
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// Batch normalization with renormalization, as Tensorpack has it.
class BatchRenorm : public BatchNormalization {
public:
  BatchRenorm(BatchRenormOptions options,
              std::source_location place = std::source_location::current());
};

/// relu of a batch normalization of momentum 0.9 and epsilon 1e-5, as
/// Tensorpack has it.
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

/// The base class of the layers below: (x - mean) · gamma / sqrt(variance +
/// epsilon) + beta, with moments of each example alone, in training and in
/// inference.
struct ExampleNormalization : public BaseLayer {
protected:
  ExampleNormalization(bool hasBeta, bool hasGamma, Initializer firstGamma,
                       VariableOptions trained, std::string name,
                       std::source_location place)
      : BaseLayer(place, std::move(name), std::move(trained)), center(hasBeta),
        scale(hasGamma), gammaInitializer(std::move(firstGamma)), where(place) {
  }

  /// x · gamma + beta, one of each along the axes of x.
  Tensor affine(Tensor normalized, std::vector<int64_t> axes);

  bool center, scale;
  Initializer gammaInitializer;
  std::source_location where;
};

struct LayerNormalizationOptions {
  /// The axes that are normalized together; gamma and beta have their extents,
  /// which are known.
  std::vector<int64_t> axes = {-1};
  double epsilon = 1e-5;
  /// Has a trainable beta, a trainable gamma; without: 0 and 1.
  bool center = true, scale = true;
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// Ba, Kiros and Hinton, "Layer Normalization", 2016. PyTorch: LayerNorm.
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
  /// The number of groups of neighbouring channels; divides the number of
  /// channels.
  int64_t groups = 32;
  double epsilon = 1e-5;
  bool center = true, scale = true;
  Initializer gammaInitializer = ones();
  VariableOptions variables = {};
  std::string name = {};
};

/// Normalizes [n, ..., c] by the moments of a group of channels of an example,
/// at all places; gamma and beta [c]. Wu and He, "Group Normalization", 2018.
/// PyTorch: GroupNorm, with the channels last.
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

/// Normalizes [n, ..., c] by the moments of a channel of an example, at all
/// places; gamma and beta [c]. Ulyanov et al., "Instance Normalization", 2016.
/// PyTorch: InstanceNorm with affine, the channels last.
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
/// and beta; gamma [c]. Zhang and Sennrich, "Root Mean Square Layer
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

/// Local response normalization: x / (bias + alpha · s)^beta with s the sum of
/// squares of the channel and of `radius` on each side.
class LRN : public BaseLayer {
public:
  LRN(LRNOptions chosen = {},
      std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options{chosen.radius, chosen.bias,
                                               chosen.alpha, chosen.beta} {}

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
