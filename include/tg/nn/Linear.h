/// Layers that multiply by a weight.
#ifndef TG_NN_LINEAR_H
#define TG_NN_LINEAR_H

#include "layer.h"

namespace tg {

/// The options of a Linear layer.
struct LinearOptions {
  /// The number of outputs per row; at least 1.
  int64_t units = 0;
  /// The activation of the outputs; none by default: Linear({.units = 10,
  /// .activation = relu}).
  Activation activation = {};
  /// The number of inputs per row. 0: the last extent of the first input.
  int64_t inputs = 0;
  /// The initializer of the weight [d, units]. Default: heNormal() if the
  /// activation is a rectifier such as relu, otherwise glorotUniform().
  /// TensorGraph uses normal({.stddev = 0.1}).
  std::optional<Initializer> weightInitializer = {};
  /// The initializer of the bias [units].
  Initializer biasInitializer = zeros();
  /// Adds a bias.
  bool useBias = true;
  /// Variables of the same shapes to use instead of new ones.
  Variable weight = {}, bias = {};
  /// Training options of the layer's own variables.
  VariableOptions variables = {};
  std::string name = {};
};

/// activation(x · weight + bias) over the last dimension: [..., d] to [...,
/// units], with weight [d, units] and bias [units]. The width d must be static,
/// and the same for all inputs of the layer.
class Linear : public BaseLayer {
public:
  using BaseLayer::build;
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

/// The options of a LinearMasked layer.
struct LinearMaskedOptions {
  LinearOptions linear;
  /// The factors of the outputs, broadcast to [n, units].
  Tensor mask;
};

/// activation(x · weight + bias) · mask: a linear layer with some outputs
/// masked to zero.
class LinearMasked : public Linear {
public:
  LinearMasked(LinearMaskedOptions options,
               std::source_location where = std::source_location::current());

protected:
  Tensor train(Tensor input) override;

private:
  Tensor mask;
};

/// The options of a SparseLinear layer.
struct SparseLinearOptions {
  /// The numbers of outputs and inputs per row; both at least 1.
  int64_t units = 0, inputs = 0;
  /// The number of rows of the result: a number, or the named extent of an
  /// input.
  Extent rows = dim("batch");
  /// As in LinearOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable weight = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// A linear layer for sparse rows. The inputs are the positions of the nonzero
/// elements, integers [k, 2] with a row and a column each, and their values
/// [k]. The output is [rows, units]. Elements at the same position are added. A
/// position outside [rows, inputs] is an error at run time. The layer reads
/// only the k rows of the weight [inputs, units] that the columns select, and
/// only these rows have gradients.
class SparseLinear : public BaseLayer {
public:
  SparseLinear(SparseLinearOptions options,
               std::source_location where = std::source_location::current());

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  SparseLinearOptions options;
  std::source_location where;
};

} // namespace tg

#endif // TG_NN_LINEAR_H
