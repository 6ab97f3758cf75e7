/// Tools for the scenarios of eager and graph mode: one source, both modes.
#ifndef TG_EXAMPLES_SCENARIOS_MODES_H
#define TG_EXAMPLES_SCENARIOS_MODES_H

#include "Scenario.h"

using Values = std::vector<std::vector<float>>;

/// Returns the elements of the tensors that `build` creates in a program of a
/// mode: immediately, or as outputs of a compiled function.
template <typename Build> Values valuesOf(bool eagerly, Build build) {
  tg::ExecutionScope scope(eagerly);
  tg::Program program("net");
  program.setSeed(1);
  std::vector<tg::Tensor> tensors = build(program);
  Values values;
  if (eagerly) {
    for (const tg::Tensor &tensor : tensors)
      values.push_back(tensor.values<float>());
    return values;
  }
  tg::FunctionOptions options;
  for (size_t i = 0; i < tensors.size(); ++i)
    options.outputs.push_back({"y" + std::to_string(i), tensors[i]});
  program.function("f", options);
  tg::Context context = load(program).context({.seed = 1});
  const tg::Outputs &found = context.run("f", {});
  for (const tg::Output &output : options.outputs) {
    std::span<const float> row = found.values<float>(output.name);
    values.emplace_back(row.begin(), row.end());
  }
  return values;
}

/// Throws if numbers differ by more than the tolerance.
inline void expectNear(const std::vector<float> &found,
                       const std::vector<float> &expected,
                       double tolerance = 1e-5) {
  check(found.size() == expected.size(),
        std::to_string(expected.size()) + " numbers");
  for (size_t i = 0; i < found.size(); ++i)
    check(std::abs(found[i] - expected[i]) <=
              tolerance * std::max(1.0f, std::abs(expected[i])),
          std::to_string(expected[i]) + " at " + std::to_string(i) +
              ", found " + std::to_string(found[i]));
}

/// Returns and prints valuesOf() in both modes, and throws if they disagree.
template <typename Build>
Values valuesOfBothModes(Build build, double tolerance = 1e-5) {
  Values eager = valuesOf(true, build);
  Values graph = valuesOf(false, build);
  check(eager.size() == graph.size(),
        "the same number of tensors in both modes");
  for (size_t i = 0; i < eager.size(); ++i) {
    expectNear(eager[i], graph[i], tolerance);
    std::printf("both modes:");
    for (size_t k = 0; k < eager[i].size() && k < 8; ++k)
      std::printf(" %g", eager[i][k]);
    std::printf(eager[i].size() > 8 ? " ...\n" : "\n");
  }
  return eager;
}

/// Throws unless `run` throws a GraphError whose message contains `words`.
template <typename Run> void expectRefusal(Run run, const std::string &words) {
  try {
    run();
  } catch (const tg::GraphError &error) {
    std::printf("%s\n", error.message.c_str());
    check(error.message.find(words) != std::string::npos,
          "a message with '" + words + "', found '" + error.message + "'");
    return;
  }
  throw std::runtime_error("expected an error with '" + words +
                           "', found none");
}

#endif // TG_EXAMPLES_SCENARIOS_MODES_H
