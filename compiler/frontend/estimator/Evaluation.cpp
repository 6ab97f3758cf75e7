//===- Evaluation.cpp - predictions and metrics of batches ----------------===//
#include "compiler/frontend/estimator/Evaluation.h"
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/summaries/Summaries.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::estimator;
using namespace tg::training;

static constexpr const char *evaluateFunction = "evaluate";

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

std::vector<Input> estimator::inputsOf(const Model &model,
                                       const std::string &function,
                                       const data::ExampleType &type,
                                       const data::Example &batch) {
  const tg_function_t &table = model.function(function);
  std::vector<Input> inputs;
  for (uint32_t i = 0; i < table.input_count; ++i)
    for (size_t feature = 0; feature < type.size(); ++feature)
      if (type[feature].name == table.inputs[i]->name)
        inputs.push_back(
            {table.inputs[i]->name, batch.features[feature].tensor()});
  return inputs;
}

data::Feature estimator::copyOf(const Outputs &outputs,
                                const tg_value_t &output) {
  const std::span<const int64_t> shape = outputs.shape(output.name);
  data::Feature copy(output.dtype, {shape.begin(), shape.end()});
  const std::span<const char> bytes = outputs.bytes(output.name);
  if (!bytes.empty())
    std::memcpy(copy.data(), bytes.data(), bytes.size());
  return copy;
}

/// Returns an output as a tensor, which lives as long as the outputs.
static tg_tensor_t tensorOf(const Outputs &outputs, const tg_value_t &output) {
  const std::span<const int64_t> shape = outputs.shape(output.name);
  tg_tensor_t tensor = {};
  tensor.data = const_cast<char *>(outputs.bytes(output.name).data());
  tensor.device = {TG_DEVICE_CPU, 0};
  tensor.ndim = static_cast<int32_t>(shape.size());
  tensor.dtype = output.dtype;
  tensor.shape = const_cast<int64_t *>(shape.data());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Evaluations
//===----------------------------------------------------------------------===//

/// Returns true if only summaries show an output.
static bool isOfSummaries(const tg_value_t &output) {
  return std::string_view(output.name).starts_with(summaryPrefix);
}

Evaluation::Evaluation(const Compiled &compiled, InputData read,
                       const MetricSpecs &given, uint64_t count,
                       const RunConfig &config)
    : model(compiled.model), summaries(compiled.summaries),
      data(std::move(read)), specs(given), steps(count), seed(config.seed),
      loader(config.loader) {
  if (data.batches.hasRandomAccess() && !data.batches.size() && !steps)
    throw data::DataError("expected a data set with an end, or a number of "
                          "steps, to evaluate, found an endless one");
}

void Evaluation::add(MetricSet &metrics, const data::Example &batch,
                     const Outputs &outputs) const {
  const tg_function_t &table = model.function(evaluateFunction);
  const data::ExampleType &type = data.batches.type();
  std::vector<NamedTensor> labels, predictions;
  for (size_t i = 0; i < type.size(); ++i)
    if (std::ranges::find(data.labels, type[i].name) != data.labels.end())
      labels.push_back({type[i].name, batch.features[i].tensor()});
  for (uint32_t i = 0; i < table.output_count; ++i)
    if (table.outputs[i]->rank && !isOfSummaries(*table.outputs[i]))
      predictions.push_back(
          {table.outputs[i]->name, tensorOf(outputs, *table.outputs[i])});
  metrics.add(labels, predictions,
              static_cast<uint64_t>(batch.features.front().shape()[0]));
}

Summary Evaluation::summarize(const Outputs &outputs) const {
  const tg_function_t &table = model.function(evaluateFunction);
  std::vector<Array> arrays;
  for (uint32_t i = 0; i < table.output_count; ++i)
    if (isOfSummaries(*table.outputs[i])) {
      const auto copy =
          std::make_shared<data::Feature>(copyOf(outputs, *table.outputs[i]));
      arrays.emplace_back(dsl::elementTypeOf(copy->dtype()), copy->shape(),
                          copy, copy->data());
    }
  Summary summary;
  std::span<const Array> rest(arrays);
  for (const auto &part : summaries.parts) {
    dsl::addValue(*part, rest.first(part->tensors.size()), summary);
    rest = rest.subspan(part->tensors.size());
  }
  return summary;
}

EvaluationNumbers Evaluation::run(Context &context) const {
  const tg_function_t &table = model.function(evaluateFunction);
  std::vector<std::pair<std::string, Mean>> means;
  for (uint32_t i = 0; i < table.output_count; ++i)
    if (!table.outputs[i]->rank && !isOfSummaries(*table.outputs[i]))
      means.emplace_back(table.outputs[i]->name, Mean());
  MetricSet metrics;
  for (const auto &[tag, spec] : specs)
    metrics.add(tag, spec);
  metrics.reset();
  EvaluationNumbers numbers;
  context.setSeed(seed);
  data::Loader batches(data.batches, loader);
  uint64_t step = 0;
  for (; !steps || step < steps; ++step) {
    const data::Example *batch = batches.next();
    if (!batch)
      break;
    const Outputs &outputs =
        context.run(evaluateFunction, inputsOf(model, evaluateFunction,
                                               data.batches.type(), *batch));
    for (auto &[name, mean] : means)
      mean.add(outputs.scalar(name),
               static_cast<uint64_t>(batch->features.front().shape()[0]));
    add(metrics, *batch, outputs);
    if (!step)
      numbers.summary = summarize(outputs);
  }
  if (!step)
    throw data::DataError(
        "expected at least one batch to evaluate, found none");
  for (const auto &[name, mean] : means)
    numbers.values.emplace_back(name, mean.value());
  for (auto &value : metrics.values())
    numbers.values.push_back(std::move(value));
  return numbers;
}
