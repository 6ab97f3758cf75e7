//===- TiledProductTest.cpp - products in tiles of blocks -----------------===//
#include "ThreadMachine.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

/// Returns `text` with an integer in place of each name.
static std::string replaceNames(std::string text,
                                std::map<std::string, int64_t> numbers) {
  for (const auto &[name, number] : numbers)
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), std::to_string(number));
  return text;
}

/// Extents that end with tiles and parts, and others.
TEST(TiledProduct, TilesMayEndBeyondTheResult) {
  for (auto [rows, columns, products] :
       {std::tuple(128, 64, 16), std::tuple(130, 68, 8), std::tuple(97, 61, 5),
        std::tuple(64, 96, 37), std::tuple(32, 32, 1), std::tuple(40, 33, 600),
        std::tuple(256, 128, 12)})
    checkThreads(
        replaceNames(R"(
    tgx.kernel @k contraction(%a: tensor<MMxKKxf32>, %b: tensor<KKxNNxf32>, %c: tensor<NNxf32>) {
      %0 = tg.matmul %a, %b : (tensor<MMxKKxf32>, tensor<KKxNNxf32>) -> tensor<MMxNNxf32>
      %1 = tg.add %0, %c : (tensor<MMxNNxf32>, tensor<NNxf32>) -> tensor<MMxNNxf32>
      %2 = tg.relu %1 : tensor<MMxNNxf32>
      tgx.yield %2, %0 : tensor<MMxNNxf32>, tensor<MMxNNxf32>
    })",
                     {{"MM", rows}, {"NN", columns}, {"KK", products}}),
        {{}});
}

TEST(TiledProduct, OperandsMayBeTransposed) {
  for (auto [rows, columns, products] :
       {std::tuple(64, 64, 24), std::tuple(65, 63, 25)})
    checkThreads(
        replaceNames(R"(
    tgx.kernel @k contraction(%a: tensor<KKxMMxf32>, %b: tensor<NNxKKxf32>) {
      %0 = tg.matmul %a, %b {transpose_lhs, transpose_rhs} : (tensor<KKxMMxf32>, tensor<NNxKKxf32>) -> tensor<MMxNNxf32>
      tgx.yield %0 : tensor<MMxNNxf32>
    })",
                     {{"MM", rows}, {"NN", columns}, {"KK", products}}),
        {{}});
}

/// No products, and more than a block of the order, or two kinds of blocks,
/// have.
TEST(TiledProduct, RunTimeExtentsHaveNestedBlocks) {
  checkThreads(
      R"(
    tgx.kernel @k contraction[s0, s1](%a: tensor<?x?xf32> [s0, s1], %b: tensor<?x40xf32> [s1, 40]) {
      %0 = tg.matmul %a, %b : (tensor<?x?xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
      tgx.yield %0 : tensor<?x40xf32>
    })",
      {{0, 3}, {3, 0}, {1, 1}, {40, 512}, {33, 513}, {50, 1030}, {32, 8200}});
}

TEST(TiledProduct, StatedBlocksAreKept) {
  for (const char *blocks : {"8", "16, 3", "24, 2, 2", "12", "4, 2"})
    checkThreads(
        std::string(R"(
    tgx.kernel @k contraction(%a: tensor<32x200xf32>, %b: tensor<200x32xf32>) {
      %0 = tg.matmul %a, %b {tg.order = #tg.order<blocks = [)") +
            blocks +
            R"(]>} : (tensor<32x200xf32>, tensor<200x32xf32>) -> tensor<32x32xf32>
      tgx.yield %0 : tensor<32x32xf32>
    })",
        {{}});
}

TEST(TiledProduct, MatricesOfABatch) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%a: tensor<?x3x48x16xf64> [s0, 3, 48, 16], %b: tensor<?x3x40x16xf64> [s0, 3, 40, 16]) {
      %0 = tg.matmul %a, %b {transpose_rhs} : (tensor<?x3x48x16xf64>, tensor<?x3x40x16xf64>) -> tensor<?x3x48x40xf64>
      tgx.yield %0 : tensor<?x3x48x40xf64>
    })",
               {{2}});
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

TEST(TiledProduct, WindowsReachBeyondTheInput) {
  for (int64_t channels : {3, 8, 12})
    checkThreads(replaceNames(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x9x9xCCxf32> [s0, 9, 9, CC], %w: tensor<3x3xCCx32xf32>) {
      %0 = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<?x9x9xCCxf32>, tensor<3x3xCCx32xf32>) -> tensor<?x5x5x32xf32>
      %1 = tg.relu %0 : tensor<?x5x5x32xf32>
      tgx.yield %1 : tensor<?x5x5x32xf32>
    })",
                              {{"CC", channels}}),
                 {{0}, {3}});
}

TEST(TiledProduct, WindowsOfATransposedConvolution) {
  checkThreads(R"(
    tgx.kernel @k contraction(%y: tensor<2x5x5x16xf32>, %w: tensor<3x3x32x16xf32>) {
      %0 = tg.conv_transpose %y, %w {output_sizes = [9, 9], padding = "same", strides = [2, 2]} : (tensor<2x5x5x16xf32>, tensor<3x3x32x16xf32>) -> tensor<2x9x9x32xf32>
      tgx.yield %0 : tensor<2x9x9x32xf32>
    })",
               {{}});
}

TEST(TiledProduct, FilterGradientsSumPositions) {
  for (int64_t channels : {3, 8})
    checkThreads(replaceNames(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x9x9xCCxf32> [s0, 9, 9, CC], %g: tensor<?x5x5x32xf32> [s0, 5, 5, 32]) {
      %0 = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], padding = "same", strides = [2, 2]} : (tensor<?x9x9xCCxf32>, tensor<?x5x5x32xf32>) -> tensor<3x3xCCx32xf32>
      tgx.yield %0 : tensor<3x3xCCx32xf32>
    })",
                              {{"CC", channels}}),
                 {{0}, {2}});
}

TEST(TiledProduct, GroupsOfChannels) {
  checkThreads(R"(
    tgx.kernel @k contraction(%x: tensor<2x6x6x16xf32>, %w: tensor<3x3x8x64xf32>) {
      %0 = tg.conv %x, %w {groups = 2 : i64} : (tensor<2x6x6x16xf32>, tensor<3x3x8x64xf32>) -> tensor<2x4x4x64xf32>
      tgx.yield %0 : tensor<2x4x4x64xf32>
    })",
               {{}});
}
