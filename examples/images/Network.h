/// A convolutional network that classifies shapes, and augments the images of
/// its training itself.
#ifndef TG_EXAMPLES_IMAGES_NETWORK_H
#define TG_EXAMPLES_IMAGES_NETWORK_H

#include "../Crops.h"

namespace images {

inline constexpr int64_t classes = 4;

struct NetworkOptions {
  /// The extent of the images, and that of the parts that the network sees.
  int64_t size = 40, cut = 32;
  std::vector<int64_t> filters = {16, 32, 32};
};

/// Cuts each image at a place of its own, swaps left and right of half of them,
/// and changes their brightness.
inline tg::Tensor augment(const tg::Tensor &images, int64_t size) {
  using namespace tg;
  Tensor cut = example::cutSquares(images, size);
  Program program = Program::of(images);
  const Shape one = {images.shape()[0], 1, 1, 1};
  Tensor flips = program.randomUniform(one) < 0.5;
  Tensor brightness = program.randomUniform(one, {.low = 0.7, .high = 1.3});
  return select(flips, reverse(cut, {2}), cut) * brightness;
}

/// Cuts each image in the center.
inline tg::Tensor centered(const tg::Tensor &images, int64_t size) {
  using namespace tg;
  const int64_t first = (images.dim(1) - size) / 2;
  return images[{Slice(), Slice(first, first + size),
                 Slice(first, first + size)}];
}

/// Returns the logits of images [n, size, size, 3] with elements from 0 to 1.
inline tg::Tensor network(const tg::Tensor &images, bool training,
                          const NetworkOptions &options) {
  using namespace tg;
  Tensor seen =
      training ? augment(images, options.cut) : centered(images, options.cut);
  Tensor features = convLayers(seen - 0.5, options.filters,
                               {.kernels = {3},
                                .pools = {2},
                                .training = training,
                                .name = "conv_layers"});
  return denseLayers(
      flatten(features), {classes},
      {.linearTopLayer = true, .training = training, .name = "dense_layers"});
}

/// Adds the functions `train`, `test` and `serve` to a program. `serve`
/// prepares images as `test` does.
inline void defineNetwork(tg::Program &program,
                          const NetworkOptions &options = {}) {
  using namespace tg;
  Tensor image = program.input("image", f32,
                               {dim("batch"), options.size, options.size, 3});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor rate = program.input("learning_rate", f32, {});
  auto shared = makeTemplate(program, "network", [&](bool training) {
    return network(image, training, options);
  });
  Tensor logits = shared(true);
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function(
      "train",
      {.inputs = {image, label, rate},
       .outputs = {{"loss", loss}, {"accuracy", accuracy(logits, label)}},
       .updates = Adam({.learningRate = rate}).minimize(loss)});
  Tensor tested = shared(false);
  program.function(
      "test", {.inputs = {image, label},
               .outputs = {{"loss", meanSoftmaxCrossEntropy(tested, label)},
                           {"accuracy", accuracy(tested, label)}}});
  program.function("serve", {.inputs = {image},
                             .outputs = {{"probabilities", softmax(tested)}}});
}

} // namespace images

#endif // TG_EXAMPLES_IMAGES_NETWORK_H
