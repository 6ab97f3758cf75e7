/// Layers that multiply by a weight.
#ifndef TG_NN_LINEAR_H
#define TG_NN_LINEAR_H

#include "../layer.h"

namespace tg {

/// What a Linear layer holds.
struct LinearOptions {
  /// Outputs per row; at least 1.
  int64_t units = 0;
  /// Numbers per row of the input; 0: as many as the first input has.
  int64_t inputs = 0;
  /// The first values of the weight [d, units] and of the bias [units].
  Initializer weightInitializer = normal({.stddev = 0.1});
  Initializer biasInitializer = zeros();
  /// Adds a bias.
  bool useBias = true;
  /// Variables to use instead of own ones, with the same shapes.
  Variable weight = {}, bias = {};
  std::string name = {};
};

/// [n, units] = [n, d] x weight [d, units] + bias [units]. The width d is known
/// and the same wherever the layer is used.
class Linear : public BaseLayer {
public:
  Linear(LinearOptions options,
         std::source_location where = std::source_location::current());

protected:
  void build(const TensorType &input) override;
  Tensor train(Tensor input) override;

private:
  LinearOptions options;
  std::source_location where;
  Variable weight, bias;
};

/// What a LinearMasked layer holds.
struct LinearMaskedOptions {
  LinearOptions linear;
  /// Factors of the outputs; broadcast to [n, units].
  Tensor mask;
};

/// (x · weight + bias) · mask: a linear layer some of whose outputs are zero.
class LinearMasked : public Linear {
public:
  LinearMasked(LinearMaskedOptions options,
               std::source_location where = std::source_location::current());

protected:
  Tensor train(Tensor input) override;

private:
  Tensor mask;
};

} // namespace tg

#endif // TG_NN_LINEAR_H
