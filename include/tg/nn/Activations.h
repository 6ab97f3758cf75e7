/// Layers without variables that apply one function to every element, softmax
/// and maxout. Shapes, but for maxout, and element types stay.
#ifndef TG_NN_ACTIVATIONS_H
#define TG_NN_ACTIVATIONS_H

#include "layer.h"

namespace tg {

/// Declares a layer that is the function of the same name.
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
/// x where x > 0, else exp(x) - 1.
TG_ACTIVATION(Elu)
/// log(1 + exp(x)).
TG_ACTIVATION(Softplus)
/// x / (1 + |x|).
TG_ACTIVATION(Softsign)
/// x · Φ(x), Φ the normal distribution: ½x (1 + erf(x / sqrt(2))). Hendrycks
/// and Gimpel, "Gaussian Error Linear Units", 2016.
TG_ACTIVATION(Gelu)
/// x / (1 + exp(-x)), also called swish.
TG_ACTIVATION(Silu)
TG_ACTIVATION(Tanh)
/// 1 / (1 + exp(-x)).
TG_ACTIVATION(Sigmoid)
/// exp(x) over its sum, along the last axis.
TG_ACTIVATION(Softmax)

#undef TG_ACTIVATION

struct LeakyReluOptions {
  /// The slope below zero; above 1 it is the slope above zero.
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
  /// The first value of the slopes below zero.
  double slope = 0.25;
  /// A slope for each element of the last dimension, which is known; else one.
  bool perChannel = false;
  VariableOptions variables = {};
  std::string name = {};
};

/// x where x > 0, else slope · x, with the trained variable `slope`. He et al.,
/// "Delving Deep into Rectifiers", 2015. PyTorch: PReLU.
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
  /// The number of neighbours per output; it divides the last extent.
  int64_t pieces = 2;
  std::string name = {};
};

/// The greatest of each `pieces` neighbours: [..., c] to [..., c / pieces], c
/// known. Goodfellow et al., "Maxout Networks", 2013.
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
