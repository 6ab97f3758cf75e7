// Tests the contractions that describe matrix products and convolutions:
// dimensions, maps and FLOPs.
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using tg::DimensionKind;

namespace {

/// Builds the contraction of an op with two typed operands; each `?` has the
/// extent s0.
class ContractionOf : public testing::Test {
protected:
  tg::Contraction describe(const std::string &lhs, const std::string &rhs,
                           const std::string &flags, const std::string &result,
                           const std::string &op = "matmul") {
    context.loadDialect<tg::TgDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(
        "func.func @f(%a: " + lhs + ", %b: " + rhs + ") -> " + result +
            " {\n%y = tg." + op + " %a, %b " + flags + " : (" + lhs + ", " +
            rhs + ") -> " + result + "\nreturn %y : " + result + "\n}",
        &context);
    Block &block = (*module->getOps<func::FuncOp>().begin()).getBody().front();
    tg::ExtentAnalysis analysis(&context);
    for (BlockArgument argument : block.getArguments()) {
      SmallVector<AffineExpr> extents;
      for (int64_t size : cast<RankedTensorType>(argument.getType()).getShape())
        extents.push_back(ShapedType::isDynamic(size)
                              ? getAffineSymbolExpr(0, &context)
                              : getAffineConstantExpr(size, &context));
      analysis.setExtents(argument, extents);
    }
    EXPECT_TRUE(succeeded(analysis.run(block, 1)));
    return cast<tg::ContractionOpInterface>(&block.front())
        .getContraction(analysis);
  }

  AffineExpr number(int64_t value) {
    return getAffineConstantExpr(value, &context);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using ContractionOfMatmul = ContractionOf;
using ContractionOfConvolution = ContractionOf;

} // namespace

TEST_F(ContractionOfMatmul, PlainMatrices) {
  tg::Contraction contraction =
      describe("tensor<?x4xf32>", "tensor<4x5xf32>", "", "tensor<?x5xf32>");
  AffineExpr rows = getAffineSymbolExpr(0, &context);
  ASSERT_EQ(contraction.dimensions.size(), 3u);
  EXPECT_EQ(contraction.dimensions[0].kind, DimensionKind::row);
  EXPECT_EQ(contraction.dimensions[0].extent, rows);
  EXPECT_EQ(contraction.dimensions[1].kind, DimensionKind::column);
  EXPECT_EQ(contraction.dimensions[2].kind, DimensionKind::reduced);
  EXPECT_EQ(contraction.dimensions[2].extent, number(4));
  EXPECT_EQ(contraction.lhs.strideOf(0), number(4));
  EXPECT_EQ(contraction.lhs.strideOf(1), number(0));
  EXPECT_EQ(contraction.lhs.strideOf(2), number(1));
  EXPECT_EQ(contraction.rhs.strideOf(2), number(5));
  EXPECT_EQ(contraction.getFlops(), rows * 40);
  EXPECT_TRUE(contraction.accumulator.isF32());
  EXPECT_TRUE(contraction.isMatrixProduct());
}

TEST_F(ContractionOfMatmul, TransposedMatrices) {
  tg::Contraction contraction =
      describe("tensor<4x3xf64>", "tensor<5x4xf64>",
               "{transpose_lhs, transpose_rhs}", "tensor<3x5xf64>");
  EXPECT_EQ(contraction.lhs.strideOf(0), number(1));
  EXPECT_EQ(contraction.lhs.strideOf(2), number(3));
  EXPECT_EQ(contraction.rhs.strideOf(1), number(4));
  EXPECT_EQ(contraction.rhs.axisOf(1), 0u);
  EXPECT_EQ(contraction.getFlops(), number(2 * 3 * 5 * 4));
  EXPECT_TRUE(contraction.isMatrixProduct());
}

/// A leading dimension that the rhs lacks is a row dimension; the others are
/// batch dimensions.
TEST_F(ContractionOfMatmul, LeadingDimensions) {
  tg::Contraction contraction =
      describe("tensor<2x1x7x3x4xf32>", "tensor<6x1x4x5xf32>", "",
               "tensor<2x6x7x3x5xf32>");
  DimensionKind kinds[] = {DimensionKind::row,    DimensionKind::batch,
                           DimensionKind::row,    DimensionKind::row,
                           DimensionKind::column, DimensionKind::reduced};
  ASSERT_EQ(contraction.dimensions.size(), std::size(kinds));
  for (auto [dimension, kind] : llvm::zip(contraction.dimensions, kinds))
    EXPECT_EQ(dimension.kind, kind);
  EXPECT_FALSE(contraction.lhs.varies(1));
  EXPECT_EQ(contraction.rhs.strideOf(1), number(20));
  EXPECT_EQ(contraction.lhs.strideOf(0), number(84));
  // The dimension of extent 1 between them does not prevent collapsing.
  EXPECT_TRUE(contraction.lhs.joins(0, 2));
  EXPECT_TRUE(contraction.lhs.joins(2, 3));
  EXPECT_FALSE(contraction.lhs.joins(3, 2));
  EXPECT_EQ(contraction.getFlops(), number(2 * 2 * 6 * 7 * 3 * 5 * 4));
}

/// The element type table gives the accumulator type of the operands.
TEST_F(ContractionOfMatmul, Accumulator) {
  for (const tg::ElementTypeInfo &row : tg::kElementTypes) {
    if (row.rounding == TG_ROUNDING_TRUTH)
      continue;
    std::string sum = tg::typeInfoOf(row.product).name;
    std::string operand = "tensor<4x4x" + std::string(row.name) + ">";
    tg::Contraction contraction =
        describe(operand, operand, "", "tensor<4x4x" + sum + ">");
    EXPECT_EQ(contraction.accumulator, tg::mlirTypeOf(row.product, &context))
        << row.name;
  }
}

TEST_F(ContractionOfConvolution, Dimensions) {
  using enum DimensionKind;
  auto check = [&](const tg::Contraction &found,
                   std::vector<DimensionKind> kinds) {
    ASSERT_EQ(found.dimensions.size(), kinds.size());
    for (auto [dimension, kind] : llvm::zip(found.dimensions, kinds))
      EXPECT_EQ(dimension.kind, kind);
  };
  std::string x = "tensor<?x8x8x4xf32>", w = "tensor<3x2x2x6xf32>",
              y = "tensor<?x6x7x6xf32>", groups = "groups = 2 : i64";
  tg::Contraction conv = describe(x, w, "{" + groups + "}", y, "conv");
  check(conv, {row, row, row, batch, column, reduced, reduced, reduced});
  EXPECT_EQ(conv.getFlops(),
            getAffineSymbolExpr(0, &context) * (2 * 6 * 7 * 6 * 3 * 2 * 2));
  check(describe(y, w, "{output_sizes = [8, 8], " + groups + "}", x,
                 "conv_transpose"),
        {row, row, row, batch, column, reduced, reduced, reduced});
  check(describe(x, y, "{filter_sizes = [3, 2], " + groups + "}", w,
                 "conv_filter_grad"),
        {row, row, row, batch, column, reduced, reduced, reduced});
  // A single group adds no batch dimension, and the channels are plain
  // dimensions.
  tg::Contraction one = describe("tensor<2x9x4xf64>", "tensor<3x4x5xf64>", "",
                                 "tensor<2x7x5xf64>", "conv");
  check(one, {row, row, column, reduced, reduced});
  EXPECT_EQ(one.lhs.axisOf(4), 2u);
  EXPECT_EQ(one.rhs.axisOf(2), 2u);
  EXPECT_EQ(one.result.axisOf(2), 2u);
}

/// `isPartial` marks the spatial indices of the lhs that may be out of range.
TEST_F(ContractionOfConvolution, IsPartialWhereItMayMiss) {
  struct {
    const char *op, *attributes, *lhs, *rhs, *result;
    bool isPartial;
  } cases[] = {
      {"conv", "", "?x?x2", "3x2x4", "?x?x4", false},
      {"conv", "{padding = \"same\"}", "?x?x2", "2x2x4", "?x?x4", true},
      {"conv", "{padding = \"same\", strides = [2]}", "1x?x2", "1x2x4", "1x?x4",
       false},
      // The last window reaches into the padding; then it ends before the
      // padding.
      {"conv", "{padding = \"explicit\", pads = [0, 1], strides = [2]}",
       "1x5x2", "2x2x4", "1x3x4", true},
      {"conv", "{padding = \"explicit\", pads = [0, 1], strides = [2]}",
       "1x6x2", "2x2x4", "1x3x4", false},
      {"conv_filter_grad", "{filter_sizes = [3]}", "?x?x2", "?x?x4", "3x2x4",
       false},
      {"conv_transpose", "{output_sizes = [8]}", "1x6x4", "3x2x4", "1x8x2",
       true},
      {"conv_transpose", "{output_sizes = [7], strides = [2]}", "1x4x4",
       "1x2x4", "1x7x2", true},
      // With these pads every position has a window at every tap.
      {"conv_transpose",
       "{output_sizes = [7], padding = \"explicit\", pads = [2, 2]}", "1x9x4",
       "3x2x4", "1x7x2", false},
  };
  for (const auto &[op, attributes, lhs, rhs, result, isPartial] : cases) {
    auto type = [](const char *shape) {
      return "tensor<" + std::string(shape) + "xf32>";
    };
    tg::Contraction found =
        describe(type(lhs), type(rhs), attributes, type(result), op);
    EXPECT_EQ(found.lhs.indices[1].isPartial, isPartial)
        << op << " " << attributes << " of " << lhs;
  }
}
