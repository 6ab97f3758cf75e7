/// Models made of nodes, and a custom layer.
#ifndef TG_EXAMPLES_MODELS_MODELS_H
#define TG_EXAMPLES_MODELS_MODELS_H

#include <tg/tg.h>

namespace models {
using namespace tg;

/// A layer with one input and two outputs: one start, two ends.
class Fork : public BaseModel {
public:
  Fork(int left, int right) {
    StartNode start;
    HiddenNode trunk({start}, {Linear({.units = 10}), Relu()});
    HiddenNode l({trunk}, {Linear({.units = left})});
    HiddenNode r({trunk}, {Linear({.units = right})});
    define({start}, {EndNode({l}), EndNode({r})});
  }
};

/// A layer with two starts, each of which takes one input, and two ends.
class Pair : public BaseModel {
public:
  Pair(int left, int right) {
    StartNode s1, s2;
    HiddenNode h1({s1}, {Linear({.units = left}), Tanh()});
    HiddenNode h2({s2}, {Linear({.units = right}), Tanh()});
    HiddenNode both({h1, h2}, Concat(), {Linear({.units = left})});
    define({s1, s2}, {EndNode({both}), EndNode({h2})});
  }
};

/// A layer with one start for two inputs: each branch selects one, and both are
/// joined.
class Cross : public BaseModel {
public:
  Cross() {
    StartNode start;
    HiddenNode h1({start}, Select({.index = 0}), {Linear({.units = 5})});
    HiddenNode h2({start}, Select({.index = 1}), {Linear({.units = 8})});
    HiddenNode h3({h1, h2}, Concat(), {Linear({.units = 20})});
    HiddenNode h4({h1, h2}, Concat(), {Linear({.units = 30})});
    define({start}, {EndNode({h3}), EndNode({h4})});
  }
};

/// A model that computes its outputs itself: both inputs pass through the same
/// layers.
class Siamese : public BaseModel {
public:
  explicit Siamese(int units) : tower(Linear({.units = units})) {}

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override {
    std::vector<Tensor> outputs;
    for (Tensor &input : inputs)
      outputs.push_back(tower->fprop({input}, mode).front());
    return outputs;
  }

private:
  Layer tower;
};

/// A model of layers that behave differently in training and inference.
class Inner : public BaseModel {
public:
  explicit Inner(int units) {
    StartNode start;
    HiddenNode hidden({start}, {Linear({.units = units}), BatchNormalization(),
                                Relu(), Dropout({.rate = 0.5})});
    define({start}, {EndNode({hidden})});
  }
};

/// A custom layer that mixes the activation and the input by a learned gate.
/// The shapes of its variables follow from its first input.
class Highway : public BaseLayer {
public:
  explicit Highway(Activation activation) : activation(std::move(activation)) {}

protected:
  void build(const TensorType &input) override {
    Shape square = {input.dim(-1), input.dim(-1)};
    weight = variable("weight", square, normal({.stddev = 0.1}));
    gate = variable("gate", square, normal({.stddev = 0.1}));
  }
  Tensor train(Tensor x) override {
    Tensor gateValue = sigmoid(matmul(x, gate));
    return gateValue * activation(matmul(x, weight)) + (1.0 - gateValue) * x;
  } // test() is train() unless it is overridden

private:
  Activation activation;
  Variable weight, gate;
};

/// A model that contains a model and a custom layer.
class Outer : public BaseModel {
public:
  Outer() {
    StartNode start;
    HiddenNode hidden({start},
                      {Inner(16), Highway(tg::tanh), Linear({.units = 1})});
    define({start}, {EndNode({hidden})});
  }
};

} // namespace models

#endif // TG_EXAMPLES_MODELS_MODELS_H
