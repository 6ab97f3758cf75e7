//===- Activations.cpp - elementwise layers -------------------------------===//
#include "tg/nn/Activations.h"

using namespace tg;

Tensor Relu::train(Tensor input) { return relu(input); }
Tensor Relu6::train(Tensor input) { return relu6(input); }
Tensor Elu::train(Tensor input) { return elu(input); }
Tensor Softplus::train(Tensor input) { return softplus(input); }
Tensor Softsign::train(Tensor input) { return softsign(input); }
Tensor Gelu::train(Tensor input) { return gelu(input); }
Tensor Silu::train(Tensor input) { return silu(input); }
Tensor Tanh::train(Tensor input) { return tanh(input); }
Tensor Sigmoid::train(Tensor input) { return sigmoid(input); }
Tensor Softmax::train(Tensor input) { return softmax(input); }
Tensor Maxout::train(Tensor input) { return maxout(input, options.pieces); }
Tensor LeakyRelu::train(Tensor input) {
  return leakyRelu(input, options.slope);
}

void Prelu::build(const TensorType &input) {
  Shape shape;
  if (options.perChannel)
    shape = {input.dim(-1, where)};
  slope = variable("slope", shape, options.slope,
                   {.dtype = input.dtype, .isWeight = false});
}

Tensor Prelu::train(Tensor input) { return prelu(input, slope); }
