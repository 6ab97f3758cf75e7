//===- ModelFunctions.cpp - a model function as a library for each mode ---===//
#include "compiler/frontend/body/Names.h"
#include "compiler/frontend/estimator/State.h"
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/summaries/Summaries.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;
using namespace tg::estimator;

std::string estimator::nameOf(ModeKey mode) {
  return mode == ModeKey::train      ? "train"
         : mode == ModeKey::evaluate ? "evaluate"
                                     : "predict";
}

data::ExampleType estimator::selectLabels(const InputData &data,
                                          bool areLabels) {
  data::ExampleType selected;
  for (const data::FeatureType &type : data.batches.type())
    if (areLabels ==
        (std::ranges::find(data.labels, type.name) != data.labels.end()))
      selected.push_back(type);
  return selected;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

InputTensors::InputTensors(Program owner, data::ExampleType available)
    : program(std::move(owner)), types(std::move(available)),
      made(types.size()) {}

std::vector<std::string> InputTensors::names() const {
  std::vector<std::string> names;
  for (const data::FeatureType &type : types)
    names.push_back(type.name);
  return names;
}

Tensor InputTensors::operator[](const FeatureName &feature) const {
  const auto found =
      std::ranges::find(types, feature.name, &data::FeatureType::name);
  if (found == types.end())
    throw GraphError("expected the name of a feature, found '" + feature.name +
                         "'" + suggestOf(feature.name, names()),
                     feature.where);
  return input(static_cast<size_t>(found - types.begin()), feature.where);
}

Tensor InputTensors::only(std::source_location where) const {
  if (types.size() == 1)
    return input(0, where);
  std::string found;
  for (const data::FeatureType &type : types)
    found += (found.empty() ? "" : ", ") + type.name;
  throw GraphError(
      "expected one feature, found " + (found.empty() ? "none" : found), where);
}

Tensor InputTensors::input(size_t index, std::source_location where) const {
  if (made[index].isDefined())
    return made[index];
  const data::FeatureType &type = types[index];
  if (type.shape.empty())
    throw GraphError("expected feature '" + type.name +
                         "' in batches, found single examples",
                     where);
  Shape shape;
  for (size_t axis = 0; axis < type.shape.size(); ++axis)
    shape.push_back(type.shape[axis] != data::FeatureType::anyExtent
                        ? Extent(type.shape[axis])
                    : axis ? dim(type.name + "_" + std::to_string(axis))
                           : dim("batch"));
  DType dtype = f32;
  try {
    dtype = elementTypeOf(type.dtype);
  } catch (const std::runtime_error &error) {
    throw GraphError("feature '" + type.name + "': " + error.what(), where);
  }
  made[index] = program.input(type.name, dtype, shape, where);
  inputs.push_back(made[index]);
  return made[index];
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Throws unless the model function has returned what a mode needs.
static void check(const ModelFunctionSpec &spec, ModeKey mode) {
  const char *missing = nullptr;
  if (mode == ModeKey::train)
    missing = !spec.loss.isDefined() ? "a loss"
              : !spec.updates.body() ? "updates"
                                     : nullptr;
  else if (mode == ModeKey::predict)
    missing = spec.predictions.empty() ? "predictions" : nullptr;
  else if (spec.predictions.empty() && spec.metrics.empty() &&
           !spec.loss.isDefined())
    missing = "a loss, metrics or predictions";
  if (missing)
    throw GraphError("expected a model function that returns " +
                         std::string(missing) + " to " + nameOf(mode) +
                         ", found none",
                     "", 0, 0);
}

/// Adds the scalars of summaries, except those whose names are taken.
static void addScalars(const Program &program, std::vector<Output> &outputs) {
  for (Output &scalar : summaryOutputs(program))
    if (std::ranges::find(outputs, scalar.name, &Output::name) == outputs.end())
      outputs.push_back(std::move(scalar));
}

/// Adds the tensors that summaries show.
static void addTensors(const SummaryOp &summaries,
                       std::vector<Output> &outputs) {
  size_t count = 0;
  for (const auto &part : summaries.parts)
    for (const Id id : part->tensors)
      outputs.push_back(
          {summaryOutput(count++), identity(Tensor(summaries.owner, id))});
}

SummaryOp Estimator::State::define(const Program &program, ModeKey mode,
                                   const InputData &data) {
  const DefaultGraph graph = program.asDefault();
  const InputTensors features(program, selectLabels(data, false));
  const InputTensors labels(program, mode == ModeKey::predict
                                         ? data::ExampleType()
                                         : selectLabels(data, true));
  const ModelFunctionSpec spec = function(features, labels, mode, params);
  check(spec, mode);
  FunctionOptions options;
  options.inputs = features.used();
  options.inputs.insert(options.inputs.end(), labels.used().begin(),
                        labels.used().end());
  const auto append = [&](const std::vector<Output> &outputs) {
    options.outputs.insert(options.outputs.end(), outputs.begin(),
                           outputs.end());
  };
  if (mode != ModeKey::predict) {
    if (spec.loss.isDefined())
      options.outputs.push_back({"loss", spec.loss});
    append(spec.metrics);
  }
  if (mode != ModeKey::train)
    append(spec.predictions);
  SummaryOp summaries;
  if (mode == ModeKey::train) {
    options.updates = spec.updates;
    addScalars(program, options.outputs);
  } else if (mode == ModeKey::evaluate) {
    summaries = mergeAllSummaries(program);
    addTensors(summaries, options.outputs);
  }
  Program(program).function(nameOf(mode), options);
  return summaries;
}

const Compiled &Estimator::State::compile(ModeKey mode, const InputData &data) {
  std::string type;
  for (const data::FeatureType &feature : data.batches.type())
    type += feature.name + " " + feature.text() + "\n";
  for (const std::string &label : data.labels)
    type += label + "\n";
  const std::pair key(mode, type);
  if (const auto found = models.find(key); found != models.end())
    return found->second;
  Program program("model");
  if (config.notice)
    program.onWarning([notice = config.notice](const Warning &warning) {
      notice(warning.text());
    });
  const SummaryOp summaries = define(program, mode, data);
  const Model model = loadCompiled(program, nameOf(mode), config);
  return models.emplace(key, Compiled{model, summaries}).first->second;
}
