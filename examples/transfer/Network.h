/// The network of the example: two kinds of data that share layers.
#ifndef TG_EXAMPLES_TRANSFER_NETWORK_H
#define TG_EXAMPLES_TRANSFER_NETWORK_H

#include <tg/tg.h>

namespace transfer {

constexpr int x1Width = 50, x2Width = 100, shared = 200, classes = 100;

/// Adds functions to a program: `train` takes both kinds, `test1` and `test2`
/// one. All use the same variables.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor x1 = program.input("x1", f32, {dim("batch"), x1Width});
  Tensor x2 = program.input("x2", f32, {dim("batch"), x2Width});
  Tensor y = program.input("y", f32, {dim("batch"), classes});

  StartNode s1({x1}), s2({x2});
  HiddenNode h1({s1}, {Linear({.units = shared}), Relu()});
  HiddenNode h2({s2}, {Linear({.units = shared}), Relu()});
  HiddenNode h3({h1, h2}, Sum(), {Linear({.units = classes}), Softmax()});
  EndNode end({h3});

  Tensor output = Graph({s1, s2}, {end}).trainFprop().front();
  Tensor loss = binaryEntropy(output, y);
  program.function("train",
                   {.inputs = {x1, x2, y},
                    .outputs = {{"loss", loss}, {"y", output}},
                    .updates = Adam({.learningRate = 0.001}).minimize(loss)});
  program.function(
      "test1", {.inputs = {x1},
                .outputs = {{"y", Graph({s1}, {end}).testFprop().front()}}});
  program.function(
      "test2", {.inputs = {x2},
                .outputs = {{"y", Graph({s2}, {end}).testFprop().front()}}});
}

} // namespace transfer

#endif // TG_EXAMPLES_TRANSFER_NETWORK_H
