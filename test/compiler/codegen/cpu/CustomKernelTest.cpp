//===- CustomKernelTest.cpp - kernels of one op, random samples -----------===//
#include "KernelHarness.h"
#include <array>
#include <cmath>
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

TEST(CustomKernel, ScatterAddsRows) {
  checkKernel(R"(
    tgx.kernel @k custom[s0](%x: tensor<10x33xf32>, %i: tensor<?xi32> [s0],
        %u: tensor<?x33xf32> [s0, 33]) {
      %0 = tg.scatter %x, %i, %u : (tensor<10x33xf32>, tensor<?xi32>, tensor<?x33xf32>) -> tensor<10x33xf32>
      tgx.yield %0 : tensor<10x33xf32>
    })",
              {50}, {.tolerance = 1e-5});
}

TEST(CustomKernel, ScatterAlongTheLastAxisOfABatch) {
  checkKernel(R"(
    tgx.kernel @k custom(%i: tensor<4x3xi64>, %u: tensor<4x3xi64>) {
      %x = tg.constant dense<7> : tensor<4x10xi64>
      %0 = tg.scatter %x, %i, %u {axis = 1 : i64, batch_dims = 1 : i64} : (tensor<4x10xi64>, tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x10xi64>
      tgx.yield %0 : tensor<4x10xi64>
    })");
}

/// Covers a constant operand, more columns than a chunk has, and an unknown
/// length.
TEST(CustomKernel, CumsumOfColumnsAndOfAConstant) {
  checkKernel(R"(
    tgx.kernel @k custom[s0](%x: tensor<2x?x700xf32> [2, s0, 700]) {
      %0 = tg.cumsum %x {axis = 1 : i64, exclusive} : tensor<2x?x700xf32>
      tgx.yield %0 : tensor<2x?x700xf32>
    })",
              {13}, {.tolerance = 1e-5});
  checkKernel(R"(
    tgx.kernel @k custom() {
      %x = tg.constant dense<7> : tensor<3x41xi64>
      %0 = tg.cumsum %x {axis = 1 : i64, reverse} : tensor<3x41xi64>
      tgx.yield %0 : tensor<3x41xi64>
    })");
}

/// The operand is computed by the kernel from the indices of its elements.
TEST(CustomKernel, CumsumOfIndices) {
  for (const char *iota : {"0", "1", "2"})
    for (const char *axis : {"0", "1", "2"})
      checkKernel(
          std::string(R"(
    tgx.kernel @k custom() {
      %x = tg.iota {axis = )") +
          iota +
          R"( : i64, element_type = f32, shape = [3, 5, 21]} : () -> tensor<3x5x21xf32>
      %0 = tg.cumsum %x {axis = )" +
          axis + R"( : i64, exclusive} : tensor<3x5x21xf32>
      tgx.yield %0 : tensor<3x5x21xf32>
    })");
}

TEST(CustomKernel, TopKOrdersNanFirstAndTiesByPosition) {
  auto prepare = [](std::vector<HostTensor> &inputs) {
    llvm::MutableArrayRef<float> x = inputs[0].values<float>();
    x[4] = x[9] = NAN;
    x[2] = x[3] = x[20] = 1.5f;
    x[1] = -INFINITY;
  };
  checkKernel(R"(
    tgx.kernel @k custom[s0](%x: tensor<?x2x12xf32> [s0, 2, 12]) {
      %v, %i = tg.top_k %x {k = 5 : i64} : (tensor<?x2x12xf32>) -> (tensor<?x2x5xf32>, tensor<?x2x5xi64>)
      tgx.yield %i, %v : tensor<?x2x5xi64>, tensor<?x2x5xf32>
    })",
              {3}, {.prepare = prepare});
}

TEST(CustomKernel, TopKSortsUnsignedNumbers) {
  checkKernel(R"(
    tgx.kernel @k custom(%x: tensor<40xui8>) {
      %v, %i = tg.top_k %x {k = -1 : i64} : (tensor<40xui8>) -> (tensor<40xui8>, tensor<40xi64>)
      tgx.yield %v, %i : tensor<40xui8>, tensor<40xi64>
    })",
              {}, {.prepare = [](std::vector<HostTensor> &inputs) {
                inputs[0].values<uint8_t>()[7] = 200;
              }});
}

/// Returns a kernel that selects the top k of each row; it yields `yields`, of
/// the values %v and the indices %i.
static std::string topKernel(const std::string &type, int64_t k,
                             const std::string &yields) {
  std::string values = "tensor<?x" + std::to_string(k) + "x" + type + ">";
  std::string indices = "tensor<?x" + std::to_string(k) + "xi64>";
  std::string types = yields == "%v" ? values : indices;
  if (yields == "%v, %i")
    types = values + ", " + indices;
  return "tgx.kernel @k custom[s0](%x: tensor<?x100x" + type +
         "> [s0, 100]) {%v, %i = tg.top_k %x {k = " + std::to_string(k) +
         " : i64} : (tensor<?x100x" + type + ">) -> (" + values + ", " +
         indices + ") tgx.yield " + yields + " : " + types + "}";
}

/// The inputs are integers in [0, 9], which have many ties.
TEST(CustomKernel, TopKOfAnyNumberAndWithOneResult) {
  for (int64_t k : {0, 1, 2, 3, 4, 7, 8, 33, 99, 100})
    for (std::string type : {"f64", "i32"})
      checkKernel(topKernel(type, k, "%v, %i"), {4});
  for (std::string yields : {"%v", "%i"})
    checkKernel(topKernel("i32", 20, yields), {4});
}

/// Ascending and descending rows: every element replaces the top of the heap,
/// or none does.
TEST(CustomKernel, TopKOfSortedRows) {
  for (int sign : {1, -1})
    checkKernel(topKernel("f32", 20, "%v, %i"), {2},
                {.prepare = [sign](std::vector<HostTensor> &inputs) {
                  llvm::MutableArrayRef<float> x = inputs[0].values<float>();
                  for (size_t i = 0; i < x.size(); ++i)
                    x[i] = sign * float(i / 3);
                }});
}

/// Checks the results of two kernels for flags [n, 70]: the counts of each
/// chunk of 16384 elements, and the coordinates.
static void checkTrueElements(int64_t rows,
                              llvm::function_ref<bool(int64_t)> isTrue) {
  KernelHarness counting(R"(
    tgx.kernel @k custom[s0](%p: tensor<?x70xi1> [s0, 70]) {
      %0 = tgx.count_true %p : (tensor<?x70xi1>) -> tensor<?xi64>
      tgx.yield %0 : tensor<?xi64>
    })");
  KernelHarness listing(R"(
    tgx.kernel @k custom[s0, s1](%p: tensor<?x70xi1> [s0, 70], %starts: tensor<?xi64> [(s0 * 70) ceildiv 16384]) {
      %n = tgx.size [s0, s1] -> (s1) : tensor<i64>
      %0 = tgx.list_true %p from %starts count %n : (tensor<?x70xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x2xi64>
      tgx.yield %0 : tensor<?x2xi64>
    })");
  ASSERT_TRUE(counting.getKernel() && listing.getKernel());
  std::vector<HostTensor> inputs = counting.makeInputs({rows});
  std::vector<int64_t> counts((rows * 70 + 16383) / 16384), places;
  llvm::MutableArrayRef<uint8_t> flags = inputs[0].values<uint8_t>();
  for (int64_t at = 0; at < rows * 70; ++at) {
    // Any nonzero byte is true.
    flags[at] = isTrue(at) ? 1 + at % 255 : 0;
    if (!flags[at])
      continue;
    ++counts[at / 16384];
    places.push_back(at / 70);
    places.push_back(at % 70);
  }
  int64_t count = places.size() / 2;
  int64_t start = 0;
  std::vector<HostTensor> listed = listing.makeInputs({rows, count});
  listed[0] = inputs[0];
  for (auto [before, own] :
       llvm::zip_equal(listed[1].values<int64_t>(), counts))
    before = std::exchange(start, start + own);
  for (const Target &target : runnableTargets()) {
    auto counter = counting.compile(target);
    auto lister = listing.compile(target);
    ASSERT_TRUE(counter && lister);
    EXPECT_TRUE(llvm::equal(
        counting.run(*counter, inputs, {rows}).outputs[0].values<int64_t>(),
        counts));
    EXPECT_TRUE(llvm::equal(listing.run(*lister, listed, {rows, count})
                                .outputs[0]
                                .values<int64_t>(),
                            places));
  }
}

TEST(CustomKernel, ListsWhatIsTrue) {
  for (int64_t rows : {0, 1, 3, 235, 600}) {
    checkTrueElements(rows, [](int64_t at) { return at % 3 == 1; });
    checkTrueElements(rows, [](int64_t at) { return at % 1000 == 999; });
    checkTrueElements(rows, [](int64_t) { return true; });
    checkTrueElements(rows, [](int64_t) { return false; });
  }
}

/// Runs tgx.take_true on `elements` elements with the mask `isTrue`.
static void checkTakenElements(int64_t elements,
                               llvm::function_ref<bool(int64_t)> isTrue) {
  KernelHarness harness(R"(
    tgx.kernel @k custom[s0, s1](%x: tensor<?xf32> [s0], %p: tensor<?xi1> [s0], %starts: tensor<?xi64> [s0 ceildiv 16384]) {
      %n = tgx.size [s0, s1] -> (s1) : tensor<i64>
      %0 = tgx.take_true %x where %p from %starts count %n : (tensor<?xf32>, tensor<?xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?xf32>
      tgx.yield %0 : tensor<?xf32>
    })");
  ASSERT_TRUE(harness.getKernel());
  std::vector<float> taken;
  std::vector<int64_t> starts;
  for (int64_t at = 0; at < elements; ++at) {
    if (at % 16384 == 0)
      starts.push_back(taken.size());
    if (isTrue(at))
      taken.push_back(float(at));
  }
  int64_t count = taken.size();
  std::vector<HostTensor> inputs = harness.makeInputs({elements, count});
  for (int64_t at = 0; at < elements; ++at) {
    inputs[0].values<float>()[at] = float(at);
    // Any nonzero byte is true.
    inputs[1].values<uint8_t>()[at] = isTrue(at) ? 1 + at % 255 : 0;
  }
  llvm::copy(starts, inputs[2].values<int64_t>().begin());
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(llvm::equal(harness.run(*compiled, inputs, {elements, count})
                                .outputs[0]
                                .values<float>(),
                            taken));
  }
}

TEST(CustomKernel, TakesWhatIsTrue) {
  for (int64_t elements : {0, 1, 63, 64, 16389, 40000}) {
    checkTakenElements(elements, [](int64_t at) { return at % 3 == 1; });
    checkTakenElements(elements, [](int64_t at) { return at % 1000 == 999; });
    checkTakenElements(elements, [](int64_t) { return true; });
    checkTakenElements(elements, [](int64_t) { return false; });
  }
}

/// Elements beyond the count are dropped: nothing is written past the output.
TEST(CustomKernel, ListsNoMoreThanTheCount) {
  KernelHarness harness(R"(
    tgx.kernel @k custom(%p: tensor<100xi1>, %starts: tensor<1xi64>) {
      %n = tgx.size [] -> (5) : tensor<i64>
      %0 = tgx.list_true %p from %starts count %n : (tensor<100xi1>, tensor<1xi64>, tensor<i64>) -> tensor<5x1xi64>
      tgx.yield %0 : tensor<5x1xi64>
    })");
  ASSERT_TRUE(harness.getKernel());
  std::vector<HostTensor> inputs = harness.makeInputs({});
  std::fill_n(inputs[0].values<uint8_t>().begin(), 100, 1);
  inputs[1].values<int64_t>()[0] = 2;
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {});
    EXPECT_TRUE(llvm::equal(run.outputs[0].values<int64_t>().drop_front(2),
                            std::array<int64_t, 3>{0, 1, 2}));
  }
}

/// Checks a kernel that packs a [5, 40] matrix; `indexOf(k, column)` is the
/// index of an element in the kernel's input.
static void checkPanels(const std::string &text,
                        llvm::function_ref<int64_t(int64_t, int64_t)> indexOf) {
  KernelHarness harness(text);
  ASSERT_TRUE(harness.getKernel());
  std::vector<HostTensor> inputs = harness.makeInputs({});
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {});
    llvm::ArrayRef<float> x = inputs[0].values<float>();
    for (int64_t column = 0; column < 64; ++column)
      for (int64_t k = 0; k < 5; ++k)
        EXPECT_EQ(run.outputs[0].values<float>()[(column / 32 * 5 + k) * 32 +
                                                 column % 32],
                  column >= 40 ? 0 : x[indexOf(k, column)]);
  }
}

/// Checks the panels of a [5, 40] matrix or of its transpose.
static void checkPack(bool transpose) {
  std::string type = transpose ? "40x5" : "5x40";
  checkPanels("tgx.kernel @k custom(%x: tensor<" + type +
                  "xf32>) {%0 = tgx.pack %x as(#cpu.panels<axis = " +
                  (transpose ? "0" : "1") + ", width = 32>) : (tensor<" + type +
                  "xf32>) -> tensor<2x5x32xf32> tgx.yield %0 : "
                  "tensor<2x5x32xf32>}",
              [&](int64_t k, int64_t column) {
                return transpose ? column * 5 + k : k * 40 + column;
              });
}

TEST(CustomKernel, PackMakesPanels) {
  checkPack(/*transpose=*/false);
  checkPack(/*transpose=*/true);
}

/// Checks that pack reads a slice in place, without a copy.
static void checkPackedBox(bool transpose) {
  std::string box = transpose ? "40x5" : "5x40";
  checkPanels(
      "tgx.kernel @k custom(%x: tensor<44x47xf32>) {%0 = tg.slice %x {sizes = "
      "[" +
          std::string(transpose ? "40, 5" : "5, 40") +
          "], starts = [3, 6]} : (tensor<44x47xf32>) -> tensor<" + box +
          "xf32> %1 = tgx.pack %0 as(#cpu.panels<axis = " +
          (transpose ? "0" : "1") + ", width = 32>) : (tensor<" + box +
          "xf32>) -> tensor<2x5x32xf32> tgx.yield %1 : tensor<2x5x32xf32>}",
      [&](int64_t k, int64_t column) {
        return transpose ? (3 + column) * 47 + 6 + k
                         : (3 + k) * 47 + 6 + column;
      });
}

TEST(CustomKernel, PackReadsBoxes) {
  checkPackedBox(/*transpose=*/false);
  checkPackedBox(/*transpose=*/true);
}

/// The column axis is the middle one: rows of the packed matrix run over the
/// dimensions before and after it.
TEST(CustomKernel, PackTransposesEachPart) {
  KernelHarness harness(R"(tgx.kernel @k custom(%x: tensor<3x41x18xf32>) {
    %0 = tgx.pack %x as(#cpu.panels<axis = 1, width = 32>) : (tensor<3x41x18xf32>) -> tensor<2x54x32xf32>
    tgx.yield %0 : tensor<2x54x32xf32>})");
  ASSERT_TRUE(harness.getKernel());
  std::vector<HostTensor> inputs = harness.makeInputs({});
  for (const Target &target : runnableTargets()) {
    auto compiled = harness.compile(target);
    ASSERT_TRUE(compiled);
    KernelRun run = harness.run(*compiled, inputs, {});
    llvm::ArrayRef<float> x = inputs[0].values<float>();
    for (int64_t column = 0; column < 64; ++column)
      for (int64_t k = 0; k < 54; ++k) {
        float expected =
            column < 41 ? x[(k / 18 * 41 + column) * 18 + k % 18] : 0;
        EXPECT_EQ(run.outputs[0].values<float>()[(column / 32 * 54 + k) * 32 +
                                                 column % 32],
                  expected);
      }
  }
}

TEST(RandomElements, DrawsFuseIntoLoops) {
  for (const char *type : {"f32", "f64"}) {
    std::string text = R"(
      tgx.kernel @k loop[s0](%seed: tensor<i64>, %step: tensor<i64>,
          %n: tensor<i64> = s0) {
        %0 = tg.random_uniform %seed, %step, %n {shape = [-1, 7], stream = 3, element_type = TYPE} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x7xTYPE>
        %1 = tg.random_normal %seed, %step, %n {shape = [-1, 7], stream = 4, element_type = TYPE} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x7xTYPE>
        %2 = tg.random_normal %seed, %step, %n {shape = [-1, 7], stream = 5, element_type = TYPE, truncated} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x7xTYPE>
        tgx.yield %0, %1, %2 : tensor<?x7xTYPE>, tensor<?x7xTYPE>, tensor<?x7xTYPE>
      })";
    for (auto [from, to] :
         {std::pair<std::string, std::string>{"TYPE", type},
          {"affine_map<()[s0] -> (s0, 7)>]", "affine_map<()[s0] -> ()>]"}})
      for (size_t at; (at = text.find(from)) != std::string::npos;)
        text.replace(at, from.size(), to);
    checkKernel(text, {11}, {.prepare = [](std::vector<HostTensor> &inputs) {
                  inputs[0].values<int64_t>()[0] = -1234567890123;
                  inputs[2].values<int64_t>()[0] = 11;
                }});
  }
}
