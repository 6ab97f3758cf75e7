/// Steps, epochs, callbacks and summaries of a trainer.
#include "Support.h"

#include "tg/data/records.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace tg;
using namespace tg::test;
using namespace tg::training;

namespace {

/// Writes the names of the hooks that are called.
class Recorder : public Callback {
public:
  explicit Recorder(std::string &calls) : calls(calls) {}

  std::string name() const override { return "recorder"; }
  void beforeTrain(TrainingState &) override { calls += "("; }
  void beforeEpoch(TrainingState &) override { calls += "["; }
  void beforeStep(TrainingState &state) override {
    calls += std::to_string(state.step());
  }
  void afterStep(TrainingState &state) override {
    calls += "a";
    rows += state.batch().features[0].shape()[0];
    lastLoss = state.outputs().scalar("loss");
  }
  void triggerStep(TrainingState &) override { calls += "t"; }
  void triggerEpoch(TrainingState &state) override {
    calls += "e" + std::to_string(state.epoch());
    EXPECT_TRUE(state.isEndOfEpoch());
  }
  void afterEpoch(TrainingState &) override { calls += "]"; }
  void afterTrain(TrainingState &) override { calls += ")"; }
  void summary(TrainingState &, const Scalars &scalars) override {
    calls += "s";
    for (const auto &[tag, value] : scalars)
      tags += tag + " ";
  }

  std::string &calls;
  std::string tags;
  int64_t rows = 0;
  double lastLoss = 0;
};

/// Calls a function after each step.
class AfterStep : public Callback {
public:
  explicit AfterStep(std::function<void(TrainingState &)> call)
      : call(std::move(call)) {}
  std::string name() const override { return "after step"; }
  void afterStep(TrainingState &state) override { call(state); }

private:
  std::function<void(TrainingState &)> call;
};

std::string readText(const std::filesystem::path &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A new, empty directory.
std::string makeDirectory(const char *name) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / "tg-trainer" / name;
  std::filesystem::remove_all(path);
  return path.string();
}

} // namespace

TEST(Trainer, CallsHooksInOrder) {
  std::string calls;
  auto recorder = std::make_shared<Recorder>(calls);
  TrainerOptions chosen = options(3);
  chosen.summarySteps = 2;
  Trainer trainer(loadLine(), makeBatches(7, 4), chosen);
  trainer.add(recorder);
  const TrainingResult result = trainer.run();
  EXPECT_EQ(calls, "([0at1ate1s][2at)");
  EXPECT_EQ(recorder->tags, "loss ");
  EXPECT_EQ(recorder->rows, 4 + 3 + 4);
  EXPECT_EQ(result.end, TrainingResult::End::complete);
  EXPECT_EQ(result.step, 3u);
  EXPECT_EQ(result.epoch, 1u);
}

TEST(Trainer, Learns) {
  std::vector<double> losses;
  Trainer trainer(loadLine(), makeBatches(), options(200));
  trainer.add(std::make_shared<AfterStep>([&](TrainingState &state) {
    losses.push_back(state.outputs().scalar("loss"));
  }));
  trainer.run();
  ASSERT_EQ(losses.size(), 200u);
  EXPECT_LT(losses.back(), losses.front() / 100);
}

TEST(Trainer, CountsEpochs) {
  TrainerOptions chosen = options(0);
  chosen.epochs = 2;
  Trainer trainer(loadLine(), makeBatches(10, 4), chosen);
  EXPECT_EQ(trainer.run().step, 6u);
}

TEST(Trainer, SetsInputsAndVariables) {
  TrainerOptions chosen = options(2);
  chosen.set["line/step"] = 40;
  Trainer trainer(loadLine(), makeBatches(), chosen);
  trainer.add(std::make_shared<AfterStep>([](TrainingState &state) {
    if (state.step() == 1) {
      EXPECT_EQ(state.get("line/step"), 41);
      EXPECT_EQ(state.get("rate"), 0.1);
      state.set("rate", 0);
      state.set("line/step", 7);
      return;
    }
    EXPECT_EQ(state.get("rate"), 0);
    EXPECT_EQ(state.get("line/step"), 8);
    expectError<RuntimeError>([&] { state.set("line/step", 0.5); },
                              "expected a number of this type, found 0.5");
    expectError<RuntimeError>([&] { state.set("line/weight", 0); },
                              "'line/weight'");
  }));
  trainer.run();
}

TEST(Trainer, Stops) {
  Trainer first(loadLine(), makeBatches(), options(10));
  first.add(std::make_shared<AfterStep>([](TrainingState &state) {
    if (state.step() == 3)
      throw StopTraining{"enough"};
  }));
  TrainingResult result = first.run();
  EXPECT_EQ(result.end, TrainingResult::End::stopped);
  EXPECT_EQ(result.reason, "enough");
  EXPECT_EQ(result.step, 3u);

  Trainer second(loadLine(), makeBatches(), options(10));
  second.add(std::make_shared<AfterStep>([&](TrainingState &state) {
    if (state.step() == 4)
      second.requestStop();
  }));
  result = second.run();
  EXPECT_EQ(result.end, TrainingResult::End::interrupted);
  EXPECT_EQ(result.step, 4u);
}

TEST(Trainer, WritesSummaries) {
  const std::string directory = makeDirectory("summaries");
  TrainerOptions chosen = options(4, directory);
  chosen.summarySteps = 2;
  Trainer trainer(loadLine(), makeBatches(), chosen);
  trainer.add(std::make_shared<AfterStep>([](TrainingState &state) {
    if (state.step() == 3) {
      state.log("a \"tag\"", 1);
      state.log("a \"tag\"", 0.1f);
      state.log("none", std::numeric_limits<double>::quiet_NaN());
      EXPECT_EQ(state.scalar("a \"tag\""), 0.1f);
    }
  }));
  trainer.run();
  const std::string text = readText(directory + "/metrics.jsonl");
  EXPECT_TRUE(text.starts_with("{\"step\":2,\"loss\":")) << text;
  EXPECT_NE(text.find("\n{\"step\":3,\"a \\\"tag\\\"\":0.10000000149011612,"
                      "\"none\":\"NaN\"}\n{\"step\":4,\"loss\":"),
            std::string::npos)
      << text;
}

TEST(Trainer, WritesEvents) {
  const std::string directory = makeDirectory("events");
  for (const uint64_t steps : {4, 6}) {
    TrainerOptions chosen = options(steps, directory);
    chosen.summarySteps = 2;
    Trainer(loadLine(), makeBatches(), chosen).run();
  }
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(directory))
    if (entry.path().filename().string().starts_with("events.out.tfevents."))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  ASSERT_EQ(files.size(), 2u);
  // The version, the start at a step, and the losses.
  std::vector<std::vector<std::string>> events(2);
  for (size_t i = 0; i < 2; ++i) {
    const auto reader = data::TFRecordStream({files[i]}).open(0);
    for (std::vector<data::Feature> record; reader->next(record);)
      events[i].emplace_back(reinterpret_cast<const char *>(record[0].data()),
                             record[0].size());
  }
  EXPECT_EQ(events[0].size(), 4u);
  EXPECT_EQ(events[1].size(), 3u);
  EXPECT_NE(events[1].back().find("loss"), std::string::npos);
}

TEST(Trainer, UsesADirectoryAlone) {
  const std::string directory = makeDirectory("alone");
  Trainer trainer(loadLine(), makeBatches(), options(1, directory));
  trainer.add(std::make_shared<AfterStep>([&](TrainingState &) {
    Trainer other(loadLine(), makeBatches(), options(1, directory));
    expectError<data::DataError>([&] { other.run(); },
                                 "found another training");
  }));
  trainer.run();
  std::filesystem::create_directories(directory + "/metrics.jsonl.d");
  std::ofstream(directory + "/file");
  Trainer below(loadLine(), makeBatches(), options(1, directory + "/file/run"));
  expectError<data::DataError>([&] { below.run(); },
                               "cannot make the directory");
}

TEST(Trainer, RefusesWhatDoesNotFit) {
  const data::Dataset rows = makeRows(9);
  const auto train = [](const data::Dataset &data, TrainerOptions chosen) {
    Trainer(loadLine(), data, std::move(chosen)).run();
  };
  const auto map = [&](data::MapFunction function, data::ExampleType type) {
    return rows.map(std::move(function), {.type = std::move(type)})
        .batch({.size = 3});
  };
  expectError<RuntimeError>([&] { train(rows, options(1)); },
                            "train: feature 'x' is f32 [4], expected f32 "
                            "[batch, 4]; the data set may need batches");
  const data::ExampleType &type = rows.type();
  expectError<RuntimeError>(
      [&] {
        train(map([](const data::Example &row,
                     data::Random &) { return std::vector{row.features[1]}; },
                  {type[1]}),
              options(1));
      },
      "train: no value for input 'x', f32 [batch, 4], expected a feature of "
      "this name, found the features target");
  expectError<RuntimeError>(
      [&] {
        train(map(
                  [](const data::Example &row, data::Random &) {
                    return std::vector{row.features[1].reshaped({1}),
                                       row.features[1]};
                  },
                  {{"x", type[0].dtype, {1}}, type[1]}),
              options(1));
      },
      "feature 'x' is f32 [?, 1], expected f32 [batch, 4]");
  expectError<RuntimeError>(
      [&] {
        train(map(
                  [](const data::Example &row, data::Random &) {
                    return std::vector{
                        data::Feature({TG_DTYPE_FLOAT, 64, 1}, {4}),
                        row.features[1]};
                  },
                  {{"x", {TG_DTYPE_FLOAT, 64, 1}, {4}}, type[1]}),
              options(1));
      },
      "feature 'x' is f64 [?, 4], expected f32 [batch, 4]");
  TrainerOptions chosen = options(1);
  chosen.set = {};
  expectError<RuntimeError>([&] { train(makeBatches(), chosen); },
                            "no value for input 'rate', f32 [], expected a "
                            "feature or a number of this name");
  chosen.set = {{"rate", 0.1}, {"speed", 1}};
  expectError<RuntimeError>([&] { train(makeBatches(), chosen); },
                            "no number to set with the name 'speed', expected "
                            "a scalar input (rate) or a variable");
  chosen = options(1);
  chosen.function = "trian";
  expectError<RuntimeError>([&] { train(makeBatches(), chosen); },
                            "model 'line': no function 'trian', expected one "
                            "of init, train, test");
  expectError<data::DataError>([&] { train(makeBatches(), options(0)); },
                               "expected a number of steps or of epochs");
  expectError<data::DataError>([&] { train(makeBatches(0), options(1)); },
                               "at least one batch in an epoch, found none");
  chosen = options(50);
  chosen.set = {{"rate", 1e30}};
  expectError<RuntimeError>([&] { train(makeBatches(), chosen); },
                            "expected a finite number");
  Trainer trainer(loadLine(), makeBatches(), options(1));
  expectError<RuntimeError>([&] { trainer.setValidation(makeBatches()); },
                            "test: found no scalar output");
}
