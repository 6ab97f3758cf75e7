// Tests libraries and sessions that stop at the first NaN or infinity.
#include "../Errors.h"
#include "tg/runtime.hpp"

#include <cmath>
#include <fstream>
#include <limits>

using namespace tg;

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();

Model compile(const Program &program, const std::string &trap) {
  std::string path = testing::TempDir() + "trap.so";
  program.compile(path, {.levels = {2}, .trapNan = trap});
  return Model::load(path);
}

/// Returns the message of a failing run, empty if the run succeeds.
std::string failureOf(Context &context, const char *function,
                      std::initializer_list<Input> inputs) {
  try {
    context.run(function, inputs);
    return "";
  } catch (const std::exception &error) {
    return error.what();
  }
}

TEST(TrapNan, namesLayerOpLineAndElementAndKeepsVariables) {
  Program program("net");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  Linear layer({.units = 3, .weightInitializer = values({2, 2, 2, 2, 2, 2})});
  Tensor y = layer(x);
  Tensor loss = reduceMean(log(y)); // the reported line
  const std::string line = ":" + std::to_string(__LINE__ - 1) + ":";
  program.function("train", {.inputs = {x},
                             .outputs = {{"loss", loss}},
                             .updates = Adam().minimize(loss)});
  Model model = compile(program, "all");
  EXPECT_TRUE(model.tables().flags & TG_MODEL_TRAPS_NAN);
  Context context = model.context({.seed = 3});
  std::string before = testing::TempDir() + "before";
  std::string after = testing::TempDir() + "after";
  context.save(before);
  std::vector<float> zeros(6);
  std::string found = failureOf(context, "train", {{"x", zeros}});
  EXPECT_NE(found.find(line), std::string::npos) << found;
  EXPECT_NE(found.find("tg.log: result at element 0 is infinite, expected a "
                       "finite number"),
            std::string::npos)
      << found;
  // No variable changed, neither Adam's slots nor the step count.
  context.save(after);
  auto content = [](const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(content(before), content(after));

  std::vector<float> broken = {1, 2, 3, std::nanf(""), 5, 6};
  found = failureOf(context, "train", {{"x", broken}});
  EXPECT_NE(found.find("input 'x': value at element 3 is NaN, expected a "
                       "number"),
            std::string::npos)
      << found;
  std::vector<float> large = {3e38f, 3e38f, 3e38f, 3e38f, 0, 0};
  found = failureOf(context, "train", {{"x", large}});
  EXPECT_NE(found.find("tg.matmul in 'Linear_1'"), std::string::npos) << found;
}

TEST(TrapNan, letsAConstantBeInfinite) {
  Program program("mask");
  Tensor x = program.input("x", f32, {4});
  Tensor masked = select(x > 0.0, x, program.constant(-infinity));
  Variable best = program.variable("best", f32, {}, values({infinity}));
  Tensor least = minimum(best, reduceSum(x));
  program.function(
      "test", {.inputs = {x},
               .outputs = {{"p", softmax(masked + 1.0)}, {"least", least}}});
  program.function("sum",
                   {.inputs = {x}, .outputs = {{"sum", reduceSum(masked)}}});
  Context context = compile(program, "all").context({.seed = 1});
  std::vector<float> some = {1, -2, 3, -4};
  std::vector<float> none(4);
  EXPECT_EQ(failureOf(context, "test", {{"x", some}}), "");
  // All elements are masked to -infinity.
  std::string found = failureOf(context, "test", {{"x", none}});
  EXPECT_NE(found.find("tg.softmax: result at element 0 is NaN"),
            std::string::npos)
      << found;
  found = failureOf(context, "sum", {{"x", some}});
  EXPECT_NE(found.find("tg.reduce_sum: result at element 0 is infinite"),
            std::string::npos)
      << found;
  Context others = compile(program, "nan").context({.seed = 1});
  EXPECT_EQ(failureOf(others, "sum", {{"x", some}}), "");
}

TEST(TrapNan, looksIntoLoopsAndBranches) {
  Program program("loops");
  DefaultGraph building(program);
  Tensor x = program.input("x", f32, {});
  Tensor iterations = program.input("iterations", i32, {});
  auto done = whileLoop(
      [&](auto &v) { return v[0] < iterations; },
      [](auto &v) { return std::vector<Tensor>{v[0] + 1.0, v[1] * v[1]}; },
      {program.constant(0, i32), x});
  Tensor y = cond(x > 0.0, [&] { return log(x); }, [&] { return x / (x - x); });
  program.function("power",
                   {.inputs = {x, iterations}, .outputs = {{"y", done[1]}}});
  program.function("branch", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = compile(program, "all").context({.seed = 1});
  EXPECT_EQ(failureOf(context, "power", {{"x", 10.f}, {"iterations", 5}}), "");
  std::string found =
      failureOf(context, "power", {{"x", 10.f}, {"iterations", 6}});
  EXPECT_NE(found.find("tg.mul: result at element 0 is infinite"),
            std::string::npos)
      << found;
  EXPECT_EQ(failureOf(context, "branch", {{"x", 2.f}}), "");
  found = failureOf(context, "branch", {{"x", -2.f}});
  EXPECT_NE(found.find("tg.div: result at element 0 is infinite"),
            std::string::npos)
      << found;
}

TEST(TrapNan, worksInSessions) {
  Program program("session");
  DefaultGraph building(program);
  Tensor x = placeholder(f32, {dim()});
  Variable sum = variable(1.0);
  Updates add = assignAdd(sum, reduceSum(log(x)));
  Session session({.optimization = 1, .kernelCache = "", .trapNan = "all"});
  session.run(globalVariablesInitializer());
  session.run(add, {{x, {1, 1}}});
  try {
    session.run(add, {{x, {1, 0}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, unsigned(__LINE__ - 8));
    EXPECT_NE(error.message.find("result at element 1 is infinite"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(session.run(sum).scalar(), 1);
  EXPECT_ERROR(Session({.trapNan = "inf"}),
               "expected trapNan to be 'all', 'nan' or empty");
}
} // namespace
