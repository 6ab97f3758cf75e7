/// The penalty of the variables that match a regular expression: half the
/// squares of the weights of the fc layers, 0 in an inference tower. It affects
/// a loss only if it is added.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

int main() {
  Program program("penalty");
  Tensor x = program.input("x", f32, {2, 3});
  Tensor loss, cost, unmatched, inference;
  double first = 0.5, second = -2;
  auto build = [&] {
    Tensor y = sym::FullyConnected("fc0", x, 4,
                                   {.kernelInitializer = Initializer(first)});
    y = sym::FullyConnected("fc1", y, 5,
                            {.kernelInitializer = Initializer(second)});
    return Tensor(sym::FullyConnected("linear", y, 6));
  };
  {
    sym::TowerContext tower(program, "", {.isTraining = true});
    loss = reduceSum(0.0 * build());
    cost = sym::regularizeCost("fc.*/W", l2Loss);
    unmatched = sym::regularizeCost("conv.*/W", l2Loss);
  }
  {
    VariableScope reuse(program, "", {.reuse = Reuse::yes});
    sym::TowerContext tower(program, "predict", {.isTraining = false});
    build();
    inference = sym::regularizeCost("fc.*/W", l2Loss);
  }
  program.function("run", {.inputs = {x},
                           .outputs = {{"cost", cost},
                                       {"unmatched", unmatched},
                                       {"predicting", inference},
                                       {"loss", loss},
                                       {"total", loss + 1e-2 * cost}}});
  Context context = load(program).context({.seed = 1});
  std::vector<float> rows(6, 1);
  float expected =
      float((12 * first * first + 20 * second * second) / 2); // 41.5
  const Outputs &outputs = context.run("run", {{"x", rows}});
  expect(outputs, "cost", {expected});
  expect(outputs, "unmatched", {0});
  expect(outputs, "predicting", {0});
  expect(outputs, "loss", {0});
  expect(outputs, "total", {expected / 100});
}
