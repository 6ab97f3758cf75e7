//===- Linear.cpp - linear layers -----------------------------------------===//
#include "tg/nn/Linear.h"
#include "tg/graph/program.h"
#include "tg/tensor/error.h"
#include "tg/tensor/sparse.h"

using namespace tg;

/// Returns the initializer of a weight according to the options of its layer.
template <typename Options>
static Initializer weightInitializerOf(const Options &options) {
  if (options.weightInitializer)
    return *options.weightInitializer;
  if constexpr (requires { options.activation; })
    return weightInitializerFor(options.activation);
  return glorotUniform();
}

Linear::Linear(LinearOptions options, std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      options(std::move(options)), where(where) {
  if (this->options.units < 1)
    throw GraphError("expected at least 1 unit, found " +
                         std::to_string(this->options.units),
                     where);
}

void Linear::build(const TensorType &input) {
  if (input.rank() == 0)
    throw GraphError("expected an input [..., d], found a scalar", where);
  int64_t width = input.dim(-1, where);
  if (options.inputs != 0 && options.inputs != width)
    throw GraphError("expected an input [..., " +
                         std::to_string(options.inputs) + "], found " +
                         toString(input.shape),
                     where);
  weight = options.weight.isDefined()
               ? use(options.weight)
               : variable("weight", {width, options.units},
                          weightInitializerOf(options), {.dtype = input.dtype});
  if (!options.useBias)
    return;
  bias = options.bias.isDefined()
             ? use(options.bias)
             : variable("bias", {options.units}, options.biasInitializer,
                        {.dtype = input.dtype, .isWeight = false});
}

/// Computes input · weight + bias, [..., d] x [d, units] to [..., units], and
/// applies the activation.
Tensor Linear::train(Tensor input) {
  bool isRow = input.rank() == 1;
  Tensor output = matmul(isRow ? expandDims(input, 0) : input, weight);
  if (isRow)
    output = squeeze(output, {0});
  if (options.useBias)
    output += bias;
  return options.activation ? options.activation(output) : output;
}

LinearMasked::LinearMasked(LinearMaskedOptions options,
                           std::source_location where)
    : Linear(std::move(options.linear), where), mask(std::move(options.mask)) {
  if (!mask.isDefined())
    throw GraphError("expected a mask, found none", where);
}

Tensor LinearMasked::train(Tensor input) {
  return Linear::train(std::move(input)) * mask;
}

SparseLinear::SparseLinear(SparseLinearOptions options,
                           std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      options(std::move(options)), where(where) {
  const SparseLinearOptions &chosen = this->options;
  if (chosen.units < 1 || chosen.inputs < 1)
    throw GraphError("expected at least 1 unit and 1 input, found " +
                         std::to_string(chosen.units) + " and " +
                         std::to_string(chosen.inputs),
                     where);
}

std::vector<Tensor> SparseLinear::link(std::vector<Tensor> inputs, Mode) {
  if (inputs.size() != 2 || inputs[0].rank() != 2 || inputs[1].rank() != 1 ||
      inputs[0].shape()[1].value != 2)
    throw GraphError(
        "expected indices [k, 2] and values [k] of a sparse input, "
        "found " +
            (inputs.size() == 2 ? toString(inputs[0].shape()) + " and " +
                                      toString(inputs[1].shape())
                                : std::to_string(inputs.size()) + " inputs"),
        where);
  const Tensor &indices = inputs[0], &values = inputs[1];
  DType dtype = values.dtype();
  Variable weight =
      options.weight.isDefined()
          ? use(options.weight)
          : variable("weight", {options.inputs, options.units},
                     weightInitializerOf(options), {.dtype = dtype});
  Tensor output = sparseTensorDenseMatmul(
      {indices, values, {options.rows, options.inputs}}, weight);
  if (!options.useBias)
    return {output};
  Variable bias =
      options.bias.isDefined()
          ? use(options.bias)
          : variable("bias", {options.units}, options.biasInitializer,
                     {.dtype = dtype, .isWeight = false});
  return {output + bias};
}
