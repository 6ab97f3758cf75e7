/// The network of the example: three levels of classes.
#ifndef TG_EXAMPLES_HIERARCHICAL_SOFTMAX_NETWORK_H
#define TG_EXAMPLES_HIERARCHICAL_SOFTMAX_NETWORK_H

#include <tg/tg.h>

namespace hierarchical_softmax {

constexpr int inputWidth = 50, classes = 100;

/// Adds the functions `train`, with a target for each level, and `test` to a
/// program. The end of a level sums the softmaxes of this level and all levels
/// above.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor x = program.input("x", f32, {dim("batch"), inputWidth});
  Tensor y1 = program.input("y1", f32, {dim("batch"), classes});
  Tensor y2 = program.input("y2", f32, {dim("batch"), classes});
  Tensor y3 = program.input("y3", f32, {dim("batch"), classes});

  StartNode start({x});
  HiddenNode h1({start}, {Linear({.units = classes}), Softmax()});
  HiddenNode h2({h1}, {Linear({.units = classes}), Softmax()});
  HiddenNode h3({h2}, {Linear({.units = classes}), Softmax()});
  EndNode e1({h1}, Sum()), e2({h1, h2}, Sum()), e3({h1, h2, h3}, Sum());
  Graph graph({start}, {e1, e2, e3});

  auto [p1, p2, p3] = graph.trainFprop<3>(); // one for each end
  Tensor loss = meanSquaredError(p1, y1) + meanSquaredError(p2, y2) +
                meanSquaredError(p3, y3);
  program.function("train",
                   {.inputs = {x, y1, y2, y3},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});

  auto [level1, level2, level3] = graph.testFprop<3>();
  program.function("test", {.inputs = {x},
                            .outputs = {{"level1", level1},
                                        {"level2", level2},
                                        {"level3", level3}}});
}

} // namespace hierarchical_softmax

#endif // TG_EXAMPLES_HIERARCHICAL_SOFTMAX_NETWORK_H
