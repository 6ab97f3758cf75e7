//===- Savers.cpp - files of variables ------------------------------------===//
#include "Support.h"

#include <cmath>
#include <deque>
#include <filesystem>

using namespace tg;
using namespace tg::training;

namespace {

class ModelSaver : public Callback {
public:
  explicit ModelSaver(ModelSaverOptions chosen) : options(std::move(chosen)) {}

  std::string name() const override { return "modelSaver"; }
  void triggerEpoch(TrainingState &state) override {
    const uint64_t step = state.step();
    state.context().save(pathOf(state, step));
    std::erase(steps, step);
    steps.push_back(step);
    while (steps.size() > options.keep) {
      std::error_code ignored; // the file may have been removed
      std::filesystem::remove(pathOf(state, steps.front()), ignored);
      steps.pop_front();
    }
  }
  /// Returns the steps of the files that exist.
  std::string state() const override {
    std::string text;
    for (uint64_t step : steps)
      text += (text.empty() ? "" : " ") + std::to_string(step);
    return text;
  }
  void restore(const std::string &text) override {
    StateReader reader(text, name());
    std::deque<uint64_t> saved;
    while (!reader.isAtEnd())
      saved.push_back(reader.whole<uint64_t>());
    steps = std::move(saved);
  }

private:
  std::string pathOf(const TrainingState &state, uint64_t step) const {
    return pathIn(options.directory, state,
                  "model-" + std::to_string(step) + ".safetensors", name());
  }

  ModelSaverOptions options;
  std::deque<uint64_t> steps;
};

class BestSaver : public Callback {
public:
  BestSaver(std::string watched, std::string in, bool wantsMax)
      : tag(std::move(watched)), directory(std::move(in)), isMax(wantsMax) {}

  std::string name() const override {
    return std::string(isMax ? "maxSaver(" : "minSaver(") + tag + ")";
  }
  void summary(TrainingState &state, const Scalars &scalars) override {
    const std::optional<double> value = find(scalars, tag);
    if (!value || std::isnan(*value) ||
        (best && !(isMax ? *value > *best : *value < *best)))
      return;
    state.context().save(pathIn(directory, state, fileName(), name()));
    best = value;
  }
  std::string state() const override { return best ? bitsText(*best) : ""; }
  void restore(const std::string &text) override {
    StateReader reader(text, name());
    std::optional<double> saved;
    if (!reader.isAtEnd())
      saved = reader.number();
    reader.finish();
    best = saved;
  }

private:
  std::string fileName() const {
    std::string name = (isMax ? "max-" : "min-") + tag;
    for (char &letter : name) {
      const bool isPlain = (letter >= '0' && letter <= '9') ||
                           (letter >= 'A' && letter <= 'Z') ||
                           (letter >= 'a' && letter <= 'z') || letter == '.' ||
                           letter == '_';
      if (!isPlain)
        letter = '-';
    }
    return name + ".safetensors";
  }

  std::string tag, directory;
  bool isMax;
  std::optional<double> best;
};

} // namespace

CallbackPtr training::modelSaver(const ModelSaverOptions &options) {
  if (!options.keep)
    throw data::DataError("expected to keep 1 or more files, found 0");
  return std::make_shared<ModelSaver>(options);
}

CallbackPtr training::minSaver(const std::string &tag,
                               const std::string &directory) {
  return std::make_shared<BestSaver>(tag, directory, /*wantsMax=*/false);
}

CallbackPtr training::maxSaver(const std::string &tag,
                               const std::string &directory) {
  return std::make_shared<BestSaver>(tag, directory, /*wantsMax=*/true);
}
