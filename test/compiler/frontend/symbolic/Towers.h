/// A program that trains and predicts, for tests of symbolic layers.
#ifndef TG_TEST_COMPILER_FRONTEND_SYMBOLIC_TOWERS_H
#define TG_TEST_COMPILER_FRONTEND_SYMBOLIC_TOWERS_H

#include "../Evaluator.h"
#include "../Rows.h"
#include "tg/tg.h"

#include <algorithm>
#include <memory>
#include <sstream>

namespace tg::test {

using Builder = std::function<Tensor(Tensor)>;

/// A program with one input and two towers: `train` trains and runs its update
/// operations, `predict` reuses the variables.
struct Towers {
  Program program{"p"};
  Tensor x;
  Tensor trained, predicted;
  std::unique_ptr<Evaluator> evaluator;

  Towers(Shape shape, const Builder &build)
      : x(program.input("x", f32, std::move(shape))) {
    program.onWarning({});
    {
      symbolic::TowerContext tower(program, "", {.isTraining = true});
      trained = build(x);
    }
    VariableScope reusing(program, "", {.reuse = Reuse::yes});
    symbolic::TowerContext tower(program, "predict", {.isTraining = false});
    predicted = build(x);
  }

  /// Runs a function and returns its output.
  Numbers run(const std::string &function, const Elements &input) {
    if (!evaluator) {
      symbolic::trainFunction(program, "train",
                              {.inputs = {x}, .outputs = {{"y", trained}}});
      program.function("predict",
                       {.inputs = {x}, .outputs = {{"y", predicted}}});
      for (const Variable &variable : program.variables())
        program.function("get/" + variable.name(),
                         {.outputs = {{"v", variable}}});
      evaluator = std::make_unique<Evaluator>(program.text());
      if (!program.variables().empty())
        evaluator->init(1);
    }
    std::vector<Elements> outputs = evaluator->run(function, {input});
    EXPECT_EQ(evaluator->error(), "");
    shape = outputs.empty() ? std::vector<int64_t>() : outputs[0].shape;
    return outputs.empty() ? Numbers() : outputs[0].values;
  }

  /// Returns the value of a variable after the functions that have run.
  Numbers get(const std::string &variable) {
    std::vector<Elements> outputs = evaluator->run("get/" + variable, {});
    EXPECT_EQ(evaluator->error(), "");
    return outputs.empty() ? Numbers() : outputs[0].values;
  }

  /// The shape of the last output.
  std::vector<int64_t> shape;
};

/// Returns the names of a program's variables, in order.
inline std::vector<std::string> namesOf(const Program &program) {
  std::vector<std::string> names;
  for (const Variable &variable : program.variables())
    names.push_back(variable.name());
  return names;
}

using Words = std::vector<std::string>;

/// Returns the numbers 1, 2, … in a shape.
inline Elements counting(std::vector<int64_t> shape) {
  Elements elements{{}, shape};
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t i = 0; i < count; ++i)
    elements.values.push_back(double(i));
  return elements;
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_SYMBOLIC_TOWERS_H
