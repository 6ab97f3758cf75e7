//===- Linear.cpp - layers that multiply by a weight ----------------------===//
#include "tg/nn/Linear.h"
#include "tg/error.h"

using namespace tg;

Linear::Linear(LinearOptions options, std::source_location where)
    : BaseLayer(where, options.name), options(std::move(options)),
      where(where) {
  if (this->options.units < 1)
    throw GraphError("expected at least 1 unit, found " +
                         std::to_string(this->options.units),
                     where);
}

void Linear::build(const TensorType &input) {
  if (input.rank() != 2)
    throw GraphError("expected an input [n, d], found " + toString(input.shape),
                     where);
  int64_t width = input.dim(1, where);
  if (options.inputs != 0 && options.inputs != width)
    throw GraphError("expected an input [n, " + std::to_string(options.inputs) +
                         "], found " + toString(input.shape),
                     where);
  weight = options.weight.isDefined()
               ? use(options.weight)
               : variable("weight", {width, options.units},
                          options.weightInitializer, {.dtype = input.dtype});
  if (!options.useBias)
    return;
  bias = options.bias.isDefined()
             ? use(options.bias)
             : variable("bias", {options.units}, options.biasInitializer,
                        {.dtype = input.dtype});
}

Tensor Linear::train(Tensor input) {
  // [n, units] = [n, d] x [d, units]
  Tensor product = matmul(input, weight);
  return options.useBias ? product + bias : product;
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
