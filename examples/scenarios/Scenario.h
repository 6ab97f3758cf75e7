/// What the scenarios share: from a program to a model, and checks of numbers.
#ifndef TG_EXAMPLES_SCENARIOS_SCENARIO_H
#define TG_EXAMPLES_SCENARIOS_SCENARIO_H

#include <tg/runtime.hpp>
#include <tg/tg.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/// Compiles a program and loads the library, whose file is gone afterwards.
inline tg::Model load(const tg::Program &program) {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("scenario-" + std::to_string(getpid()) + ".so");
  program.compile(path.string(), {.optimization = 1, .levels = {2}});
  tg::Model model = tg::Model::load(path.string());
  std::filesystem::remove(path);
  return model;
}

/// Throws unless the condition holds.
inline void check(bool holds, const std::string &what) {
  if (!holds)
    throw std::runtime_error("expected " + what);
}

/// Prints an output, and throws where it is not what it should be.
inline void expect(const tg::Outputs &outputs, const std::string &name,
                   const std::vector<float> &expected,
                   double tolerance = 1e-5) {
  std::printf("%s =", name.c_str());
  for (float number : outputs.values<float>(name))
    std::printf(" %g", number);
  std::printf("\n");
  check(outputs.values<float>(name).size() == expected.size(),
        std::to_string(expected.size()) + " numbers of " + name);
  for (size_t i = 0; i < expected.size(); ++i) {
    float found = outputs.values<float>(name)[i];
    bool isSame = found == expected[i] ||
                  (std::isnan(found) && std::isnan(expected[i])) ||
                  std::abs(found - expected[i]) <= tolerance;
    check(isSame, std::to_string(expected[i]) + " at " + std::to_string(i) +
                      " of " + name + ", found " + std::to_string(found));
  }
}

#endif // TG_EXAMPLES_SCENARIOS_SCENARIO_H
