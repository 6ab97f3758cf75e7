/// A U-Net that finds the pixels of shapes.
#ifndef TG_EXAMPLES_SEGMENTATION_NETWORK_H
#define TG_EXAMPLES_SEGMENTATION_NETWORK_H

#include <tg/tg.h>

namespace segmentation {

/// Returns two convolutions, each followed by batch normalization and ReLU.
inline std::vector<tg::Layer> convolveTwice(int64_t filters) {
  using namespace tg;
  std::vector<Layer> layers;
  for (int i = 0; i < 2; ++i) {
    layers.push_back(Conv2D({.filters = filters,
                             .padding = Padding::same,
                             .weightInitializer = heNormal()}));
    layers.push_back(BatchNormalization({.momentum = 0.9}));
    layers.push_back(Relu());
  }
  return layers;
}

/// Returns max pooling that halves the extents, followed by convolveTwice().
inline std::vector<tg::Layer> descend(int64_t filters) {
  using namespace tg;
  std::vector<Layer> layers = convolveTwice(filters);
  layers.insert(layers.begin(), MaxPooling({.strides = {2}}));
  return layers;
}

/// Adds `train` and `test` to a program: images [batch, h, w, 3] to the
/// probability that each pixel belongs to a shape, [batch, h, w, 1]; h and w
/// are multiples of 4. Ronneberger and others, "U-Net", 2015.
inline void defineNetwork(tg::Program &program, int64_t side) {
  using namespace tg;
  Tensor image = program.input("image", f32, {dim("batch"), side, side, 3});
  Tensor mask = program.input("mask", f32, {dim("batch"), side, side, 1});
  Tensor rate = program.input("learning_rate", f32, {});
  auto ascend = [](int64_t filters) -> Layer {
    return Conv2DTranspose({.filters = filters,
                            .kernelSize = {2},
                            .strides = {2},
                            .padding = Padding::same,
                            .weightInitializer = heNormal()});
  };

  StartNode start({image});
  HiddenNode whole({start}, convolveTwice(8));
  HiddenNode half({whole}, descend(16));
  HiddenNode quarter({half}, descend(32));
  HiddenNode upToHalf({quarter}, {ascend(16)});
  HiddenNode joinedHalf({half, upToHalf}, Concat({.axis = 3}),
                        convolveTwice(16));
  HiddenNode upToWhole({joinedHalf}, {ascend(8)});
  HiddenNode joinedWhole({whole, upToWhole}, Concat({.axis = 3}),
                         convolveTwice(8));
  HiddenNode head({joinedWhole}, {Conv2D({.filters = 1, .kernelSize = {1}})});
  EndNode end({head});
  Graph network({start}, {end});

  Tensor loss =
      reduceMean(sigmoidCrossEntropy(network.trainFprop().front(), mask));
  program.function("train",
                   {.inputs = {image, mask, rate},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = rate}).minimize(loss)});
  Tensor tested = network.testFprop().front();
  program.function(
      "test",
      {.inputs = {image, mask},
       .outputs = {{"probability", sigmoid(tested)},
                   {"loss", reduceMean(sigmoidCrossEntropy(tested, mask))}}});
}

} // namespace segmentation

#endif // TG_EXAMPLES_SEGMENTATION_NETWORK_H
