//===- CustomThreadsTest.cpp - custom kernels by threads and by tiles -----===//
#include "ThreadMachine.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

//===----------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------===//

/// Returns a kernel of running sums of a tensor with these attributes.
static std::string runningSums(const std::string &type,
                               const std::string &extents,
                               const std::string &attributes) {
  return "tgx.kernel @k custom[s0](%x: " + type + " " + extents +
         ") {\n%0 = tg.cumsum %x {" + attributes + "} : " + type +
         "\ntgx.yield %0 : " + type + "\n}";
}

/// Lines below a step, of whole steps, and empty ones, in both directions.
TEST(CumsumThreads, LinesAreSummedInStepsOfLanes) {
  for (const char *flags :
       {"", ", exclusive", ", reverse", ", exclusive, reverse"})
    for (const char *element : {"f32", "f64", "i32"})
      checkThreads(runningSums(std::string("tensor<5x?x") + element + ">",
                               "[5, s0]",
                               std::string("axis = 1 : i64") + flags),
                   {{0}, {1}, {15}, {16}, {17}, {32}, {333}});
}

/// The sum of the first elements is -0 without the +0 that it starts with.
TEST(CumsumThreads, SumsStartWithPositiveZero) {
  checkThreads(runningSums("tensor<3x?xf32>", "[3, s0]", "axis = 1 : i64"),
               {{20}}, {.prepare = [](std::vector<HostTensor> &inputs) {
                 for (float &value : inputs[0].values<float>())
                   value = -0.0f;
               }});
}

TEST(CumsumThreads, ColumnsAreSummedOneByOne) {
  for (const char *flags : {"", ", exclusive, reverse"})
    checkThreads(runningSums("tensor<2x?x70xf32>", "[2, s0, 70]",
                             std::string("axis = 1 : i64") + flags),
                 {{0}, {1}, {40}});
}

/// The operand is computed from the indices of its elements.
TEST(CumsumThreads, OperandsMayBeComputed) {
  for (const char *iota : {"0", "1", "2"})
    for (const char *axis : {"0", "1", "2"})
      checkThreads(
          std::string(R"(
    tgx.kernel @k custom() {
      %x = tg.iota {axis = )") +
              iota +
              R"( : i64, element_type = f32, shape = [3, 5, 21]} : () -> tensor<3x5x21xf32>
      %0 = tg.cumsum %x {axis = )" +
              axis + R"( : i64, exclusive} : tensor<3x5x21xf32>
      tgx.yield %0 : tensor<3x5x21xf32>
    })",
          {{}});
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// Makes the values of an input integers below `end`.
static KernelCheck indicesBelow(int64_t end, unsigned input) {
  return {.prepare = [=](std::vector<HostTensor> &inputs) {
    visitElementType(inputs[input].getElementType(), [&](auto zero) {
      using T = decltype(zero);
      uint64_t state = 3;
      for (T &value : inputs[input].values<T>()) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = T(int64_t((state >> 40) % uint64_t(end)));
      }
    });
  }};
}

/// Many updates of few elements, whose sums depend on the order; several owners
/// for each column.
TEST(ScatterThreads, UpdatesAreAddedInTheirOrder) {
  for (const char *element : {"f32", "f64", "i32", "i8"}) {
    std::string type = element;
    checkThreads("tgx.kernel @k custom[s0](%x: tensor<10x33x" + type +
                     ">, %i: tensor<?xi32> [s0], %u: tensor<?x33x" + type +
                     "> [s0, 33]) {\n"
                     "%0 = tg.scatter %x, %i, %u : (tensor<10x33x" +
                     type + ">, tensor<?xi32>, tensor<?x33x" + type +
                     ">) -> tensor<10x33x" + type +
                     ">\n"
                     "tgx.yield %0 : tensor<10x33x" +
                     type + ">\n}",
                 {{0}, {1}, {50}, {777}}, indicesBelow(10, 1));
  }
}

TEST(ScatterThreads, TheLastUpdateOfAnElementIsKept) {
  checkThreads(R"(
    tgx.kernel @k custom[s0, s1](%x: tensor<?x10xf32> [s1, 10], %i: tensor<?x3xi64> [s0, 3], %u: tensor<?x3x10xf32> [s0, 3, 10]) {
      %0 = tg.scatter %x, %i, %u {combine = "set"} : (tensor<?x10xf32>, tensor<?x3xi64>, tensor<?x3x10xf32>) -> tensor<?x10xf32>
      tgx.yield %0 : tensor<?x10xf32>
    })",
               {{0, 7}, {1, 7}, {40, 7}, {40, 300}}, indicesBelow(7, 1));
}

/// Histograms of unknown length: one column, and as many owners as elements.
TEST(ScatterThreads, OneColumnHasManyOwners) {
  checkThreads(R"(
    tgx.kernel @k custom[s0, s1](%x: tensor<?xf32> [s1], %i: tensor<?xi32> [s0], %u: tensor<?xf32> [s0]) {
      %0 = tg.scatter %x, %i, %u : (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32>
      tgx.yield %0 : tensor<?xf32>
    })",
               {{0, 5}, {300, 5}, {3000, 100}}, indicesBelow(5, 1));
}

/// The axis is between other dimensions, after a dimension of a batch; the base
/// is a constant.
TEST(ScatterThreads, ColumnsOfABatch) {
  checkThreads(R"(
    tgx.kernel @k custom[s0](%i: tensor<4x?x2xi64> [4, s0, 2], %u: tensor<4x3x?x2x5xf32> [4, 3, s0, 2, 5]) {
      %x = tg.constant dense<7.0> : tensor<4x3x10x5xf32>
      %0 = tg.scatter %x, %i, %u {axis = 2 : i64, batch_dims = 1 : i64} : (tensor<4x3x10x5xf32>, tensor<4x?x2xi64>, tensor<4x3x?x2x5xf32>) -> tensor<4x3x10x5xf32>
      tgx.yield %0 : tensor<4x3x10x5xf32>
    })",
               {{0}, {1}, {30}}, indicesBelow(10, 0));
}

/// More columns than threads.
TEST(ScatterThreads, AThreadWorksForSeveralOwners) {
  checkThreads(R"(
    tgx.kernel @k custom[s0](%x: tensor<2x?xf32> [2, s0], %i: tensor<3xi32>, %u: tensor<3x?xf32> [3, s0]) {
      %0 = tg.scatter %x, %i, %u : (tensor<2x?xf32>, tensor<3xi32>, tensor<3x?xf32>) -> tensor<2x?xf32>
      tgx.yield %0 : tensor<2x?xf32>
    })",
               {{70000}}, indicesBelow(2, 1));
}

/// Elements without updates are not accessed if the result is the memory of the
/// base, so that they keep their values.
TEST(ScatterThreads, TheResultMayBeTheMemoryOfTheBase) {
  KernelCheck check = indicesBelow(9, 1);
  check.aliases = {{0, 0}};
  checkThreads(R"(
    tgx.kernel @k custom[s0](%x: tensor<9x4xf32>, %i: tensor<?xi32> [s0], %u: tensor<?x4xf32> [s0, 4]) {
      %0 = tg.scatter %x, %i, %u : (tensor<9x4xf32>, tensor<?xi32>, tensor<?x4xf32>) -> tensor<9x4xf32>
      tgx.yield %0 : tensor<9x4xf32>
    })",
               {{0}, {5}, {100}}, check);
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

TEST(TopKThreads, NanComesFirstAndTiesAreInOrder) {
  auto prepare = [](std::vector<HostTensor> &inputs) {
    llvm::MutableArrayRef<float> x = inputs[0].values<float>();
    x[4] = x[9] = NAN;
    x[2] = x[3] = x[20] = 1.5f;
    x[1] = -INFINITY;
    x[30] = 0.0f;
    x[31] = -0.0f;
  };
  checkThreads(R"(
    tgx.kernel @k custom[s0](%x: tensor<?x2x12xf32> [s0, 2, 12]) {
      %v, %i = tg.top_k %x {k = 12 : i64} : (tensor<?x2x12xf32>) -> (tensor<?x2x12xf32>, tensor<?x2x12xi64>)
      tgx.yield %i, %v : tensor<?x2x12xi64>, tensor<?x2x12xf32>
    })",
               {{3}}, {.prepare = prepare});
}

/// Returns a kernel that selects the top k of each row of 100; it yields
/// `yields`, of the values %v and the indices %i.
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
TEST(TopKThreads, AnyNumberOfElements) {
  for (int64_t k : {0, 1, 2, 7, 33, 100})
    for (std::string type : {"f64", "i32", "ui8", "i16"})
      checkThreads(topKernel(type, k, "%v, %i"), {{0}, {4}, {150}});
}

/// The other result is in scratch memory.
TEST(TopKThreads, OneResultIsEnough) {
  for (std::string yields : {"%v", "%i"})
    checkThreads(topKernel("f32", 20, yields), {{0}, {1}, {140}});
}

//===----------------------------------------------------------------------===//
// first_equal
//===----------------------------------------------------------------------===//

/// More indices than a block has threads, with few and with many different
/// ones; the second barrier is reached by threads without an index.
TEST(FirstEqualThreads, FirstPositionOfEachIndex) {
  for (const char *type : {"i8", "i32", "i64"})
    for (int64_t end : {1, 7, 100})
      checkThreads(
          std::string("tgx.kernel @k custom[s0](%i: tensor<?x") + type +
              "> [s0]) {\n%0 = tgx.first_equal %i : (tensor<?x" + type +
              ">) -> tensor<?xi64>\n"
              "tgx.yield %0 : tensor<?xi64>\n}",
          {{0}, {1}, {2}, {128}, {129}, {1000}}, indicesBelow(end, 0));
}

/// Different indices, and negative ones.
TEST(FirstEqualThreads, NoIndexOccursTwice) {
  checkThreads(R"(
    tgx.kernel @k custom[s0](%i: tensor<?xi64> [s0]) {
      %0 = tgx.first_equal %i : (tensor<?xi64>) -> tensor<?xi64>
      tgx.yield %0 : tensor<?xi64>
    })",
               {{700}}, {.prepare = [](std::vector<HostTensor> &inputs) {
                 int64_t next = -350;
                 for (int64_t &value : inputs[0].values<int64_t>())
                   value = next++ << 40;
               }});
}

//===----------------------------------------------------------------------===//
// count_true, list_true, take_true
//===----------------------------------------------------------------------===//

namespace {
/// A mask: its density is a part of 1000.
struct Mask {
  int64_t size, density;

  /// Any nonzero byte is true.
  uint8_t at(int64_t element) const {
    return element * 7919 % 1000 < density ? 1 + element % 255 : 0;
  }
  int64_t countBefore(int64_t end) const {
    int64_t count = 0;
    for (int64_t element = 0; element < end; ++element)
      count += at(element) != 0;
    return count;
  }
  /// Fills the inputs of a kernel: a mask, and the number of true elements
  /// before each part, if there is one.
  KernelCheck check(unsigned mask, unsigned starts) const {
    return {.prepare = [=, *this](std::vector<HostTensor> &inputs) {
      for (auto [element, flag] :
           llvm::enumerate(inputs[mask].values<uint8_t>()))
        flag = at(element);
      if (starts < inputs.size())
        for (auto [part, start] :
             llvm::enumerate(inputs[starts].values<int64_t>()))
          start = countBefore(part * 16384);
    }};
  }
};
} // namespace

/// Sizes in elements around those of a thread, of a part and of several parts.
static std::vector<Mask> listMasks() {
  std::vector<Mask> masks;
  for (int64_t size : {0, 1, 127, 129, 16383, 16384, 16385, 40000})
    for (int64_t density : {0, 3, 500, 1000})
      masks.push_back({size, density});
  return masks;
}

TEST(TrueElementsThreads, AreCountedByPart) {
  for (const Mask &mask : listMasks())
    checkThreads(R"(
    tgx.kernel @k custom[s0](%p: tensor<?x2xi1> [s0, 2]) {
      %0 = tgx.count_true %p : (tensor<?x2xi1>) -> tensor<?xi64>
      tgx.yield %0 : tensor<?xi64>
    })",
                 {{mask.size}}, mask.check(0, 1));
}

TEST(TrueElementsThreads, AreListedByCoordinates) {
  for (const Mask &mask : listMasks())
    checkThreads(R"(
    tgx.kernel @k custom[s0, s1](%p: tensor<?x2x5xi1> [s0, 2, 5], %starts: tensor<?xi64> [(s0 * 10) ceildiv 16384]) {
      %n = tgx.size [s0, s1] -> (s1) : tensor<i64>
      %0 = tgx.list_true %p from %starts count %n : (tensor<?x2x5xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x3xi64>
      tgx.yield %0 : tensor<?x3xi64>
    })",
                 {{mask.size / 10, mask.countBefore(mask.size / 10 * 10)}},
                 mask.check(0, 1));
}

TEST(TrueElementsThreads, SelectElementsOfAnotherTensor) {
  for (const Mask &mask : listMasks())
    for (const char *type : {"f32", "i1", "i16"})
      checkThreads(
          std::string("tgx.kernel @k custom[s0, s1](%x: tensor<?x") + type +
              "> [s0], %p: tensor<?xi1> [s0], %starts: tensor<?xi64> "
              "[s0 ceildiv 16384]) {\n"
              "%n = tgx.size [s0, s1] -> (s1) : tensor<i64>\n"
              "%0 = tgx.take_true %x where %p from %starts count %n : "
              "(tensor<?x" +
              type +
              ">, tensor<?xi1>, tensor<?xi64>, tensor<i64>) -> "
              "tensor<?x" +
              type + ">\ntgx.yield %0 : tensor<?x" + type + ">\n}",
          {{mask.size, mask.countBefore(mask.size)}}, mask.check(1, 2));
}

/// The result has fewer rows than true elements, which is not exceeded.
TEST(TrueElementsThreads, DoNotExceedTheResult) {
  Mask mask{5000, 500};
  checkThreads(R"(
    tgx.kernel @k custom[s0, s1](%p: tensor<?xi1> [s0], %starts: tensor<?xi64> [s0 ceildiv 16384]) {
      %n = tgx.size [s0, s1] -> (s1) : tensor<i64>
      %0 = tgx.list_true %p from %starts count %n : (tensor<?xi1>, tensor<?xi64>, tensor<i64>) -> tensor<?x1xi64>
      tgx.yield %0 : tensor<?x1xi64>
    })",
               {{5000, 0}, {5000, 1}, {5000, 2000}}, mask.check(0, 1));
}
