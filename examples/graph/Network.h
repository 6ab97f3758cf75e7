/// The network of the example: two starts, three nodes, two ends.
#ifndef TG_EXAMPLES_GRAPH_NETWORK_H
#define TG_EXAMPLES_GRAPH_NETWORK_H

#include <tg/tg.h>

namespace graph {
using namespace tg;

constexpr int y1Width = 50, y2Width = 100;

/// y1 ─ s1 ─┐
///          h1 (Concat) ─┐
/// y2 ─ s2 ─┤            h3 (Sum) ─ e1
///          h2 ──────────┴───────── e2
struct Network {
  Tensor y1, y2;
  StartNode s1{{y1}}, s2{{y2}};
  HiddenNode h1{{s1, s2}, Concat(), {Linear({.units = y2Width}), Relu()}};
  HiddenNode h2{{s2}, {Linear({.units = y2Width}), Relu()}};
  HiddenNode h3{{h1, h2}, Sum(), {Linear({.units = y1Width}), Relu()}};
  EndNode e1{{h3}, Sum()}, e2{{h2}, Sum()};

  /// Adds the inputs y1 and y2 and the nodes to a program.
  explicit Network(Program &program)
      : y1(program.input("y1", f32, {dim("batch"), y1Width})),
        y2(program.input("y2", f32, {dim("batch"), y2Width})) {}
};

/// Adds the function `train` to a program: a graph from both starts to both
/// ends, which learn to reproduce y1 and y2. Returns the outputs of the ends.
inline std::vector<Tensor> defineTraining(Program &program,
                                          const Network &network) {
  Graph graph({network.s1, network.s2}, {network.e1, network.e2});
  std::vector<Tensor> outputs = graph.trainFprop();
  Tensor loss = meanSquaredError(outputs[0], network.y1) +
                meanSquaredError(outputs[1], network.y2);
  program.function("train",
                   {.inputs = {network.y1, network.y2},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});
  return outputs;
}

} // namespace graph

#endif // TG_EXAMPLES_GRAPH_NETWORK_H
