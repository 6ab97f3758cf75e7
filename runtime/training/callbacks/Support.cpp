//===- Support.cpp - shared parts of callbacks ----------------------------===//
#include "Support.h"

#include "runtime/training/loop/Feed.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

using namespace tg;
using namespace tg::training;

std::optional<double> training::find(const Scalars &scalars,
                                     const std::string &tag) {
  for (const auto &[known, value] : scalars)
    if (known == tag)
      return value;
  return std::nullopt;
}

/// Returns a view of an output.
static NamedTensor viewOf(const tg_value_t &output, const Outputs &outputs) {
  const std::span<const int64_t> shape = outputs.shape(output.name);
  tg_tensor_t tensor = {};
  tensor.data = const_cast<char *>(outputs.bytes(output.name).data());
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(shape.size());
  tensor.dtype = output.dtype;
  tensor.shape = const_cast<int64_t *>(shape.data());
  return {output.name, tensor};
}

std::vector<NamedTensor> training::outputsOf(const tg_function_t &function,
                                             const Outputs &outputs) {
  std::vector<NamedTensor> tensors;
  for (uint32_t i = 0; i < function.output_count; ++i)
    tensors.push_back(viewOf(*function.outputs[i], outputs));
  return tensors;
}

std::vector<NamedTensor>
training::outputsOf(const TrainingState &state,
                    const std::vector<std::string> &names) {
  const tg_function_t &function =
      findFunction(state.model(), state.options().function);
  const Outputs &outputs = state.outputs();
  std::vector<NamedTensor> tensors;
  for (const std::string &name : names) {
    outputs.shape(name); // throws for a name that is no output
    for (uint32_t i = 0; i < function.output_count; ++i)
      if (name == function.outputs[i]->name)
        tensors.push_back(viewOf(*function.outputs[i], outputs));
  }
  return tensors;
}

std::vector<NamedTensor> training::featuresOf(const data::ExampleType &type,
                                              const data::Example &batch) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i < type.size(); ++i)
    tensors.push_back({type[i].name, batch.features[i].tensor()});
  return tensors;
}

std::vector<Input> training::numbersFor(const TrainingState &state,
                                        const tg_function_t &function,
                                        const data::ExampleType &features) {
  std::vector<Input> inputs;
  for (uint32_t i = 0; i < function.input_count; ++i) {
    const tg_value_t &input = *function.inputs[i];
    const bool isFeature =
        std::ranges::any_of(features, [&](const data::FeatureType &feature) {
          return feature.name == input.name;
        });
    if (!isFeature && !detail::isSuppliedByContext(input))
      inputs.push_back({input.name, state.get(input.name)});
  }
  return inputs;
}

std::string training::pathIn(const std::string &directory,
                             const TrainingState &state,
                             const std::string &file,
                             const std::string &callback) {
  const std::filesystem::path in =
      directory.empty() ? state.options().directory : directory;
  if (in.empty())
    throw data::DataError("expected a directory for '" + callback +
                          "' or for the training, found none");
  std::error_code error;
  std::filesystem::create_directories(in, error);
  if (error)
    throw data::DataError(in.string() +
                          ": cannot make the directory: " + error.message());
  return in / file;
}

double training::now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string training::shortText(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number,
                              std::chars_format::general, 6)
                    .ptr};
}
