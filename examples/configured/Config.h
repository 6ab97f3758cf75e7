/// The contents of a configuration file.
#ifndef TG_EXAMPLES_CONFIGURED_CONFIG_H
#define TG_EXAMPLES_CONFIGURED_CONFIG_H

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace configured {

using Json = nlohmann::json;

struct Config {
  /// The name of a factory of Network.h, and its options.
  std::string model = "mlp";
  Json modelOptions = Json::object();
  /// A name that tg::createOptimizer() accepts.
  std::string optimizer = "Adam";
  double rate = 0.001;
  /// The number of steps in which the rate rises to `rate`, and the number of
  /// steps before the first restart of the cosine decay. 0: none.
  int64_t warmUp = 0, restart = 0;
  size_t batch = 32;
  int64_t epochs = 5;
};

/// Throws if an object has a key that is not in `keys`.
inline void expectKeys(const Json &object,
                       std::initializer_list<const char *> keys) {
  for (const auto &[key, value] : object.items()) {
    std::string known;
    for (const char *each : keys)
      known += (known.empty() ? "" : ", ") + std::string(each);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw std::runtime_error("expected one of the keys " + known +
                               ", found '" + key + "'");
  }
}

inline Config readConfig(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  try {
    const Json json = Json::parse(file);
    expectKeys(json, {"model", "options", "optimizer", "rate", "warmUp",
                      "restart", "batch", "epochs"});
    Config config;
    config.model = json.value("model", config.model);
    config.modelOptions = json.value("options", config.modelOptions);
    config.optimizer = json.value("optimizer", config.optimizer);
    config.rate = json.value("rate", config.rate);
    config.warmUp = json.value("warmUp", config.warmUp);
    config.restart = json.value("restart", config.restart);
    config.batch = json.value("batch", config.batch);
    config.epochs = json.value("epochs", config.epochs);
    return config;
  } catch (const std::exception &error) {
    throw std::runtime_error("'" + path + "': " + error.what());
  }
}

} // namespace configured

#endif // TG_EXAMPLES_CONFIGURED_CONFIG_H
