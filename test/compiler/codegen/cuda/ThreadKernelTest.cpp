//===- ThreadKernelTest.cpp - kernels by threads and by tiles -------------===//
#include "ThreadMachine.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

TEST(ThreadKernel, BlocksMayEndBeyondTheElements) {
  checkThreads(R"(
    tgx.kernel @k loop[s0](%x: tensor<?x8xf32> [s0, 8], %y: tensor<8xf32>) {
      %0 = tg.add %x, %y : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
      %1 = tg.exp %0 : tensor<?x8xf32>
      tgx.yield %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
    })",
               {{0}, {1}, {26}, {130}});
}

/// The first output lies in the memory of an input of the second one. The last
/// element is in no whole run.
TEST(ThreadKernel, InPlaceUpdatesReadBeforeTheyWrite) {
  KernelCheck check;
  check.aliases = {{0, 1}};
  checkThreads(R"(
    tgx.kernel @k loop(%w: tensor<301xf32>, %m: tensor<301xf32>, %g: tensor<301xf32>) {
      %0 = tg.add %w, %g : (tensor<301xf32>, tensor<301xf32>) -> tensor<301xf32>
      %1 = tg.add %m, %g : (tensor<301xf32>, tensor<301xf32>) -> tensor<301xf32>
      tgx.yield %0, %1 : tensor<301xf32>, tensor<301xf32>
    })",
               {{}}, check);
}

TEST(ThreadKernel, DrawsHaveTheCountersOfTheirElements) {
  checkThreads(R"(
    tgx.kernel @k loop[s0](%seed: tensor<i64>, %step: tensor<i64>, %n: tensor<i64> = s0) {
      %0 = tg.random_uniform %seed, %step, %n {shape = [-1, 7], stream = 3} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x7xf32>
      %1 = tg.random_normal %seed, %step, %n {shape = [-1, 7], stream = 4} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x7xf32>
      tgx.yield %0, %1 : tensor<?x7xf32>, tensor<?x7xf32>
    })",
               {{1}, {40}}, {.prepare = [](std::vector<HostTensor> &inputs) {
                 inputs[2].values<int64_t>()[0] = 40;
               }});
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The first three parts differ in extents and memory alone, and so do the last
/// two. Updates are in place, and a part reads an argument of another.
TEST(ThreadKernel, PartsHaveBlocksOfTheirOwn) {
  KernelCheck check;
  check.aliases = {{0, 1}, {2, 4}};
  checkThreads(R"(
    tgx.kernel @k loop[s0](%r: tensor<f32>, %a: tensor<?xf32> [300], %b: tensor<?xf32> [300], %c: tensor<?xf32> [128], %d: tensor<?xf32> [128], %e: tensor<?xf32> [1], %f: tensor<?xf32> [1], %x: tensor<?x5xf32> [s0, 5], %y: tensor<5xf32>)
        with(%two = dense<2.0> : tensor<f32>) attributes {parts = array<i64: 2, 2, 2, 1, 1, 1>} {
      %0 = tg.mul %b, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %1 = tg.add %a, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %2 = tg.mul %d, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %3 = tg.add %c, %2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %4 = tg.mul %f, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %5 = tg.add %e, %4 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %6 = tg.add %x, %y : (tensor<?x5xf32>, tensor<5xf32>) -> tensor<?x5xf32>
      %7 = tg.mul %f, %two : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %8 = tg.mul %b, %two : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      tgx.yield %1, %0, %3, %2, %5, %4, %6, %7, %8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x5xf32>, tensor<?xf32>, tensor<?xf32>
    })",
               {{0}, {1}, {26}, {130}}, check);
}

/// Parts that read different numbers share no code.
TEST(ThreadKernel, PartsHaveNumbersOfTheirOwn) {
  checkThreads(R"(
    tgx.kernel @k loop(%r: tensor<f32>, %s: tensor<f32>, %a: tensor<?xf32> [140], %b: tensor<?xf32> [140]) attributes {parts = array<i64: 1, 1>} {
      %0 = tg.mul %a, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      %1 = tg.mul %b, %s : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      tgx.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
    })",
               {{}});
}

/// Parts whose extents are known at run time alone share their code, too.
TEST(ThreadKernel, PartsMayHaveExtentsOfRunTime) {
  checkThreads(R"(
    tgx.kernel @k loop[s0, s1](%a: tensor<?xf32> [s0], %b: tensor<?xf32> [s1], %c: tensor<?xf32> [s0 * 2]) attributes {parts = array<i64: 1, 1, 1>} {
      %0 = tg.exp %a : tensor<?xf32>
      %1 = tg.exp %b : tensor<?xf32>
      %2 = tg.exp %c : tensor<?xf32>
      tgx.yield %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    })",
               {{0, 0}, {0, 5}, {129, 0}, {128, 256}, {1, 300}});
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The first failing element is reported by an atomic minimum, and its value by
/// a second run.
TEST(ThreadKernel, ChecksReportTheFirstElement) {
  KernelCheck check;
  check.prepare = [](std::vector<HostTensor> &inputs) {
    inputs[0].values<int32_t>()[200] = 10;
    inputs[0].values<int32_t>()[170] = -3;
  };
  checkThreads(R"(
    tgx.kernel @k loop[s0](%label: tensor<?xi32> [s0]) {
      %0 = tgx.check_index %label below [s0] -> (10) {op_name = "tg.gather"} : tensor<?xi32>
      %1 = tg.cast %0 {element_type = f32} : (tensor<?xi32>) -> tensor<?xf32>
      tgx.yield %1 : tensor<?xf32>
    })",
               {{300}}, check);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Lines below a step, of whole steps, of several blocks, and empty ones.
TEST(ThreadKernel, LinesHaveLanesAccumulatorsAndBlocks) {
  checkThreads(R"(
    tgx.kernel @k reduction[s0](%x: tensor<3x?xf32> [3, s0]) {
      %0 = tg.reduce_sum %x {axes = [1]} : (tensor<3x?xf32>) -> tensor<3xf32>
      %1 = tg.reduce_max %x {axes = [1]} : (tensor<3x?xf32>) -> tensor<3xf32>
      tgx.yield %0, %1 : tensor<3xf32>, tensor<3xf32>
    })",
               {{0}, {1}, {9}, {16}, {17}, {63}, {64}, {100}, {5000}, {70000}});
}

TEST(ThreadKernel, ShortLinesUseTheLanesThatHaveElements) {
  for (int extent : {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65}) {
    std::string type = "tensor<3x" + std::to_string(extent) + "xf32>";
    checkThreads("tgx.kernel @k reduction(%x: " + type +
                     ") {\n%0 = tg.reduce_sum %x {axes = [1]} : (" + type +
                     ") -> tensor<3xf32>\n"
                     "%1 = tg.reduce_prod %x {axes = [1]} : (" +
                     type +
                     ") -> tensor<3xf32>\n"
                     "tgx.yield %0, %1 : tensor<3xf32>, tensor<3xf32>\n}",
                 {{}});
  }
}

TEST(ThreadKernel, StatedOrdersAreKept) {
  checkThreads(R"(
    tgx.kernel @k reduction[s0](%x: tensor<2x?xf32> [2, s0]) {
      %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 8, accumulators = 2, blocks = [2, 3, 4]>} : (tensor<2x?xf32>) -> tensor<2xf32>
      tgx.yield %0 : tensor<2xf32>
    })",
               {{5}, {97}, {1000}});
}

/// The last step of a line has fewer elements than there are accumulators.
TEST(ThreadKernel, AccumulatorsMayHaveOneLane) {
  for (const char *blocks : {"", ", blocks = [2, 3, 4]"})
    checkThreads(std::string(R"(
    tgx.kernel @k reduction[s0](%x: tensor<3x?xf32> [3, s0]) {
      %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 1, accumulators = 2)") +
                     blocks + R"(>} : (tensor<3x?xf32>) -> tensor<3xf32>
      tgx.yield %0 : tensor<3xf32>
    })",
                 {{0}, {1}, {2}, {3}, {96}, {97}});
}

TEST(ThreadKernel, ColumnsAreSummedInBlocksOfLines) {
  checkThreads(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x7xf32> [s0, 7]) {
      %0 = tg.mul %x, %x : (tensor<?x7xf32>, tensor<?x7xf32>) -> tensor<?x7xf32>
      %1 = tg.reduce_sum %0 {axes = [0]} : (tensor<?x7xf32>) -> tensor<7xf32>
      tgx.yield %1, %0 : tensor<7xf32>, tensor<?x7xf32>
    })",
               {{0}, {1}, {23}, {25}, {2000}, {100000}});
}

TEST(ThreadKernel, LinesOfLinesAreNested) {
  checkThreads(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x3x40xf32> [s0, 3, 40]) {
      %0 = tg.reduce_sum %x {axes = [0, 2]} : (tensor<?x3x40xf32>) -> tensor<3xf32>
      tgx.yield %0 : tensor<3xf32>
    })",
               {{0}, {1}, {50}, {1700}});
}

TEST(ThreadKernel, SoftmaxTakesThreePasses) {
  checkThreads(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x10xf32> [s0, 10]) {
      %0 = tg.reduce_max %x {axes = [1], keep_dims} : (tensor<?x10xf32>) -> tensor<?x1xf32>
      %1 = tg.sub %x, %0 : (tensor<?x10xf32>, tensor<?x1xf32>) -> tensor<?x10xf32>
      %2 = tg.exp %1 : tensor<?x10xf32>
      %3 = tg.reduce_sum %2 {axes = [1], keep_dims} : (tensor<?x10xf32>) -> tensor<?x1xf32>
      %4 = tg.div %2, %3 : (tensor<?x10xf32>, tensor<?x1xf32>) -> tensor<?x10xf32>
      tgx.yield %4 : tensor<?x10xf32>
    })",
               {{1}, {200}});
}

TEST(ThreadKernel, MomentsMergeGroups) {
  for (const char *order : {"", ", tg.order = #tg.order<lines = [5, 3, 2]>"})
    checkThreads(std::string(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x6xf32> [s0, 6]) {
      %0, %1 = tg.moments %x {axes = [0])") +
                     order +
                     R"(} : (tensor<?x6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      tgx.yield %0, %1 : tensor<6xf32>, tensor<6xf32>
    })",
                 {{0}, {1}, {24}, {700}});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// More products than a block has, with ops before and after them.
TEST(ThreadKernel, ProductsHaveBlocksProducersAndAnEpilogue) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%a: tensor<5x?xf32> [5, s0], %b: tensor<33x?xf32> [33, s0], %c: tensor<33xf32>) {
      %0 = tg.relu %a : tensor<5x?xf32>
      %1 = tg.matmul %0, %b {transpose_rhs} : (tensor<5x?xf32>, tensor<33x?xf32>) -> tensor<5x33xf32>
      %2 = tg.add %1, %c : (tensor<5x33xf32>, tensor<33xf32>) -> tensor<5x33xf32>
      %3 = tg.relu %2 : tensor<5x33xf32>
      tgx.yield %3, %1 : tensor<5x33xf32>, tensor<5x33xf32>
    })",
               {{0}, {1}, {511}, {513}, {10000}});
}

TEST(ThreadKernel, LeadingDimensionsBroadcast) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%a: tensor<?x1x5x8xf64> [s0, 1, 5, 8], %b: tensor<3x8x20xf64>) {
      %0 = tg.matmul %a, %b : (tensor<?x1x5x8xf64>, tensor<3x8x20xf64>) -> tensor<?x3x5x20xf64>
      tgx.yield %0 : tensor<?x3x5x20xf64>
    })",
               {{2}});
}

TEST(ThreadKernel, WindowsOfAConvolution) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x9x9x3xf32> [s0, 9, 9, 3], %w: tensor<3x3x3x8xf32>) {
      %0 = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<?x9x9x3xf32>, tensor<3x3x3x8xf32>) -> tensor<?x5x5x8xf32>
      tgx.yield %0 : tensor<?x5x5x8xf32>
    })",
               {{2}});
}

/// A thread computes the rows of a column, and their sum in blocks of lines.
TEST(ThreadKernel, RowsOfAProductAreReduced) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%a: tensor<?x24xf32> [s0, 24], %b: tensor<24x20xf32>, %c: tensor<?x20xf32> [s0, 20]) {
      %0 = tg.matmul %a, %b : (tensor<?x24xf32>, tensor<24x20xf32>) -> tensor<?x20xf32>
      %1 = tg.mul %0, %c : (tensor<?x20xf32>, tensor<?x20xf32>) -> tensor<?x20xf32>
      %2 = tg.reduce_sum %1 {axes = [0]} : (tensor<?x20xf32>) -> tensor<20xf32>
      tgx.yield %1, %2 : tensor<?x20xf32>, tensor<20xf32>
    })",
               {{0}, {1}, {25}, {1700}});
}

//===----------------------------------------------------------------------===//
// Winograd's tiles
//===----------------------------------------------------------------------===//

/// Returns the text of a convolution with tiles of m x m, followed by `ops`.
static std::string tiledText(int m, const std::string &ops) {
  std::string order = "#tg.order<winograd = " + std::to_string(m) + ">";
  return R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x7x5x6xf32> [s0, 7, 5, 6], %w: tensor<3x3x6x16xf32>, %b: tensor<16xf32>, %r: tensor<?x7x5x16xf32> [s0, 7, 5, 16]) {
      %0 = tg.conv %x, %w {padding = "same", tg.order = )" +
         order +
         R"(} : (tensor<?x7x5x6xf32>, tensor<3x3x6x16xf32>) -> tensor<?x7x5x16xf32>
      %1 = tg.add %0, %b : (tensor<?x7x5x16xf32>, tensor<16xf32>) -> tensor<?x7x5x16xf32>
      %2 = tg.add %1, %r : (tensor<?x7x5x16xf32>, tensor<?x7x5x16xf32>) -> tensor<?x7x5x16xf32>
)" + ops +
         "\n}";
}

/// Tiles reach beyond the image. An output lies in the memory of an operand of
/// the epilogue.
TEST(ThreadKernel, TilesHaveAnEpilogue) {
  KernelCheck check;
  check.aliases = {{0, 3}};
  for (int m : {4, 2})
    checkThreads(
        tiledText(
            m, "tgx.yield %2, %0 : tensor<?x7x5x16xf32>, tensor<?x7x5x16xf32>"),
        {{0}, {1}, {3}}, check);
}

/// A thread computes all positions of a column.
TEST(ThreadKernel, TilesAreReduced) {
  for (int m : {4, 2}) {
    std::string size = std::to_string(m);
    checkThreads(
        tiledText(m, "%3 = tg.reduce_sum %2 {axes = [0, 1, 2], tg.order = "
                     "#tg.order<lines = [12, 64, 64], tile = [" +
                         size + ", " + size +
                         "]>} : (tensor<?x7x5x16xf32>) -> tensor<16xf32>\n"
                         "tgx.yield %2, %3 : tensor<?x7x5x16xf32>, "
                         "tensor<16xf32>"),
        {{0}, {1}, {4}});
  }
}

TEST(ThreadKernel, GradientsOfFiltersSumBlocksOfTiles) {
  checkThreads(R"(
    tgx.kernel @k contraction[s0](%x: tensor<?x4x4x2xf32> [s0, 4, 4, 2], %g: tensor<?x4x4x3xf32> [s0, 4, 4, 3], %w: tensor<3x3x2x3xf32>) {
      %0 = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], padding = "same", tg.order = #tg.order<blocks = [512, 16], winograd = 4>} : (tensor<?x4x4x2xf32>, tensor<?x4x4x3xf32>) -> tensor<3x3x2x3xf32>
      %1 = tg.sub %w, %0 : (tensor<3x3x2x3xf32>, tensor<3x3x2x3xf32>) -> tensor<3x3x2x3xf32>
      tgx.yield %1 : tensor<3x3x2x3xf32>
    })",
               {{0}, {1}, {512}, {1100}}, {.aliases = {{0, 2}}});
}

/// An output may read an element of another tile.
TEST(ThreadKernel, TilesMayBeReversed) {
  std::string type = "tensor<2x5x3x4xf32>";
  KernelHarness harness(
      "tgx.kernel @k contraction(%x: tensor<2x5x3x2xf32>, %w: "
      "tensor<3x3x2x4xf32>) {\n"
      "%0 = tg.conv %x, %w {padding = \"same\", tg.order = #tg.order<winograd "
      "= 2>} : (tensor<2x5x3x2xf32>, tensor<3x3x2x4xf32>) -> " +
      type + "\n%1 = tg.reverse %0 {axes = [0, 1, 2, 3]} : " + type +
      "\ntgx.yield %0, %1 : " + type + ", " + type + "\n}");
  ASSERT_TRUE(harness.getKernel());
  std::unique_ptr<ThreadMachine> threads =
      ThreadMachine::create(harness.getKernel());
  ASSERT_TRUE(threads);
  KernelRun run = threads->run(harness, harness.makeInputs({}), {});
  llvm::MutableArrayRef<float> reversed = run.outputs[1].values<float>();
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(compareBits(run.outputs[1], run.outputs[0]), "");
}
