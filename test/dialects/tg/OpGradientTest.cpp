//===- OpGradientTest.cpp - gradient rules against differences ------------===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "test/dialects/tg/OpHarness.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// An f64 test case with the range of its operands; only the first `active`
/// operands are differentiated.
struct GradientCase {
  OpCase op;
  double low = 0.3, high = 1.7;
  unsigned active = 3;
};

/// Returns the types as "tensor<a>, tensor<b>".
std::string typeList(llvm::ArrayRef<std::string> types) {
  std::string text;
  for (const std::string &type : types)
    text += (text.empty() ? "tensor<" : ", tensor<") + type + ">";
  return text;
}

/// Returns a module with the case, its loss, and a gradient function. The loss
/// is the sum of %y weighted by the last operand %w.
std::string gradientModule(const GradientCase &test) {
  const OpCase &op = test.op;
  unsigned active = std::min<size_t>(test.active, op.operands.size());
  std::string arguments, values;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    std::string name = std::string("%") + char('a' + i);
    arguments += name + ": tensor<" + op.operands[i] + ">, ";
    if (i < active)
      values += (i ? ", " : "") + name;
  }
  std::string results =
      typeList(llvm::ArrayRef(op.operands).take_front(active));
  std::string y = "tensor<" + op.result + ">";
  std::string body = op.body + "\n%weighted = tg.mul %y, %w : (" + y + ", " +
                     y + ") -> " + y + "\n%l = tg.reduce_sum %weighted : (" +
                     y + ") -> tensor<f64>\n";
  std::string text = "func.func @loss(" + arguments + "%w: " + y +
                     ") -> tensor<f64> {\n" + body +
                     "return %l : tensor<f64>\n}\n";
  text += "func.func @gradient(" + arguments + "%w: " + y + ") -> (" + results +
          ") {\n" + body + "%g:" + std::to_string(active) +
          " = tg.gradient %l wrt(" + values + ") : (tensor<f64>, " + results +
          ") -> (" + results + ")\nreturn ";
  for (unsigned i = 0; i < active; ++i)
    text += (i ? ", %g#" : "%g#") + std::to_string(i);
  return text + " : " + results + "\n}\n";
}

/// Returns the module of `gradientModule` with expanded gradients.
OwningOpRef<ModuleOp> expand(const GradientCase &test) {
  std::string text = gradientModule(test);
  auto module = parseSourceString<ModuleOp>(text, &context());
  PassManager passes(&context());
  passes.addPass(createExpandGradients());
  EXPECT_TRUE(module && succeeded(passes.run(*module))) << text;
  return module;
}

/// Compares the gradients of the rule with central differences. `shapes` has
/// the static types of the inputs, which `test` may declare with dynamic
/// extents.
void check(const GradientCase &test, const OpCase &shapes) {
  OwningOpRef<ModuleOp> module = expand(test);
  ASSERT_TRUE(module);
  std::vector<HostTensor> inputs;
  for (const std::string &type : shapes.operands)
    inputs.push_back(makeSpread(type, inputs.size() + 1, test.low, test.high));
  inputs.push_back(makeSpread(shapes.result, 9, -1, 1));
  std::vector<HostTensor> gradients = run(*module, "gradient", inputs);
  for (size_t operand = 0; operand < gradients.size(); ++operand) {
    ASSERT_EQ(gradients[operand].getType(), inputs[operand].getType());
    for (int64_t i = 0; i < inputs[operand].getNumElements(); ++i) {
      double &x = inputs[operand].values<double>()[i];
      double old = x, step = 1e-6;
      x = old + step;
      double above = run(*module, "loss", inputs)[0].numberAt(0);
      x = old - step;
      double below = run(*module, "loss", inputs)[0].numberAt(0);
      x = old;
      double expected = (above - below) / (2 * step);
      EXPECT_NEAR(gradients[operand].numberAt(i), expected,
                  1e-7 * (1 + std::abs(expected)))
          << test.op.name << " operand " << operand << " element " << i;
    }
  }
}

/// Checks the case with static and with dynamic extents.
void check(const GradientCase &test) {
  check(test, test.op);
  GradientCase unknown = test;
  unknown.op = withUnknownExtents(test.op);
  check(unknown, test.op);
}

GradientCase unary(const std::string &op, double low = 0.3, double high = 1.7) {
  std::string y = "%y = tg." + op + " %a : tensor<3x2xf64>";
  return {{op, {"3x2xf64"}, y, "3x2xf64"}, low, high};
}

/// Returns a case "%y = tg.op %a, %b, … {attributes} : (operands) -> result".
GradientCase full(const std::string &op, std::vector<std::string> operands,
                  const std::string &result, const std::string &attributes = "",
                  const std::string &prefix = "") {
  std::string names;
  for (size_t i = 0; i < operands.size(); ++i)
    names += std::string(i ? ", %" : "%") + char('a' + i);
  return {{op + attributes, operands,
           "%y = tg." + op + " " + prefix + names + " " + attributes + " : (" +
               typeList(operands) + ") -> tensor<" + result + ">",
           result}};
}

TEST(OpGradientTest, Unary) {
  for (const char *op :
       {"abs", "neg", "exp", "expm1", "log", "log1p", "sqrt", "sin", "cos",
        "atan", "tanh", "sigmoid", "erf", "relu"})
    check(unary(op));
  for (const char *op :
       {"abs", "relu", "sigmoid", "erf", "tanh", "expm1", "sin", "cos", "atan"})
    check(unary(op, -1.9, 1.2));
}

TEST(OpGradientTest, Binary) {
  for (const char *op :
       {"add", "sub", "mul", "div", "remainder", "pow", "maximum", "minimum"}) {
    check(full(op, {"3x4xf64", "3x4xf64"}, "3x4xf64"));
    check(full(op, {"3x4xf64", "4xf64"}, "3x4xf64"));
    check(full(op, {"1x4xf64", "3x1xf64"}, "3x4xf64"));
    check(full(op, {"f64", "3x4xf64"}, "3x4xf64"));
  }
}

TEST(OpGradientTest, AKnownExtentMeetsAnUnknownOne) {
  GradientCase test = full("mul", {"?x2xf64", "4x2xf64"}, "4x2xf64");
  OpCase shapes = test.op;
  shapes.operands[0] = "4x2xf64";
  check(test, shapes);
}

TEST(OpGradientTest, PowHasNoNanAtZero) {
  GradientCase test = full("pow", {"2xf64", "2xf64"}, "2xf64");
  OwningOpRef<ModuleOp> module = expand(test);
  std::vector<HostTensor> gradients =
      run(*module, "gradient",
          {makeTensor("2xf64", {0, -2}), makeTensor("2xf64", {0, 3}),
           makeTensor("2xf64", {1, 1})});
  EXPECT_EQ(numbersOf(gradients[0]), std::vector<double>({0, 12}));
  EXPECT_EQ(numbersOf(gradients[1]), std::vector<double>({0, 0}));
}

TEST(OpGradientTest, SelectAndCast) {
  GradientCase test = full("select", {"3x4xf64", "4xf64"}, "3x4xf64");
  test.op.body =
      "%o = tg.constant dense<1.0> : tensor<f64>\n"
      "%p = tg.compare lt, %a, %o : (tensor<3x4xf64>, tensor<f64>) -> "
      "tensor<3x4xi1>\n"
      "%y = tg.select %p, %a, %b : (tensor<3x4xi1>, tensor<3x4xf64>, "
      "tensor<4xf64>) -> tensor<3x4xf64>";
  check(test);
  check(full("cast", {"3x2xf64"}, "3x2xf64", "{element_type = f64}"));
}

TEST(OpGradientTest, NothingPassesRounding) {
  GradientCase test = unary("floor");
  test.op.body = "%f = tg.floor %a : tensor<3x2xf64>\n"
                 "%s = tg.sign %a : tensor<3x2xf64>\n"
                 "%r = tg.round %s : tensor<3x2xf64>\n"
                 "%t = tg.add %f, %r : (tensor<3x2xf64>, tensor<3x2xf64>) -> "
                 "tensor<3x2xf64>\n"
                 "%y = tg.mul %t, %a : (tensor<3x2xf64>, tensor<3x2xf64>) -> "
                 "tensor<3x2xf64>";
  check(test);
}

TEST(OpGradientTest, Matmul) {
  check(full("matmul", {"3x4xf64", "4x2xf64"}, "3x2xf64"));
  check(full("matmul", {"4x3xf64", "4x2xf64"}, "3x2xf64", "{transpose_lhs}"));
  check(full("matmul", {"3x4xf64", "2x4xf64"}, "3x2xf64", "{transpose_rhs}"));
  check(full("matmul", {"4x3xf64", "2x4xf64"}, "3x2xf64",
             "{transpose_lhs, transpose_rhs}"));
  // One rhs matrix is shared by all rows.
  check(full("matmul", {"3x5x4xf64", "4x2xf64"}, "3x5x2xf64"));
  check(
      full("matmul", {"3x5x4xf64", "2x4xf64"}, "3x5x2xf64", "{transpose_rhs}"));
  check(
      full("matmul", {"3x4x5xf64", "4x2xf64"}, "3x5x2xf64", "{transpose_lhs}"));
  // Broadcast leading dimensions.
  check(full("matmul", {"3x1x2x4xf64", "5x4x2xf64"}, "3x5x2x2xf64"));
  check(full("matmul", {"2x4xf64", "3x4x2xf64"}, "3x2x2xf64"));
}

TEST(OpGradientTest, Convolutions) {
  std::string geometry =
      "dilations = [2, 1], groups = 2 : i64, padding = \"same\", strides = [1, "
      "2]}";
  std::string x = "2x4x3x4xf64", w = "2x2x2x6xf64", y = "2x4x2x6xf64";
  auto known = [](const GradientCase &test) { check(test, test.op); };
  known(full("conv", {x, w}, y, "{" + geometry));
  known(
      full("conv_transpose", {y, w}, x, "{output_sizes = [4, 3], " + geometry));
  known(full("conv_filter_grad", {x, y}, w,
             "{filter_sizes = [2, 2], " + geometry));
  // The batch and the positions are extents of 3.
  check(full("conv", {"3x3x2xf64", "2x2x2xf64"}, "3x3x2xf64",
             "{padding = \"same\"}"));
  check(full("conv_filter_grad", {"3x3x2xf64", "3x3x2xf64"}, "2x2x2xf64",
             "{filter_sizes = [2], padding = \"same\"}"));
  // The static extents of the input type are not implied by the dynamic sizes.
  check({{"conv_transpose of sizes",
          {"1x4x2xf64", "2x1x2xf64"},
          "%n = tg.dim %a {axis = 1 : i64} : (tensor<1x4x2xf64>) -> "
          "tensor<i64>\n"
          "%t = tg.conv_transpose %a, %b, %n {output_sizes = [-1], padding = "
          "\"same\"} : (tensor<1x4x2xf64>, tensor<2x1x2xf64>, tensor<i64>) -> "
          "tensor<1x?x1xf64>\n"
          "%y = tg.ensure_shape %t {shape = [1, 4, 1]} : (tensor<1x?x1xf64>) "
          "-> tensor<1x4x1xf64>",
          "1x4x1xf64"}});
}

TEST(OpGradientTest, Pooling) {
  const std::string windows =
      "padding = \"same\", strides = [2, 2], window = [3, 3]}";
  GradientCase greatest = full("max_pool", {"3x7x4x2xf64"}, "3x4x2x2xf64");
  greatest.op.body = "%y, %i = tg.max_pool %a {" + windows +
                     " : (tensor<3x7x4x2xf64>) -> (tensor<3x4x2x2xf64>, "
                     "tensor<3x4x2x2xui8>)";
  check(greatest);
  GradientCase placed = full("max_pool_grad", {"3x4x2x2xf64"}, "3x7x4x2xf64");
  placed.op.body =
      "%p = tg.iota {axis = 1, element_type = ui8, shape = [3, 4, 2, 2]} : () "
      "-> tensor<3x4x2x2xui8>\n"
      "%q = tg.add %p, %p : (tensor<3x4x2x2xui8>, tensor<3x4x2x2xui8>) -> "
      "tensor<3x4x2x2xui8>\n"
      "%r = tg.ensure_shape %a {shape = [3, 4, 2, 2]} : "
      "(tensor<3x4x2x2xf64>) -> tensor<3x4x2x2xf64>\n"
      "%y = tg.max_pool_grad %r, %q {input_sizes = [7, 4], " +
      windows +
      " : (tensor<3x4x2x2xf64>, tensor<3x4x2x2xui8>) -> tensor<3x7x4x2xf64>";
  check(placed, placed.op);
  check(full("avg_pool", {"3x7x4x2xf64"}, "3x4x2x2xf64", "{" + windows));
  check(full("avg_pool_grad", {"3x4x2x2xf64"}, "3x7x4x2xf64",
             "{input_sizes = [7, 4], " + windows));
}

TEST(OpGradientTest, Resize) {
  for (const char *mode : {"nearest", "linear"}) {
    std::string words =
        std::string("{coordinates = \"half_pixel\", mode = \"") + mode + "\", ";
    check(full("resize", {"2x3x4x2xf64"}, "2x5x7x2xf64",
               words + "sizes = [5, 7]}"));
    check(full("resize_grad", {"2x5x7x2xf64"}, "2x2x4x2xf64",
               words + "input_sizes = [2, 4]}"));
  }
}

TEST(OpGradientTest, Reductions) {
  for (const char *op :
       {"reduce_sum", "reduce_prod", "reduce_max", "reduce_min"}) {
    check(full(op, {"3x4x2xf64"}, "3x2xf64", "{axes = [1]}"));
    check(full(op, {"3x4x2xf64"}, "1x4x1xf64", "{axes = [0, 2], keep_dims}"));
    check(full(op, {"3x4xf64"}, "f64"));
    check(full(op, {"3x4xf64"}, "3x4xf64", "{axes = []}"));
  }
}

/// Returns the gradient of a reduction of four elements; the cotangent is 1.
std::vector<double> reductionGradient(const char *op, std::vector<double> x) {
  GradientCase test = full(op, {"4xf64"}, "f64");
  OwningOpRef<ModuleOp> module = expand(test);
  return numbersOf(run(*module, "gradient",
                       {makeTensor("4xf64", x), makeTensor("f64", {1})})[0]);
}

TEST(OpGradientTest, ProductsWithZeros) {
  using V = std::vector<double>;
  EXPECT_EQ(reductionGradient("reduce_prod", {1, 2, 4, 8}), V({64, 32, 16, 8}));
  EXPECT_EQ(reductionGradient("reduce_prod", {1, 0, 4, 8}), V({0, 32, 0, 0}));
  EXPECT_EQ(reductionGradient("reduce_prod", {0, 0, 4, 8}), V({0, 0, 0, 0}));
}

TEST(OpGradientTest, ProductsThatOverflowOrUnderflow) {
  using V = std::vector<double>;
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reductionGradient("reduce_prod", {1e200, 1, 1e200, 1}),
            V({1e200, infinity, 1e200, infinity}));
  EXPECT_EQ(reductionGradient("reduce_prod", {1e-200, 1, 1e-200, 1}),
            V({1e-200, 0, 1e-200, 0}));
}

TEST(OpGradientTest, TiesShareEqually) {
  using V = std::vector<double>;
  EXPECT_EQ(reductionGradient("reduce_max", {1, 3, 3, 2}), V({0, 0.5, 0.5, 0}));
  EXPECT_EQ(reductionGradient("reduce_min", {1, 1, 1, 1}),
            V({0.25, 0.25, 0.25, 0.25}));
}

TEST(OpGradientTest, Cumsum) {
  for (const char *attributes :
       {"axis = 0", "axis = 1, exclusive", "axis = 1, reverse",
        "axis = 0, exclusive, reverse"}) {
    GradientCase test = unary("cumsum", -2, 2);
    test.op.body =
        std::string("%y = tg.cumsum %a {") + attributes + "} : tensor<3x2xf64>";
    check(test);
  }
}

TEST(OpGradientTest, TopK) {
  GradientCase test = full("top_k", {"3x5xf64"}, "3x2xf64");
  test.op.body = "%y, %i = tg.top_k %a {k = 2} : (tensor<3x5xf64>) -> "
                 "(tensor<3x2xf64>, tensor<3x2xi64>)";
  check(test);
}

TEST(OpGradientTest, Normalizations) {
  for (const char *op : {"softmax", "log_softmax"})
    for (const char *axis : {"0", "1"}) {
      GradientCase test = unary(op, -2, 2);
      test.op.body = std::string("%y = tg.") + op + " %a {axis = " + axis +
                     "} : tensor<3x2xf64>";
      check(test);
    }
  GradientCase test = full("moments", {"3x4x2xf64"}, "4xf64");
  for (const char *sum : {"add %m, %v", "sub %m, %m", "mul %v, %v"}) {
    test.op.body =
        std::string("%m, %v = tg.moments %a {axes = [0, 2]} : "
                    "(tensor<3x4x2xf64>) -> (tensor<4xf64>, tensor<4xf64>)\n"
                    "%y = tg.") +
        sum + " : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>";
    check(test);
  }
}

TEST(OpGradientTest, CrossEntropy) {
  check(full("softmax_cross_entropy", {"3x4xf64", "3x4xf64"}, "3xf64"));
  GradientCase test = full("softmax_cross_entropy", {"3x4xf64"}, "3xf64");
  test.op.body = "%t = tg.constant dense<[0, 3, 1]> : tensor<3xi32>\n"
                 "%y = tg.softmax_cross_entropy %a, %t : (tensor<3x4xf64>, "
                 "tensor<3xi32>) -> tensor<3xf64>";
  check(test, test.op);
  // The extent of the labels is static, the extent of the logits is dynamic.
  test.op.operands[0] = "?x4xf64";
  test.op.body.replace(test.op.body.find("(tensor<3x4"), 11, "(tensor<?x4");
  OpCase shapes = test.op;
  shapes.operands[0] = "3x4xf64";
  check(test, shapes);
}

} // namespace
