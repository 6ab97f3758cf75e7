/// Trainings with callbacks that are interrupted after each step and resumed.
#include "Support.h"

#include <cmath>

using namespace tg;
using namespace tg::test;
using namespace tg::training;

/// Ends a training after a step, as a signal does.
class Interruption : public Callback {
public:
  Interruption(Trainer &training, uint64_t after)
      : trainer(training), last(after) {}
  std::string name() const override { return "interruption"; }
  void afterStep(TrainingState &state) override {
    if (state.step() == last)
      trainer.requestStop();
  }

private:
  Trainer &trainer;
  uint64_t last;
};

static std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Trains for 12 steps in epochs of 3, or up to an interruption.
static TrainingResult train(const std::string &directory, uint64_t last = 0) {
  const data::Dataset batches = makeBatches(11, 4);
  TrainerOptions chosen = options(12, directory);
  chosen.summarySteps = 2;
  Trainer trainer(loadLine(), batches, chosen);
  const data::Dataset valid = makeRows(7).batch({.size = 3});
  trainer.add(inferenceRunner(
      valid, {.metrics = {{"error", {makeMetric("mse"), "target", "y"}}}}));
  trainer.add(
      trainingMetrics(batches, {{"loss", {makeMetric("mean"), "", "loss"}},
                                {"least", {makeMetric("min"), "", "loss"}}}));
  trainer.add(movingAverages({"loss"}));
  trainer.add(reduceOnPlateau(
      "rate", "loss",
      {.learningRate = 0.3, .factor = 0.5, .patience = 1, .minDecrease = 0.5}));
  trainer.add(monitoredNumber("rate", "train/loss",
                              [](double rate) { return rate / 3; },
                              {.threshold = 100}));
  trainer.add(periodicTrigger(modelSaver({.keep = 2}), {.steps = 4}));
  trainer.add(minSaver("valid/error"));
  trainer.add(maxSaver("loss-summary"));
  trainer.add(earlyStopping("loss-summary", {.patience = 50}));
  if (last)
    trainer.add(std::make_shared<Interruption>(trainer, last));
  return trainer.run();
}

TEST_F(Callbacks, ResumedTrainingsHaveTheSameBits) {
  const std::string whole = path("whole");
  EXPECT_EQ(train(whole).step, 12u);
  const char *const names[] = {"metrics.jsonl",
                               "checkpoint-12.safetensors",
                               "model-8.safetensors",
                               "model-12.safetensors",
                               "min-valid-error.safetensors",
                               "max-loss-summary.safetensors"};
  for (uint64_t step = 1; step < 12; ++step) {
    const std::string parts = path("parts" + std::to_string(step));
    EXPECT_EQ(train(parts, step).step, step);
    const TrainingResult resumed = train(parts);
    EXPECT_EQ(resumed.resumedAt, step);
    EXPECT_EQ(resumed.step, 12u);
    for (const char *name : names)
      EXPECT_EQ(contents(parts + "/" + name), contents(whole + "/" + name))
          << name << " after an interruption at step " << step;
    EXPECT_FALSE(std::filesystem::exists(parts + "/model-4.safetensors"));
  }
}

TEST_F(Callbacks, AnotherOrderOrSetOfCallbacksIsNoError) {
  train(path("run"), 5);
  TrainerOptions chosen = options(6, path("run"));
  Trainer trainer(loadLine(), makeBatches(11, 4), chosen);
  trainer.add(minSaver("valid/error"));
  EXPECT_EQ(trainer.run().step, 6u);
}
