/// Callbacks that save, evaluate, look at outputs, or print.
#include "Support.h"

#include "runtime/training/callbacks/Support.h"
#include "tg/data/arrays.hpp"
#include "tg/data/images.hpp"

#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::test;
using namespace tg::training;
using data::errorOf;

TEST_F(Callbacks, ModelSaverKeepsTheLastFiles) {
  FakeTraining training(directory);
  CallbackPtr saver = modelSaver({.keep = 2});
  for (int i = 0; i < 3; ++i) {
    training.runStep();
    saver->triggerEpoch(training);
  }
  EXPECT_EQ(files(), "model-2.safetensors model-3.safetensors");
  EXPECT_EQ(saver->state(), "2 3");
  const CallbackPtr resumed = modelSaver({.keep = 2});
  resumed->restore(saver->state());
  training.runStep();
  resumed->triggerEpoch(training);
  EXPECT_EQ(files(), "model-3.safetensors model-4.safetensors");
  const std::vector<float> weight =
      training.context().get<float>("line/weight");
  Context other = training.loaded.context({.threads = 1});
  other.load(path("model-4.safetensors"));
  EXPECT_EQ(other.get<float>("line/weight"), weight);
  EXPECT_THROW(resumed->restore("2 x"), data::DataError);
  EXPECT_EQ(errorOf([] { modelSaver({.keep = 0}); }),
            "expected to keep 1 or more files, found 0");
  FakeTraining nowhere;
  EXPECT_EQ(errorOf([&] { saver->triggerEpoch(nowhere); }),
            "expected a directory for 'modelSaver' or for the training, found "
            "none");
}

TEST_F(Callbacks, MinAndMaxSaver) {
  FakeTraining training(directory);
  const auto steps = [&](const CallbackPtr &saver, const std::string &file,
                         const std::vector<double> &values) {
    std::vector<int64_t> saved;
    for (double value : values) {
      training.runStep();
      saver->summary(training, {{"valid/loss", value}});
      Context other = training.loaded.context({.threads = 1});
      other.load(path(file));
      saved.push_back(other.get<int64_t>("line/step")[0]);
    }
    return saved;
  };
  const CallbackPtr least = minSaver("valid/loss");
  EXPECT_EQ(steps(least, "min-valid-loss.safetensors", {3, NAN, 2, 2, 4}),
            (std::vector<int64_t>{1, 1, 3, 3, 3}));
  const CallbackPtr resumed = minSaver("valid/loss");
  resumed->restore(least->state());
  EXPECT_EQ(steps(resumed, "min-valid-loss.safetensors", {2.5, 1}),
            (std::vector<int64_t>{3, 7}));
  EXPECT_EQ(
      steps(maxSaver("valid/loss"), "max-valid-loss.safetensors", {3, 2, 4}),
      (std::vector<int64_t>{8, 8, 10}));
  const CallbackPtr fresh = minSaver("valid/loss");
  fresh->restore(fresh->state());
  EXPECT_THROW(fresh->restore("1"), data::DataError);
}

/// Returns the scalars of a tag of all summaries of a training.
static std::vector<double> logged(const CallbackPtr &callback,
                                  const std::string &tag, uint64_t steps) {
  struct Collector : Callback {
    std::string name() const override { return "collector"; }
    void summary(TrainingState &, const Scalars &scalars) override {
      if (const auto value = training::find(scalars, tag))
        values.push_back(*value);
    }
    std::string tag;
    std::vector<double> values;
  };
  TrainerOptions chosen = options(steps);
  chosen.summarySteps = 2;
  Trainer trainer(loadLine(), makeBatches(10, 4), chosen);
  const auto collector = std::make_shared<Collector>();
  collector->tag = tag;
  trainer.add(callback);
  trainer.add(collector);
  trainer.run();
  return collector->values;
}

TEST_F(Callbacks, InferenceIsWeightedByExamples) {
  // The batches of 10 examples do not divide evenly by 4 or 3.
  std::vector<std::vector<double>> errors;
  for (uint64_t size : {3, 4, 10})
    errors.push_back(logged(
        inferenceRunner(
            makeRows(10).batch({.size = size}),
            {.metrics = {{"error", {makeMetric("mse"), "target", "y"}}}}),
        "valid/error", 9));
  ASSERT_EQ(errors[0].size(), 3u);
  EXPECT_EQ(errors[0], errors[1]);
  EXPECT_EQ(errors[0], errors[2]);
  EXPECT_LT(errors[0][2], errors[0][0]);
}

TEST_F(Callbacks, InferenceRefusesWhatDoesNotFit) {
  const auto run = [](data::Dataset data, InferenceOptions chosen) {
    logged(inferenceRunner(std::move(data), chosen), "", 3); // an epoch
  };
  const MetricSpecs metrics = {{"error", {makeMetric("mse"), "goal", "y"}}};
  expectError<data::DataError>(
      [&] { run(makeBatches(), {.metrics = metrics}); },
      "metric 'error': expected the name of a label among x, target, found "
      "'goal'");
  expectError<RuntimeError>([&] { run(makeBatches(), {.function = "train"}); },
                            "found a function that changes variables");
  expectError<RuntimeError>([&] { run(makeRows(4), {.metrics = metrics}); },
                            "the data set may need batches");
  expectError<data::DataError>(
      [&] { run(makeBatches().repeat(), {.metrics = metrics}); },
      "found an endless one");
}

TEST_F(Callbacks, TrainingMetricsAreResumedWithinAnEpoch) {
  const auto make = [] {
    return trainingMetrics(makeBatches(),
                           {{"loss", {makeMetric("mean"), "", "loss"}},
                            {"last", {makeMetric("last"), "", "loss"}}});
  };
  FakeTraining training;
  const CallbackPtr whole = make(), before = make(), after = make();
  for (int i = 0; i < 5; ++i) {
    training.runStep();
    whole->afterStep(training);
    if (i == 2)
      after->restore(before->state());
    (i < 2 ? before : after)->afterStep(training);
  }
  EXPECT_EQ(whole->state(), after->state());
  whole->triggerEpoch(training);
  EXPECT_EQ(training.logged.at("train/last"),
            training.outputs().scalar("loss"));
  EXPECT_GT(training.logged.at("train/loss"), 0);
  EXPECT_EQ(whole->state(), make()->state());
  const std::vector<double> epochs = logged(make(), "train/loss", 9);
  EXPECT_EQ(epochs.size(), 3u);
  EXPECT_EQ(errorOf([] { trainingMetrics(makeBatches(), {}); }),
            "expected a metric or more, found none");
}

TEST_F(Callbacks, MovingAveragesBeginWithoutBias) {
  FakeTraining training;
  training.chosen.summarySteps = 2;
  const CallbackPtr whole = movingAverages({"loss"}, 0.5);
  CallbackPtr parts = movingAverages({"loss"}, 0.5);
  std::vector<double> losses;
  for (int i = 0; i < 4; ++i) {
    training.runStep();
    losses.push_back(training.outputs().scalar("loss"));
    whole->afterStep(training);
    whole->triggerStep(training);
    parts->afterStep(training);
    const CallbackPtr next = movingAverages({"loss"}, 0.5);
    next->restore(parts->state());
    parts = next;
    if (i == 0) {
      EXPECT_EQ(training.logged.count("loss-summary"), 0u);
    }
  }
  EXPECT_EQ(whole->state(), parts->state());
  const double sum =
      losses[0] / 16 + losses[1] / 8 + losses[2] / 4 + losses[3] / 2;
  EXPECT_DOUBLE_EQ(training.logged.at("loss-summary"), sum / (1 - 0.0625));
  EXPECT_THROW(whole->restore("3"), data::DataError);
  EXPECT_EQ(errorOf([] { movingAverages({}, 1); }),
            "expected a decay from 0 to below 1, found 1.000000");
}

TEST_F(Callbacks, RunFunction) {
  FakeTraining training;
  training.numbers["seed"] = 5;
  Context expected = training.loaded.context({.threads = 1});
  expected.init(5);
  const CallbackPtr callback = runFunction("init");
  const auto weight = [&] {
    return training.context().get<float>("line/weight");
  };
  callback->beforeTrain(training);
  EXPECT_EQ(weight(), expected.get<float>("line/weight"));
  training.runStep();
  callback->afterStep(training);
  EXPECT_NE(weight(), expected.get<float>("line/weight"));
  callback->beforeTrain(training); // resumes
  EXPECT_NE(weight(), expected.get<float>("line/weight"));
  callback->triggerEpoch(training);
  EXPECT_EQ(weight(), expected.get<float>("line/weight"));
}

TEST_F(Callbacks, OutputsAreProcessedPrintedAndDumped) {
  FakeTraining training(directory);
  double loss = 0;
  const CallbackPtr process = processOutputs(
      {"loss"}, [&](TrainingState &, const std::vector<NamedTensor> &tensors) {
        loss = *static_cast<const float *>(tensors.at(0).tensor.data);
      });
  std::ostringstream text;
  const CallbackPtr print = printOutputs({"loss"}, text);
  const CallbackPtr dump = dumpOutputs({"loss"});
  training.runStep();
  process->afterStep(training);
  print->afterStep(training);
  dump->afterStep(training);
  EXPECT_EQ(loss, training.outputs().scalar("loss"));
  EXPECT_EQ(text.str(), "step 1: loss f32 []: " + shortText(loss) + "\n");
  const auto arrays = data::readNpz(path("outputs-1.npz"));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].array.values<float>()[0], static_cast<float>(loss));
  expectError<RuntimeError>(
      [&] { printOutputs({"gain"}, text)->afterStep(training); },
      "no output 'gain', expected one of loss");
}

TEST_F(Callbacks, ImagesAreDumped) {
  FakeTraining training(directory);
  training.runStep();
  EXPECT_EQ(errorOf([&] { dumpImages("loss")->afterStep(training); }),
            "expected images f32 or ui8 [images, height, width, channels], "
            "found f32 []");
  data::Feature images({TG_DTYPE_FLOAT, 32, 1}, {2, 1, 2, 1});
  std::ranges::copy(std::initializer_list<float>{0.2f, 1, 7, NAN},
                    images.values<float>().begin());
  writeImages(images.tensor(), 255, path("image-3"));
  EXPECT_EQ(files(), "image-3-0.png image-3-1.png");
  const auto pixels = [&](const std::string &name) {
    std::ifstream file(path(name), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const data::Feature image =
        data::decodeImage(std::as_bytes(std::span(bytes)));
    const auto found = image.values<uint8_t>();
    return std::vector<int>(found.begin(), found.end());
  };
  EXPECT_EQ(pixels("image-3-0.png"), (std::vector<int>{51, 255}));
  EXPECT_EQ(pixels("image-3-1.png"), (std::vector<int>{255, 0}));
}

TEST_F(Callbacks, CheckNumerics) {
  FakeTraining training;
  const CallbackPtr check = checkNumerics();
  training.runStep();
  check->triggerEpoch(training);
  std::vector<float> weight = training.context().get<float>("line/weight");
  weight[2] = std::numeric_limits<float>::infinity();
  training.context().set("line/weight", weight);
  expectError<RuntimeError>([&] { check->triggerEpoch(training); },
                            "variable 'line/weight' after step 1: element 2 is "
                            "inf, expected a finite number");
  training.runStep();
  expectError<RuntimeError>([&] { check->triggerEpoch(training); },
                            "output 'loss' after step 2: element 0 is ");
}

TEST_F(Callbacks, LinesOfSummariesAndProgress) {
  FakeTraining training;
  std::ostringstream text;
  training.steps = 20;
  const Scalars scalars = {{"loss", 0.25}, {"valid/loss", 1.0 / 3}};
  scalarPrinter(text)->summary(training, scalars);
  scalarPrinter(text, {"valid/loss"})->summary(training, scalars);
  scalarPrinter(text, {"none"})->summary(training, scalars);
  EXPECT_EQ(text.str(), "step 20: loss 0.25, valid/loss 0.333333\n"
                        "step 20: valid/loss 0.333333\n");

  double time = 10;
  const Clock clock = [&] { return time; };
  std::ostringstream lines;
  const CallbackPtr rate = throughput(lines, clock),
                    left = estimatedTimeLeft(lines, clock);
  training.steps = 0;
  rate->beforeTrain(training);
  left->beforeTrain(training);
  for (uint64_t epoch = 1; epoch <= 2; ++epoch) {
    training.epochs = epoch;
    training.steps += 25;
    time += static_cast<double>(2 * epoch);
    rate->triggerEpoch(training);
    left->triggerEpoch(training);
  }
  EXPECT_EQ(lines.str(), "step 25: 50 examples/s\nepoch 1: 6 s left\n"
                         "step 50: 25 examples/s\nepoch 2: 6 s left\n");
}

TEST_F(Callbacks, ProgressBar) {
  FakeTraining training;
  std::ostringstream text;
  double time = 0;
  const CallbackPtr bar = training::progressBar(text, 2, [&] { return time; });
  bar->beforeTrain(training);
  for (int i = 0; i < 2; ++i, time += 3) {
    training.runStep();
    bar->afterStep(training);
  }
  bar->afterTrain(training);
  EXPECT_NE(text.str().find("1/2 [==============>"), std::string::npos)
      << text.str();
  EXPECT_NE(text.str().find("2/2 [=============================="),
            std::string::npos);
  EXPECT_NE(text.str().find(" - loss: "), std::string::npos);
  training.chosen.steps = 0;
  EXPECT_EQ(
      errorOf([&] { training::progressBar(text)->beforeTrain(training); }),
      "expected a number of steps for 'progressBar' or the training, "
      "found none");
}
