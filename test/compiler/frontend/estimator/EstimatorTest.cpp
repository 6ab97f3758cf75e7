//===- EstimatorTest.cpp - model functions, runs and schedules ------------===//
#include "Model.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace tg;
using namespace tg::training;
using namespace estimator_test;

namespace {

class EstimatorTest : public testing::Test {
protected:
  RunConfig config(const std::string &name) {
    return {
        .directory = directory.path(name), .saveSteps = 2, .summarySteps = 1};
  }

  TemporaryDirectory directory;
};

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the names of the compiled libraries of a run.
std::vector<std::string> librariesOf(const RunConfig &config) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(
           std::filesystem::path(config.directory) / "compiled"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

TEST_F(EstimatorTest, TrainsEvaluatesAndPredicts) {
  const Estimator estimator(makeModel, config("run"), makeParams());
  EXPECT_EQ(estimator.params(), makeParams());
  EXPECT_EQ(estimator.config().saveSteps, 2u);
  EXPECT_EQ(estimator.train(readPoints, 40).step, 40u);
  const EvaluationResult result = estimator.evaluate(readPoints, accuracy());
  EXPECT_EQ(result.step, 40u);
  EXPECT_EQ(result.values[0].first, "loss");
  EXPECT_EQ(result.values[1].first, "mean_logit");
  EXPECT_EQ(result.values[2].first, "accuracy");
  EXPECT_GT(result.at("accuracy"), 0.9);

  const auto predictions = estimator.predict(readUnlabeledPoints);
  const data::Feature &classes = predictions.at("class");
  ASSERT_EQ(classes.size(), pointCount);
  size_t right = 0;
  for (size_t i = 0; i < pointCount; ++i)
    right += classes.values<int64_t>()[i] == labelOf(i);
  EXPECT_EQ(static_cast<double>(right) / pointCount, result.at("accuracy"));
  EXPECT_EQ(predictions.at("probabilities").shape(),
            (std::vector<int64_t>{pointCount, 2}));
}

TEST_F(EstimatorTest, ResumesWithTheSameBits) {
  const RunConfig whole = config("whole"), parts = config("parts");
  Estimator(makeModel, whole, makeParams()).train(readPoints, 9);
  for (uint64_t steps : {3, 4, 9}) {
    const Estimator estimator(makeModel, parts, makeParams());
    EXPECT_EQ(estimator.train(readPoints, steps).step, steps);
  }
  const std::string expected =
      contentOf(whole.directory + "/checkpoint-9.safetensors");
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(contentOf(parts.directory + "/checkpoint-9.safetensors"), expected);
  EXPECT_EQ(contentOf(parts.directory + "/metrics.jsonl"),
            contentOf(whole.directory + "/metrics.jsonl"));
}

TEST_F(EstimatorTest, CompilesEachModeOnce) {
  size_t calls = 0;
  const ModelFunction counting = [&](auto &&...arguments) {
    ++calls;
    return makeModel(arguments...);
  };
  const RunConfig run = config("run");
  {
    const Estimator estimator(counting, run, makeParams());
    estimator.train(readPoints, 1);
    estimator.train(readPoints, 2);
    estimator.evaluate(readPoints);
    estimator.evaluate(readPoints, accuracy());
    EXPECT_EQ(calls, 2u);
  }
  const std::vector<std::string> libraries = librariesOf(run);
  EXPECT_EQ(libraries.size(), 2u);
  const auto written = std::filesystem::last_write_time(
      run.directory + "/compiled/" + libraries.front());
  Estimator(counting, run, makeParams()).evaluate(readPoints);
  EXPECT_EQ(calls, 3u);
  EXPECT_EQ(librariesOf(run), libraries);
  EXPECT_EQ(std::filesystem::last_write_time(run.directory + "/compiled/" +
                                             libraries.front()),
            written);
  HParams changed = makeParams();
  changed.parse("scale=2");
  Estimator(counting, run, changed).evaluate(readPoints);
  EXPECT_EQ(librariesOf(run).size(), 3u);
}

TEST_F(EstimatorTest, CompilesADamagedLibraryAgain) {
  const RunConfig run = config("run");
  Estimator(makeModel, run, makeParams()).train(readPoints, 1);
  const std::string path =
      run.directory + "/compiled/" + librariesOf(run).front();
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size / 2);
  Estimator(makeModel, run, makeParams()).train(readPoints, 2);
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

TEST_F(EstimatorTest, AnotherModelDoesNotResume) {
  const RunConfig run = config("run");
  Estimator(makeModel, run, makeParams()).train(readPoints, 2);
  HParams changed = makeParams();
  changed.parse("units=[5]");
  const std::string hparams = contentOf(run.directory + "/hparams.json");
  EXPECT_EQ(HParams::fromJson(hparams), makeParams());
  EXPECT_THROW(Estimator(makeModel, run, changed).train(readPoints, 4),
               data::DataError);
  EXPECT_EQ(contentOf(run.directory + "/hparams.json"), hparams);
  // Its variables do not fit, either.
  EXPECT_THROW(Estimator(makeModel, run, changed).evaluate(readPoints),
               RuntimeError);
}

TEST_F(EstimatorTest, EvaluatesDuringATraining) {
  const RunConfig run = config("run");
  const Estimator estimator(makeModel, run, makeParams());
  estimator.train(readPoints, 5,
                  EvaluationOptions{.input = readPoints,
                                    .metrics = accuracy(),
                                    .frequency = 2});
  std::ifstream file(run.directory + "/metrics.jsonl");
  std::vector<bool> hasEvaluation;
  std::string last;
  for (std::string line; std::getline(file, line); last = line)
    hasEvaluation.push_back(line.find("\"eval/accuracy\":") != line.npos);
  EXPECT_EQ(hasEvaluation, (std::vector<bool>{false, true, false, true, true}));
  // The variables of the checkpoint give the same number.
  const double loss = estimator.evaluate(readPoints).at("loss");
  const size_t at = last.find("\"eval/loss\":");
  ASSERT_NE(at, last.npos);
  EXPECT_EQ(std::stod(last.substr(at + 12)), loss);
}

/// Returns the contents of all event files of a directory.
std::string eventsOf(const std::string &path) {
  std::string events;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    if (entry.path().filename().string().starts_with("events.out.tfevents."))
      events += contentOf(entry.path().string());
  return events;
}

TEST_F(EstimatorTest, WritesSummaries) {
  const RunConfig run = config("run");
  const Estimator estimator(makeModel, run, makeParams());
  estimator.train(readPoints, 1);
  EXPECT_NE(contentOf(run.directory + "/metrics.jsonl").find("\"largest\":"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(run.directory + "/eval"));
  const EvaluationResult result = estimator.evaluate(readPoints, accuracy());
  EXPECT_EQ(result.values.size(), 3u);
  const std::string events = eventsOf(run.directory + "/eval");
  for (const char *tag : {"loss", "accuracy", "largest", "logits"})
    EXPECT_NE(events.find(tag), std::string::npos) << tag;
}

TEST_F(EstimatorTest, EvaluationsWeighExamples) {
  const Estimator estimator(makeModel, config("run"), makeParams());
  estimator.train(readPoints, 1);
  const double loss = estimator.evaluate(readPoints).at("loss");
  // Batches of 7 and a last one of 2 have the same mean as batches of 8.
  const InputFunction sevens = [] { return readBatches(7); };
  EXPECT_NEAR(estimator.evaluate(sevens).at("loss"), loss, 1e-6);
  EXPECT_NE(estimator.evaluate(sevens, {}, 1).at("loss"), loss);
}

TEST_F(EstimatorTest, StopsAfterAStep) {
  const RunConfig run = config("run");
  {
    const Estimator estimator(makeModel, run, makeParams());
    estimator.add(std::make_shared<StopAt>(estimator, 3));
    const TrainingResult result = estimator.train(readPoints, 6);
    EXPECT_EQ(result.end, TrainingResult::End::interrupted);
    EXPECT_TRUE(estimator.isStopRequested());
    EXPECT_EQ(result.step, 3u);
  }
  const Estimator estimator(makeModel, run, makeParams());
  EXPECT_EQ(estimator.train(readPoints, 6).resumedAt, 3u);
  EXPECT_EQ(estimator.evaluate(readPoints).step, 6u);
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

/// Returns the message of what a function throws.
template <typename Call> std::string messageOf(Call call) {
  try {
    call();
  } catch (const GraphError &error) {
    return error.message;
  } catch (const std::exception &error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(EstimatorTest, RefusesMistakes) {
  const auto train = [&](const ModelFunction &model) {
    return messageOf(
        [&] { Estimator(model, config("run")).train(readPoints, 1); });
  };
  using Features = const InputTensors &;
  const auto with = [](auto ask) {
    return [ask](Features features, Features labels, ModeKey, const HParams &) {
      ask(features, labels);
      return ModelFunctionSpec{};
    };
  };
  EXPECT_EQ(
      train(with([](Features features, Features) { (void)features["pint"]; })),
      "expected the name of a feature, found 'pint'; did you mean "
      "'point'?");
  EXPECT_EQ(
      train(with([](Features, Features labels) { (void)labels["point"]; })),
      "expected the name of a feature, found 'point'; there is 'label'");
  EXPECT_EQ(
      train(with([](Features features, Features) { (void)features.only(); })),
      "expected one feature, found point, weight");
  EXPECT_EQ(
      train(with([](Features, Features) {})),
      "expected a model function that returns a loss to train, found none");
  Program program("unused");
  EXPECT_TRUE(
      InputTensors(program, readPoints().batches.type()).used().empty());
  EXPECT_EQ(messageOf([&] { Estimator(makeModel, {}); }),
            "expected a directory of the run, found ''");
  EXPECT_EQ(messageOf([&] { Estimator({}, config("run")); }),
            "expected a model function, found none");
  const Estimator estimator(makeModel, config("new"), makeParams());
  EXPECT_EQ(messageOf([&] { estimator.evaluate(readPoints); }),
            config("new").directory + ": expected a checkpoint, found none");
  estimator.train(readPoints, 1);
  EXPECT_EQ(messageOf([&] { estimator.evaluate(readPoints).at("los"); }),
            "expected one of the values loss, mean_logit, found 'los'");
  EXPECT_EQ(messageOf([&] {
              estimator.evaluate(
                  [] { return InputData(readPoints().batches.repeat()); });
            }),
            "expected a data set with an end, or a number of steps, to "
            "evaluate, found an endless one");
}

//===----------------------------------------------------------------------===//
// Experiments
//===----------------------------------------------------------------------===//

/// Returns an experiment of four steps.
Experiment makeExperiment(const RunConfig &config, const HParams &params) {
  return Experiment(Estimator(makeModel, config, params), readPoints,
                    readPoints, accuracy(),
                    {.trainSteps = 4,
                     .evalSteps = 1,
                     .evalFrequency = 2,
                     .evalDelay = 0.01,
                     .evalTimeout = 0.05});
}

TEST_F(EstimatorTest, RunsSchedulesByName) {
  const auto run = [&](const std::string &schedule) {
    return runExperiment(makeExperiment, config("run"), schedule, makeParams());
  };
  ExperimentResult result = run("test");
  EXPECT_EQ(result.training->step, 1u);
  EXPECT_EQ(result.evaluation->step, 1u);
  result = run("train");
  EXPECT_EQ(result.training->resumedAt, 1u);
  EXPECT_EQ(result.training->step, 4u);
  EXPECT_FALSE(result.evaluation);
  result = run("evaluate");
  EXPECT_FALSE(result.training);
  EXPECT_EQ(result.evaluation->step, 4u);
  const double loss = result.evaluation->at("loss");
  EXPECT_EQ(run("continuous_eval").evaluation->at("loss"), loss);
  result = run("train_and_evaluate"); // nothing is left to train
  EXPECT_EQ(result.training->resumedAt, 4u);
  EXPECT_EQ(result.evaluation->at("loss"), loss);
  EXPECT_EQ(messageOf([&] { run("trian"); }),
            "expected one of the schedules continuous_eval, evaluate, test, "
            "train, train_and_evaluate, found 'trian'");
}

TEST_F(EstimatorTest, RunsSchedules) {
  const Experiment experiment = makeExperiment(config("run"), makeParams());
  EXPECT_EQ(Experiment::schedules().size(), 5u);
  // Without a checkpoint it ends after a time.
  EXPECT_FALSE(experiment.continuousEval().evaluation);
  const ExperimentResult result = experiment.trainAndEvaluate();
  EXPECT_EQ(result.training->step, 4u);
  EXPECT_EQ(result.evaluation->at("loss"),
            experiment.evaluate().evaluation->at("loss"));
  EXPECT_EQ(result.evaluation->at("loss"),
            experiment.estimator().evaluate(readPoints, {}, 1).at("loss"));
}

} // namespace
