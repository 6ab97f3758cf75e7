//===- LoopKernelTest.cpp - kernels of strategy "loop" --------------------===//
#include "KernelHarness.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

TEST(LoopKernel, StaticSizesWithAndWithoutRemainders) {
  for (int size : {1, 7, 16, 33, 64, 100, 1000}) {
    std::string type = "tensor<" + std::to_string(size) + "xf32>";
    checkKernel("tgx.kernel @k loop(%x: " + type + ", %y: " + type +
                ") {"
                "  %0 = tg.add %x, %y : (" +
                type + ", " + type + ") -> " + type +
                "  %1 = tg.tanh %0 : " + type + "}");
  }
}

TEST(LoopKernel, DynamicExtentsJoinIntoOneLoop) {
  for (int64_t rows : {0, 1, 3, 5000})
    checkKernel(R"(
      tgx.kernel @k loop[s0](%x: tensor<?x7xf32> [s0, 7]) {
        %0 = tg.relu %x : tensor<?x7xf32>
        %1 = tg.exp %0 : tensor<?x7xf32>
        tgx.yield %1, %0 : tensor<?x7xf32>, tensor<?x7xf32>
      })",
                {rows});
}

TEST(LoopKernel, RowsColumnsAndScalarsBroadcast) {
  for (int64_t rows : {1, 33})
    checkKernel(R"(
      tgx.kernel @k loop[s0](%x: tensor<?x33xf32> [s0, 33], %bias: tensor<33xf32>,
          %scale: tensor<?x1xf32> [s0, 1], %c: tensor<f32>) {
        %0 = tg.add %x, %bias : (tensor<?x33xf32>, tensor<33xf32>) -> tensor<?x33xf32>
        %e = tg.exp %c : tensor<f32>
        %s = tg.mul %scale, %e : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
        %1 = tg.mul %0, %s : (tensor<?x33xf32>, tensor<?x1xf32>) -> tensor<?x33xf32>
        tgx.yield %1 : tensor<?x33xf32>
      })",
                {rows});
}

TEST(LoopKernel, IntegersAndBooleans) {
  checkKernel(R"(
    tgx.kernel @k loop(%p: tensor<100xi1>, %a: tensor<100xi64>,
        %b: tensor<100xi64>, %u: tensor<100xui8>) {
      %0 = tg.select %p, %a, %b : (tensor<100xi1>, tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
      %1 = tg.compare gt, %a, %b : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi1>
      %2 = tg.mul %u, %u : (tensor<100xui8>, tensor<100xui8>) -> tensor<100xui8>
      tgx.yield %0, %1, %2 : tensor<100xi64>, tensor<100xi1>, tensor<100xui8>
    })");
}

TEST(LoopKernel, DoublePrecisionInPlace) {
  checkKernel(R"(
    tgx.kernel @k loop[s0](%w: tensor<?xf64> [s0], %g: tensor<?xf64> [s0]) {
      %0 = tg.sub %w, %g : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      tgx.yield %0 : tensor<?xf64>
    })",
              {40000}, {.tolerance = 0, .aliases = {{0, 0}}});
}

TEST(LoopKernel, SplatConstantAndRankZero) {
  checkKernel(R"(
    tgx.kernel @k loop(%x: tensor<f32>) {
      %c = tg.constant dense<3.0> : tensor<f32>
      %0 = tg.mul %x, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tgx.yield %0 : tensor<f32>
    })");
}

TEST(LoopKernel, MovedElements) {
  checkKernel(R"(
    tgx.kernel @k loop(%x: tensor<5x33xf32>, %y: tensor<33x5xf32>,
        %z: tensor<33x5xf32>) {
      %0 = tg.transpose %y {permutation = [1, 0]} : (tensor<33x5xf32>) -> tensor<5x33xf32>
      %1 = tg.reverse %x {axes = [1]} : tensor<5x33xf32>
      %2 = tg.add %0, %1 : (tensor<5x33xf32>, tensor<5x33xf32>) -> tensor<5x33xf32>
      tgx.yield %2 : tensor<5x33xf32>
    })");
}

TEST(LoopKernel, GatherReportsTheFirstBadIndex) {
  const char *text = R"(
    tgx.kernel @k loop[s0](%table: tensor<10x20xf32>, %i: tensor<?xi32> [s0]) {
      %ok = tgx.check_index %i below [s0] -> (10) {op_name = "tg.gather"} : tensor<?xi32>
      %0 = tg.gather %table, %ok : (tensor<10x20xf32>, tensor<?xi32>) -> tensor<?x20xf32>
      tgx.yield %0 : tensor<?x20xf32>
    })";
  checkKernel(text, {50});
  KernelHarness harness(text);
  std::vector<HostTensor> inputs = harness.makeInputs({50});
  inputs[1].values<int32_t>()[31] = -1;
  inputs[1].values<int32_t>()[40] = 10;
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {50});
    EXPECT_EQ(run.errorCells, std::vector<int64_t>{31});
    EXPECT_EQ(run.errorValue, -1);
  }
}

/// A second run tells a value that the kernel computes itself.
TEST(LoopKernel, ASecondRunTellsTheIndexThatIsInNoMemory) {
  for (std::string columns : {"1", "20"}) {
    std::string text = R"(
    tgx.kernel @k loop[s0](%table: tensor<10xCxf32>, %x: tensor<?xf32> [s0]) {
      %i = tg.cast %x {element_type = i32} : (tensor<?xf32>) -> tensor<?xi32>
      %ok = tgx.check_index %i below [s0] -> (10) {op_name = "tg.gather"} : tensor<?xi32>
      %0 = tg.gather %table, %ok : (tensor<10xCxf32>, tensor<?xi32>) -> tensor<?xCxf32>
      tgx.yield %0 : tensor<?xCxf32>
    })";
    for (size_t at; (at = text.find('C')) != std::string::npos;)
      text.replace(at, 1, columns);
    KernelHarness harness(text);
    std::vector<HostTensor> inputs = harness.makeInputs({50});
    llvm::MutableArrayRef<float> x = inputs[1].values<float>();
    std::fill(x.begin(), x.end(), 3.0f);
    x[49] = -2, x[40] = 10, x[31] = -7;
    for (const Target &target : runnableTargets()) {
      auto compiled = harness.compile(target);
      ASSERT_TRUE(compiled);
      KernelRun run = harness.run(*compiled, inputs, {50});
      EXPECT_EQ(run.errorCells, std::vector<int64_t>{31});
      EXPECT_EQ(run.errorValue, -7);
    }
  }
}

/// Checks the same for a vector of indices that are checked together.
TEST(LoopKernel, ASecondRunTellsTheFirstBadIndexOfAVector) {
  KernelHarness harness(R"(
    tgx.kernel @k loop[s0](%a: tensor<?xi32> [s0], %b: tensor<?xi32> [s0]) {
      %i = tg.add %a, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      %0 = tgx.check_index %i below [s0] -> (100) {op_name = "tg.gather"} : tensor<?xi32>
      tgx.yield %0 : tensor<?xi32>
    })");
  for (int64_t place : {0, 14, 62, 70, 75}) {
    std::vector<HostTensor> inputs = harness.makeInputs({77});
    for (HostTensor &input : inputs)
      std::fill_n(input.values<int32_t>().begin(), 77, 3);
    inputs[0].values<int32_t>()[place] = 200;
    inputs[0].values<int32_t>()[76] = -9;
    for (const Target &target : runnableTargets()) {
      auto compiled = harness.compile(target);
      ASSERT_TRUE(compiled);
      KernelRun run = harness.run(*compiled, inputs, {77});
      EXPECT_EQ(run.errorCells, std::vector<int64_t>{place});
      EXPECT_EQ(run.errorValue, 203);
    }
  }
}

TEST(LoopKernel, ChecksLookAtEveryLane) {
  const char *text = R"(
    tgx.kernel @k loop[s0](%a: tensor<?xi32> [s0], %b: tensor<?xi32> [s0]) {
      %ok = tgx.check_divisor %b {op_name = "tg.div"} : tensor<?xi32>
      %0 = tg.add %a, %ok : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      tgx.yield %0 : tensor<?xi32>
    })";
  KernelHarness harness(text);
  for (int64_t place : {0, 14, 62, 70, 75}) {
    std::vector<HostTensor> inputs = harness.makeInputs({77});
    llvm::MutableArrayRef<int32_t> divisors = inputs[1].values<int32_t>();
    std::fill(divisors.begin(), divisors.end(), 3);
    divisors[place] = divisors[76] = 0;
    for (const Target &target : runnableTargets()) {
      auto compiled = harness.compile(target);
      ASSERT_TRUE(compiled);
      EXPECT_EQ(harness.run(*compiled, inputs, {77}).errorCells,
                std::vector<int64_t>{place});
    }
  }
}

/// Each predicate of each check has a cell: NaN, infinity, an index, a divisor.
TEST(LoopKernel, EachPredicateHasACell) {
  const int64_t none = std::numeric_limits<int64_t>::max();
  KernelHarness harness(R"(
    tgx.kernel @k loop[s0](%x: tensor<?xf32> [s0], %i: tensor<?xi32> [s0], %b: tensor<?xi32> [s0]) {
      %0 = tgx.check_finite %x {op_name = "tg.exp"} : tensor<?xf32>
      %1 = tgx.check_index %i below [s0] -> (100) {op_name = "tg.gather"} : tensor<?xi32>
      %2 = tgx.check_divisor %b {op_name = "tg.div"} : tensor<?xi32>
      tgx.yield %0, %1, %2 : tensor<?xf32>, tensor<?xi32>, tensor<?xi32>
    })");
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    auto cellsOf = [&](auto change) {
      std::vector<HostTensor> inputs = harness.makeInputs({77});
      std::fill_n(inputs[2].values<int32_t>().begin(), 77, 1);
      change(inputs[0].values<float>().data(),
             inputs[1].values<int32_t>().data(),
             inputs[2].values<int32_t>().data());
      return harness.run(*compiled, inputs, {77}).errorCells;
    };
    using Cells = std::vector<int64_t>;
    EXPECT_EQ(cellsOf([](float *, int32_t *, int32_t *) {}),
              (Cells{none, none, none, none}));
    EXPECT_EQ(cellsOf([&](float *x, int32_t *i, int32_t *b) {
                x[76] = std::nanf(""), x[20] = -infinity, i[70] = -1, b[0] = 0;
              }),
              (Cells{76, 20, 70, 0}));
    // The first of the lanes of a vector names the predicate.
    EXPECT_EQ(cellsOf([&](float *x, int32_t *i, int32_t *) {
                x[0] = infinity, x[1] = std::nanf(""), i[33] = i[32] = 100;
              })[1],
              0);
  }
}

/// A loop with a lock would wait; one atomic minimum of 64 bits is all.
TEST(LoopKernel, ChecksTakeNoLock) {
  KernelHarness harness(R"(
    tgx.kernel @k loop[s0](%a: tensor<?xi32> [s0], %b: tensor<?xi32> [s0]) {
      %i = tg.add %a, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      %0 = tgx.check_index %i below [s0] -> (100) {op_name = "tg.gather"} : tensor<?xi32>
      tgx.yield %0 : tensor<?xi32>
    })");
  auto compiled = harness.compile(runnableTargets().front());
  ASSERT_TRUE(compiled);
  llvm::StringRef text = compiled->llvmText;
  EXPECT_TRUE(text.contains("atomicrmw min ptr"));
  EXPECT_FALSE(text.contains("xchg"));
}

/// A loop with an expensive body is split into several tiles, although a cheap
/// one of the same size would be a single tile.
TEST(LoopKernel, ExpensiveBodiesHaveSmallerTiles) {
  auto tilesOf = [](const char *text) {
    KernelHarness harness(text);
    auto compiled = harness.compile(Target());
    std::vector<int64_t> task = {0, 0, 0, /*workers=*/1};
    return compiled ? compiled->countTiles(task.data()) : 0;
  };
  EXPECT_EQ(tilesOf(R"(
    tgx.kernel @k loop(%x: tensor<32x512xf32>) {
      %0 = tg.relu %x : tensor<32x512xf32>
    })"),
            1);
  EXPECT_EQ(tilesOf(R"(
    tgx.kernel @k loop(%x: tensor<32x512xf32>) {
      %0 = tg.sigmoid %x : tensor<32x512xf32>
      %1 = tg.tanh %0 : tensor<32x512xf32>
      %2 = tg.exp %1 : tensor<32x512xf32>
    })"),
            4);
}
