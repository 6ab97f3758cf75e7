/// A training that a test drives step by step.
#ifndef TG_TEST_TRAINING_CALLBACKS_SUPPORT_H
#define TG_TEST_TRAINING_CALLBACKS_SUPPORT_H

#include "test/data/Errors.h"
#include "test/training/loop/Support.h"
#include "tg/training/callbacks.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tg::test {

/// The state of a training of the model `line`. Tests set its members, and call
/// the functions of callbacks.
class FakeTraining final : public training::TrainingState {
public:
  explicit FakeTraining(const std::string &directory = {})
      : chosen(test::options(100, directory)), loaded(loadLine()),
        running(loaded.context({.threads = 1})), data(makeBatches()),
        loader(data, {.threads = 0}) {
    running.init(1);
    numbers = chosen.set;
  }

  const training::TrainerOptions &options() const override { return chosen; }
  const Model &model() const override { return loaded; }
  Context &context() override { return running; }
  uint64_t step() const override { return steps; }
  uint64_t epoch() const override { return epochs; }
  bool isEndOfEpoch() const override { return false; }
  uint64_t examples() const override { return 4 * steps; }
  const data::Example &batch() const override { return *current; }
  const Outputs &outputs() const override { return *results; }
  void log(const std::string &tag, double value) override {
    logged[tag] = value;
  }
  std::optional<double> scalar(const std::string &tag) const override {
    const auto found = logged.find(tag);
    return found == logged.end() ? std::nullopt : std::optional(found->second);
  }
  void set(const std::string &name, double value) override {
    numbers[name] = value;
  }
  double get(const std::string &name) const override {
    return numbers.at(name);
  }
  training::Scalars evaluate(const data::Dataset &, const std::string &,
                             const training::MetricSpecs &) override {
    return {};
  }
  void save() override {}
  void stop(const std::string &why) override { reason = why; }

  /// Runs a step with the next batch.
  void runStep() {
    current = loader.next();
    if (!current)
      current = loader.next();
    const data::Feature &x = current->features[0];
    results = &running.run("train", {{"x", x.tensor()},
                                     {"target", current->features[1].tensor()},
                                     {"rate", numbers.at("rate")}});
    ++steps;
  }

  training::TrainerOptions chosen;
  Model loaded;
  Context running;
  data::Dataset data;
  data::Loader loader;
  uint64_t steps = 0, epochs = 0;
  const data::Example *current = nullptr;
  const Outputs *results = nullptr;
  std::map<std::string, double> logged, numbers;
  std::string reason;
};

/// A test with a new, empty directory.
class Callbacks : public testing::Test {
protected:
  Callbacks() { std::filesystem::remove_all(directory); }
  ~Callbacks() override { std::filesystem::remove_all(directory); }

  /// Returns the names of the files, in their order.
  std::string files() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "" : " ") + name;
    return text;
  }
  std::string path(const std::string &name) const {
    return directory + "/" + name;
  }

  const std::string directory =
      testing::TempDir() + "tg-callbacks-" +
      testing::UnitTest::GetInstance()->current_test_info()->name();
};

} // namespace tg::test

#endif // TG_TEST_TRAINING_CALLBACKS_SUPPORT_H
