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

std::vector<NamedTensor>
training::outputsOf(const TrainingState &state,
                    const std::vector<std::string> &names) {
  const tg_function_t &function =
      findFunction(state.model(), state.options().function);
  std::vector<NamedTensor> tensors;
  for (const std::string &name : names)
    tensors.push_back(outputOf(function, state.outputs(), name));
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
