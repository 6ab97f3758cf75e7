// Tests the results and requirements of shape rules with symbolic extents.
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Analyzes the only result of a function of %x: tensor<?x4xf32>, whose `?` is
/// s0, and of sizes %n that are unknown at entry.
class Extents : public testing::Test {
protected:
  void analyze(const std::string &body, const std::string &type) {
    context.loadDialect<tg::TgDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(
        "func.func @f(%x: tensor<?x4xf32>, %n: tensor<i64>) -> " + type +
            " {\n" + body + "\nreturn %y : " + type + "\n}",
        &context);
    ASSERT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    analysis.setExtents(
        function.getArgument(0),
        {getAffineSymbolExpr(0, &context), getAffineConstantExpr(4, &context)});
    ASSERT_TRUE(succeeded(analysis.run(function.getBody().front(), 1)));
    Value result = function.getBody().front().getTerminator()->getOperand(0);
    for (AffineExpr extent : analysis.extentsOf(result)) {
      expressions.push_back(extent);
      extents.push_back(print(extent));
    }
    for (const tg::ExtentCheck &check : analysis.getChecks())
      checks.push_back(print(check.found) + relations[int(check.relation)] +
                       print(check.expected));
  }

  /// The spelling of each `tg::ExtentRelation`.
  static constexpr const char *relations[] = {" == ", " <= ", " >= "};

  std::string print(AffineExpr expression) {
    std::string text;
    llvm::raw_string_ostream(text) << expression;
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  tg::ExtentAnalysis analysis{&context};
  std::vector<AffineExpr> expressions;
  std::vector<std::string> extents, checks;
};

using Texts = std::vector<std::string>;

TEST_F(Extents, OfAReshapeFollowFromTheCount) {
  analyze("%y = tg.reshape %x {shape = [-1, 2]} : (tensor<?x4xf32>) -> "
          "tensor<?x2xf32>",
          "tensor<?x2xf32>");
  EXPECT_EQ(extents, (Texts{"s0 * 2", "2"}));
  EXPECT_EQ(checks, Texts{});
}

TEST_F(Extents, OfAReshapeThatMayNotFitAreChecked) {
  analyze("%y = tg.reshape %x {shape = [-1, 8]} : (tensor<?x4xf32>) -> "
          "tensor<?x8xf32>",
          "tensor<?x8xf32>");
  EXPECT_EQ(extents, (Texts{"(s0 * 4) floordiv 8", "8"}));
  EXPECT_EQ(checks, (Texts{"s0 * 4 == ((s0 * 4) floordiv 8) * 8"}));
}

TEST_F(Extents, OfSlicesOfAConcatNeedNoCheck) {
  analyze(R"(
    %a = tg.concat %x, %x, %x {axis = 0} : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %m = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>
    %y = tg.slice %a, %m, %m {sizes = [-1, 4], starts = [-1, 0]} : (tensor<?x4xf32>, tensor<i64>, tensor<i64>) -> tensor<?x4xf32>)",
          "tensor<?x4xf32>");
  EXPECT_EQ(extents, (Texts{"s0", "4"}));
  EXPECT_EQ(checks, Texts{});
}

TEST_F(Extents, OfSlicesThatMayLieOutsideAreChecked) {
  analyze("%y = tg.slice %x, %n {sizes = [2, 4], starts = [-1, 0]} : "
          "(tensor<?x4xf32>, tensor<i64>) -> tensor<2x4xf32>",
          "tensor<2x4xf32>");
  EXPECT_EQ(extents, (Texts{"2", "4"}));
  EXPECT_EQ(checks, (Texts{"s1 >= 0", "2 <= s0", "s1 <= s0", "s1 + 2 <= s0"}));
}

TEST_F(Extents, OfUnknownNumbersAreNotNegative) {
  analyze("%y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> "
          "tensor<?xi64>",
          "tensor<?xi64>");
  EXPECT_EQ(extents, Texts{"s1"});
  EXPECT_EQ(checks, Texts{"s1 >= 0"});
}

TEST_F(Extents, OfTheGreatestAreNotNegative) {
  analyze("%y, %i = tg.top_k %x, %n {k = -1} : (tensor<?x4xf32>, tensor<i64>) "
          "-> (tensor<?x?xf32>, tensor<?x?xi64>)",
          "tensor<?x?xf32>");
  EXPECT_EQ(extents, (Texts{"s0", "s1"}));
  EXPECT_EQ(checks, (Texts{"s1 >= 0", "s1 <= 4"}));
}

TEST_F(Extents, OfAnEnsuredShapeAreKnownWhereTheTypeForgets) {
  analyze("%y = tg.ensure_shape %x {shape = [3, -1]} : (tensor<?x4xf32>) -> "
          "tensor<3x?xf32>",
          "tensor<3x?xf32>");
  EXPECT_EQ(extents, (Texts{"3", "4"}));
  EXPECT_EQ(checks, Texts{"s0 == 3"});
}

/// Returns %y as an iota of length `op`(dim 0, `other`), where `other` is an
/// i64.
std::string iotaOf(const std::string &op, const std::string &other) {
  return "%m = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>\n%c = " +
         other + "\n%k = tg." + op +
         " %m, %c : (tensor<i64>, tensor<i64>) -> tensor<i64>\n"
         "%y = tg.iota %k {axis = 0, shape = [-1]} : (tensor<i64>) -> "
         "tensor<?xi64>";
}

/// Evaluates `expression` for a value of s0.
int64_t valueFor(AffineExpr expression, int64_t s0) {
  AffineExpr value = expression.replaceSymbols(
      {getAffineConstantExpr(s0, expression.getContext())});
  return *tg::staticExtent(simplifyAffineExpr(value, 0, 0));
}

TEST_F(Extents, OfAMaximumArePickedBySign) {
  analyze(iotaOf("maximum", "tg.constant dense<3> : tensor<i64>"),
          "tensor<?xi64>");
  for (int64_t s0 : {0, 2, 3, 4, 1000000})
    EXPECT_EQ(valueFor(expressions[0], s0), std::max<int64_t>(s0, 3)) << s0;
  // No operand is negative, so no check is needed.
  EXPECT_EQ(checks, Texts{});
}

TEST_F(Extents, OfAMinimumArePickedBySign) {
  analyze(iotaOf("minimum", "tg.constant dense<3> : tensor<i64>"),
          "tensor<?xi64>");
  for (int64_t s0 : {0, 2, 3, 4, 1000000})
    EXPECT_EQ(valueFor(expressions[0], s0), std::min<int64_t>(s0, 3)) << s0;
  EXPECT_EQ(checks, Texts{});
}

TEST_F(Extents, OfAMinimumOfANegativeNumberAreChecked) {
  analyze(iotaOf("minimum", "tg.constant dense<-9223372036854775808> : "
                            "tensor<i64>"),
          "tensor<?xi64>");
  EXPECT_EQ(checks.size(), 1u);
}

TEST_F(Extents, OfAMaximumThatIsCertainAreThat) {
  analyze(iotaOf("maximum", "tg.constant dense<0> : tensor<i64>"),
          "tensor<?xi64>");
  EXPECT_EQ(extents, Texts{"s0"});
}

TEST_F(Extents, OfAMinimumThatIsCertainAreThat) {
  analyze(iotaOf("minimum", "tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> "
                            "tensor<i64>"),
          "tensor<?xi64>");
  EXPECT_EQ(extents, Texts{"s0"});
}

/// Returns `steps` squarings of the extent of dim 0, and %y of that extent.
std::string doublings(int steps) {
  std::string text =
      "%d0 = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>\n";
  for (int i = 0; i < steps; ++i)
    text += "%d" + std::to_string(i + 1) + " = tg.mul %d" + std::to_string(i) +
            ", %d" + std::to_string(i) +
            " : (tensor<i64>, tensor<i64>) -> tensor<i64>\n";
  return text + "%y = tg.iota %d" + std::to_string(steps) +
         " {axis = 0, shape = [-1]} : (tensor<i64>) -> tensor<?xi64>";
}

TEST_F(Extents, OfFewPartsAreKept) {
  analyze(doublings(8), "tensor<?xi64>");
  EXPECT_TRUE(analysis.isKnownAtEntry(expressions[0]));
  EXPECT_EQ(tg::countParts(expressions[0], 1000), 511u);
}

TEST_F(Extents, OfTooManyPartsAreUnknown) {
  analyze(doublings(9), "tensor<?xi64>");
  EXPECT_FALSE(analysis.isKnownAtEntry(expressions[0]));
  EXPECT_TRUE(analysis.isTooLarge(expressions[0]));
}

TEST_F(Extents, OfManyMoreDoublingsTakeNoLonger) {
  analyze(doublings(2000), "tensor<?xi64>");
  EXPECT_TRUE(analysis.isTooLarge(expressions[0]));
}

} // namespace
