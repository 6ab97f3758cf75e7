/// The convolutional network that classifies digits.
#ifndef TG_EXAMPLES_DIGITS_CNN_NETWORK_H
#define TG_EXAMPLES_DIGITS_CNN_NETWORK_H

#include <tg/tg.h>

namespace digits_cnn {

/// The learning rate decays over maxEpochs epochs.
constexpr int64_t maxEpochs = 30, trainingRows = 1197, batchSize = 32;
constexpr int64_t stepsPerEpoch = (trainingRows + batchSize - 1) / batchSize;

/// Returns a convolution, batch normalization and ReLU.
inline tg::Sequential block(int64_t filters, int64_t stride) {
  return tg::Sequential({tg::Conv2D({.filters = filters,
                                     .strides = {stride},
                                     .padding = tg::Padding::same,
                                     .weightInitializer = tg::heNormal(),
                                     .useBias = false}),
                         tg::BatchNormalization({.momentum = 0.9}),
                         tg::Relu()});
}

/// Adds the functions `train` and `test`, which share every variable, to a
/// program: four blocks of 24 to 64 filters, of which two halve the image, and
/// dropout.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  Tensor image = program.input("image", f32, {dim("batch"), 8, 8, 1});
  Tensor label = program.input("label", i32, {dim("batch")});
  Sequential network(
      {block(24, 1), block(48, 2), block(48, 1), block(64, 2), Flatten(),
       Dropout({.rate = 0.4}),
       Linear({.units = 10, .weightInitializer = glorotUniform()})});
  Tensor logits = network.trainFprop(image);
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  Schedule rate =
      cosineDecay({.rate = 4e-3, .steps = maxEpochs * stepsPerEpoch});
  program.function(
      "train",
      {.inputs = {image, label},
       .outputs = {{"loss", loss}, {"accuracy", accuracy(logits, label)}},
       .updates = Adam({.learningRate = rate}).minimize(loss)});
  Tensor testLogits = network.testFprop(image);
  program.function(
      "test", {.inputs = {image, label},
               .outputs = {{"loss", meanSoftmaxCrossEntropy(testLogits, label)},
                           {"accuracy", accuracy(testLogits, label)}}});
}

} // namespace digits_cnn

#endif // TG_EXAMPLES_DIGITS_CNN_NETWORK_H
