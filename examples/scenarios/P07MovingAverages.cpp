/// The averages of a batch normalization are updated in each training step, and
/// in no other function: average = 0.9 · average + 0.1 · batch.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

int main() {
  for (float momentum : {0.9f, 0.5f}) {
    Program program("averages");
    Tensor x = program.input("x", f32, {4, 1});
    sym::LayerOutput y;
    Tensor loss;
    {
      sym::TowerContext tower(program, "", {.isTraining = true});
      y = sym::BatchNorm("bn", x, {.momentum = momentum});
      loss = reduceMean(square(y - 1.0));
    }
    sym::trainFunction(program, "train",
                       {.inputs = {x},
                        .outputs = {{"loss", loss}},
                        .updates = SGD({.learningRate = 0.1}).minimize(loss)});
    program.function("look", {.inputs = {x}, .outputs = {{"loss", loss}}});
    Context context = load(program).context({.seed = 1});
    float mean = 0, variance = 1;
    for (float scale : {1.f, 2.f, 5.f}) {
      std::vector<float> rows = {1 * scale, 2 * scale, 3 * scale, 6 * scale};
      context.run("look", {{"x", rows}});
      context.run("train", {{"x", rows}});
      mean = momentum * mean + (1 - momentum) * 3 * scale;
      variance = momentum * variance + (1 - momentum) * 3.5f * scale * scale;
      float found[] = {context.get<float>("bn/mean/EMA")[0],
                       context.get<float>("bn/variance/EMA")[0]};
      std::printf("mean %g, variance %g\n", found[0], found[1]);
      check(std::abs(found[0] - mean) < 1e-5 * (1 + mean), "the mean");
      check(std::abs(found[1] - variance) < 1e-5 * (1 + variance),
            "the variance");
    }
  }
}
