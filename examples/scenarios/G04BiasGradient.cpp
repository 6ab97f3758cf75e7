/// The mean of a linear layer's two outputs has a gradient of one half for each
/// bias, in training and in testing, in eager and in graph mode. A layer with
/// weight [[1, 2], [3, 4]] and bias [5, 6] has the same gradients for them.
#include "Modes.h"
using namespace tg;

/// A layer that computes x · [[1, 2], [3, 4]] + [5, 6].
class FullyConnected : public BaseLayer {
protected:
  void build(const TensorType &) override {
    weight = addWeight("weight", {2, 2}, values({1, 2, 3, 4}));
    bias = addWeight("bias", {2}, values({5, 6}));
  }
  Tensor train(Tensor x) override { return matmul(x, weight) + bias; }

private:
  Variable weight, bias;
};

int main() {
  std::vector<float> rows = {1, 2, 3, 4};
  Values found = valuesOfBothModes([&](Program &program) {
    Tensor x = program.tensor(rows, {2, 2});
    FullyConnected layer;
    std::vector<Tensor> results;
    for (Mode mode : {Mode::train, Mode::test}) {
      GradientTape tape;
      Tensor y = layer.fprop({x}, mode).front();
      for (const Tensor &gradient :
           tape.gradient(reduceMean(y), layer.variables()))
        results.push_back(gradient);
    }
    return results;
  });
  for (size_t mode : {0, 2}) {
    // The gradient of the weight is the sum of each column of x over 4 outputs.
    expectNear(found[mode], {1, 1, 1.5f, 1.5f});
    expectNear(found[mode + 1], {0.5f, 0.5f});
  }
}
