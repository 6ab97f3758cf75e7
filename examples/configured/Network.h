/// Networks, schedules and optimizers by the names in a configuration.
#ifndef TG_EXAMPLES_CONFIGURED_NETWORK_H
#define TG_EXAMPLES_CONFIGURED_NETWORK_H

#include "Config.h"

#include <tg/nn/cookbook.h>
#include <tg/tg.h>

#include <functional>
#include <map>

namespace configured {

using Numbers = std::vector<int64_t>;
/// A function that returns the logits of images [n, 8, 8, 1] and creates its
/// variables in the current scope.
using Factory = std::function<tg::Tensor(const tg::Tensor &image, bool training,
                                         const Json &options)>;

inline tg::Tensor mlp(const tg::Tensor &image, bool training,
                      const Json &options) {
  expectKeys(options, {"units", "rate"});
  Numbers units = options.value("units", Numbers{64});
  units.push_back(10);
  return tg::denseLayers(tg::flatten(image), units,
                         {.linearTopLayer = true,
                          .rate = options.value("rate", 0.0),
                          .training = training,
                          .name = "dense_layers"});
}

inline tg::Tensor convnet(const tg::Tensor &image, bool training,
                          const Json &options) {
  expectKeys(options, {"filters", "kernels", "pools", "units", "rate"});
  tg::Tensor features =
      tg::convLayers(image, options.value("filters", Numbers{16, 32}),
                     {.kernels = options.value("kernels", Numbers{3}),
                      .pools = options.value("pools", Numbers{2}),
                      .name = "conv_layers"});
  Json top = {{"units", options.value("units", Numbers{64})},
              {"rate", options.value("rate", 0.0)}};
  return mlp(features, training, top);
}

/// Returns the factory with a name; add a line for another model.
inline const Factory &findModel(const std::string &name) {
  static const std::map<std::string, Factory> models = {{"mlp", mlp},
                                                        {"convnet", convnet}};
  auto found = models.find(name);
  if (found != models.end())
    return found->second;
  std::string known;
  for (const auto &[each, model] : models)
    known += (known.empty() ? "" : ", ") + each;
  throw std::runtime_error("expected one of the models " + known + ", found '" +
                           name + "'");
}

inline tg::Schedule scheduleOf(const Config &config) {
  tg::Schedule rate = config.rate;
  if (config.restart)
    rate = tg::cosineDecayRestarts(
        {.rate = config.rate, .steps = config.restart, .decay = 0.5});
  if (config.warmUp)
    rate = tg::warmUp({.steps = config.warmUp, .then = rate});
  return rate;
}

/// Adds the functions `train` and `test`, which share every variable.
inline void defineNetwork(tg::Program &program, const Config &config) {
  using namespace tg;
  Tensor image = program.input("image", f32, {dim("batch"), 64});
  Tensor label = program.input("label", i32, {dim("batch")});
  const Factory &model = findModel(config.model);
  auto network = makeTemplate(program, "network", [&](bool training) {
    return model(unflatten(image, 1, {8, 8, 1}), training, config.modelOptions);
  });
  Tensor logits = network(true);
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function(
      "train", {.inputs = {image, label},
                .outputs = {{"loss", loss}},
                .updates = createOptimizer(config.optimizer, scheduleOf(config))
                               ->minimize(loss)});
  program.function("test",
                   {.inputs = {image},
                    .outputs = {{"probabilities", softmax(network(false))}}});
}

} // namespace configured

#endif // TG_EXAMPLES_CONFIGURED_NETWORK_H
