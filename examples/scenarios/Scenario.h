/// Tools for the scenarios: compilation of programs, and checks of numbers.
#ifndef TG_EXAMPLES_SCENARIOS_SCENARIO_H
#define TG_EXAMPLES_SCENARIOS_SCENARIO_H

#include <tg/runtime.hpp>
#include <tg/tg.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/// Compiles a program, loads the library and removes its file.
inline tg::Model load(const tg::Program &program,
                      const tg::ModelOptions &options = {.optimization = 1,
                                                         .levels = {2}}) {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("scenario-" + std::to_string(getpid()) + ".so");
  program.compile(path.string(), options);
  tg::Model model = tg::Model::load(path.string());
  std::filesystem::remove(path);
  return model;
}

/// Throws unless the condition holds.
inline void check(bool holds, const std::string &what) {
  if (!holds)
    throw std::runtime_error("expected " + what);
}

/// Prints an output, and throws if it differs from `expected`.
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

/// Prints the result of a session, and throws if it differs from `expected`.
inline void expect(const std::string &name, const tg::Array &found,
                   const std::vector<double> &expected,
                   double tolerance = 1e-5) {
  std::cout << name << " = " << found << '\n';
  check(found.size() == expected.size(),
        std::to_string(expected.size()) + " numbers of " + name);
  for (size_t i = 0; i < expected.size(); ++i)
    check(std::abs(found.at(i) - expected[i]) <= tolerance,
          std::to_string(expected[i]) + " at " + std::to_string(i) + " of " +
              name + ", found " + std::to_string(found.at(i)));
}

/// Throws unless `run` fails with an error that contains these words.
template <typename Run> void expectError(const std::string &words, Run run) {
  try {
    run();
  } catch (const tg::GraphError &error) {
    std::cout << error.what() << '\n';
    check(error.line != 0 && error.message.find(words) != std::string::npos,
          "a line and '" + words + "' in '" + error.what() + "'");
    return;
  }
  check(false, "an error with '" + words + "', found none");
}

/// Returns the contents of the file that writeGraph() writes: a drawing if the
/// name ends in .dot, otherwise the text of the graph.
inline std::string graphFile(const tg::Program &graph,
                             const std::string &name) {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("scenario-" + std::to_string(getpid()) + "-" + name);
  graph.writeGraph(path.string());
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

#endif // TG_EXAMPLES_SCENARIOS_SCENARIO_H
