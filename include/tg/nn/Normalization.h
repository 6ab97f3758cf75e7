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
  std::string name = {};
};

/// (x - mean) · gamma / sqrt(variance + epsilon) + beta per channel. While
/// training, mean and biased variance are those of the batch over all axes but
/// the channels', and a step moves `moving_mean` and `moving_variance` towards
/// them; afterwards these are used.
class BatchNormalization : public BaseLayer {
public:
  BatchNormalization(
      BatchNormalizationOptions chosen = {},
      std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name), options(std::move(chosen)),
        where(place) {}

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
