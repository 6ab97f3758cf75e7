/// Tensorpack's summaries are outputs of a compiled training step: the moving
/// average of the cost with decay 0.5 is 4, then (1 + 1/2) / (1 - 1/4) = 2
/// and so on without a bias to zero; the root mean square of a weight of ones
/// is 1; half of the activations are zero.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;
using sym::SummaryType;

int main() {
  Program program("summaries");
  Tensor x = program.input("x", f32, {2, 1});
  {
    sym::TowerContext tower(program, "tower0", {.isTraining = true});
    Tensor y = sym::FullyConnected("fc", x, 2, {.kernelInitializer = ones()});
    Tensor active = relu(y).named("active");
    Tensor cost = reduceSum(active).named("cost");
    sym::addMovingSummary({cost}, {.decay = 0.5});
    sym::addParamSummary({{".*/W", {SummaryType::rms}}});
    sym::addActivationSummary(active, {SummaryType::sparsity});
  }
  sym::trainFunction(program, "train", {.inputs = {x}});
  for (const std::string &tag : mergeAllSummaries(program).tags())
    std::cout << tag << '\n';

  Context context = load(program).context({.seed = 1});
  double biased = 0, weight = 1;
  for (float cost : {4.f, 1.f, 10.f}) {
    std::vector<float> rows = {-1, cost / 2};
    Outputs outputs = context.run("train", {{"x", rows}});
    biased = 0.5 * biased + 0.5 * cost;
    weight *= 0.5;
    expect(outputs, "cost-summary", {float(biased / (1 - weight))});
    expect(outputs, "param-summary/fc/W-rms", {1});
    expect(outputs, "activation-summary/active-sparsity", {0.5});
  }
  check(std::abs(context.get<float>("EMA/cost")[0] - biased / (1 - weight)) <
            1e-5,
        "the average as a variable");
}
