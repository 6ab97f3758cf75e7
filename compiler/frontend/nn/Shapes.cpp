//===- Shapes.cpp - layers that move elements and change shapes -----------===//
#include "tg/nn/Shapes.h"
#include "tg/tensor/error.h"

using namespace tg;

Tensor Transpose::train(Tensor input) { return transpose(input, numbers); }
Tensor Reverse::train(Tensor input) { return reverse(input, numbers); }
Tensor Reshape::train(Tensor input) { return reshape(input, numbers); }
Tensor Squeeze::train(Tensor input) { return squeeze(input, numbers); }
Tensor Flatten::train(Tensor input) { return flatten(input); }
Tensor ExpandDims::train(Tensor input) {
  return expandDims(input, options.axis);
}

Tensor ZeroPad::train(Tensor input) {
  if (input.rank() != 4)
    throw GraphError("expected images [n, h, w, c], found " +
                         toString(input.shape()),
                     where);
  return pad(input, {.low = {0, options.height[0], options.width[0], 0},
                     .high = {0, options.height[1], options.width[1], 0}});
}

Tensor SetShape::train(Tensor input) {
  std::vector<int64_t> shape = numbers;
  for (int64_t &extent : shape)
    extent = extent < 1 ? -1 : extent;
  return ensureShape(input, shape);
}
