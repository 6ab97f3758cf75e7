/// A network is built for training and, with reuse, again for inference: no new
/// variables. Batch normalization uses the batch in training and its averages
/// in inference; dropout is active only in training.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

static Tensor build(Tensor x) {
  return sym::LinearWrap(x)
      .FullyConnected("fc", 2, {.kernelInitializer = ones()})
      .BatchNorm("bn")
      .Dropout("drop", 0.5)();
}

int main() {
  Program program("towers");
  Tensor x = program.input("x", f32, {4, 1});
  Tensor trained, predicted;
  {
    sym::TowerContext tower(program, "", {.isTraining = true});
    trained = build(x);
  }
  size_t variables = program.variables().size();
  int64_t parameters = program.parameterCount();
  {
    VariableScope reuse(program, "", {.reuse = Reuse::yes});
    sym::TowerContext tower(program, "x", {.isTraining = false});
    predicted = build(x);
    // Creating a variable under reuse is an error at the line of the call.
    try {
      sym::FullyConnected("new", x, 1);
      check(false, "an error");
    } catch (const GraphError &error) {
      std::printf("%s\n", error.message.c_str());
    }
  }
  check(program.variables().size() == variables, "no new variable");
  check(program.parameterCount() == parameters && parameters == 2 + 2 + 2 + 2,
        "8 parameters");

  sym::trainFunction(program, "train",
                     {.inputs = {x}, .outputs = {{"y", trained}}});
  program.function("predict", {.inputs = {x}, .outputs = {{"y", predicted}}});
  Context context = load(program).context({.seed = 1});
  std::vector<float> rows = {1, 2, 3, 6}; // mean 3, variance 3.5
  std::span<const float> y =
      context.run("train", {{"x", rows}}).values<float>("y");
  for (size_t i = 0; i < y.size(); ++i) {
    float scaled = 2 * (rows[i / 2] - 3) / std::sqrt(3.5f + 1e-5f);
    check(y[i] == 0 || std::abs(y[i] - scaled) < 1e-5,
          "0 or twice the normalized input");
  }
  // mean 0.1 · 3, variance 0.9 + 0.1 · 3.5
  std::vector<float> expected;
  for (float row : rows)
    expected.insert(expected.end(), 2, (row - 0.3f) / std::sqrt(1.25f + 1e-5f));
  expect(context.run("predict", {{"x", rows}}), "y", expected);
  expect(context.run("predict", {{"x", rows}}), "y", expected);
}
