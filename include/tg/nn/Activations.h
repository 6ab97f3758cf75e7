/// Layers that apply an elementwise function, softmax or maxout. Only Prelu has
/// a variable, its slope. All layers but Maxout keep the shape, and all keep
/// the element type.
#ifndef TG_NN_ACTIVATIONS_H
#define TG_NN_ACTIVATIONS_H

#include "layer.h"

namespace tg {

/// Declares a layer that applies the function of the same name.
#define TG_ACTIVATION(LAYER)                                                   \
  class LAYER : public BaseLayer {                                             \
  public:                                                                      \
    LAYER(LayerOptions options = {},                                           \
          std::source_location where = std::source_location::current())        \
        : BaseLayer(where, std::move(options.name)) {}                         \
                                                                               \
  protected:                                                                   \
    Tensor train(Tensor input) override;                                       \
  };

/// max(x, 0).
TG_ACTIVATION(Relu)
/// min(max(x, 0), 6).
TG_ACTIVATION(Relu6)
/// x for x > 0, otherwise exp(x) - 1.
TG_ACTIVATION(Elu)
/// log(1 + exp(x)).
TG_ACTIVATION(Softplus)
/// x / (1 + |x|).
TG_ACTIVATION(Softsign)
/// x · Φ(x), where Φ is the standard normal distribution function: ½x (1 +
/// erf(x / sqrt(2))). Hendrycks and Gimpel, "Gaussian Error Linear Units",
/// 2016.
TG_ACTIVATION(Gelu)
/// x / (1 + exp(-x)), also called swish.
TG_ACTIVATION(Silu)
TG_ACTIVATION(Tanh)
/// 1 / (1 + exp(-x)).
TG_ACTIVATION(Sigmoid)
/// exp(x) divided by its sum along the last axis.
TG_ACTIVATION(Softmax)

#undef TG_ACTIVATION

struct LeakyReluOptions {
  /// The slope for x < 0. A slope greater than 1 applies to x > 0 instead,
  /// because it then gives the maximum.
  double slope = 0.2;
  std::string name = {};
};

/// max(x, slope · x).
class LeakyRelu : public BaseLayer {
public:
  LeakyRelu(LeakyReluOptions chosen = {},
            std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options(chosen) {}

protected:
  Tensor train(Tensor input) override;

private:
  LeakyReluOptions options;
};

struct PreluOptions {
  /// The initial value of the slopes below zero.
  double slope = 0.25;
  /// Uses a slope per element of the last dimension, whose extent must be
  /// static. Otherwise there is a single slope.
  bool perChannel = false;
  VariableOptions variables = {};
  std::string name = {};
};

/// x for x > 0, otherwise slope · x, with the trained variable `slope`. He et
/// al., "Delving Deep into Rectifiers", 2015. PyTorch: PReLU.
class Prelu : public BaseLayer {
public:
  using BaseLayer::build;
  Prelu(PreluOptions chosen = {},
        std::source_location place = std::source_location::current())
      : BaseLayer(place, chosen.name, chosen.variables),
        options(std::move(chosen)), where(place) {}

protected:
  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;

private:
  PreluOptions options;
  std::source_location where;
  Variable slope;
};

struct MaxoutOptions {
  /// The number of adjacent elements per output. It must divide the last
  /// extent.
  int64_t pieces = 2;
  std::string name = {};
};

/// The maximum of each group of `pieces` adjacent elements: [..., c] to [..., c
/// / pieces], with a static c. Goodfellow et al., "Maxout Networks", 2013.
class Maxout : public BaseLayer {
public:
  Maxout(MaxoutOptions chosen = {},
         std::source_location where = std::source_location::current())
      : BaseLayer(where, chosen.name), options(chosen) {}

protected:
  Tensor train(Tensor input) override;

private:
  MaxoutOptions options;
};

} // namespace tg

#endif // TG_NN_ACTIVATIONS_H
