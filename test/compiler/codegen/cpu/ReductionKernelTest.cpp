//===- ReductionKernelTest.cpp - kernels of strategy "reduction" ----------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

/// Returns a kernel with one f32 argument [s0, columns], the ops `ops` and the
/// yield operands `yields`.
static std::string rowKernel(int64_t columns, std::string ops,
                             const std::string &yields) {
  std::string count = std::to_string(columns);
  std::string text = "tgx.kernel @k reduction[s0](%x: FULL [s0, N]) {\n" + ops +
                     "\ntgx.yield " + yields + "}";
  for (auto [from, to] :
       {std::pair<std::string, std::string>{"FULL", "tensor<?xNxf32>"},
        {"KEPT", "tensor<?x1xf32>"},
        {"DROPPED", "tensor<?xf32>"},
        {"N", count}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

TEST(ReductionKernel, RowSumsAndExtremes) {
  for (int64_t columns : {1, 7, 16, 33, 100, 1000})
    checkKernel(rowKernel(columns, R"(
      %0 = tg.reduce_sum %x {axes = [1]} : (FULL) -> DROPPED
      %1 = tg.reduce_max %x {axes = [1], keep_dims} : (FULL) -> KEPT
      %2 = tg.neg %0 : DROPPED)",
                          "%2, %1 : DROPPED, KEPT"),
                {37}, {.tolerance = 1e-4});
}

TEST(ReductionKernel, Softmax) {
  for (int64_t columns : {1, 10, 16, 100, 3000})
    checkKernel(rowKernel(columns, R"(
      %m = tg.reduce_max %x {axes = [1], keep_dims} : (FULL) -> KEPT
      %s = tg.sub %x, %m : (FULL, KEPT) -> FULL
      %e = tg.exp %s : FULL
      %t = tg.reduce_sum %e {axes = [1], keep_dims} : (FULL) -> KEPT
      %y = tg.div %e, %t : (FULL, KEPT) -> FULL)",
                          "%y : FULL"),
                {9});
}

TEST(ReductionKernel, MomentsWithBothSpaces) {
  for (int64_t columns : {4, 100, 1024})
    checkKernel(rowKernel(columns, R"(
      %n = tg.constant dense<0.01> : tensor<f32>
      %s = tg.reduce_sum %x {axes = [1], keep_dims} : (FULL) -> KEPT
      %m = tg.mul %s, %n : (KEPT, tensor<f32>) -> KEPT
      %c = tg.sub %x, %m : (FULL, KEPT) -> FULL
      %q = tg.mul %c, %c : (FULL, FULL) -> FULL
      %v = tg.reduce_sum %q {axes = [1], keep_dims} : (FULL) -> KEPT
      %d = tg.sqrt %v : KEPT
      %y = tg.div %c, %d : (FULL, KEPT) -> FULL)",
                          "%y, %m, %v : FULL, KEPT, KEPT"),
                {20}, {.tolerance = 2e-5});
}

TEST(ReductionKernel, ColumnSums) {
  for (int64_t columns : {1, 7, 16, 100, 600})
    checkKernelOverExtents(rowKernel(columns, R"(
        %0 = tg.reduce_sum %x {axes = [0]} : (FULL) -> tensor<Nxf32>
        %1 = tg.exp %0 : tensor<Nxf32>)",
                                     "%0 : tensor<Nxf32>"),
                           {{0}, {1}, {77}}, {.tolerance = 1e-5});
}

TEST(ReductionKernel, ColumnSumsStoreTheirOperand) {
  for (int64_t columns : {7, 16, 100, 600})
    checkKernel(rowKernel(columns, R"(
        %0 = tg.relu %x : FULL
        %1 = tg.reduce_sum %0 {axes = [0]} : (FULL) -> tensor<Nxf32>)",
                          "%0, %1 : FULL, tensor<Nxf32>"),
                {77}, {.tolerance = 1e-5});
}

TEST(ReductionKernel, EverythingAndNothing) {
  checkKernelOverExtents(rowKernel(33, R"(
      %0 = tg.reduce_sum %x : (FULL) -> tensor<f32>
      %1 = tg.reduce_min %x : (FULL) -> tensor<f32>)",
                                   "%0, %1 : tensor<f32>, tensor<f32>"),
                         {{0}, {1}, {300}}, {.tolerance = 1e-5});
  checkKernel(rowKernel(33, R"(
    %0 = tg.reduce_sum %x {axes = []} : (FULL) -> FULL)",
                        "%0 : FULL"),
              {5});
}

TEST(ReductionKernel, InnerAndOuterAxes) {
  for (const char *axes : {"0", "1", "2", "0, 1", "0, 2", "1, 2", "0, 1, 2"}) {
    std::string text = R"(
      tgx.kernel @k reduction(%x: tensor<5x6x35xf64>, %w: tensor<6x1xf64>) {
        %0 = tg.mul %x, %w : (tensor<5x6x35xf64>, tensor<6x1xf64>) -> tensor<5x6x35xf64>
        %1 = tg.reduce_sum %0 {axes = [AXES], keep_dims} : (tensor<5x6x35xf64>) -> tensor<SHAPExf64>
        tgx.yield %1 : tensor<SHAPExf64>
      })";
    std::string list = axes;
    auto extent = [&](const char *axis, const char *extent) {
      return std::string(list.find(axis) == std::string::npos ? extent : "1");
    };
    std::string shape =
        extent("0", "5") + "x" + extent("1", "6") + "x" + extent("2", "35");
    for (auto [from, to] :
         {std::pair<std::string, std::string>{"AXES", list}, {"SHAPE", shape}})
      for (size_t at; (at = text.find(from)) != std::string::npos;)
        text.replace(at, from.size(), to);
    checkKernel(text, {}, {.tolerance = 1e-13});
  }
}

TEST(ReductionKernel, IntegersAndBooleans) {
  checkKernel(R"(
    tgx.kernel @k reduction(%x: tensor<9x40xi64>, %p: tensor<9x40xi1>) {
      %0 = tg.reduce_prod %x {axes = [1]} : (tensor<9x40xi64>) -> tensor<9xi64>
      %1 = tg.reduce_max %p {axes = [1]} : (tensor<9x40xi1>) -> tensor<9xi1>
      %2 = tg.reduce_min %p {axes = [1]} : (tensor<9x40xi1>) -> tensor<9xi1>
      %3 = tg.reduce_min %x {axes = [1]} : (tensor<9x40xi64>) -> tensor<9xi64>
      tgx.yield %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi1>, tensor<9xi1>, tensor<9xi64>
    })");
}

TEST(ReductionKernel, LongSumsStayAccurate) {
  KernelHarness harness(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?xf32> [s0]) {
      %0 = tg.reduce_sum %x : (tensor<?xf32>) -> tensor<f32>
      tgx.yield %0 : tensor<f32>
    })");
  const int64_t count = 20'000'003;
  std::vector<HostTensor> inputs = harness.makeInputs({count});
  for (float &value : inputs[0].values<float>())
    value = 0.1f;
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {count});
    double expected = double(0.1f) * count;
    EXPECT_NEAR(run.outputs[0].values<float>()[0], expected, expected * 1e-4);
  }
}

/// Rows with a different addend each are the segments of one full sum.
TEST(ReductionKernel, SumsOfSegmentsStayAccurate) {
  KernelHarness harness(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x10xf32> [s0, 10], %m: tensor<?x1xf32> [s0, 1]) {
      %0 = tg.add %x, %m : (tensor<?x10xf32>, tensor<?x1xf32>) -> tensor<?x10xf32>
      %1 = tg.reduce_sum %0 : (tensor<?x10xf32>) -> tensor<f32>
      tgx.yield %1 : tensor<f32>
    })");
  const int64_t count = 300'001;
  std::vector<HostTensor> inputs = harness.makeInputs({count});
  for (HostTensor &input : inputs)
    for (float &value : input.values<float>())
      value = 0.05f;
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {count});
    double expected = double(0.05f + 0.05f) * 10 * count;
    EXPECT_NEAR(run.outputs[0].values<float>()[0], expected, expected * 2e-6);
  }
}

/// One output with many rows, which are split into slices; covers every number
/// of slices, with and without remainders.
TEST(ReductionKernel, TallColumnSumsInParts) {
  for (int64_t columns : {1, 10, 33, 256, 300})
    checkKernelOverExtents(rowKernel(columns, R"(
        %0 = tg.mul %x, %x : (FULL, FULL) -> FULL
        %1 = tg.reduce_sum %0 {axes = [0]} : (FULL) -> tensor<Nxf32>
        %2 = tg.reduce_max %x {axes = [0], keep_dims} : (FULL) -> tensor<1xNxf32>
        %3 = tg.neg %1 : tensor<Nxf32>)",
                                     "%3, %2 : tensor<Nxf32>, tensor<1xNxf32>"),
                           {{100}, {2000}, {9000}}, {.tolerance = 1e-4});
}

TEST(ReductionKernel, FullSumsInParts) {
  checkKernelOverExtents(rowKernel(7, R"(
      %c = tg.constant dense<0.5> : tensor<f32>
      %0 = tg.reduce_sum %x {axes = [0, 1]} : (FULL) -> tensor<f32>
      %1 = tg.reduce_min %x {axes = [0, 1], keep_dims} : (FULL) -> tensor<1x1xf32>
      %2 = tg.mul %0, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>)",
                                   "%2, %1 : tensor<f32>, tensor<1x1xf32>"),
                         {{0}, {1}, {999}, {40000}}, {.tolerance = 1e-3});
}

/// The broadcast row vector keeps the rows separate, so the slices consist of
/// whole rows.
TEST(ReductionKernel, FullSumsOfSegmentsInParts) {
  checkKernel(R"(
    tgx.kernel @k reduction[s0](%x: tensor<?x1000xf64> [s0, 1000],
        %b: tensor<1000xf64>) {
      %0 = tg.sub %x, %b : (tensor<?x1000xf64>, tensor<1000xf64>) -> tensor<?x1000xf64>
      %1 = tg.abs %0 : tensor<?x1000xf64>
      %2 = tg.reduce_sum %1 {axes = [0, 1]} : (tensor<?x1000xf64>) -> tensor<f64>
      tgx.yield %2, %0 : tensor<f64>, tensor<?x1000xf64>
    })",
              {333}, {.tolerance = 1e-12});
}

/// Few rows, each split into slices. The extents are static, so the run has no
/// choice.
TEST(ReductionKernel, LongRowsInParts) {
  checkKernel(R"(
    tgx.kernel @k reduction(%x: tensor<3x2x100003xi64>) {
      %0 = tg.reduce_sum %x {axes = [2]} : (tensor<3x2x100003xi64>) -> tensor<3x2xi64>
      %1 = tg.reduce_max %x {axes = [2]} : (tensor<3x2x100003xi64>) -> tensor<3x2xi64>
      tgx.yield %0, %1 : tensor<3x2xi64>, tensor<3x2xi64>
    })");
}

TEST(ReductionKernel, TallColumnsBesideKeptRowsInParts) {
  checkKernel(R"(
    tgx.kernel @k reduction(%x: tensor<3x5000x70xf32>) {
      %c = tg.constant dense<1.9> : tensor<f32>
      %0 = tg.compare gt, %x, %c : (tensor<3x5000x70xf32>, tensor<f32>) -> tensor<3x5000x70xi1>
      %1 = tg.reduce_min %0 {axes = [1]} : (tensor<3x5000x70xi1>) -> tensor<3x70xi1>
      %2 = tg.reduce_max %0 {axes = [1]} : (tensor<3x5000x70xi1>) -> tensor<3x70xi1>
      tgx.yield %1, %2 : tensor<3x70xi1>, tensor<3x70xi1>
    })");
}

/// The parts are blocks of the order of the sum. Their number depends on the
/// extents: few large tiles would leave workers idle.
TEST(ReductionKernel, PartsFollowFromExtents) {
  KernelHarness harness(rowKernel(
      64, "%0 = tg.reduce_sum %x {axes = [0]} : (FULL) -> tensor<Nxf32>",
      "%0 : tensor<Nxf32>"));
  auto compiled = harness.compile(Target());
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->partialsBytes);
  auto tilesOf = [&](int64_t rows) {
    std::vector<int64_t> task = {0, 0, rows, 0, 0, /*workers=*/1};
    return compiled->countTiles(task.data());
  };
  EXPECT_EQ(tilesOf(0), 1);
  EXPECT_EQ(tilesOf(512), 1);
  EXPECT_EQ(tilesOf(24 * 64), 1);
  EXPECT_EQ(tilesOf(24 * 64 + 1), 2);
  EXPECT_EQ(tilesOf(1'000'000), 652);
  KernelHarness small(R"(
    tgx.kernel @k reduction(%x: tensor<128x512xf32>) {
      %0 = tg.reduce_sum %x {axes = [0]} : (tensor<128x512xf32>) -> tensor<512xf32>
      tgx.yield %0 : tensor<512xf32>
    })");
  compiled = small.compile(Target());
  ASSERT_TRUE(compiled);
  EXPECT_FALSE(compiled->partialsBytes);
}
