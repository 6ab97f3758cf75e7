//===- OpValueTest.cpp - edge values and decompositions -------------------===//
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/dialects/tg/OpHarness.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

constexpr double kInf = INFINITY;
const double kNan = std::nan("");
constexpr double kMin64 = -0x1p63, kMin32 = -0x1p31;

/// A test case with its inputs and the expected result, which may contain NaN.
struct Expectation {
  OpCase op;
  std::vector<std::vector<double>> inputs;
  std::vector<double> expected;
};

/// Returns true if the numbers are equal with the same sign of zero, or both
/// NaN.
bool isSame(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// Replaces every composed op by the ops that it decomposes to.
void decomposeAll(ModuleOp module) {
  module.walk([](DecomposableOpInterface op) {
    if (!op.isComposed())
      return;
    OpBuilder builder(op);
    op->replaceAllUsesWith(op.decompose(builder));
    op->erase();
  });
}

void check(const Expectation &test) {
  OwningOpRef<ModuleOp> module = parseValue(test.op);
  ASSERT_TRUE(module);
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < test.inputs.size(); ++i)
    inputs.push_back(makeTensor(test.op.operands[i], test.inputs[i]));
  for (bool decomposed : {false, true}) {
    if (decomposed)
      decomposeAll(*module);
    std::vector<double> found = numbersOf(run(*module, "value", inputs)[0]);
    ASSERT_EQ(found.size(), test.expected.size()) << test.op.name;
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_TRUE(isSame(found[i], test.expected[i]))
          << test.op.name << (decomposed ? " decomposed" : "") << "[" << i
          << "]: " << found[i] << ", expected " << test.expected[i];
  }
}

/// Returns a case of a unary op in the short form.
Expectation unary(const std::string &op, const std::string &type,
                  std::vector<double> input, std::vector<double> expected) {
  return {{op, {type}, "%y = tg." + op + " %a : tensor<" + type + ">", type},
          {input},
          expected};
}

/// Returns a case of a binary op whose types are all equal.
Expectation binary(const std::string &op, const std::string &type,
                   std::vector<double> lhs, std::vector<double> rhs,
                   std::vector<double> expected) {
  std::string t = "tensor<" + type + ">";
  return {{op,
           {type, type},
           "%y = tg." + op + " %a, %b : (" + t + ", " + t + ") -> " + t,
           type},
          {lhs, rhs},
          expected};
}

Expectation castTo(const std::string &to, const std::string &from,
                   std::vector<double> input, std::vector<double> expected) {
  std::string n = std::to_string(input.size()) + "x";
  return {{"cast_" + from + "_" + to,
           {n + from},
           "%y = tg.cast %a {element_type = " + to + "} : (tensor<" + n + from +
               ">) -> tensor<" + n + to + ">",
           n + to},
          {input},
          expected};
}

TEST(OpValueTest, UnaryEdges) {
  check(unary("abs", "3xi32", {-5, 0, kMin32}, {5, 0, kMin32}));
  check(unary("abs", "3xf32", {-0.0, -kInf, kNan}, {0.0, kInf, kNan}));
  check(unary("neg", "2xui8", {1, 0}, {255, 0}));
  check(unary("sign", "5xf64", {-0.0, 0.0, kNan, -kInf, 2},
              {-0.0, 0.0, kNan, -1, 1}));
  check(unary("round", "4xf32", {0.5, 1.5, -2.5, -0.4}, {0, 2, -2, -0.0}));
  check(unary("log", "3xf32", {-0.0, -1, kInf}, {-kInf, kNan, kInf}));
  check(
      unary("log1p", "4xf32", {-0.0, -1, -2, kInf}, {-0.0, -kInf, kNan, kInf}));
  check(unary("exp", "4xf32", {-0.0, -kInf, kInf, kNan}, {1, 0, kInf, kNan}));
  check(unary("expm1", "4xf32", {-0.0, -kInf, kInf, kNan},
              {-0.0, -1, kInf, kNan}));
  check(unary("tanh", "4xf32", {-0.0, -kInf, kInf, kNan}, {-0.0, -1, 1, kNan}));
  check(unary("sin", "4xf32", {-0.0, -kInf, kInf, kNan},
              {-0.0, kNan, kNan, kNan}));
  check(
      unary("cos", "4xf64", {-0.0, -kInf, kInf, kNan}, {1, kNan, kNan, kNan}));
  check(unary("atan", "5xf64", {-0.0, -kInf, kInf, kNan, -1},
              {-0.0, -1.5707963267948966, 1.5707963267948966, kNan,
               -0.78539816339744831}));
  // The range reduction of 1e22 and 2^120 needs every digit of the argument.
  check(unary("sin", "2xf64", {1e22, 0x1p120},
              {-0.85220084976718880, 0.37782010936075202}));
  check(unary("cos", "2xf64", {1e22, 0x1p120},
              {0.52321478539513899, -0.92587902285483787}));
  check(unary("erf", "4xf32", {-0.0, -kInf, kInf, kNan}, {-0.0, -1, 1, kNan}));
  check(unary("floor", "4xf32", {-0.0, -0.5, -kInf, kNan},
              {-0.0, -1, -kInf, kNan}));
  check(
      unary("stop_gradient", "3xf32", {-0.0, kInf, kNan}, {-0.0, kInf, kNan}));
  check(unary("sqrt", "3xf32", {-0.0, -1, 4}, {-0.0, kNan, 2}));
  check(unary("sigmoid", "4xf32", {-1000, 1000, 0, kNan}, {0, 1, 0.5, kNan}));
  check(unary("relu", "5xf32", {-0.0, -kInf, kNan, 3, kInf},
              {0.0, 0.0, kNan, 3, kInf}));
  check(unary("not", "2xi1", {0, 1}, {1, 0}));
  check(unary("not", "2xui8", {0, 15}, {255, 240}));
}

TEST(OpValueTest, ConstantsAreTheirElements) {
  check({{"constant",
          {},
          "%y = tg.constant dense<[-0.0, 2.5]> : tensor<2xf32>",
          "2xf32"},
         {},
         {-0.0, 2.5}});
}

TEST(OpValueTest, IntegersWrapAndDivideTowardZero) {
  check(binary("add", "2xui8", {255, 1}, {1, 1}, {0, 2}));
  check(binary("sub", "2xui8", {0, 5}, {1, 3}, {255, 2}));
  check(binary("mul", "1xi32", {65536}, {65536}, {0}));
  check(binary("xor", "2xui8", {12, 255}, {10, 1}, {6, 254}));
  check(binary("div", "4xi32", {-7, 7, kMin32, kMin32}, {2, -2, -1, 1},
               {-3, -3, kMin32, kMin32}));
  check(binary("remainder", "2xui8", {7, 255}, {255, 2}, {7, 1}));
  check(binary("remainder", "4xi64", {-7, 7, kMin64, 5}, {2, -2, -1, 7},
               {-1, 1, 0, 5}));
}

TEST(OpValueTest, NarrowIntegersWrapInTheirOwnWidth) {
  check(unary("abs", "2xi8", {-128, -5}, {-128, 5}));
  check(unary("neg", "2xi16", {-32768, 1}, {-32768, -1}));
  check(unary("not", "2xi8", {0, 127}, {-1, -128}));
  check(binary("add", "2xi8", {127, -128}, {1, -1}, {-128, 127}));
  check(binary("sub", "2xi16", {-32768, 0}, {1, -32768}, {32767, -32768}));
  check(
      binary("mul", "3xi16", {-32768, 256, -1}, {-1, 256, -1}, {-32768, 0, 1}));
  check(binary("div", "3xi8", {-128, -128, -7}, {-1, 1, 2}, {-128, -128, -3}));
  check(binary("remainder", "2xi16", {-32768, -7}, {-1, 2}, {0, -1}));
  check(binary("maximum", "2xi8", {-128, 1}, {127, -1}, {127, 1}));
}

TEST(OpValueTest, FloatEdges) {
  check(binary("remainder", "4xf32", {-7, 7, 1, 3}, {2, -2, 0, kInf},
               {-1, 1, kNan, 3}));
  check(binary("maximum", "4xf32", {-0.0, 0.0, kNan, 1}, {0.0, -0.0, 1, kNan},
               {0.0, 0.0, kNan, kNan}));
  check(binary("minimum", "4xf32", {-0.0, 0.0, kNan, 1}, {0.0, -0.0, 1, kNan},
               {-0.0, -0.0, kNan, kNan}));
  check(binary("pow", "4xf32", {kNan, 1, -2, 0}, {0, kNan, 3, -1},
               {1, 1, -8, kInf}));
}

TEST(OpValueTest, DivisionByZeroFails) {
  for (const char *op : {"div", "remainder"}) {
    OwningOpRef<ModuleOp> module =
        parseValue(binary(op, "2xi32", {}, {}, {}).op);
    auto function = module->lookupSymbol<func::FuncOp>("value");
    auto evaluable = cast<EvaluableOpInterface>(function.front().front());
    std::vector<HostTensor> operands = {makeTensor("2xi32", {1, 2}),
                                        makeTensor("2xi32", {1, 0})};
    HostTensor result = makeTensor("2xi32", {0, 0});
    EXPECT_NE(evaluable.evaluate(operands, result), "");
    auto checked = cast<CheckedOpInterface>(function.front().front());
    EXPECT_EQ(checked.getCheckedOperand(), 1u);
  }
}

TEST(OpValueTest, CompareAndSelect) {
  OpCase op{"compare", {"3xf32", "3xf32"}, "", "3xi1"};
  auto compare = [&](const char *predicate, std::vector<double> expected) {
    op.body = std::string("%y = tg.compare ") + predicate +
              ", %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>";
    check({op, {{kNan, -0.0, 1}, {kNan, 0.0, 2}}, expected});
  };
  compare("eq", {0, 1, 0});
  compare("ne", {1, 0, 1});
  compare("lt", {0, 0, 1});
  compare("le", {0, 1, 1});
  compare("gt", {0, 0, 0});
  compare("ge", {0, 1, 0});
  check({{"select",
          {"2xi1", "1xf32", "f32"},
          "%y = tg.select %a, %b, %c : (tensor<2xi1>, tensor<1xf32>, "
          "tensor<f32>) -> tensor<2xf32>",
          "2xf32"},
         {{1, 0}, {-0.0}, {kNan}},
         {-0.0, kNan}});
}

TEST(OpValueTest, CastSaturates) {
  check(castTo("i32", "f32", {kNan, kInf, -kInf, -1.9, 3e9},
               {0, 2147483647, kMin32, -1, 2147483647}));
  check(
      castTo("ui8", "f64", {-0.5, -1, 255.9, 256, kNan}, {0, 0, 255, 255, 0}));
  check(castTo("i64", "f64", {kInf, -kInf, 0x1p62}, {0x1p63, kMin64, 0x1p62}));
  check(castTo("ui8", "i64", {256, -1}, {0, 255}));
  check(castTo("i8", "f32", {127.9, 128, -128.9, -1e9, kNan},
               {127, 127, -128, -128, 0}));
  check(castTo("i16", "f64", {32767.9, 1e5, -32769, -0.9},
               {32767, 32767, -32768, 0}));
  check(castTo("i16", "i64", {65535, 32768, -32769}, {-1, -32768, 32767}));
  check(castTo("i8", "ui8", {200, 127}, {-56, 127}));
  check(castTo("ui8", "i8", {-1, 5}, {255, 5}));
  check(castTo("i32", "i8", {-128, 127}, {-128, 127}));
  check(castTo("i1", "f32", {-0.0, kNan, 0.1}, {0, 1, 1}));
  check(castTo("f32", "i1", {0, 1}, {0, 1}));
  check(castTo("f32", "i64", {16777217}, {16777216}));
}

/// Returns a case that reduces a vector or a matrix over its last axis.
Expectation reduction(const std::string &op, const std::string &type,
                      const std::string &result, std::vector<double> input,
                      std::vector<double> expected) {
  std::string axis = std::to_string(llvm::count(type, 'x') - 1);
  std::string attribute =
      op == "argmax" ? "axis = " + axis : "axes = [" + axis + "]";
  return {{op,
           {type},
           "%y = tg." + op + " %a {" + attribute + "} : (tensor<" + type +
               ">) -> tensor<" + result + ">",
           result},
          {input},
          expected};
}

TEST(OpValueTest, ReductionsOverNothing) {
  check(reduction("reduce_sum", "2x0xf32", "2xf32", {}, {0, 0}));
  check(reduction("reduce_prod", "0xi32", "i32", {}, {1}));
  check(reduction("reduce_max", "0xf32", "f32", {}, {-kInf}));
  check(reduction("reduce_min", "0xf64", "f64", {}, {kInf}));
  check(reduction("reduce_max", "0xi32", "i32", {}, {kMin32}));
  check(reduction("reduce_min", "0xui8", "ui8", {}, {255}));
  check(reduction("reduce_max", "0xi8", "i8", {}, {-128}));
  check(reduction("reduce_min", "0xi16", "i16", {}, {32767}));
  check(reduction("reduce_max", "0xi1", "i1", {}, {0}));
  check(reduction("reduce_min", "0xi1", "i1", {}, {1}));
}

TEST(OpValueTest, Reductions) {
  check(reduction("reduce_sum", "3xui8", "ui8", {200, 100, 1}, {45}));
  check(reduction("reduce_sum", "3xi8", "i8", {100, 100, 1}, {-55}));
  check(reduction("reduce_prod", "2xi16", "i16", {300, 300}, {24464}));
  check(reduction("argmax", "3xi8", "i64", {-128, 127, -1}, {1}));
  check(reduction("reduce_max", "2x3xf32", "2xf32", {1, kNan, 2, -1, -3, -2},
                  {kNan, -1}));
  check(reduction("reduce_min", "2x2xi1", "2xi1", {1, 1, 0, 1}, {1, 0}));
  check(reduction("argmax", "3x3xf32", "3xi64",
                  {1, 5, 5, kNan, 9, kNan, 3, -kInf, 2}, {1, 0, 0}));
  check(reduction("argmax", "2x2xui8", "2xi64", {0, 0, 1, 200}, {0, 1}));
  check(reduction("argmax", "1x2xf32", "1xi64", {-kInf, -kInf}, {0}));
}

TEST(OpValueTest, CumsumCountsFromEitherEnd) {
  auto cumsum = [](std::string attributes, const std::string &type,
                   std::vector<double> x, std::vector<double> y) {
    std::string body = "%y = tg.cumsum %a {" + attributes + "} : tensor<";
    check({{"cumsum", {type}, body + type + ">", type}, {x}, y});
  };
  cumsum("axis = 0", "4xf32", {1, 2, 3, 4}, {1, 3, 6, 10});
  cumsum("axis = 0, exclusive", "4xf32", {1, 2, 3, 4}, {0, 1, 3, 6});
  cumsum("axis = 0, reverse", "4xf32", {1, 2, 3, 4}, {10, 9, 7, 4});
  cumsum("axis = 0, exclusive, reverse", "4xf32", {1, 2, 3, 4}, {9, 7, 4, 0});
  cumsum("axis = 0", "2x2xi32", {1, 2, kMin32, -3}, {1, 2, kMin32 + 1, -1});
  cumsum("axis = 1", "2x2xui8", {200, 100, 7, 0}, {200, 44, 7, 7});
  cumsum("axis = 0", "3xf64", {kInf, 1, -kInf}, {kInf, kInf, kNan});
  cumsum("axis = 0, exclusive", "3xf64", {1, kNan, 2}, {0, 1, kNan});
  cumsum("axis = 1", "2x0xf32", {}, {});
}

TEST(OpValueTest, TopKOrdersNanFirstAndTiesByPosition) {
  OpCase op{"top_k", {"5xf32"}, "", "5xf32"};
  op.body = "%y, %i = tg.top_k %a {k = -1} : (tensor<5xf32>) -> "
            "(tensor<5xf32>, tensor<5xi64>)";
  check({op, {{1, kNan, 7, 1, -0.0}}, {kNan, 7, 1, 1, -0.0}});
  op.result = "3xi64";
  op.body = "%v, %y = tg.top_k %a {k = 3} : (tensor<5xf32>) -> "
            "(tensor<3xf32>, tensor<3xi64>)";
  check({op, {{1, kNan, 7, 1, 1}}, {1, 2, 0}});
}

TEST(OpValueTest, SoftmaxEdges) {
  auto softmax = [](const char *op, std::vector<double> x,
                    std::vector<double> y) {
    check({{op,
            {"2xf32"},
            std::string("%y = tg.") + op + " %a {axis = 0} : tensor<2xf32>",
            "2xf32"},
           {x},
           y});
  };
  softmax("softmax", {1000, 0}, {1, 0});
  softmax("softmax", {-kInf, 5}, {0, 1});
  softmax("softmax", {-kInf, -kInf}, {kNan, kNan});
  softmax("softmax", {kInf, 0}, {kNan, kNan});
  softmax("softmax", {kNan, 0}, {kNan, kNan});
  softmax("log_softmax", {1000, 0}, {0, -1000});
}

TEST(OpValueTest, MomentsOfNothingAndOfLargeNumbers) {
  OpCase op{"moments", {"2x0xf32"}, "", "2xf32"};
  op.body = "%m, %y = tg.moments %a {axes = [1]} : (tensor<2x0xf32>) -> "
            "(tensor<2xf32>, tensor<2xf32>)";
  check({op, {{}}, {kNan, kNan}});
  op = {"moments", {"4xf32"}, "", "f32"};
  op.body = "%m, %y = tg.moments %a : (tensor<4xf32>) -> "
            "(tensor<f32>, tensor<f32>)";
  check({op, {{10000001, 9999999, 10000001, 9999999}}, {1}});
}

TEST(OpValueTest, CrossEntropyIgnoresUnusedClasses) {
  OpCase op{"classes", {"2x2xf32", "2xui8"}, "", "2xf32"};
  op.body = "%y = tg.softmax_cross_entropy %a, %b : (tensor<2x2xf32>, "
            "tensor<2xui8>) -> tensor<2xf32>";
  check({op, {{1000, 0, -kInf, 3}, {1, 1}}, {1000, 0}});
  op = {"distributions", {"1x2xf32", "1x2xf32"}, "", "1xf32"};
  op.body = "%y = tg.softmax_cross_entropy %a, %b : (tensor<1x2xf32>, "
            "tensor<1x2xf32>) -> tensor<1xf32>";
  check({op, {{-kInf, 3}, {0, 1}}, {0}});
}

TEST(OpValueTest, CrossEntropyRefusesLabelsOutOfRange) {
  OpCase op{"label", {"1x2xf32", "1xi32"}, "", "1xf32"};
  op.body = "%y = tg.softmax_cross_entropy %a, %b : (tensor<1x2xf32>, "
            "tensor<1xi32>) -> tensor<1xf32>";
  OwningOpRef<ModuleOp> module = parseValue(op);
  auto function = module->lookupSymbol<func::FuncOp>("value");
  auto evaluable = cast<EvaluableOpInterface>(function.front().front());
  for (double label : {-1.0, 2.0}) {
    std::vector<HostTensor> operands = {makeTensor("1x2xf32", {0, 0}),
                                        makeTensor("1xi32", {label})};
    HostTensor result = makeTensor("1xf32", {0});
    EXPECT_NE(evaluable.evaluate(operands, result), "") << label;
  }
}

TEST(OpValueTest, MatmulFlagsAndBroadcasting) {
  auto matmul = [](const char *flags, const char *a, const char *b,
                   const char *y, std::vector<double> lhs,
                   std::vector<double> rhs, std::vector<double> expected) {
    check({{std::string("matmul") + flags,
            {a, b},
            std::string("%y = tg.matmul %a, %b ") + flags + " : (tensor<" + a +
                ">, tensor<" + b + ">) -> tensor<" + y + ">",
            y},
           {lhs, rhs},
           expected});
  };
  std::vector<double> a = {1, 2, 3, 4, 5, 6}, b = {1, 0, 2, 1, 0, 1};
  matmul("", "2x3xf32", "3x2xf32", "2x2xf32", a, b, {5, 5, 14, 11});
  matmul("{transpose_lhs}", "3x2xf32", "3x2xf32", "2x2xf32", {1, 4, 2, 5, 3, 6},
         b, {5, 5, 14, 11});
  matmul("{transpose_rhs}", "2x3xi32", "2x3xi32", "2x2xi32", a,
         {1, 2, 0, 0, 1, 1}, {5, 5, 14, 11});
  matmul("", "2x1x1xf64", "1x3xf64", "2x1x3xf64", {2, 3}, {1, 10, 100},
         {2, 20, 200, 3, 30, 300});
  matmul("", "1x2xi8", "2x1xi8", "1x1xi32", {127, -128}, {127, -128}, {32513});
  matmul("", "1x2xi16", "2x1xi16", "1x1xi16", {32767, 1}, {2, 3}, {1});
  matmul("", "2x0xf32", "0x2xf32", "2x2xf32", {}, {}, {0, 0, 0, 0});
}

} // namespace
