//===- Shapes.cpp - layers that move elements and change shapes -----------===//
#include "tg/nn/Shapes.h"

using namespace tg;

Tensor Transpose::train(Tensor input) { return transpose(input, numbers); }
Tensor Reverse::train(Tensor input) { return reverse(input, numbers); }
Tensor Reshape::train(Tensor input) { return reshape(input, numbers); }
Tensor Squeeze::train(Tensor input) { return squeeze(input, numbers); }
Tensor Flatten::train(Tensor input) { return flatten(input); }
Tensor ExpandDims::train(Tensor input) {
  return expandDims(input, options.axis);
}

Tensor SetShape::train(Tensor input) {
  std::vector<int64_t> shape = numbers;
  for (int64_t &extent : shape)
    extent = extent < 1 ? -1 : extent;
  return ensureShape(input, shape);
}
