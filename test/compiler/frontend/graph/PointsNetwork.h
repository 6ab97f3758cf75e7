/// A small classifier for tests: two inputs, a hidden layer of 16 units, two
/// classes.
#ifndef TG_TEST_COMPILER_FRONTEND_GRAPH_POINTSNETWORK_H
#define TG_TEST_COMPILER_FRONTEND_GRAPH_POINTSNETWORK_H

#include "tg/tg.h"

namespace tg::test {

/// Adds the functions `train` and `test` to a program.
inline void definePoints(Program &program) {
  Tensor x = program.input("x", f32, {dim("batch"), 2});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor rate = program.input("learning_rate", f32, {});
  StartNode start({x});
  HiddenNode body({start}, {Linear({.units = 16}), Tanh()});
  HiddenNode head({body}, {Linear({.units = 2})});
  Graph network({start}, {EndNode({head})});
  Tensor logits = network.trainFprop().front();
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function("train",
                   {.inputs = {x, label, rate},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = rate}).minimize(loss)});
  Tensor tested = network.testFprop().front();
  program.function("test",
                   {.inputs = {x, label},
                    .outputs = {{"probabilities", softmax(tested)},
                                {"accuracy", accuracy(tested, label)}}});
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_GRAPH_POINTSNETWORK_H
