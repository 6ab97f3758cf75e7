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

/// Extents at which a thread has one or several rows or columns of a tile, and
/// sums of one, of two and of many blocks of the order, and of parts of them.
TEST(TiledProduct, FewRowsOrColumns) {
  for (auto [rows, columns, products] :
       {std::tuple(1, 70, 64), std::tuple(1, 40, 1700), std::tuple(3, 33, 513),
        std::tuple(8, 64, 1024), std::tuple(18, 24, 600),
        std::tuple(70, 1, 530), std::tuple(65, 10, 129), std::tuple(1, 1, 5000),
        std::tuple(5, 4, 2100), std::tuple(16, 16, 600)})
    for (const char *type : {"f32", "f64"}) {
      if (type == StringRef("f64") && rows < 16)
        continue;
      SCOPED_TRACE(
          replaceNames("MMxNNxKK ",
                       {{"MM", rows}, {"NN", columns}, {"KK", products}}) +
          type);
      std::string text =
          replaceNames(R"(
    tgx.kernel @k contraction(%a: tensor<MMxKKxTT>, %b: tensor<KKxNNxTT>, %c: tensor<NNxTT>) {
      %0 = tg.matmul %a, %b {tg.order = #tg.order<blocks = [512, 16]>} : (tensor<MMxKKxTT>, tensor<KKxNNxTT>) -> tensor<MMxNNxTT>
      %1 = tg.add %0, %c : (tensor<MMxNNxTT>, tensor<NNxTT>) -> tensor<MMxNNxTT>
      tgx.yield %1 : tensor<MMxNNxTT>
    })",
                       {{"MM", rows}, {"NN", columns}, {"KK", products}});
      for (size_t at; (at = text.find("TT")) != std::string::npos;)
        text.replace(at, 2, type);
      checkThreads(text, {{}});
    }
}

/// The slices of a tile sum different blocks: whole rounds of them, and parts.
TEST(TiledProduct, LongSums) {
  for (auto [rows, columns, products, blocks] :
       {std::tuple(64, 48, 1500, "512, 16"), std::tuple(40, 33, 2100, "512, 2"),
        std::tuple(32, 32, 700, "16, 4, 3"), std::tuple(20, 20, 515, "64"),
        std::tuple(36, 36, 400, "24, 8")})
    checkThreads(
        replaceNames(
            std::string(R"(
    tgx.kernel @k contraction(%a: tensor<KKxMMxf32>, %b: tensor<KKxNNxf32>) {
      %0 = tg.matmul %a, %b {transpose_lhs, tg.order = #tg.order<blocks = [)") +
                blocks +
                R"(]>} : (tensor<KKxMMxf32>, tensor<KKxNNxf32>) -> tensor<MMxNNxf32>
      %1 = tg.relu %0 : tensor<MMxNNxf32>
      tgx.yield %1 : tensor<MMxNNxf32>
    })",
            {{"MM", rows}, {"NN", columns}, {"KK", products}}),
        {{}});
}

/// The number of products is known at run time, and may be 0.
TEST(TiledProduct, LongSumsOfRunTime) {
  for (int64_t columns : {40, 3})
    checkThreads(replaceNames(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x9x9x24xf32> [s0, 9, 9, 24], %g: tensor<?x9x9xNNxf32> [s0, 9, 9, NN]) {
      %0 = tg.conv_filter_grad %x, %g {filter_sizes = [1, 1], tg.order = #tg.order<blocks = [32, 16]>} : (tensor<?x9x9x24xf32>, tensor<?x9x9xNNxf32>) -> tensor<1x1x24xNNxf32>
      tgx.yield %0 : tensor<1x1x24xNNxf32>
    })",
                              {{"NN", columns}}),
                 {{0}, {1}, {7}});
}

/// Copies of one element, of two neighbours and of 16 bytes, and operands
/// beside them that go through registers.
TEST(TiledProduct, AlignedOperandsAreCopied) {
  for (const char *type : {"f32", "f64"})
    for (auto [rows, columns, products] :
         {std::tuple(64, 40, 24), std::tuple(33, 42, 21), std::tuple(40, 33, 8),
          std::tuple(6, 36, 600), std::tuple(36, 2, 520)})
      for (const char *lhs : {"%a", "%r"}) {
        std::string text =
            replaceNames(R"(
    tgx.kernel @k contraction(%a: tensor<KKxMMxTT>, %b: tensor<KKxNNxTT>) attributes {alignments = array<i64: 16, 16, 16>} {
      %r = tg.relu %a : tensor<KKxMMxTT>
      %0 = tg.matmul LHS, %b {transpose_lhs} : (tensor<KKxMMxTT>, tensor<KKxNNxTT>) -> tensor<MMxNNxTT>
      tgx.yield %0 : tensor<MMxNNxTT>
    })",
                         {{"MM", rows}, {"NN", columns}, {"KK", products}});
        for (auto [name, value] : {std::pair("TT", type), {"LHS", lhs}})
          for (size_t at; (at = text.find(name)) != std::string::npos;)
            text.replace(at, strlen(name), value);
        checkThreads(text, {{}});
      }
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

/// Copies of neighbours that are all inside of the input, or all zeros.
TEST(TiledProduct, AlignedFilterGradients) {
  for (int64_t channels : {2, 8})
    checkThreads(replaceNames(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x9x9xCCxf32> [s0, 9, 9, CC], %g: tensor<?x5x5x32xf32> [s0, 5, 5, 32]) attributes {alignments = array<i64: 16, 16, 16>} {
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

//===----------------------------------------------------------------------===//
// Threads with neighbouring windows, and threads that share sums
//===----------------------------------------------------------------------===//

/// Runs of windows: their number is no multiple of a run, and they reach beyond
/// the input.
TEST(WindowRun, WindowsOfChannels) {
  for (int64_t stride : {1, 2})
    checkThreads(
        replaceNames(R"(
    tgx.kernel @k contraction(%x: tensor<2x39x59x64xf32>, %w: tensor<3x3x1x64xf32>, %b: tensor<64xf32>) {
      %0 = tg.conv %x, %w {groups = 64 : i64, padding = "same", strides = [1, SS]} : (tensor<2x39x59x64xf32>, tensor<3x3x1x64xf32>) -> tensor<2x39xWWx64xf32>
      %1 = tg.add %0, %b : (tensor<2x39xWWx64xf32>, tensor<64xf32>) -> tensor<2x39xWWx64xf32>
      tgx.yield %1, %0 : tensor<2x39xWWx64xf32>, tensor<2x39xWWx64xf32>
    })",
                     {{"SS", stride}, {"WW", (59 + stride - 1) / stride}}),
        {{}});
}

TEST(WindowRun, GroupsOfChannels) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x17x18x24xf32> [s0, 17, 18, 24], %w: tensor<2x3x3x48xf32>) {
      %0 = tg.conv %x, %w {groups = 8 : i64} : (tensor<?x17x18x24xf32>, tensor<2x3x3x48xf32>) -> tensor<?x16x16x48xf32>
      tgx.yield %0 : tensor<?x16x16x48xf32>
    })",
               {{0}, {1}, {2}});
}

TEST(WindowRun, WindowsOfATransposedConvolution) {
  for (int64_t stride : {1, 2})
    checkThreads(
        replaceNames(R"(
    tgx.kernel @k contraction(%y: tensor<2x39xWWx64xf32>, %w: tensor<3x3x1x64xf32>) {
      %0 = tg.conv_transpose %y, %w {groups = 64 : i64, output_sizes = [39, 59], padding = "same", strides = [1, SS]} : (tensor<2x39xWWx64xf32>, tensor<3x3x1x64xf32>) -> tensor<2x39x59x64xf32>
      tgx.yield %0 : tensor<2x39x59x64xf32>
    })",
                     {{"SS", stride}, {"WW", (59 + stride - 1) / stride}}),
        {{}});
}

/// Lines of a gradient with groups: no lines, fewer than a block of them has,
/// whole rounds and parts of rounds.
TEST(SlicedSum, FilterGradientsOfGroups) {
  for (const char *blocks : {"32, 16", "3, 4, 2", "5"})
    checkThreads(
        std::string(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x9x9x24xf32> [s0, 9, 9, 24], %g: tensor<?x5x5x24xf32> [s0, 5, 5, 24]) {
      %0 = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], groups = 24 : i64, padding = "same", strides = [2, 2], tg.order = #tg.order<blocks = [)") +
            blocks +
            R"(]>} : (tensor<?x9x9x24xf32>, tensor<?x5x5x24xf32>) -> tensor<3x3x1x24xf32>
      %1 = tg.relu %0 : tensor<3x3x1x24xf32>
      tgx.yield %1 : tensor<3x3x1x24xf32>
    })",
        {{0}, {1}, {7}, {33}});
}
