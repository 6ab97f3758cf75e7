// What shape rules find out and ask for over symbolic extents.
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Extents of the only result of a function of %x: tensor<?x4xf32>, with s0
/// for the `?`, and of numbers %n that are not known at entry.
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
    analysis.setExtents(function.getArgument(0),
                        {getAffineSymbolExpr(0, &context),
                         getAffineConstantExpr(4, &context)});
    ASSERT_TRUE(succeeded(analysis.run(function.getBody().front(), 1)));
    Value result = function.getBody().front().getTerminator()->getOperand(0);
    for (AffineExpr extent : analysis.extentsOf(result))
      extents.push_back(print(extent));
    for (const tg::ExtentCheck &check : analysis.getChecks())
      checks.push_back(print(check.found) + (check.atMost ? " <= " : " == ") +
                       print(check.expected));
  }

  std::string print(AffineExpr expression) {
    std::string text;
    llvm::raw_string_ostream(text) << expression;
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  tg::ExtentAnalysis analysis{&context};
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
  EXPECT_EQ(checks, (Texts{"-s1 <= 0", "2 <= s0", "s1 <= s0", "s1 + 2 <= s0"}));
}

TEST_F(Extents, OfUnknownNumbersAreNotNegative) {
  analyze("%y = tg.iota %n {axis = 0, shape = [-1]} : (tensor<i64>) -> "
          "tensor<?xi64>",
          "tensor<?xi64>");
  EXPECT_EQ(extents, Texts{"s1"});
  EXPECT_EQ(checks, Texts{"-s1 <= 0"});
}

TEST_F(Extents, OfTheGreatestAreNotNegative) {
  analyze("%y, %i = tg.top_k %x, %n {k = -1} : (tensor<?x4xf32>, tensor<i64>) "
          "-> (tensor<?x?xf32>, tensor<?x?xi64>)",
          "tensor<?x?xf32>");
  EXPECT_EQ(extents, (Texts{"s0", "s1"}));
  EXPECT_EQ(checks, (Texts{"-s1 <= 0", "s1 <= 4"}));
}

TEST_F(Extents, OfAnEnsuredShapeAreKnownWhereTheTypeForgets) {
  analyze("%y = tg.ensure_shape %x {shape = [3, -1]} : (tensor<?x4xf32>) -> "
          "tensor<3x?xf32>",
          "tensor<3x?xf32>");
  EXPECT_EQ(extents, (Texts{"3", "4"}));
  EXPECT_EQ(checks, Texts{"s0 == 3"});
}

} // namespace
