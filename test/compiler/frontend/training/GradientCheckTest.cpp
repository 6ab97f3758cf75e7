// Compares all gradients of a program with differences.
#include "../Errors.h"

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

using namespace tg;

namespace {
/// Returns the row with the given name.
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

/// A custom layer; `line` is the line of its first op.
class Bent : public BaseLayer {
public:
  static constexpr unsigned line = __LINE__ + 4;

protected:
  Tensor train(Tensor x) override {
    Tensor bent = exp(x);
    return bent * sin(x);
  }
};

// Ops of layers in a Sequential carry the lines of the layers.
TEST(GradientChecks, nameTheLinesOfLayersInAChain) {
  Program program("chain");
  Tensor x = program.input("x", f32, {2, 3});
  unsigned made = __LINE__ + 2;
  Sequential chain(
      {Linear({.units = 2}), Bent(), Sequential({Tanh(), Bent()})});
  Tensor loss = reduceMean(chain(x));
  program.function("train", {.inputs = {x}, .updates = SGD().minimize(loss)});
  std::map<std::string, std::set<unsigned>> lines;
  for (const GradientRow &row : checkGradients(program).rows)
    lines[row.name].insert(row.line);
  using Lines = std::set<unsigned>;
  EXPECT_EQ(lines["tg.exp operand 0"], Lines{Bent::line});
  EXPECT_EQ(lines["tg.sin operand 0"], Lines{Bent::line + 1});
  EXPECT_EQ(lines["tg.matmul operand 1"], Lines{made});
  EXPECT_EQ(lines["tg.tanh operand 0"], Lines{made});
}

/// Rounds the input down, with the identity as its gradient, which is not the
/// gradient of the computation.
Tensor straightThrough(Tensor x) {
  return customGradient(
      {x}, [](auto in) { return std::vector<Tensor>{floor(in[0])}; },
      [](auto, auto, auto g) { return std::vector<Tensor>{g[0]}; })[0];
}

TEST(GradientChecks, letAGivenGradientBeMeant) {
  Program program("quantized");
  Tensor x = program.input("x", f32, {4, 3});
  Variable w = program.variable("w", f32, {3, 2},
                                values({1.5, .25, -.75, 2.5, .5, -1.5}));
  Variable b = program.variable("b", f32, {2}, values({.5, -.5}));
  Tensor quantized = straightThrough(w * 2.0);
  Tensor loss = reduceMean(square(tanh(matmul(x, quantized) + b)));
  program.function("train", {.inputs = {x}, .updates = SGD().minimize(loss)});

  GradientReport strict = checkGradients(program);
  EXPECT_TRUE(rowOf(strict, "w").isWrong) << strict.text;

  GradientReport report = checkGradients(program, {.holdsGiven = true});
  EXPECT_TRUE(report.isRight()) << report.text;
  EXPECT_EQ(rowOf(report, "w").compared, 0u);
  EXPECT_GT(rowOf(report, "b").compared, 0u);
  const GradientRow &given = rowOf(report, "result 0 of tg.custom_gradient");
  EXPECT_GT(given.compared, 0u);
  // The ops before the custom gradient are checked one by one.
  EXPECT_GT(rowOf(report, "tg.mul operand 0").compared, 0u);
}

TEST(GradientChecks, findAWrongGradientBesideOneThatIsMeant) {
  Program program("quantized");
  Variable w = program.variable("w", f32, {3}, values({1.5, .25, -.75}));
  Tensor quantized = straightThrough(w);
  Tensor loss = reduceSum(square(quantized) * stopGradient(w));
  program.function("train", {.updates = SGD().minimize(loss)});
  GradientReport report = checkGradients(program, {.holdsGiven = true});
  EXPECT_TRUE(rowOf(report, "tg.stop_gradient operand 0").isWrong)
      << report.text;
  EXPECT_TRUE(rowOf(report, "w").isWrong);
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
  Array wide(std::vector<float>{1, 2, 4}, {1, 3}),
      whole(std::vector<int32_t>{1}, {1});
  EXPECT_ERROR(checkGradients(program, {.inputs = {{"x", wide}}}),
               "expected input 'x' to fit f32 [n] and the other inputs, found "
               "f32 [1, 3]");
  EXPECT_ERROR(checkGradients(program, {.inputs = {{"x", whole}}}),
               "expected input 'x' to fit f32 [n] and the other inputs, found "
               "i32 [1]");
  EXPECT_ERROR(checkGradients(program, {.functions = {"test"}}),
               "found 'test'");
  EXPECT_THROW(checkGradients(Program("empty")), GraphError);
}

/// A program with loss = sum of square(x w), where the square is a host
/// function with a custom gradient.
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
  // The host function computes in f32.
  EXPECT_THROW(checkGradients(net.program), GraphError);
  EXPECT_TRUE(
      checkGradients(net.program,
                     {.tolerance = 1e-3, .hostFunctions = {{"square", square}}})
          .isRight());
  GradientReport wrong = checkGradients(
      net.program, {.tolerance = 1e-3, .hostFunctions = {{"square", cube}}});
  EXPECT_TRUE(rowOf(wrong, "w").isWrong);
  // A function registered with the program is found; a function in the options
  // takes precedence.
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

/// With w = 0 no gradient can be checked: log(x w) is not finite.
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

/// stopGradient() is applied to the maximum twice, and both effects cancel out.
TEST(GradientChecks, findALogarithmOfSumsRight) {
  Program program("net");
  Variable w =
      program.variable("w", f32, {2, 3}, values({1, .5, .4, -.6, 2, 3}));
  Tensor sums = reduceLogSumExp(w, {.axes = {1}});
  program.function("train", {.updates = SGD().minimize(reduceSum(sums))});
  GradientReport report = checkGradients(program);
  EXPECT_TRUE(report.isRight()) << report.text;
  EXPECT_GT(rowOf(report, "tg.stop_gradient operand 0").compared, 0u);
}

/// The stopGradient() that causes an error is distinguished from those that
/// cancel out, inside the body of a loop and outside of it.
TEST(GradientChecks, tellWhichStoppedGradientIsMissing) {
  Program program("net");
  Variable w =
      program.variable("w", f32, {2, 3}, values({1, .5, .4, -.6, 2, 3}));
  Tensor x = program.constant({.5, -1, 2, .25, 1.5, -.5}, f32, {2, 3});
  Tensor total = foldl(
      [&](const Tensor &sum, const Tensor &row) {
        return sum + reduceSum(reduceLogSumExp(w * row, {.axes = {1}}));
      },
      x, program.constant(0.0));
  Tensor sums = reduceLogSumExp(w, {.axes = {1}});
  Tensor held = stopGradient(tanh(w));
  int line = __LINE__ - 1;
  Tensor loss = total + reduceSum(sums) + reduceSum(held * w);
  program.function("train", {.updates = SGD().minimize(loss)});
  GradientReport report = checkGradients(program);
  EXPECT_FALSE(report.isRight());
  size_t stops = 0;
  for (const GradientRow &row : report.rows)
    if (row.name == "tg.stop_gradient operand 0") {
      ++stops;
      EXPECT_EQ(row.isWrong, row.line == unsigned(line)) << report.text;
    }
  EXPECT_EQ(stops, 3u) << report.text;
}

/// A program without stopGradient() gets no row for it.
TEST(GradientChecks, findSequencesWithoutPlacesRight) {
  Program net("net");
  Variable w = net.variable("w", f32, {2, 5, 4}, normal());
  Tensor labels = net.constant({1, 2, 0, 3, 3, 1}, i32, {2, 3});
  Tensor loss = reduceSum(ctcLoss(w, labels, net.constant({5, 4}, i32, {2}),
                                  net.constant({2, 2}, i32, {2})));
  net.function("train", {.updates = SGD().minimize(loss)});
  GradientReport report = checkGradients(net);
  EXPECT_TRUE(report.isRight()) << report.text;
}
} // namespace
