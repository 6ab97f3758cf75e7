//===- GradientTest.cpp - gradients against central differences -----------===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Tg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "test/numeric/HostFunctions.h"
#include "test/numeric/OpTable.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// The largest allowed distance of a gradient from the central difference,
/// relative to 1 or to the gradient, whichever is greater.
constexpr double kTolerance = 1e-6;
/// Half the distance between the two points of a difference, relative to 1 or
/// to the element.
constexpr double kStep = 1e-5;
/// The number of perturbed elements per input; they are spread over the tensor.
constexpr int64_t kMoved = 12;

/// The text of four f64 functions for one row: the loss, which is a weighted
/// sum of the outputs; the gradients of the loss; the weighted sum of these
/// gradients; and the gradients of that sum.
class GradientText {
public:
  explicit GradientText(const OpRow &row);
  std::string get() const;

  /// The inputs of all four functions: the inputs of the row, then the weights.
  std::vector<RowTensor> inputs;

private:
  /// Returns a gradient request for all wanted values; its results are called
  /// <prefix><value>.
  std::string request(StringRef target, StringRef prefix) const;
  std::string function(StringRef name, StringRef body,
                       ArrayRef<RowTensor> results) const;

  std::vector<RowTensor> wanted, outputs, firstGradients, secondGradients;
  std::string variables, body;
};

} // namespace

GradientText::GradientText(const OpRow &row) : inputs(row.inputs) {
  for (const RowTensor &input : row.inputs)
    if (input.isFloat()) {
      wanted.push_back(input);
      firstGradients.push_back({"first_" + input.name, input.type});
      secondGradients.push_back({"second_" + input.name, input.type});
    }
  for (const RowTensor &output : row.outputs)
    if (output.isFloat()) {
      outputs.push_back(output);
      inputs.push_back({"weight_" + output.name, output.type});
    }
  for (const RowTensor &gradient : firstGradients)
    inputs.push_back({"weight_" + gradient.name, gradient.type});
  variables = variablesText(row, "f64");
  body = bodyText(row, "f64") + "\n";
}

static std::string functionType(StringRef from, StringRef to) {
  return (" : (" + from + ") -> " + to + "\n").str();
}

/// Returns the ops that compute the sum of weight · value into %<result>.
static std::string weightedSum(ArrayRef<RowTensor> values, StringRef result) {
  std::string text;
  std::string sum = (result + "_0").str();
  std::string scalar = "tensor<f64>";
  text += "%" + sum + " = tg.constant dense<0.0> : " + scalar + "\n";
  for (auto [number, value] : llvm::enumerate(values)) {
    std::string type = value.getType("f64");
    std::string name = value.name;
    std::string next = number + 1 == values.size()
                           ? result.str()
                           : (result + "_" + Twine(number + 1)).str();
    text += "%" + name + "_weighted = tg.mul %" + name + ", %weight_" + name +
            functionType(type + ", " + type, type);
    text += "%" + name + "_total = tg.reduce_sum %" + name + "_weighted" +
            functionType(type, scalar);
    text += "%" + next + " = tg.add %" + sum + ", %" + name + "_total" +
            functionType(scalar + ", " + scalar, scalar);
    sum = next;
  }
  return text;
}

std::string GradientText::request(StringRef target, StringRef prefix) const {
  std::vector<std::string> results, values, types;
  for (const RowTensor &value : wanted) {
    results.push_back(("%" + prefix + value.name).str());
    values.push_back("%" + value.name);
    types.push_back(value.getType("f64"));
  }
  std::string list = llvm::join(types, ", ");
  return llvm::join(results, ", ") + " = tg.gradient %" + target.str() +
         " wrt(" + llvm::join(values, ", ") + ") {allow_unconnected}" +
         functionType("tensor<f64>, " + list, "(" + list + ")");
}

std::string GradientText::function(StringRef name, StringRef body,
                                   ArrayRef<RowTensor> results) const {
  std::vector<std::string> arguments, values, types;
  for (const RowTensor &input : inputs)
    arguments.push_back("%" + input.name + ": " + input.getType("f64") +
                        " {tg.name = \"" + input.name + "\"}");
  for (const RowTensor &result : results) {
    values.push_back("%" + result.name);
    types.push_back(result.getType("f64"));
  }
  std::string list = llvm::join(types, ", ");
  return ("func.func @" + name + "(" + llvm::join(arguments, ", ") + ") -> (" +
          list + ") {\n" + body + "return " + llvm::join(values, ", ") + " : " +
          list + "\n}\n")
      .str();
}

std::string GradientText::get() const {
  std::string loss = body + weightedSum(outputs, "loss");
  std::string first = loss + request("loss", "first_");
  std::string slope = first + weightedSum(firstGradients, "slope");
  std::string second = slope + request("slope", "second_");
  return "module {\n" + variables +
         function("loss", loss, {{"loss", "FLOAT"}}) +
         function("first", first, firstGradients) +
         function("slope", slope, {{"slope", "FLOAT"}}) +
         function("second", second, secondGradients) + "}\n";
}

namespace {

/// Returns the rows that have a gradient to test.
std::vector<OpRow> rowsWithGradient() {
  std::vector<OpRow> rows;
  for (const OpRow &row : getOpTable()) {
    auto isFloat = [](const RowTensor &tensor) { return tensor.isFloat(); };
    if (row.gradient && llvm::any_of(row.inputs, isFloat) &&
        llvm::any_of(row.outputs, isFloat))
      rows.push_back(row);
  }
  return rows;
}

class GradientTest : public testing::TestWithParam<OpRow> {
protected:
  GradientTest() { context.loadDialect<TgDialect, func::FuncDialect>(); }

  /// Parses the text and expands its gradients.
  OwningOpRef<ModuleOp> expand(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    PassManager passes(&context);
    passes.addPass(createInferShapes());
    passes.addPass(createExpandGradients());
    if (!module || failed(passes.run(*module)))
      return {};
    return module;
  }

  SmallVector<HostTensor> run(ModuleOp module, StringRef name,
                              ArrayRef<HostTensor> inputs) {
    SmallVector<HostTensor> results;
    auto function = module.lookupSymbol<func::FuncOp>(name);
    EXPECT_EQ(makeInterpreter().run(function, inputs, results), "");
    return results;
  }

  /// Compares `gradient`, which returns one result per float input of the row,
  /// with differences of the scalar function `value`.
  void compare(ModuleOp module, StringRef value, StringRef gradient,
               std::vector<HostTensor> inputs);

  MLIRContext context;
};

} // namespace

void GradientTest::compare(ModuleOp module, StringRef value, StringRef gradient,
                           std::vector<HostTensor> inputs) {
  SmallVector<HostTensor> found = run(module, gradient, inputs);
  unsigned result = 0;
  for (auto [number, tensor] : llvm::enumerate(GetParam().inputs)) {
    if (!tensor.isFloat())
      continue;
    ASSERT_LT(result, found.size());
    ArrayRef<double> slopes = std::as_const(found[result++]).values<double>();
    int64_t count = inputs[number].getNumElements();
    ASSERT_EQ(int64_t(slopes.size()), count);
    int64_t stride = std::max<int64_t>(1, count / kMoved);
    for (int64_t element = 0; element < count; element += stride) {
      double &moved = inputs[number].values<double>()[element];
      double at = moved;
      double step = kStep * std::max(1.0, std::abs(at));
      auto lossAt = [&](double x) {
        moved = x;
        return run(module, value, inputs)[0].numberAt(0);
      };
      double difference = (lossAt(at + step) - lossAt(at - step)) / (2 * step);
      moved = at;
      EXPECT_NEAR(slopes[element], difference,
                  kTolerance * std::max(1.0, std::abs(difference)))
          << gradient.str() << " of input " << tensor.name << ", element "
          << element;
    }
  }
}

TEST_P(GradientTest, AgreesWithCentralDifferences) {
  GradientText text(GetParam());
  OwningOpRef<ModuleOp> module = expand(text.get());
  ASSERT_TRUE(module) << text.get();
  std::vector<HostTensor> inputs;
  for (auto [number, input] : llvm::enumerate(text.inputs))
    inputs.push_back(makeTensor(input, &context, "f64", number + 1));
  compare(*module, "loss", "first", inputs);
  if (GetParam().secondGradient)
    compare(*module, "slope", "second", inputs);
}

INSTANTIATE_TEST_SUITE_P(Table, GradientTest,
                         testing::ValuesIn(rowsWithGradient()),
                         [](const auto &info) { return info.param.name; });

TEST(GradientTable, CoversEveryRule) {
  EXPECT_GE(rowsWithGradient().size(), 100u);
}
