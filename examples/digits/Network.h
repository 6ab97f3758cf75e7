/// The network that classifies digits.
#ifndef TG_EXAMPLES_DIGITS_NETWORK_H
#define TG_EXAMPLES_DIGITS_NETWORK_H

#include "Data.h"

#include <tg/tg.h>

namespace digits {

/// Adds the functions `train` and `test`, which share every variable, to a
/// program: 64-128-64-10 with dropout.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor image = program.input("image", f32, {dim("batch"), pixels});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor rate = program.input("learning_rate", f32, {});

  StartNode start({image});
  HiddenNode body({start},
                  {Dropout({.rate = 0.1}),
                   Linear({.units = 128, .weightInitializer = heNormal()}),
                   Relu(), Dropout({.rate = 0.2}),
                   Linear({.units = 64, .weightInitializer = heNormal()}),
                   Relu(), Dropout({.rate = 0.2})});
  HiddenNode head({body},
                  {Linear({.units = 10, .weightInitializer = heNormal()})});
  EndNode end({head});
  Graph network({start}, {end});

  Tensor logits = network.trainFprop().front();
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  Tensor probabilities = softmax(network.testFprop().front());

  program.function(
      "train",
      {.inputs = {image, label, rate},
       .outputs = {{"loss", loss}, {"accuracy", accuracy(logits, label)}},
       .updates = Adam({.learningRate = rate}).minimize(loss)});
  program.function("test", {.inputs = {image},
                            .outputs = {{"probabilities", probabilities}}});
}

} // namespace digits

#endif // TG_EXAMPLES_DIGITS_NETWORK_H
