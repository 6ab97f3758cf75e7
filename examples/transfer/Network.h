/// The network of the example: two kinds of data that share layers.
#ifndef TG_EXAMPLES_TRANSFER_NETWORK_H
#define TG_EXAMPLES_TRANSFER_NETWORK_H

#include <tg/tg.h>

namespace transfer {

constexpr int x1Width = 50, x2Width = 100, shared = 200, classes = 100;

/// Adds functions to a program: `train` takes both kinds of data, and each kind
/// has its own functions, train1 and test1, train2 and test2. All share the
/// same variables. `test` takes both kinds.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor x1 = program.input("x1", f32, {dim("batch"), x1Width});
  Tensor x2 = program.input("x2", f32, {dim("batch"), x2Width});
  Tensor label = program.input("label", i32, {dim("batch")});

  StartNode s1({x1}), s2({x2});
  HiddenNode h1({s1}, {Linear({.units = shared}), Relu()});
  HiddenNode h2({s2}, {Linear({.units = shared}), Relu()});
  HiddenNode h3({h1, h2}, Sum(), {Linear({.units = classes})});
  EndNode end({h3});

  auto define = [&](const char *suffix, std::vector<StartNode> starts,
                    std::vector<Tensor> inputs) {
    Graph path(std::move(starts), {end});
    inputs.push_back(label);
    Tensor logits = path.trainFprop().front();
    Tensor loss = meanSoftmaxCrossEntropy(logits, label);
    program.function(std::string("train") + suffix,
                     {.inputs = inputs,
                      .outputs = {{"loss", loss}},
                      .updates = Adam({.learningRate = 0.001}).minimize(loss)});
    Tensor tested = path.testFprop().front();
    program.function(std::string("test") + suffix,
                     {.inputs = inputs,
                      .outputs = {{"y", softmax(tested)},
                                  {"accuracy", accuracy(tested, label)}}});
  };
  define("", {s1, s2}, {x1, x2});
  define("1", {s1}, {x1});
  define("2", {s2}, {x2});
}

} // namespace transfer

#endif // TG_EXAMPLES_TRANSFER_NETWORK_H
