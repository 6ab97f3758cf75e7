/// A convolutional network that classifies handwritten digits, as a model
/// function of an estimator.
#ifndef TG_EXAMPLES_MNIST_CONVNET_MODEL_H
#define TG_EXAMPLES_MNIST_CONVNET_MODEL_H

#include "../Crops.h"

#include <tg/estimator.h>
#include <tg/nn/cookbook.h>
#include <tg/tg.h>

namespace mnist_convnet {

using tg::training::HParams;

/// Returns the hyper-parameters with their defaults.
inline HParams defaultParams() {
  return {{"optimizer", "Adam"},      {"learning_rate", 0.001},
          {"decay_steps", 10000},     {"batch_size", 128},
          {"image_size", 28},         {"num_classes", 10},
          {"drop_rate", 0.5},         {"crop_margin", 8},
          {"filters", {32, 64, 128}}, {"units", {512}}};
}

/// Makes images smaller by a margin. In training, each image is cut at a place
/// of its own.
inline tg::Tensor crop(const tg::Tensor &images, int64_t margin,
                       bool training) {
  using namespace tg;
  if (margin == 0)
    return images;
  const int64_t size = images.dim(1) - margin, first = margin / 2;
  if (!training)
    return images[{Slice(), Slice(first, first + size),
                   Slice(first, first + size)}];
  return example::cutSquares(images, size);
}

/// Returns the logits of images [n, size, size, 1].
inline tg::Tensor convnet(const tg::Tensor &images, bool training,
                          const HParams &params) {
  using namespace tg;
  const double rate = params.get<double>("drop_rate");
  Tensor features =
      convLayers(crop(images, params.get<int64_t>("crop_margin"), training),
                 params.get<std::vector<int64_t>>("filters"),
                 {.kernels = {3},
                  .pools = {2},
                  .rate = rate,
                  .training = training,
                  .name = "conv_layers"});
  std::vector<int64_t> units = params.get<std::vector<int64_t>>("units");
  units.push_back(params.get<int64_t>("num_classes"));
  return denseLayers(flatten(features), units,
                     {.linearTopLayer = true,
                      .rate = rate,
                      .training = training,
                      .name = "dense_layers"});
}

/// Makes the optimizer: its rate halves after each of `decay_steps` steps.
inline std::unique_ptr<tg::BaseOptimizer> makeOptimizer(const HParams &params) {
  return tg::createOptimizer(
      params.get<std::string>("optimizer"),
      tg::exponentialDecay({.rate = params.get<double>("learning_rate"),
                            .factor = 0.5,
                            .steps = params.get<int64_t>("decay_steps"),
                            .staircase = true}));
}

/// The model function.
inline tg::ModelFunctionSpec convnetClassifier(const tg::InputTensors &features,
                                               const tg::InputTensors &labels,
                                               tg::ModeKey mode,
                                               const HParams &params) {
  using namespace tg;
  const Tensor logits =
      convnet(features["image"], mode == ModeKey::train, params);
  ModelFunctionSpec spec;
  spec.predictions = {{"class", argMax(logits)},
                      {"probabilities", softmax(logits)}};
  if (mode == ModeKey::predict)
    return spec;
  spec.loss = meanSoftmaxCrossEntropy(logits, labels["label"]);
  if (mode == ModeKey::evaluate)
    summaryLabeledImage("digits", features["image"], labels["label"]);
  if (mode == ModeKey::train)
    spec.updates = makeOptimizer(params)->minimize(spec.loss);
  return spec;
}

} // namespace mnist_convnet

#endif // TG_EXAMPLES_MNIST_CONVNET_MODEL_H
