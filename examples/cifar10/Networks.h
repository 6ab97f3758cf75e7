/// Networks that classify small images and short texts.
#ifndef TG_EXAMPLES_CIFAR10_NETWORKS_H
#define TG_EXAMPLES_CIFAR10_NETWORKS_H

#include <tg/tg.h>

namespace cifar10 {

/// Returns a convolution with zero padding, followed by a ReLU.
inline std::vector<tg::Layer> convolve(int64_t filters, int64_t size,
                                       int64_t stride = 1) {
  using namespace tg;
  return {Conv2D({.filters = filters,
                  .kernelSize = {size},
                  .strides = {stride},
                  .padding = Padding::same,
                  .weightInitializer = heNormal()}),
          Relu()};
}

/// Returns nine convolutions, followed by batch normalization and dropout
/// alternately, and the mean over all positions: [n, h, w, 3] to logits [n,
/// classes]. Springenberg and others, "Striving for Simplicity: The All
/// Convolutional Net", 2015.
inline tg::Sequential allCnn(int64_t classes) {
  using namespace tg;
  Sequential network;
  bool normalizes = true;
  auto add = [&](int64_t filters, int64_t size, int64_t stride = 1) {
    for (Layer &layer : convolve(filters, size, stride))
      network.add(layer);
    if (normalizes)
      network.add(BatchNormalization());
    else
      network.add(Dropout({.rate = 0.5}));
    normalizes = !normalizes;
  };
  add(96, 3);
  add(96, 3);
  add(96, 3, 2);
  add(192, 3);
  add(192, 3);
  add(192, 3, 2);
  add(192, 3);
  add(192, 1);
  add(classes, 1);
  network.add(ReduceMean({.axes = {1, 2}}));
  return network;
}

/// Returns the VGG with nineteen layers, with the last three replaced by one:
/// [n, 32, 32, 3] to logits.
inline tg::Sequential vgg19(int64_t classes) {
  using namespace tg;
  return Sequential({VGG19(), Flatten(), Linear({.units = classes})});
}

/// Returns a network of residual blocks, four of 32x32 positions and four of
/// 16x16: [n, 32, 32, 3] to logits.
inline tg::Sequential resNet(int64_t classes) {
  using namespace tg;
  return Sequential({IdentityBlock({.layers = 4, .filters = {32, 64}}),
                     TransitionLayer({.filters = 16}),
                     IdentityBlock({.layers = 4, .filters = {64, 128}}),
                     TransitionLayer({.filters = 16}), Flatten(),
                     Linear({.units = classes})});
}

/// Returns four dense blocks of four layers of four filters: [n, 32, 32, 3] to
/// logits.
inline tg::Sequential denseNet(int64_t classes) {
  using namespace tg;
  return Sequential(
      {DenseNet({.blocks = 3, .growthRate = 4, .layersPerBlock = 4}), Flatten(),
       Linear({.units = classes})});
}

/// Returns two convolutions and three linear layers for the digits of MNIST:
/// [n, 28, 28, 1] to logits [n, classes].
inline tg::Sequential mnistCnn(int64_t classes) {
  using namespace tg;
  Sequential network;
  for (int64_t filters : {32, 64}) {
    network.add(Conv2D({.filters = filters,
                        .padding = Padding::same,
                        .weightInitializer = heNormal()}));
    network.add(BatchNormalization());
    network.add(Relu());
    network.add(MaxPooling({.strides = {2}, .padding = Padding::same}));
    network.add(LRN());
  }
  network.add(Flatten());
  for (int64_t units : {128, 256}) {
    network.add(Linear({.units = units}));
    network.add(BatchNormalization());
    network.add(Tanh());
    network.add(Dropout({.rate = 0.8}));
  }
  network.add(Linear({.units = classes}));
  return network;
}

/// Returns a classifier of texts of words of characters, i32 [n, words, 20]
/// with 0 for no character, to logits [n, classes]: three convolutions over the
/// embedded characters of each word, and the sum over the words.
inline tg::Sequential characterCnn(int64_t classes) {
  using namespace tg;
  constexpr int64_t words = 50, characters = 20, alphabet = 1000, units = 20;
  auto convolveRows = [](std::vector<int64_t> size, int64_t stride) {
    return Conv2D({.filters = 32,
                   .kernelSize = std::move(size),
                   .strides = {1, stride},
                   .activation = relu,
                   .weightInitializer = heNormal()});
  };
  return Sequential(
      {Reshape({-1, characters}),
       Embedding({.vocabulary = alphabet, .units = units, .zeroPad = true}),
       ExpandDims(), convolveRows({characters, 5}, 1), convolveRows({1, 5}, 2),
       convolveRows({1, 5}, 2), Flatten(), Linear({.units = classes}),
       Reshape({-1, words, classes}), ReduceSum({.axes = {1}})});
}

/// Adds `train` and `test` of a network to a program.
inline void defineTraining(tg::Program &program, tg::Sequential network,
                           tg::DType type, tg::Shape shape) {
  using namespace tg;
  shape.insert(shape.begin(), dim("batch"));
  Tensor x = program.input("x", type, shape);
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor logits = network.trainFprop(x);
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function(
      "train",
      {.inputs = {x, label},
       .outputs = {{"loss", loss}, {"accuracy", accuracy(logits, label)}},
       .updates = Adam({.learningRate = 1e-3}).minimize(loss)});
  Tensor tested = network.testFprop(x);
  program.function(
      "test", {.inputs = {x, label},
               .outputs = {{"loss", meanSoftmaxCrossEntropy(tested, label)},
                           {"accuracy", accuracy(tested, label)}}});
}

} // namespace cifar10

#endif // TG_EXAMPLES_CIFAR10_NETWORKS_H
