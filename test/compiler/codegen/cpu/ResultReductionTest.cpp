//===- ResultReductionTest.cpp - reductions over rows of a product --------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

/// Returns the text with `n` in place of each N.
static std::string withColumns(std::string text, int64_t n) {
  for (size_t at = 0; (at = text.find('N', at)) != std::string::npos;)
    text.replace(at, 1, std::to_string(n));
  return text;
}

/// The gradient after a relu and the gradient of the bias. The numbers of rows
/// are 0, or below, equal to and above the rows of a partial sum. The columns
/// have every kind of remainder.
TEST(ResultReduction, ResultAndSums) {
  for (int64_t n : {1, 3, 45, 70}) {
    SCOPED_TRACE(std::to_string(n) + " columns");
    checkKernelOverExtents(withColumns(R"(
        tgx.kernel @k contraction[s0](%g: tensor<?x10xf32> [s0, 10],
            %w: tensor<Nx10xf32>, %h: tensor<?xNxf32> [s0, N]) with(%zero = dense<0.0> : tensor<f32>) {
          %0 = tg.matmul %g, %w {transpose_rhs} : (tensor<?x10xf32>, tensor<Nx10xf32>) -> tensor<?xNxf32>
          %1 = tg.compare gt, %h, %zero : (tensor<?xNxf32>, tensor<f32>) -> tensor<?xNxi1>
          %2 = tg.select %1, %0, %zero : (tensor<?xNxi1>, tensor<?xNxf32>, tensor<f32>) -> tensor<?xNxf32>
          %3 = tg.reduce_sum %2 {axes = [0]} : (tensor<?xNxf32>) -> tensor<Nxf32>
          tgx.yield %2, %3 : tensor<?xNxf32>, tensor<Nxf32>
        })",
                                       n),
                           {{0}, {1}, {24}, {25}, {100}, {401}},
                           {.tolerance = 1e-4, .optimization = 2});
  }
}

/// Only reductions of the result are yielded, not the result: statistics of a
/// batch, by two kinds of sums and a maximum.
TEST(ResultReduction, SeveralReductionsWithoutTheResult) {
  checkKernelOverExtents(R"(
      tgx.kernel @k contraction[s0](%x: tensor<?x33xf32> [s0, 33], %w: tensor<33x40xf32>, %c: tensor<40xf32>) {
        %0 = tg.matmul %x, %w : (tensor<?x33xf32>, tensor<33x40xf32>) -> tensor<?x40xf32>
        %1 = tg.add %0, %c : (tensor<?x40xf32>, tensor<40xf32>) -> tensor<?x40xf32>
        %2 = tg.mul %1, %1 : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
        %3 = tg.reduce_sum %1 {axes = [0], keep_dims} : (tensor<?x40xf32>) -> tensor<1x40xf32>
        %4 = tg.reduce_sum %2 {axes = [0]} : (tensor<?x40xf32>) -> tensor<40xf32>
        %5 = tg.reduce_max %1 {axes = [0]} : (tensor<?x40xf32>) -> tensor<40xf32>
        tgx.yield %3, %4, %5 : tensor<1x40xf32>, tensor<40xf32>, tensor<40xf32>
      })",
                         {{1}, {24}, {130}},
                         {.tolerance = 1e-3, .optimization = 2});
}

/// The finalize step updates a bias in place.
TEST(ResultReduction, UpdatesInPlace) {
  checkKernelOverExtents(
      R"(
      tgx.kernel @k contraction[s0](%g: tensor<?x10xf32> [s0, 10], %w: tensor<45x10xf32>,
          %m: tensor<45xf32>, %b: tensor<45xf32>, %rate: tensor<f32>) {
        %0 = tg.matmul %g, %w {transpose_rhs} : (tensor<?x10xf32>, tensor<45x10xf32>) -> tensor<?x45xf32>
        %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<?x45xf32>) -> tensor<45xf32>
        %2 = tg.add %m, %1 : (tensor<45xf32>, tensor<45xf32>) -> tensor<45xf32>
        %3 = tg.mul %2, %rate : (tensor<45xf32>, tensor<f32>) -> tensor<45xf32>
        %4 = tg.sub %b, %3 : (tensor<45xf32>, tensor<45xf32>) -> tensor<45xf32>
        tgx.yield %0, %2, %4 : tensor<?x45xf32>, tensor<45xf32>, tensor<45xf32>
      })",
      {{7}, {24}, {77}},
      {.tolerance = 1e-4, .aliases = {{1, 2}, {2, 3}}, .optimization = 2});
}

/// The rows of the matrix span several dimensions.
TEST(ResultReduction, RowsOfSeveralDimensions) {
  checkKernel(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x5x33xf64> [s0, 5, 33], %w: tensor<33x20xf64>) {
      %0 = tg.matmul %x, %w : (tensor<?x5x33xf64>, tensor<33x20xf64>) -> tensor<?x5x20xf64>
      %1 = tg.relu %0 : tensor<?x5x20xf64>
      %2 = tg.reduce_sum %1 {axes = [0, 1]} : (tensor<?x5x20xf64>) -> tensor<20xf64>
      tgx.yield %1, %2 : tensor<?x5x20xf64>, tensor<20xf64>
    })",
              {17}, {.tolerance = 1e-12, .optimization = 2});
}

/// The windows of all images are rows of one matrix: the bias gradient after a
/// convolution, with a remainder of columns, and without images.
TEST(ResultReduction, Windows) {
  checkKernelOverExtents(R"(
      tgx.kernel @k contraction[s0](%x: tensor<?x9x10x5xf32> [s0, 9, 10, 5], %w: tensor<3x3x5x45xf32>, %b: tensor<45xf32>) {
        %0 = tg.conv %x, %w {padding = "same"} : (tensor<?x9x10x5xf32>, tensor<3x3x5x45xf32>) -> tensor<?x9x10x45xf32>
        %1 = tg.add %0, %b : (tensor<?x9x10x45xf32>, tensor<45xf32>) -> tensor<?x9x10x45xf32>
        %2 = tg.reduce_sum %1 {axes = [0, 1, 2], keep_dims} : (tensor<?x9x10x45xf32>) -> tensor<1x1x1x45xf32>
        %3 = tg.reduce_max %0 {axes = [0, 1, 2]} : (tensor<?x9x10x45xf32>) -> tensor<45xf32>
        tgx.yield %1, %2, %3 : tensor<?x9x10x45xf32>, tensor<1x1x1x45xf32>, tensor<45xf32>
      })",
                         {{0}, {1}, {3}},
                         {.tolerance = 1e-3, .optimization = 2});
}

/// Long lines are matrices of their own. Parts do not cross their ends, so
/// their length must be a multiple of the rows of a part. The batch may be
/// empty.
TEST(ResultReduction, WindowsLineByLine) {
  checkKernelOverExtents(R"(
      tgx.kernel @k contraction[s0](%x: tensor<?x3x240x2xf32> [s0, 3, 240, 2], %w: tensor<3x3x2x20xf32>) {
        %0 = tg.conv %x, %w {padding = "same"} : (tensor<?x3x240x2xf32>, tensor<3x3x2x20xf32>) -> tensor<?x3x240x20xf32>
        %1 = tg.reduce_sum %0 {axes = [0, 1, 2]} : (tensor<?x3x240x20xf32>) -> tensor<20xf32>
        tgx.yield %0, %1 : tensor<?x3x240x20xf32>, tensor<20xf32>
      })",
                         {{0}, {1}, {2}},
                         {.tolerance = 1e-3, .optimization = 2});
}

/// The scratch memory of the workers begins after the partials buffer.
TEST(ResultReduction, HasPartialsAndScratch) {
  KernelHarness harness(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x300xf32> [s0, 300], %w: tensor<300x64xf32>) {
      %0 = tg.matmul %x, %w : (tensor<?x300xf32>, tensor<300x64xf32>) -> tensor<?x64xf32>
      %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<?x64xf32>) -> tensor<64xf32>
      tgx.yield %0, %1 : tensor<?x64xf32>, tensor<64xf32>
    })");
  auto compiled = harness.compile(runnableTargets().back());
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->partialsBytes);
  EXPECT_TRUE(compiled->scratchBytes);
}

/// Grouped convolutions have a partial sum for each line: whole vectors and
/// remaining channels, with and without images.
TEST(ResultReduction, LinesOfGroups) {
  for (const char *channels : {"32", "45"}) {
    std::string text = R"(
      tgx.kernel @k contraction[s0](%x: tensor<?x9x7xCxf32> [s0, 9, 7, C], %w: tensor<3x3x1xCxf32>) with(%c = dense<0.1> : tensor<f32>) {
        %0 = tg.conv %x, %w {groups = C : i64, pads = [1, 1, 1, 1], padding = "explicit"} : (tensor<?x9x7xCxf32>, tensor<3x3x1xCxf32>) -> tensor<?x9x7xCxf32>
        %1 = tg.reduce_sum %0 {axes = [0, 1, 2], keep_dims, tg.order = #tg.order<lines = [1, 64, 64], tile = [1, 0]>} : (tensor<?x9x7xCxf32>) -> tensor<1x1x1xCxf32>
        %2 = tg.mul %1, %c : (tensor<1x1x1xCxf32>, tensor<f32>) -> tensor<1x1x1xCxf32>
        tgx.yield %0, %2 : tensor<?x9x7xCxf32>, tensor<1x1x1xCxf32>
      })";
    for (size_t at = 0; (at = text.find('C', at)) != std::string::npos;)
      text.replace(at, 1, channels);
    checkKernelOverExtents(text, {{0}, {1}, {5}},
                           {.tolerance = 1e-4, .optimization = 2});
  }
}

/// Several phases of a stride across lines, and many epilogue ops.
TEST(ResultReduction, LinesOfGroupsWithManyOpsAfter) {
  checkKernelOverExtents(
      R"(
      tgx.kernel @k contraction[s0](%g: tensor<?x5x7x36xf32> [s0, 5, 7, 36], %w: tensor<3x3x1x36xf32>,
          %x: tensor<?x9x7x36xf32> [s0, 9, 7, 36], %m: tensor<36xf32>, %r: tensor<36xf32>) with(%zero = dense<0.0> : tensor<f32>, %one = dense<1.0> : tensor<f32>) {
        %0 = tg.conv_transpose %g, %w {groups = 36 : i64, pads = [1, 1, 1, 1], strides = [2, 1], padding = "explicit", output_sizes = [9, 7]} : (tensor<?x5x7x36xf32>, tensor<3x3x1x36xf32>) -> tensor<?x9x7x36xf32>
        %1 = tg.sub %x, %m : (tensor<?x9x7x36xf32>, tensor<36xf32>) -> tensor<?x9x7x36xf32>
        %2 = tg.mul %1, %r : (tensor<?x9x7x36xf32>, tensor<36xf32>) -> tensor<?x9x7x36xf32>
        %3 = tg.compare gt, %2, %zero : (tensor<?x9x7x36xf32>, tensor<f32>) -> tensor<?x9x7x36xi1>
        %4 = tg.compare lt, %2, %one : (tensor<?x9x7x36xf32>, tensor<f32>) -> tensor<?x9x7x36xi1>
        %5 = tg.select %3, %0, %zero : (tensor<?x9x7x36xi1>, tensor<?x9x7x36xf32>, tensor<f32>) -> tensor<?x9x7x36xf32>
        %6 = tg.select %4, %5, %zero : (tensor<?x9x7x36xi1>, tensor<?x9x7x36xf32>, tensor<f32>) -> tensor<?x9x7x36xf32>
        %7 = tg.mul %6, %2 : (tensor<?x9x7x36xf32>, tensor<?x9x7x36xf32>) -> tensor<?x9x7x36xf32>
        %8 = tg.reduce_sum %6 {axes = [0, 1, 2], tg.order = #tg.order<lines = [1, 64, 64], tile = [1, 0]>} : (tensor<?x9x7x36xf32>) -> tensor<36xf32>
        %9 = tg.reduce_sum %7 {axes = [0, 1, 2], tg.order = #tg.order<lines = [1, 64, 64], tile = [1, 0]>} : (tensor<?x9x7x36xf32>) -> tensor<36xf32>
        tgx.yield %6, %8, %9 : tensor<?x9x7x36xf32>, tensor<36xf32>, tensor<36xf32>
      })",
      {{0}, {1}, {3}}, {.tolerance = 1e-4, .optimization = 2});
}
