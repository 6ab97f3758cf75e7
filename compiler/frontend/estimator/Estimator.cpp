//===- Estimator.cpp - training, evaluation and prediction of a run -------===//
#include "compiler/frontend/estimator/Evaluation.h"

#include "tg/training/checkpoints.hpp"

#include <cstring>
#include <filesystem>
#include <ranges>
#include <stdexcept>

using namespace tg;
using namespace tg::estimator;
using namespace tg::training;

//===----------------------------------------------------------------------===//
// The state of a run
//===----------------------------------------------------------------------===//

Estimator::State::State(ModelFunction called, RunConfig chosen, HParams given)
    : function(std::move(called)), config(std::move(chosen)),
      params(std::move(given)),
      events((std::filesystem::path(config.directory) / "eval").string()) {
  if (!function)
    throw std::invalid_argument("expected a model function, found none");
  if (config.directory.empty())
    throw std::invalid_argument("expected a directory of the run, found ''");
}

uint64_t Estimator::State::restore(Context &context) const {
  std::vector<SkippedCheckpoint> skipped;
  while (std::filesystem::exists(config.directory)) {
    skipped.clear();
    const auto found = newestCheckpoint(config.directory, &skipped);
    if (!found)
      break;
    try {
      // Without the state of the optimizer.
      context.load(found->path, {.ignoreOthers = true});
      return found->state.step;
    } catch (const RuntimeError &) {
      // A training in another process may have removed it meanwhile.
      if (std::filesystem::exists(found->path))
        throw;
    }
  }
  throw data::DataError(config.directory +
                        ": expected a checkpoint, found none" +
                        (skipped.empty() ? "" : "; " + skipped.front().reason));
}

Estimator::Estimator(ModelFunction function, RunConfig config, HParams params)
    : state(std::make_shared<State>(std::move(function), std::move(config),
                                    std::move(params))) {}

void Estimator::add(std::shared_ptr<Callback> callback) const {
  state->callbacks.push_back(std::move(callback));
}

void Estimator::requestStop() const noexcept { state->stopRequested = true; }
bool Estimator::isStopRequested() const noexcept {
  return state->stopRequested;
}

const RunConfig &Estimator::config() const { return state->config; }
const HParams &Estimator::params() const { return state->params; }

double EvaluationResult::at(const std::string &tag) const {
  std::string known;
  for (const auto &[name, value] : values) {
    if (name == tag)
      return value;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw data::DataError("expected one of the values " + known + ", found '" +
                        tag + "'");
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

namespace {
/// Passes a request to stop on to a trainer, and writes the hyper-parameters.
class RunCallback : public Callback {
public:
  RunCallback(const Estimator &run, Trainer &owner)
      : estimator(run), trainer(owner) {}

  std::string name() const override { return "estimator"; }
  void beforeTrain(TrainingState &) override {
    estimator.params().save(
        (std::filesystem::path(estimator.config().directory) / "hparams.json")
            .string());
  }
  void beforeStep(TrainingState &) override { pass(); }
  void afterStep(TrainingState &) override { pass(); }

private:
  void pass() {
    if (estimator.isStopRequested())
      trainer.requestStop();
  }

  const Estimator &estimator;
  Trainer &trainer;
};

/// Evaluates the variables of a training.
class EvaluationCallback : public Callback {
public:
  EvaluationCallback(Evaluation chosen, const Model &loaded, Context made,
                     uint64_t every, EvaluationEvents &written)
      : evaluation(std::move(chosen)), model(loaded), context(std::move(made)),
        frequency(every), events(written) {}

  std::string name() const override { return "evaluation"; }
  void triggerStep(TrainingState &training) override {
    const uint64_t step = training.step();
    if (step != training.options().steps && (!frequency || step % frequency))
      return;
    copyVariables(training.model(), training.context(), model, context);
    const EvaluationNumbers numbers = evaluation.run(context);
    for (const auto &[tag, value] : numbers.values)
      training.log("eval/" + tag, value);
    events.write(step, numbers);
  }

private:
  Evaluation evaluation;
  Model model;
  Context context;
  uint64_t frequency;
  EvaluationEvents &events;
};
} // namespace

TrainingResult
Estimator::train(const InputFunction &input, uint64_t maxSteps,
                 const std::optional<EvaluationOptions> &evaluated) const {
  const RunConfig &config = state->config;
  const InputData data = input();
  Trainer trainer(state->compile(ModeKey::train, data).model, data.batches,
                  {.directory = config.directory,
                   .steps = maxSteps,
                   .seed = config.seed,
                   .threads = config.threads,
                   .saveSteps = config.saveSteps,
                   .summarySteps = config.summarySteps,
                   .keep = config.keep,
                   .loader = config.loader,
                   .pipeline = data.pipeline,
                   .host = config.host,
                   .notice = config.notice});
  trainer.add(std::make_shared<RunCallback>(*this, trainer));
  if (evaluated) {
    const InputData tested = evaluated->input();
    const Compiled &compiled = state->compile(ModeKey::evaluate, tested);
    trainer.add(std::make_shared<EvaluationCallback>(
        Evaluation(compiled, tested, evaluated->metrics, evaluated->steps,
                   config),
        compiled.model, state->context(compiled.model), evaluated->frequency,
        state->events));
  }
  for (const std::shared_ptr<Callback> &callback : state->callbacks)
    trainer.add(callback);
  return trainer.run();
}

//===----------------------------------------------------------------------===//
// Evaluation and prediction
//===----------------------------------------------------------------------===//

EvaluationResult Estimator::evaluate(const InputFunction &input,
                                     const MetricSpecs &metrics,
                                     uint64_t steps) const {
  const InputData data = input();
  const Compiled &compiled = state->compile(ModeKey::evaluate, data);
  const Evaluation evaluation(compiled, data, metrics, steps, state->config);
  Context context = state->context(compiled.model);
  const uint64_t step = state->restore(context);
  const EvaluationNumbers numbers = evaluation.run(context);
  state->events.write(step, numbers);
  return {.step = step, .values = numbers.values};
}

void Estimator::predict(const InputFunction &input,
                        const PredictionFunction &use) const {
  const InputData data = input();
  const std::string name = nameOf(ModeKey::predict);
  const Model model = state->compile(ModeKey::predict, data).model;
  Context context = state->context(model);
  state->restore(context);
  context.setSeed(state->config.seed);
  data::Loader batches(data.batches, state->config.loader);
  while (const data::Example *batch = batches.next())
    use(*batch,
        context.run(name, inputsOf(model, name, data.batches.type(), *batch)));
}

/// Joins features along dimension 0.
static data::Feature join(const std::vector<data::Feature> &parts) {
  std::vector<int64_t> shape = parts.front().shape();
  if (shape.empty())
    throw data::DataError(
        "expected predictions for each example, found one number");
  shape[0] = 0;
  for (const data::Feature &part : parts) {
    if (!std::ranges::equal(part.shape() | std::views::drop(1),
                            shape | std::views::drop(1)))
      throw data::DataError(
          "expected predictions of one shape in all batches, found several");
    shape[0] += part.shape()[0];
  }
  data::Feature joined(parts.front().dtype(), shape);
  std::byte *next = joined.data();
  for (const data::Feature &part : parts) {
    if (part.byteCount())
      std::memcpy(next, part.data(), part.byteCount());
    next += part.byteCount();
  }
  return joined;
}

std::map<std::string, data::Feature>
Estimator::predict(const InputFunction &input) const {
  const InputData data = input();
  const Model model = state->compile(ModeKey::predict, data).model;
  const tg_function_t &table = model.function(nameOf(ModeKey::predict));
  std::map<std::string, std::vector<data::Feature>> parts;
  predict([&] { return data; },
          [&](const data::Example &, const Outputs &outputs) {
            for (uint32_t i = 0; i < table.output_count; ++i)
              parts[table.outputs[i]->name].push_back(
                  copyOf(outputs, *table.outputs[i]));
          });
  std::map<std::string, data::Feature> joined;
  for (const auto &[name, features] : parts)
    joined.emplace(name, join(features));
  return joined;
}
