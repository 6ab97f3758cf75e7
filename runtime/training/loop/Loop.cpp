//===- Loop.cpp - steps, epochs and callbacks of a training ---------------===//
#include "Loop.h"

#include "Evaluation.h"
#include "Variables.h"

#include <chrono>
#include <cmath>

using namespace tg;
using namespace tg::training;

Trainer::Loop::Loop(Model loaded, data::Dataset read, TrainerOptions options)
    : trained(std::move(loaded)), data(std::move(read)),
      chosen(std::move(options)),
      function(findFunction(trained, chosen.function)),
      scalarNames(scalarOutputs(function)), feed(function, data) {
  if (!chosen.steps && !chosen.epochs)
    throw data::DataError(
        "expected a number of steps or of epochs, found neither");
  for (const auto &[name, value] : chosen.set)
    if (feed.takesNumber(name))
      inputs[name] = value;
    else if (!findNumber(trained, name))
      throw RuntimeError(
          TG_ERROR_NOT_FOUND,
          chosen.function + ": no number to set with the name '" + name +
              "', expected a scalar input (" + feed.numberNames() +
              ") or a variable of one element");
  feed.expectValues(inputs);
}

void Trainer::Loop::setValidation(data::Dataset read, MetricSpecs specs) {
  // Refuses what does not fit, before the first step.
  Evaluation(trained, chosen.validFunction, read, specs).expectValues(inputs);
  validation = std::move(read);
  validMetrics = std::move(specs);
}

void Trainer::Loop::add(std::shared_ptr<Callback> callback) {
  callbacks.push_back(std::move(callback));
}

void Trainer::Loop::notice(const std::string &text) const {
  if (chosen.notice)
    chosen.notice(text);
}

void Trainer::Loop::notify(Hook hook) {
  for (const std::shared_ptr<Callback> &callback : callbacks)
    try {
      ((*callback).*hook)(*this);
    } catch (const StopTraining &ending) {
      stop(ending.reason);
    }
}

bool Trainer::Loop::isComplete() const {
  return (chosen.steps && finished >= chosen.steps) ||
         (chosen.epochs && position.epoch >= chosen.epochs);
}

bool Trainer::Loop::hasEnded() const {
  return stopReason || isInterrupted || isComplete();
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

void Trainer::Loop::start() {
  if (!chosen.directory.empty())
    directory.emplace(chosen.directory);
  running.emplace(
      trained.context({.threads = chosen.threads, .host = chosen.host}));
  const bool isResumed = directory && restore();
  if (!isResumed && trained.tables().variable_count)
    running->init(chosen.seed);
  if (!isResumed)
    for (const auto &[name, value] : chosen.set)
      if (!feed.takesNumber(name))
        setNumber(trained, *running, *findNumber(trained, name), value);
  isSaved = isResumed;
  result.resumedAt = finished;
  if (!directory)
    return;
  metrics.emplace(chosen.directory, finished);
  writer.emplace(chosen.directory, CheckpointOptions{.keep = chosen.keep});
}

TrainingResult Trainer::Loop::run() {
  if (std::exchange(hasRun, true))
    throw data::DataError("expected a trainer that has not run, found one that "
                          "has");
  start();
  if (!hasEnded())
    train();
  result.end = stopReason     ? TrainingResult::End::stopped
               : isComplete() ? TrainingResult::End::complete
                              : TrainingResult::End::interrupted;
  result.step = finished;
  result.epoch = position.epoch;
  result.reason = stopReason.value_or("");
  return result;
}

void Trainer::Loop::train() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  batches.emplace(data, chosen.loader, position);
  // Events of steps that are done again are dropped from files before this one.
  if (directory)
    events.emplace(
        chosen.directory,
        EventWriterOptions{.startStep = static_cast<int64_t>(finished + 1)});
  notify(&Callback::beforeTrain);
  // A training that resumes within an epoch has begun it already.
  bool beginsEpoch = position.numbers.empty();
  while (!hasEnded()) {
    if (beginsEpoch)
      notify(&Callback::beforeEpoch);
    if (stopReason)
      break;
    doStep();
    beginsEpoch = endsEpoch;
  }
  notify(&Callback::afterTrain);
  if (!isSaved || isSaveRequested)
    writeCheckpoint();
  if (writer)
    writer->wait();
  if (events)
    events->close();
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  result.dataSeconds = batches->waited();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Trainer::Loop::doStep() {
  endsEpoch = false;
  try {
    batches->current();
  } catch (const data::DataError &) {
    // The steps before the wrong data are not lost.
    if (!isSaved && finished)
      writeCheckpoint();
    throw;
  }
  notify(&Callback::beforeStep);
  if (stopReason)
    return;
  runStep();
  notify(&Callback::afterStep);
  endsEpoch = batches->advance();
  position = batches->position();
  if (chosen.summarySteps && finished % chosen.summarySteps == 0)
    logOutputs();
  if (chosen.validSteps ? finished % chosen.validSteps == 0 : endsEpoch)
    validate();
  notify(&Callback::triggerStep);
  if (endsEpoch)
    notify(&Callback::triggerEpoch);
  writeSummary();
  if (endsEpoch)
    notify(&Callback::afterEpoch);
  if (isSaveRequested || (chosen.saveSteps && finished % chosen.saveSteps == 0))
    writeCheckpoint();
}

void Trainer::Loop::runStep() {
  const data::Example &now = batches->current();
  if (drawsSamples(function))
    running->setSeed(static_cast<int64_t>(
        data::hashCounters({static_cast<uint64_t>(chosen.seed), finished})));
  results = &running->run(chosen.function, feed.inputs(now, inputs));
  for (const std::string &name : scalarNames) {
    const double value = results->scalar(name);
    if (chosen.checksNumbers && !std::isfinite(value))
      throw RuntimeError(TG_ERROR_NAN, chosen.function + ": output '" + name +
                                           "' of step " +
                                           std::to_string(finished + 1) +
                                           " is " + std::to_string(value) +
                                           ", expected a finite number");
  }
  ++finished;
  seen += rowsOf(now);
  isSaved = false;
}

void Trainer::Loop::logOutputs() {
  for (const std::string &name : scalarNames)
    log(name, results->scalar(name));
}

void Trainer::Loop::validate() {
  if (!validation)
    return;
  for (const auto &[name, value] :
       evaluate(*validation, chosen.validFunction, validMetrics))
    log("valid/" + name, value);
}

void Trainer::Loop::writeSummary() {
  if (summary.empty())
    return;
  if (metrics)
    metrics->write(finished, summary);
  for (const std::shared_ptr<Callback> &callback : callbacks)
    try {
      callback->summary(*this, summary);
    } catch (const StopTraining &ending) {
      stop(ending.reason);
    }
  if (events) {
    for (const auto &[tag, value] : summary)
      events->addScalar(tag, value, static_cast<int64_t>(finished));
    events->flush();
  }
  summary.clear();
}
