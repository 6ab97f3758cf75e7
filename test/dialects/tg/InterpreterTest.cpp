// Runs whole programs in the interpreter.
#include "RunText.h"
#include "gtest/gtest.h"
#include <fstream>
#include <sstream>

namespace {

std::string exampleText(const std::string &name) {
  std::ifstream file(std::string(TG_EXAMPLES) + "/mlir/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Interpreter, FitsACurve) {
  RunText program(exampleText("curve_fit.mlir"));
  program.run("init", {program.integers({}, {1})});
  ASSERT_EQ(program.error, "");
  std::vector<float> x, y;
  for (int at = 0; at < 100; ++at) {
    x.push_back(-1.0f + 0.02f * at);
    y.push_back(5 * x.back() * x.back() + 3);
  }
  auto inputs = {program.floats({100}, x), program.floats({100}, y),
                 program.floats({}, {0.1f})};
  double first = program.run("train", inputs)[0].numberAt(0);
  std::vector<tg::HostTensor> results;
  for (int step = 0; step < 300; ++step)
    results = program.run("train", inputs);
  ASSERT_EQ(program.error, "");
  EXPECT_LT(results[0].numberAt(0), first / 100);
  const double expected[] = {5, 0, 3};
  for (int at = 0; at < 3; ++at)
    EXPECT_NEAR(results[1].numberAt(at), expected[at], 0.1);
  EXPECT_EQ(program.interpreter.variables.at("step").integerAt(0), 301);
}

/// Returns numbers in [0, 1) that differ from element to element.
std::vector<float> spread(int64_t count) {
  std::vector<float> values;
  uint32_t state = 1;
  for (int64_t at = 0; at < count; ++at) {
    state = state * 1664525u + 1013904223u;
    values.push_back(float(state >> 8) / float(1 << 24));
  }
  return values;
}

TEST(Interpreter, TrainsAPerceptron) {
  RunText program(exampleText("mlp.mlir"));
  program.run("init", {program.integers({}, {7})});
  ASSERT_EQ(program.error, "");
  tg::HostTensor labels(mlir::IntegerType::get(&program.context, 32), {8});
  for (int row = 0; row < 8; ++row)
    labels.values<int32_t>()[row] = row;
  auto inputs = {program.floats({8, 784}, spread(8 * 784)), labels,
                 program.floats({}, {0.01f})};
  double first = 0, last = 0;
  for (int step = 0; step < 10; ++step) {
    auto results = program.run("train", inputs);
    ASSERT_EQ(program.error, "");
    last = results[0].numberAt(0);
    first = step == 0 ? last : first;
  }
  EXPECT_LT(last, first / 2);
}

TEST(Interpreter, GivesAPathWhatTheWholeGives) {
  RunText program(exampleText("two_starts.mlir"));
  program.run("init", {program.integers({}, {7})});
  auto first = program.floats({3, 50}, spread(150));
  auto second = program.floats({3, 100}, spread(300));
  auto both = program.run("both", {first, second});
  auto path = program.run("second", {second});
  ASSERT_EQ(program.error, "");
  EXPECT_EQ(numbersOf(both[1]), numbersOf(path[0]));
}

TEST(Interpreter, KeepsTheOrderOfReadsAndAssigns) {
  RunText program(R"(
    tg.variable @v : tensor<f32>
    func.func @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
      %before = tg.read @v : tensor<f32>
      tg.assign @v, %x : tensor<f32>
      %between = tg.read @v : tensor<f32>
      %twice = func.call @double(%x) : (tensor<f32>) -> tensor<f32>
      %after = tg.read @v : tensor<f32>
      return %before, %between, %after : tensor<f32>, tensor<f32>, tensor<f32>
    }
    func.func private @double(%x: tensor<f32>) -> tensor<f32> {
      %y = tg.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.assign @v, %y : tensor<f32>
      return %y : tensor<f32>
    })");
  program.run("f", {program.floats({}, {4})});
  EXPECT_EQ(program.error,
            "'tg.read' op expected variable 'v' to be assigned [R0]");
  program.error.clear();
  program.interpreter.variables["v"] = program.floats({}, {1});
  auto results = program.run("f", {program.floats({}, {4})});
  ASSERT_EQ(program.error, "");
  EXPECT_EQ(results[0].numberAt(0), 1);
  EXPECT_EQ(results[1].numberAt(0), 4);
  EXPECT_EQ(results[2].numberAt(0), 8);
}

TEST(Interpreter, UpdatesEveryGroupAndStartsSlotsAtZero) {
  RunText program(R"(
    tg.variable @a {trainable} : tensor<2xf32>
    tg.variable @a_m {slot_of = @a} : tensor<2xf32>
    tg.variable @b {trainable} : tensor<f32>
    tg.variable @b_m {slot_of = @b} : tensor<f32>
    func.func @f(%g: tensor<2xf32>, %h: tensor<f32>) {
      %one = tg.constant dense<1.0> : tensor<f32>
      tg.update [[@a, @a_m], [@b, @b_m]] inputs(%g, %h) : (tensor<2xf32>, tensor<f32>) -> () {
      ^bb0(%weight: tensor<f32>, %slot: tensor<f32>, %grad: tensor<f32>):
        %m = tg.add %slot, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %moved = tg.sub %weight, %m : (tensor<f32>, tensor<f32>) -> tensor<f32>
        tg.yield %moved, %one : tensor<f32>, tensor<f32>
      }
      return
    })");
  program.interpreter.variables["a"] = program.floats({2}, {10, 20});
  program.interpreter.variables["b"] = program.floats({}, {30});
  auto inputs = {program.floats({2}, {1, 2}), program.floats({}, {3})};
  program.run("f", inputs);
  program.run("f", inputs);
  ASSERT_EQ(program.error, "");
  auto &variables = program.interpreter.variables;
  EXPECT_EQ(numbersOf(variables["a"]), (std::vector<double>{7, 15}));
  EXPECT_EQ(numbersOf(variables["a_m"]), (std::vector<double>{1, 1}));
  EXPECT_EQ(numbersOf(variables["b"]), (std::vector<double>{23}));
}

TEST(Interpreter, RefusesInputsThatDoNotFit) {
  RunText program(R"(
    func.func @f(%x: tensor<?x3xf32>) {
      return
    })");
  program.run("f", {program.floats({2, 2}, {0, 1, 2, 3})});
  EXPECT_EQ(
      program.error,
      "expected input 0 to fit tensor<?x3xf32>, found tensor<2x2xf32> [R0]");
}

/// A program with a variable, and with ops that call host functions.
const char *hostText = R"(
  tg.variable @v : tensor<f32>
  func.func @f(%x: tensor<f32>) -> tensor<?xf32> {
    tg.assign @v, %x : tensor<f32>
    tg.print "x", %x : tensor<f32>
    %n = tg.constant dense<3> : tensor<i64>
    %y = tg.host_call "fill"(%x) sizes(%n) : (tensor<f32>, tensor<i64>) -> tensor<?xf32>
    tg.print "y", %y : tensor<?xf32>
    %zero = tg.constant dense<0.0> : tensor<f32>
    %ok = tg.compare ge, %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tg.assert %ok, "x is not negative" : tensor<i1>
    tg.print "after", %x : tensor<f32>
    return %y : tensor<?xf32>
  })";

TEST(Interpreter, TurnsToTheHostInOrder) {
  RunText program(hostText);
  std::vector<std::string> printed;
  program.interpreter.print = [&](llvm::StringRef label,
                                  const tg::HostTensor &value) {
    printed.push_back(label.str() + std::to_string(value.getNumElements()));
  };
  program.run("f", {program.floats({}, {4})});
  EXPECT_EQ(program.error, "'tg.host_call' op expected a host function 'fill', "
                           "found none of that name [R1]");
  program.error.clear();
  program.interpreter.hostFunctions["fill"] =
      [](llvm::ArrayRef<tg::HostTensor> inputs,
         llvm::MutableArrayRef<tg::HostTensor> results) -> std::string {
    if (inputs[0].numberAt(0) > 10)
      return "x is large";
    for (float &element : results[0].values<float>())
      element = inputs[0].values<float>()[0];
    return "";
  };
  printed.clear();
  auto results = program.run("f", {program.floats({}, {4})});
  ASSERT_EQ(program.error, "");
  EXPECT_EQ(numbersOf(results[0]), (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(printed, (std::vector<std::string>{"x1", "y3", "after1"}));
}

TEST(Interpreter, KeepsVariablesWhereARunFails) {
  RunText program(hostText);
  program.interpreter.variables["v"] = program.floats({}, {1});
  program.interpreter.hostFunctions["fill"] =
      [](llvm::ArrayRef<tg::HostTensor> inputs,
         llvm::MutableArrayRef<tg::HostTensor>) -> std::string {
    return inputs[0].numberAt(0) > 10 ? "x is large" : "";
  };
  program.run("f", {program.floats({}, {-4})});
  EXPECT_EQ(program.error, "'tg.assert' op the condition is false: x is not "
                           "negative [R1]");
  EXPECT_EQ(numbersOf(program.interpreter.variables["v"]),
            (std::vector<double>{1}));
  program.error.clear();
  program.run("f", {program.floats({}, {40})});
  EXPECT_EQ(program.error,
            "'tg.host_call' op host function 'fill' failed: x is "
            "large [R1]");
  EXPECT_EQ(numbersOf(program.interpreter.variables["v"]),
            (std::vector<double>{1}));
  program.error.clear();
  program.run("f", {program.floats({}, {4})});
  EXPECT_EQ(program.error, "");
  EXPECT_EQ(numbersOf(program.interpreter.variables["v"]),
            (std::vector<double>{4}));
}

} // namespace
