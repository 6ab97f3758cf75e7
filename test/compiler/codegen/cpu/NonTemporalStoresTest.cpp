//===- NonTemporalStoresTest.cpp - non-temporal stores of outputs
//-----------------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

/// Checks the values of the kernel, and that its code for the given levels has
/// non-temporal stores exactly if `streams`.
static void checkNonTemporal(llvm::StringRef text, bool streams,
                             const KernelCheck &check = {},
                             llvm::ArrayRef<int> levels = {3, 4}) {
  SCOPED_TRACE(text.str());
  checkKernel(text, {}, check);
  KernelHarness harness(text);
  for (int level : levels) {
    auto compiled = harness.compile({level, 2, ""});
    ASSERT_TRUE(compiled);
    EXPECT_EQ(llvm::StringRef(compiled->llvmText).contains("!nontemporal"),
              streams)
        << "v" << level;
    // The fence makes non-temporal stores visible to other threads when the
    // launch ends.
    EXPECT_EQ(llvm::StringRef(compiled->llvmText).contains("sfence"), streams);
  }
}

/// Returns the text with `columns` in place of each C.
static std::string withColumns(std::string text, int64_t columns) {
  for (size_t at = 0; (at = text.find('C', at)) != std::string::npos;)
    text.replace(at, 1, std::to_string(columns));
  return text;
}

TEST(NonTemporalStores, LoopWithARemainder) {
  const char *text = R"(
    tgx.kernel @k loop(%x: tensor<4109xf32>) attributes {non_temporal_outputs = array<i64: 64>} {
      %0 = tg.relu %x : tensor<4109xf32>
      tgx.yield %0 : tensor<4109xf32>
    })";
  checkNonTemporal(text, true);
}

/// The caller's output memory may alias an input or be unaligned, so the kernel
/// tests it.
TEST(NonTemporalStores, LoopOverMemoryThatIsTested) {
  const char *text = R"(
    tgx.kernel @k loop(%x: tensor<4109xf32>) attributes {non_temporal_outputs = array<i64: 4>} {
      %0 = tg.relu %x : tensor<4109xf32>
      tgx.yield %0 : tensor<4109xf32>
    })";
  checkNonTemporal(text, true);
  checkNonTemporal(text, true, {.aliases = {{0, 0}}});
}

TEST(NonTemporalStores, NothingWhereTheKernelSaysSo) {
  checkNonTemporal(R"(
    tgx.kernel @k loop(%x: tensor<4109xf32>) attributes {non_temporal_outputs = array<i64: 0>} {
      %0 = tg.relu %x : tensor<4109xf32>
      tgx.yield %0 : tensor<4109xf32>
    })",
                   false);
}

TEST(NonTemporalStores, SoftmaxOfRows) {
  checkNonTemporal(R"(
    tgx.kernel @k reduction(%x: tensor<11x128xf32>) attributes {non_temporal_outputs = array<i64: 64>} {
      %m = tg.reduce_max %x {axes = [1], keep_dims} : (tensor<11x128xf32>) -> tensor<11x1xf32>
      %s = tg.sub %x, %m : (tensor<11x128xf32>, tensor<11x1xf32>) -> tensor<11x128xf32>
      %e = tg.exp %s : tensor<11x128xf32>
      %t = tg.reduce_sum %e {axes = [1], keep_dims} : (tensor<11x128xf32>) -> tensor<11x1xf32>
      %y = tg.div %e, %t : (tensor<11x128xf32>, tensor<11x1xf32>) -> tensor<11x128xf32>
      tgx.yield %y : tensor<11x128xf32>
    })",
                   true);
}

/// Rows of 20 columns do not begin at vector boundaries.
TEST(NonTemporalStores, ColumnsWithTheirSums) {
  for (int64_t columns : {16, 48, 320, 20})
    checkNonTemporal(withColumns(R"(
      tgx.kernel @k reduction(%x: tensor<57xCxf32>, %c: tensor<Cxf32>) attributes {non_temporal_outputs = array<i64: 64, 0>} {
        %0 = tg.sub %x, %c : (tensor<57xCxf32>, tensor<Cxf32>) -> tensor<57xCxf32>
        %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<57xCxf32>) -> tensor<Cxf32>
        tgx.yield %0, %1 : tensor<57xCxf32>, tensor<Cxf32>
      })",
                                 columns),
                     columns % 16 == 0, {.tolerance = 1e-4});
}

/// The store covers whole register tiles, and rows with a remainder of columns.
TEST(NonTemporalStores, Products) {
  for (int64_t columns : {16, 64, 96, 144, 20}) {
    checkNonTemporal(withColumns(R"(
      tgx.kernel @k contraction(%x: tensor<103x24xf32>, %w: tensor<24xCxf32>) attributes {non_temporal_outputs = array<i64: 64>} {
        %0 = tg.matmul %x, %w : (tensor<103x24xf32>, tensor<24xCxf32>) -> tensor<103xCxf32>
        tgx.yield %0 : tensor<103xCxf32>
      })",
                                 columns),
                     columns % 16 == 0, {.tolerance = 1e-4, .optimization = 2});
    checkNonTemporal(withColumns(R"(
      tgx.kernel @k contraction(%x: tensor<103x24xf32>, %w: tensor<24xCxf32>) attributes {non_temporal_outputs = array<i64: 64, 0>} {
        %0 = tg.matmul %x, %w : (tensor<103x24xf32>, tensor<24xCxf32>) -> tensor<103xCxf32>
        %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<103xCxf32>) -> tensor<Cxf32>
        tgx.yield %0, %1 : tensor<103xCxf32>, tensor<Cxf32>
      })",
                                 columns),
                     columns % 16 == 0, {.tolerance = 1e-4, .optimization = 2});
  }
}

/// The kernel tests the caller's memory and so contains the product twice; with
/// rows that are computed on the fly, and with sums over the rows of the
/// result.
TEST(NonTemporalStores, ProductsIntoMemoryThatIsTested) {
  for (int64_t columns : {64, 144}) {
    std::string added = withColumns(R"(
      tgx.kernel @k contraction(%x: tensor<103x24xf32>, %w: tensor<24xCxf32>, %r: tensor<103xCxf32>) attributes {non_temporal_outputs = array<i64: 4>} {
        %0 = tg.relu %x : tensor<103x24xf32>
        %1 = tg.matmul %0, %w : (tensor<103x24xf32>, tensor<24xCxf32>) -> tensor<103xCxf32>
        %2 = tg.add %1, %r : (tensor<103xCxf32>, tensor<103xCxf32>) -> tensor<103xCxf32>
        tgx.yield %2 : tensor<103xCxf32>
      })",
                                    columns);
    KernelCheck check{.tolerance = 1e-4, .optimization = 2};
    checkNonTemporal(added, true, check);
    check.aliases = {{0, 2}};
    checkNonTemporal(added, true, check);
    checkNonTemporal(withColumns(R"(
      tgx.kernel @k contraction(%x: tensor<103x24xf32>, %w: tensor<24xCxf32>) attributes {non_temporal_outputs = array<i64: 4, 0>} {
        %0 = tg.matmul %x, %w : (tensor<103x24xf32>, tensor<24xCxf32>) -> tensor<103xCxf32>
        %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<103xCxf32>) -> tensor<Cxf32>
        tgx.yield %0, %1 : tensor<103xCxf32>, tensor<Cxf32>
      })",
                                 columns),
                     true, {.tolerance = 1e-4, .optimization = 2});
  }
}

/// Convolutions emit their code once, so they stream only into memory that tgc
/// allocates.
TEST(NonTemporalStores, ConvolutionsIntoMemoryOfTheCaller) {
  checkNonTemporal(R"(
    tgx.kernel @k contraction(%x: tensor<2x9x9x32xf32>, %w: tensor<5x5x32x64xf32>) attributes {non_temporal_outputs = array<i64: 4>} {
      %0 = tg.conv %x, %w : (tensor<2x9x9x32xf32>, tensor<5x5x32x64xf32>) -> tensor<2x5x5x64xf32>
      tgx.yield %0 : tensor<2x5x5x64xf32>
    })",
                   false, {.tolerance = 1e-4, .optimization = 2});
}

/// A vector fills a cache line only at level 4.
TEST(NonTemporalStores, DepthwiseConvolutions) {
  for (int64_t columns : {32, 144, 20})
    checkNonTemporal(withColumns(R"(
      tgx.kernel @k contraction(%x: tensor<2x9x9xCxf32>, %w: tensor<3x3x1xCxf32>) attributes {non_temporal_outputs = array<i64: 64>} {
        %0 = tg.conv %x, %w {groups = C : i64, pads = [1, 1, 1, 1], padding = "explicit"} : (tensor<2x9x9xCxf32>, tensor<3x3x1xCxf32>) -> tensor<2x9x9xCxf32>
        tgx.yield %0 : tensor<2x9x9xCxf32>
      })",
                                 columns),
                     columns % 16 == 0, {.tolerance = 1e-4, .optimization = 2},
                     {4});
}
