/// The network of the example and its training: one source for both modes.
#ifndef TG_EXAMPLES_EAGER_GRAPH_NETWORK_H
#define TG_EXAMPLES_EAGER_GRAPH_NETWORK_H

#include <tg/tg.h>

namespace eager_graph {

/// Two layers with batch normalization and dropout between them.
class Network : public tg::BaseLayer {
protected:
  tg::Tensor train(tg::Tensor x) override {
    return output(dropout(normalize(hidden(x))));
  }

private:
  tg::Linear hidden{{.units = 32, .activation = "tanh"}};
  tg::BatchNormalization normalize{{.momentum = 0.9}};
  tg::Dropout dropout{{.rate = 0.1}};
  tg::Linear output{{.units = 2}};
};

/// The results of a training step.
struct Step {
  tg::Tensor loss;
  /// In graph mode the updates to be made by the function that runs the step.
  /// In eager mode they have already been made.
  tg::Updates updates;
};

/// Makes one step in either mode.
inline Step trainStep(Network &model, const tg::Optimizer &optimizer,
                      const tg::Tensor &points, const tg::Tensor &labels) {
  tg::GradientTape tape;
  tg::Tensor loss =
      tg::meanSoftmaxCrossEntropy(model.trainFprop(points), labels);
  std::vector<tg::Variable> variables = model.variables();
  std::vector<tg::Tensor> gradients = tape.gradient(loss, variables);
  return {loss, optimizer.apply(tg::zip(gradients, variables))};
}

inline tg::Adam makeOptimizer() { return tg::Adam({.learningRate = 0.05}); }

/// Defines the functions `train` and `test` of a program in graph mode.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor points = program.input("points", f32, {dim("batch"), 2});
  Tensor labels = program.input("labels", i32, {dim("batch")});
  Network model;
  Step step = trainStep(model, makeOptimizer(), points, labels);
  Tensor logits = model.testFprop(points);
  program.function("train", {.inputs = {points, labels},
                             .outputs = {{"loss", step.loss}},
                             .updates = step.updates});
  program.function(
      "test", {.inputs = {points, labels},
               .outputs = {{"loss", meanSoftmaxCrossEntropy(logits, labels)},
                           {"accuracy", accuracy(logits, labels)}}});
}

} // namespace eager_graph

#endif // TG_EXAMPLES_EAGER_GRAPH_NETWORK_H
