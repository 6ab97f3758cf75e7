/// Evaluates functions of two rows of three numbers.
#ifndef TG_TEST_COMPILER_FRONTEND_ROWS_H
#define TG_TEST_COMPILER_FRONTEND_ROWS_H

#include "Evaluator.h"
#include "tg/tg.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace tg::test {

using Numbers = std::vector<double>;

/// Evaluates a function of x [n, 3], with the rows -2, -1, 0 and 1, 2, 3.
inline Numbers on(Activation function, DType dtype = f32,
                  Shape shape = {dim("n"), 3}) {
  Program program("p");
  Tensor x = program.input("x", dtype, shape);
  program.function("f", {.inputs = {x}, .outputs = {{"y", function(x)}}});
  Evaluator evaluator(program.text());
  if (program.variables().size())
    evaluator.init(1);
  std::vector<Elements> outputs =
      evaluator.run("f", {{{-2, -1, 0, 1, 2, 3}, {2, 3}, dtype}});
  EXPECT_EQ(evaluator.error(), "");
  return outputs.empty() ? Numbers() : outputs[0].values;
}

/// Evaluates a function of tensors once with a dynamic first extent and once
/// with static extents, and expects equal results.
inline Numbers evaluate(const std::vector<Elements> &inputs,
                        std::function<Tensor(std::vector<Tensor>)> function) {
  Numbers found[2];
  for (bool isKnown : {false, true}) {
    Program program("p");
    program.onWarning({});
    std::vector<Tensor> tensors;
    for (const Elements &input : inputs) {
      const std::string name = "x" + std::to_string(tensors.size());
      Shape shape(input.shape.begin(), input.shape.end());
      if (!isKnown && shape.size() != 0)
        shape[0] = dim(name + "_n");
      tensors.push_back(program.input(name, input.dtype, shape));
    }
    program.function(
        "f", {.inputs = tensors, .outputs = {{"y", function(tensors)}}});
    Evaluator evaluator(program.text());
    std::vector<Elements> outputs = evaluator.run("f", inputs);
    EXPECT_EQ(evaluator.error(), "");
    if (!outputs.empty())
      found[isKnown] = outputs[0].values;
  }
  EXPECT_EQ(found[0], found[1]);
  return found[0];
}

/// Expects nearly equal numbers, element by element.
inline void expectNear(const Numbers &found, const Numbers &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-5 * (1 + std::abs(expected[i])))
        << "at " << i;
}

/// Returns the shape of two rows of three numbers with no, one or two dynamic
/// extents.
inline std::vector<Shape> shapesOfRows() {
  return {{2, 3}, {dim("n"), 3}, {dim("n"), dim("m")}};
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_ROWS_H
