/// Checkpoints of a trainer: resumed trainings have the bits of others.
#include "Support.h"

#include "tg/training/checkpoints.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tg;
using namespace tg::test;
using namespace tg::training;

namespace {

/// Sums the losses, halves the rate at each end of an epoch, and ends the
/// process of the training in the test after a step.
class Summing : public Callback {
public:
  explicit Summing(uint64_t last) : last(last) {}

  std::string name() const override { return "summing"; }
  void beforeEpoch(TrainingState &) override { ++epochs; }
  void afterStep(TrainingState &state) override {
    sum += state.outputs().scalar("loss");
    state.log("sum", sum);
    if (state.step() == last)
      interrupt();
  }
  void triggerEpoch(TrainingState &state) override {
    state.set("rate", state.get("rate") / 2);
  }
  std::string state() const override {
    std::ostringstream text;
    text.precision(17);
    text << epochs << ' ' << sum;
    return text.str();
  }
  void restore(const std::string &text) override {
    std::istringstream(text) >> epochs >> sum;
  }

  std::function<void()> interrupt;
  uint64_t last;
  int epochs = 0;
  double sum = 0;
};

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class Resume : public testing::Test {
protected:
  Resume() {
    std::filesystem::remove_all(place);
    std::filesystem::create_directories(place);
  }

  /// Trains up to 9 steps, or until one is interrupted, in a directory.
  TrainingResult train(const std::string &name, uint64_t last = 0,
                       unsigned threads = 1) {
    TrainerOptions chosen = options(9, place + name);
    chosen.summarySteps = 2;
    chosen.loader = {.threads = threads, .prefetch = 1 + threads};
    chosen.notice = [&](const std::string &text) { notices += text + "\n"; };
    Trainer trainer(loadLine(), makeBatches(11, 3), chosen);
    auto summing = std::make_shared<Summing>(last);
    summing->interrupt = [&] { trainer.requestStop(); };
    trainer.add(summing);
    const TrainingResult result = trainer.run();
    epochs = summing->epochs;
    return result;
  }

  const std::string place =
      testing::TempDir() + "tg-resume-" +
      testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
  std::string notices;
  int epochs = 0;
};

} // namespace

TEST_F(Resume, HasTheBitsOfAnUninterruptedTraining) {
  train("whole");
  EXPECT_EQ(epochs, 3);
  for (uint64_t step = 1; step < 9; ++step) {
    const std::string name = "cut" + std::to_string(step);
    TrainingResult result = train(name, step);
    EXPECT_EQ(result.end, TrainingResult::End::interrupted);
    EXPECT_EQ(result.step, step);
    result = train(name, 0, static_cast<unsigned>(step % 3));
    EXPECT_EQ(result.end, TrainingResult::End::complete);
    EXPECT_EQ(result.resumedAt, step);
    EXPECT_EQ(epochs, 3);
    for (const char *file : {"/checkpoint-9.safetensors", "/metrics.jsonl"})
      EXPECT_EQ(readFile(place + name + file), readFile(place + "whole" + file))
          << file << " of " << name;
  }
  EXPECT_NE(
      notices.find("resumes from " + place + "cut3/checkpoint-3.safetensors\n"),
      std::string::npos);
}

TEST_F(Resume, RemovesLinesAfterTheCheckpoint) {
  train("whole");
  train("cut", 4);
  std::ofstream(place + "cut/metrics.jsonl", std::ios::app)
      << "{\"step\":5,\"sum\":1}\n{\"step\":6,\"su";
  train("cut");
  EXPECT_EQ(readFile(place + "cut/metrics.jsonl"),
            readFile(place + "whole/metrics.jsonl"));
}

TEST_F(Resume, DoesNothingAtTheEnd) {
  train("run");
  const auto time =
      std::filesystem::last_write_time(place + "run/checkpoint-9.safetensors");
  const TrainingResult result = train("run");
  EXPECT_EQ(result.resumedAt, 9u);
  EXPECT_EQ(
      std::filesystem::last_write_time(place + "run/checkpoint-9.safetensors"),
      time);
}

TEST_F(Resume, StaysStopped) {
  class Stop : public Callback {
    std::string name() const override { return "stop"; }
    void beforeStep(TrainingState &state) override {
      ++calls;
      if (state.step() == 4)
        throw StopTraining{"enough"};
    }

  public:
    int calls = 0;
  };
  for (const int calls : {5, 0}) {
    TrainerOptions chosen = options(9, place + "stopped");
    chosen.saveSteps = 2;
    Trainer trainer(loadLine(), makeBatches(), chosen);
    auto stop = std::make_shared<Stop>();
    trainer.add(stop);
    const TrainingResult result = trainer.run();
    EXPECT_EQ(result.end, TrainingResult::End::stopped);
    EXPECT_EQ(result.reason, "enough");
    EXPECT_EQ(result.step, 4u);
    EXPECT_EQ(stop->calls, calls);
  }
}

TEST_F(Resume, KeepsTheNewest) {
  TrainerOptions chosen = options(9, place + "kept");
  chosen.saveSteps = 2;
  chosen.keep = 2;
  Trainer(loadLine(), makeBatches(), chosen).run();
  EXPECT_EQ(checkpointSteps(place + "kept"), (std::vector<uint64_t>{9, 8}));
}

TEST_F(Resume, TakesChangedValues) {
  const auto step = [&](uint64_t steps, double rate, double count) {
    TrainerOptions chosen = options(steps, place + "changed");
    chosen.set = {{"rate", rate}, {"line/step", count}};
    Trainer trainer(loadLine(), makeBatches(), chosen);
    trainer.run();
    Context context = loadLine().context();
    context.load(checkpointPath(place + "changed", steps));
    return context.get<int64_t>("line/step")[0];
  };
  EXPECT_EQ(step(2, 0.1, 10), 12);
  EXPECT_EQ(step(4, 0.1, 10), 14);
  EXPECT_EQ(step(5, 0.1, 20), 21);
}

TEST_F(Resume, RefusesOtherTrainings) {
  const auto resume = [&](const std::string &model, data::Dataset data,
                          int64_t seed, const std::string &pipeline) {
    TrainerOptions chosen = options(2, place + "other");
    chosen.seed = seed;
    chosen.pipeline = pipeline;
    Trainer(Model::load(model), std::move(data), chosen).run();
  };
  resume(linePath, makeBatches(), 1, "a 1 | b 2");
  resume(linePath, makeBatches(), 1, "a 1 | b 2");
  const std::string path = place + "other/checkpoint-2.safetensors: ";
  expectError<data::DataError>(
      [&] { resume(linePath, makeBatches(20, 5), 1, "a 1 | b 2"); },
      path + "expected the data set of the checkpoint with 'batch(4)', found "
             "'batch(5)'");
  expectError<data::DataError>(
      [&] { resume(linePath, makeBatches(), 1, "a 1 | b 3"); },
      "with 'b 2', found 'b 3'");
  expectError<data::DataError>(
      [&] { resume(linePath, makeBatches(), 1, "a 1"); },
      "with 'b 2', found nothing");
  expectError<data::DataError>(
      [&] { resume(linePath, makeBatches(), 2, "a 1 | b 2"); },
      "expected the seed of the checkpoint with '1', found '2'");
  expectError<data::DataError>(
      [&] { resume(otherPath, makeBatches(), 1, "a 1 | b 2"); },
      "expected the model of the checkpoint with 'layout 10");
  expectError<data::DataError>(
      [&] { resume(longerPath, makeBatches(), 1, "a 1 | b 2"); },
      "found 'variable line/extra f32 [2]'");
}

TEST_F(Resume, PassesOverDamagedCheckpoints) {
  train("whole");
  train("cut", 3);
  train("cut", 6);
  std::filesystem::resize_file(place + "cut/checkpoint-6.safetensors", 100);
  EXPECT_EQ(train("cut").resumedAt, 3u);
  EXPECT_NE(notices.find("passes over " + place +
                         "cut/checkpoint-6.safetensors: TG_ERROR"),
            std::string::npos);
  EXPECT_EQ(readFile(place + "cut/checkpoint-9.safetensors"),
            readFile(place + "whole/checkpoint-9.safetensors"));
  for (const uint64_t step : checkpointSteps(place + "cut"))
    std::filesystem::resize_file(checkpointPath(place + "cut", step), 0);
  expectError<data::DataError>([&] { train("cut"); },
                               "expected a whole checkpoint, found none");
}
