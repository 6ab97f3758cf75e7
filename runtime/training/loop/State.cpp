//===- State.cpp - the state of a training, for callbacks -----------------===//
#include "Evaluation.h"
#include "Loop.h"
#include "Variables.h"

using namespace tg;
using namespace tg::training;

const data::Example &Trainer::Loop::batch() const {
  return const_cast<std::optional<Batches> &>(batches)->current();
}

const Outputs &Trainer::Loop::outputs() const {
  if (!results)
    throw data::DataError("expected outputs after a step, found no step yet");
  return *results;
}

void Trainer::Loop::log(const std::string &tag, double value) {
  lastValues[tag] = value;
  for (auto &[known, logged] : summary)
    if (known == tag) {
      logged = value;
      return;
    }
  summary.emplace_back(tag, value);
}

std::optional<double> Trainer::Loop::scalar(const std::string &tag) const {
  const auto found = lastValues.find(tag);
  if (found == lastValues.end())
    return std::nullopt;
  return found->second;
}

/// Returns the index of a variable of one element. Throws RuntimeError.
static uint32_t expectNumber(const Model &model, const std::string &name) {
  if (const std::optional<uint32_t> variable = findNumber(model, name))
    return *variable;
  throw RuntimeError(TG_ERROR_NOT_FOUND,
                     "no input or variable of one number is called '" + name +
                         "', expected such a name");
}

void Trainer::Loop::set(const std::string &name, double value) {
  if (feed.takesNumber(name))
    inputs[name] = value;
  else
    setNumber(trained, *running, expectNumber(trained, name), value);
}

double Trainer::Loop::get(const std::string &name) const {
  const auto input = inputs.find(name);
  return input != inputs.end()
             ? input->second
             : getNumber(trained, *running, expectNumber(trained, name));
}

void Trainer::Loop::stop(const std::string &reason) {
  if (!stopReason)
    stopReason = reason;
  isSaved = false; // the reason is part of checkpoints
}

Scalars Trainer::Loop::evaluate(const data::Dataset &read,
                                const std::string &name,
                                const MetricSpecs &specs) {
  const Evaluation evaluation(trained, name, read, specs);
  evaluation.expectValues(inputs);
  // The samples are the same for any numbers of evaluations before.
  if (drawsSamples(findFunction(trained, name)))
    running->setSeed(static_cast<int64_t>(
        data::hashCounters({static_cast<uint64_t>(chosen.seed), finished, 1})));
  return evaluation.run(*running, inputs, chosen.loader);
}
