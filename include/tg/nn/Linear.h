/// Layers that multiply by a weight.
#ifndef TG_NN_LINEAR_H
#define TG_NN_LINEAR_H

#include "layer.h"

namespace tg {

/// The options of a Linear layer.
struct LinearOptions {
  /// Outputs per row; at least 1.
  int64_t units = 0;
  /// The function that is applied to the outputs; none by default:
  /// Linear({.units = 10, .activation = relu}).
  Activation activation = {};
  /// Numbers per row of the input; 0: as many as the first input has.
  int64_t inputs = 0;
  /// The first values of the weight [d, units]. None: heNormal() where the
  /// activation is a rectifier as relu is, else glorotUniform(). TensorGraph:
  /// normal({.stddev = 0.1}).
  std::optional<Initializer> weightInitializer = {};
  /// The first values of the bias [units].
  Initializer biasInitializer = zeros();
  /// Adds a bias.
  bool useBias = true;
  /// Variables to use instead of own ones, with the same shapes.
  Variable weight = {}, bias = {};
  /// Training options of the layer's own variables.
  VariableOptions variables = {};
  std::string name = {};
};

/// activation(x · weight + bias) over the last dimension: [..., d] to [...,
/// units], with weight [d, units] and bias [units]. The width d is known and
/// the same wherever the layer is used.
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
  /// Factors of the outputs; broadcast to [n, units].
  Tensor mask;
};

/// activation(x · weight + bias) · mask: a linear layer some of whose outputs
/// are zero.
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
  /// Outputs per row and numbers per row of the input; both at least 1.
  int64_t units = 0, inputs = 0;
  /// The rows of the result: a number, or the extent of an input by its name.
  Extent rows = dim("batch");
  /// As of LinearOptions.
  std::optional<Initializer> weightInitializer = {};
  Initializer biasInitializer = zeros();
  bool useBias = true;
  Variable weight = {}, bias = {};
  VariableOptions variables = {};
  std::string name = {};
};

/// A linear layer of rows that are mostly zeros. It takes their other elements:
/// places [k, 2], integers, a row and a column each, and values [k]; it gives
/// [rows, units]. Elements at one place add up, a place outside of [rows,
/// inputs] is an error at run time. Work and gradients are those of the k rows
/// of the weight [inputs, units] that the columns choose.
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
