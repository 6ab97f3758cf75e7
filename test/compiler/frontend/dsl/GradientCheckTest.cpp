// All gradients of a program against differences.
#include "Errors.h"

#include <cmath>
#include <stdexcept>

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
  EXPECT_ERROR(checkGradients(program, {.inputs = {{"y", some}}}),
               "expected the name of an input of the model, found 'y'");
  EXPECT_ERROR(checkGradients(program, {.functions = {"test"}}),
               "found 'test'");
  EXPECT_THROW(checkGradients(Program("empty")), GraphError);
}

/// loss = sum of square(x w), where the square is the host's, with a gradient
/// of its own.
struct SquaredByHost {
  Program program{"host"};

  SquaredByHost() {
    Tensor x = program.input("x", f32, {4});
    Variable w = program.variable("w", f32, {4}, values({1, 2, 3, 4}));
    std::vector<Tensor> squares = customGradient(
        {x * w},
        [](auto in) {
          return std::vector<Tensor>{
              hostCall("square", {in[0]}, in[0].type(), {.pure = true})};
        },
        [](auto in, auto, auto g) {
          return std::vector<Tensor>{g[0] * in[0] * 2.0};
        });
    Tensor loss = reduceSum(squares[0]);
    program.function("train", {.inputs = {x}, .updates = SGD().minimize(loss)});
  }

  static std::vector<Array> power(const std::vector<Array> &inputs, int times) {
    EXPECT_EQ(inputs[0].dtype(), f32);
    Array result(inputs[0].dtype(), inputs[0].shape());
    for (size_t i = 0; i < result.size(); ++i)
      result.set(i, std::pow(inputs[0].at(i), times));
    return {result};
  }
};

TEST(GradientChecks, callFunctionsOfTheHost) {
  SquaredByHost net;
  auto square = [](const std::vector<Array> &in) {
    return SquaredByHost::power(in, 2);
  };
  auto cube = [](const std::vector<Array> &in) {
    return SquaredByHost::power(in, 3);
  };
  // The host computes in f32.
  EXPECT_THROW(checkGradients(net.program), GraphError);
  EXPECT_TRUE(
      checkGradients(net.program,
                     {.tolerance = 1e-3, .hostFunctions = {{"square", square}}})
          .isRight());
  GradientReport wrong = checkGradients(
      net.program, {.tolerance = 1e-3, .hostFunctions = {{"square", cube}}});
  EXPECT_TRUE(rowOf(wrong, "w").isWrong);
  // One of the program is found, and one of the options counts before it.
  registerHost(net.program, "square", square);
  EXPECT_TRUE(checkGradients(net.program, {.tolerance = 1e-3}).isRight());
  EXPECT_FALSE(
      checkGradients(net.program,
                     {.tolerance = 1e-3, .hostFunctions = {{"square", cube}}})
          .isRight());
  registerHost(net.program, "square",
               [](const std::vector<Array> &) -> std::vector<Array> {
                 throw std::runtime_error("no square today");
               });
  try {
    checkGradients(net.program);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("no square today"), std::string::npos)
        << error.message;
  }
  EXPECT_ERROR(checkGradients(net.program, {.hostFunctions = {{"square", {}}}}),
               "expected a function for 'square' of the host, found none");
}

/// With w = 0 there is no gradient to check: log(x w) has no finite value.
TEST(GradientChecks, takeWeights) {
  auto build = [](Program &program, double first) {
    Tensor x = program.input("x", f32, {3});
    Variable w = program.variable("w", f32, {}, values({first}));
    Tensor loss = reduceSum(log(x * w + 1e-3));
    program.function("train", {.inputs = {x}, .updates = SGD().minimize(loss)});
    return w;
  };
  Program net("net"), other("other");
  build(net, -1);
  Variable w = build(other, 2);
  std::string path = testing::TempDir() + "/gradient-check.safetensors";
  Session session(other);
  session.run(other.initializer());
  Saver(w).save(session, path);
  EXPECT_THROW(checkGradients(net), GraphError);
  EXPECT_TRUE(checkGradients(net, {.weights = path}).isRight());
  EXPECT_THROW(checkGradients(net, {.weights = path + ".none"}), GraphError);
}
} // namespace
