//===- Experiment.cpp - schedules of training and evaluation --------------===//
#include "tg/estimator.h"
#include "tg/training/checkpoints.hpp"

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

using namespace tg;
using namespace tg::training;

Experiment::Experiment(Estimator estimator, InputFunction train,
                       InputFunction eval, MetricSpecs metrics,
                       const ExperimentOptions &chosen)
    : model(std::move(estimator)), trainInput(std::move(train)),
      evalInput(std::move(eval)), evalMetrics(std::move(metrics)),
      options(chosen) {}

EvaluationOptions Experiment::evaluation() const {
  return {.input = evalInput,
          .metrics = evalMetrics,
          .steps = options.evalSteps,
          .frequency = options.evalFrequency};
}

ExperimentResult Experiment::train() const {
  return {.training = model.train(trainInput, options.trainSteps),
          .evaluation = {}};
}

ExperimentResult Experiment::evaluate() const {
  return {.training = {},
          .evaluation =
              model.evaluate(evalInput, evalMetrics, options.evalSteps)};
}

ExperimentResult Experiment::trainAndEvaluate() const {
  ExperimentResult result;
  result.training = model.train(trainInput, options.trainSteps, evaluation());
  if (result.training->end != TrainingResult::End::interrupted)
    result.evaluation = evaluate().evaluation;
  return result;
}

ExperimentResult Experiment::test() const {
  EvaluationOptions once = evaluation();
  once.steps = 1;
  once.frequency = 0;
  ExperimentResult result;
  result.training = model.train(trainInput, 1, once);
  result.evaluation = model.evaluate(evalInput, evalMetrics, 1);
  return result;
}

ExperimentResult Experiment::continuousEval() const {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  const std::string &directory = model.config().directory;
  ExperimentResult result;
  Clock::time_point last = Clock::now();
  while (!model.isStopRequested()) {
    const std::vector<uint64_t> steps = std::filesystem::exists(directory)
                                            ? checkpointSteps(directory)
                                            : std::vector<uint64_t>();
    const bool isNew =
        !steps.empty() &&
        (!result.evaluation || steps.front() != result.evaluation->step);
    if (isNew) {
      result.evaluation = evaluate().evaluation;
      last = Clock::now();
    }
    if (result.evaluation && result.evaluation->step >= options.trainSteps)
      break;
    if (options.evalTimeout > 0 &&
        Seconds(Clock::now() - last).count() >= options.evalTimeout)
      break;
    std::this_thread::sleep_for(Seconds(options.evalDelay));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Schedules by name
//===----------------------------------------------------------------------===//

using Schedule = ExperimentResult (Experiment::*)() const;

static const std::map<std::string, ::Schedule> &knownSchedules() {
  static const std::map<std::string, ::Schedule> schedules = {
      {"continuous_eval", &Experiment::continuousEval},
      {"evaluate", &Experiment::evaluate},
      {"test", &Experiment::test},
      {"train", &Experiment::train},
      {"train_and_evaluate", &Experiment::trainAndEvaluate}};
  return schedules;
}

std::vector<std::string> Experiment::schedules() {
  std::vector<std::string> names;
  for (const auto &[name, schedule] : knownSchedules())
    names.push_back(name);
  return names;
}

ExperimentResult Experiment::run(const std::string &schedule) const {
  const auto found = knownSchedules().find(schedule);
  if (found != knownSchedules().end())
    return (this->*found->second)();
  std::string known;
  for (const std::string &name : schedules())
    known += (known.empty() ? "" : ", ") + name;
  throw std::invalid_argument("expected one of the schedules " + known +
                              ", found '" + schedule + "'");
}

ExperimentResult tg::runExperiment(const ExperimentFunction &function,
                                   const RunConfig &config,
                                   const std::string &schedule,
                                   const HParams &params) {
  return function(config, params).run(schedule);
}
