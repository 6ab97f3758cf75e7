// All gradients of a program against differences.
#include "Errors.h"

using namespace tg;

namespace {
/// The row of a name.
const GradientRow &rowOf(const GradientReport &report,
                         const std::string &name) {
  for (const GradientRow &row : report.rows)
    if (row.name == name)
      return row;
  ADD_FAILURE() << "expected a row '" << name << "' in\n" << report.text;
  return report.rows.front();
}

TEST(GradientChecks, findNothingInARightNetwork) {
  Program program("net");
  Tensor x = program.input("x", f32, {dim("n"), 4});
  Tensor label = program.input("label", i32, {dim("n")});
  Linear first({.units = 8}), second({.units = 3});
  Tensor loss = reduceMean(softmaxCrossEntropy(second(tanh(first(x))), label));
  program.function("train", {.inputs = {x, label},
                             .outputs = {{"loss", loss}},
                             .updates = Adam().minimize(loss)});
  GradientReport report = checkGradients(program, {.dims = "n=5"});
  EXPECT_TRUE(report.isRight()) << report.text;
  EXPECT_NE(report.text.find("all derivatives are right"), std::string::npos);
  for (const GradientRow &row : report.rows) {
    EXPECT_LT(row.error, 1e-6) << row.name;
    EXPECT_GT(row.compared, 0u) << row.name;
    EXPECT_EQ(row.function, "train");
  }
  EXPECT_EQ(rowOf(report, "tg.softmax_cross_entropy operand 0").line,
            unsigned(__LINE__ - 13));
}

TEST(GradientChecks, findTheMissingGradientOfLabels) {
  Program program("entropy");
  Variable logits =
      program.variable("logits", f32, {5}, values({1, .5, .4, -.6, -.5}));
  Tensor labels = stopGradient(softmax(logits));
  Tensor entropy = softmaxCrossEntropy(logits, labels);
  program.function("train", {.updates = Adam().minimize(-entropy)});
  GradientReport report = checkGradients(program);
  EXPECT_FALSE(report.isRight());
  EXPECT_TRUE(rowOf(report, "logits").isWrong);
  const GradientRow &stopped = rowOf(report, "tg.stop_gradient operand 0");
  EXPECT_TRUE(stopped.isWrong);
  EXPECT_EQ(stopped.line, unsigned(__LINE__ - 8));
  EXPECT_FALSE(rowOf(report, "tg.softmax_cross_entropy operand 1").isWrong);
  EXPECT_NE(
      report.text.find("GradientCheckTest.cpp:" + std::to_string(stopped.line)),
      std::string::npos)
      << report.text;
  EXPECT_TRUE(checkGradients(program, {.holdsStopped = true}).isRight());
}

TEST(GradientChecks, takeInputs) {
  Program program("net");
  Tensor x = program.input("x", f32, {dim("n")});
  Variable w = program.variable("w", f32, {}, values({2}));
  Tensor loss = reduceSum(log(x * w));
  program.function("train", {.inputs = {x}, .updates = SGD().minimize(loss)});
  Array some(std::vector<float>{1, 2, 4}, {3}),
      bad(std::vector<float>{-1}, {1});
  EXPECT_TRUE(checkGradients(program, {.inputs = {{"x", some}}}).isRight());
  try {
    checkGradients(program, {.inputs = {{"x", bad}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("expected a target that is a finite number"),
              std::string::npos)
        << error.what();
  }
  EXPECT_ERROR(checkGradients(program, {.delta = 0}), "expected a delta");
  EXPECT_THROW(checkGradients(program, {.inputs = {{"y", some}}}), GraphError);
  EXPECT_THROW(checkGradients(Program("empty")), GraphError);
}
} // namespace
