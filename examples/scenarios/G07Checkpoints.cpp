/// A variable saved in eager mode, 5.2, replaces the 13.14 of a graph, and the
/// other way round. With the optimizer's slots training continues identically.
#include "Modes.h"
using namespace tg;

/// Returns x² as a compiled model with a given initial value of x.
static Model compileFrom(double first) {
  ExecutionScope scope(false);
  Program program("minimum");
  Variable x = program.variable("x", f32, {}, Initializer(first));
  program.function("train",
                   {.updates = Adam({.learningRate = 0.1}).minimize(x * x)});
  program.function("look", {.outputs = {{"x", x}}});
  return load(program);
}

/// The same model in eager mode.
struct Eager {
  ExecutionScope scope{true};
  Program program{"minimum"};
  Variable x;

  explicit Eager(double first)
      : x(program.variable("x", f32, {}, Initializer(first))) {}
  void train(int steps) {
    for (int i = 0; i < steps; ++i)
      (void)Adam({.learningRate = 0.1}).minimize([&] { return x * x; });
  }
};

int main() {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("g07-" + std::to_string(getpid()) + ".safetensors"))
                         .string();
  Eager eager(5.2);
  expectRefusal(
      [&] { Saver all(eager.program); },
      "expected a variable, or a list or map of variables, to save in "
      "eager execution, found a program");
  eager.train(1);
  (void)assign(eager.x, 5.2);
  Saver(eager.x).save(path);
  Context graph = compileFrom(13.14).context({.seed = 1});
  graph.load(path);
  expect(graph.run("look", {}), "x", {5.2f});

  // The file contains the slots, so both continue identically.
  eager.train(10);
  for (int i = 0; i < 10; ++i)
    graph.run("train", {});
  expect(graph.run("look", {}), "x", eager.x.values<float>(), 1e-5);

  graph.save(path);
  Eager other(13.14);
  Saver(other.x).restore(path);
  expect(graph.run("look", {}), "x", other.x.values<float>(), 0);
  other.train(10);
  for (int i = 0; i < 10; ++i)
    graph.run("train", {});
  expect(graph.run("look", {}), "x", other.x.values<float>(), 1e-5);
  std::filesystem::remove(path);
}
