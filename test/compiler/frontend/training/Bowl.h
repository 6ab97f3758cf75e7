/// A quadratic loss for tests of optimizers.
#ifndef TG_TEST_COMPILER_FRONTEND_TRAINING_BOWL_H
#define TG_TEST_COMPILER_FRONTEND_TRAINING_BOWL_H

#include "../Evaluator.h"
#include "tg/tg.h"

#include <gtest/gtest.h>

namespace tg::test {

/// A program with the loss 3w²/2, so the gradient is 3w; w starts at 2.
struct Bowl {
  Program program{"p"};
  Variable w = program.variable("w", f64, {}, 2.0);
  Tensor loss = 1.5 * w * w;

  /// Returns the value of w after each of `steps` steps.
  std::vector<double> train(const Updates &updates, int steps) {
    program.function("train",
                     {.outputs = {{"loss", loss}}, .updates = updates});
    program.function("look", {.outputs = {{"w", w}}});
    Evaluator evaluator(program.text());
    evaluator.init(1);
    std::vector<double> path;
    for (int i = 0; i < steps; ++i) {
      evaluator.run("train", {});
      path.push_back(evaluator.run("look", {})[0].values[0]);
    }
    EXPECT_EQ(evaluator.error(), "");
    return path;
  }
};

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_TRAINING_BOWL_H
