//===- CustomThreadsTest.cpp - custom kernels by threads and by tiles -----===//
#include "ThreadMachine.h"
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
