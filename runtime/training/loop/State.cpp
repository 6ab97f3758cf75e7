//===- State.cpp - the state of a training, for callbacks -----------------===//
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
                                const std::string &name) {
  const tg_function_t &tested = findTest(trained, name);
  const Feed tests(tested, read);
  tests.expectValues(inputs);
  if (read.hasRandomAccess() && !read.size())
    throw data::DataError("expected a data set with an end for '" + name +
                          "', found an endless one");
  // The samples are the same for any numbers of evaluations before.
  if (drawsSamples(tested))
    running->setSeed(static_cast<int64_t>(
        data::hashCounters({static_cast<uint64_t>(chosen.seed), finished, 1})));
  Scalars sums;
  for (const std::string &output : scalarOutputs(tested))
    sums.emplace_back(output, 0);
  data::Loader loader(read, chosen.loader);
  uint64_t count = 0;
  while (const data::Example *examples = loader.next()) {
    const Outputs &outputs =
        running->run(name, tests.inputs(*examples, inputs));
    const uint64_t rows = rowsOf(*examples);
    for (auto &[output, sum] : sums)
      sum += outputs.scalar(output) * static_cast<double>(rows);
    count += rows;
  }
  if (!count)
    throw data::DataError("expected at least one example for '" + name +
                          "', found none");
  for (auto &[output, sum] : sums)
    sum /= static_cast<double>(count);
  return sums;
}
