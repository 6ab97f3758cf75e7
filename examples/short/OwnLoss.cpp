/// Fits a line to points of which one in five is wrong, by a loss of its own
/// and by the squared error, in eager mode.
#include <iostream>
#include <tg/tg.h>

using namespace tg;

/// The Cauchy loss, which grows slowly for points that are far away.
static Tensor cauchyLoss(Tensor guess, Tensor target) {
  return reduceMean(log1p(square(target - guess)));
}

static Tensor squaredLoss(Tensor guess, Tensor target) {
  return meanSquaredError(guess, target);
}

int main() {
  enableEagerExecution({.exact = true}); // the bits of compiled code
  for (auto *lossOf : {squaredLoss, cauchyLoss}) {
    Program program("line");
    program.setSeed(1);
    Tensor x = program.randomUniform({200}, {.low = -1, .high = 1});
    Tensor isWrong = program.randomUniform({200}) < 0.2;
    Tensor y =
        3 * x - 1 + 0.1 * program.randomNormal({200}) + 5 * cast(isWrong, f32);

    Variable slope = program.variable("slope", f32, {}, zeros());
    Variable offset = program.variable("offset", f32, {}, zeros());
    Adam adam({.learningRate = 0.05});
    for (int i = 0; i < 300; ++i)
      (void)adam.minimize([&] { return lossOf(slope * x + offset, y); });
    std::cout << slope << " x + " << offset << '\n';
  }
}
