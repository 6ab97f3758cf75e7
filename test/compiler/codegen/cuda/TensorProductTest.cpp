//===- TensorProductTest.cpp - products of tensor cores -------------------===//
#include "ThreadMachine.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

/// Returns a module with a kernel that multiplies matrices by tensor cores.
static std::string makeProduct(int64_t rows, int64_t columns, int64_t products,
                               const std::string &attributes = "") {
  std::string m = std::to_string(rows), n = std::to_string(columns),
              k = std::to_string(products);
  std::string a = "tensor<" + m + "x" + k + "xf32>",
              b = "tensor<" + k + "x" + n + "xf32>",
              c = "tensor<" + m + "x" + n + "xf32>";
  return R"(module attributes {tgx.target = #tgx.target<kind = "cuda", optimization = 2, properties = {precision = "tf32"}>} {
    tgx.kernel @k contraction(%a: )" +
         a + ", %b: " + b + R"() {
      %0 = tg.matmul %a, %b )" +
         attributes + " : (" + a + ", " + b + ") -> " + c + R"(
      %1 = tg.relu %0 : )" +
         c + R"(
      tgx.yield %1, %0 : )" +
         c + ", " + c + R"(
    }
  })";
}

/// Replaces the elements of tensors of f32 by numbers of few bits, whose
/// products and sums are exact in any order.
static void roundElements(std::vector<HostTensor> &tensors) {
  for (HostTensor &tensor : tensors) {
    auto *elements = reinterpret_cast<float *>(tensor.data());
    for (size_t i = 0; i < tensor.getNumBytes() / 4; ++i)
      elements[i] = std::round(4 * elements[i]);
  }
}

/// Extents that end with tiles and parts, and others.
TEST(TensorProduct, TilesMayEndBeyondTheResult) {
  KernelCheck check;
  check.prepare = roundElements;
  for (auto [rows, columns, products] :
       {std::tuple(128, 64, 16), std::tuple(130, 68, 8), std::tuple(97, 61, 5),
        std::tuple(64, 96, 37), std::tuple(32, 32, 1), std::tuple(40, 33, 600),
        std::tuple(256, 128, 12)}) {
    SCOPED_TRACE(rows);
    checkThreads(makeProduct(rows, columns, products), {{}}, check);
  }
  checkThreads(
      makeProduct(32, 64, 100, "{tg.order = #tg.order<blocks = [16, 3]>}"),
      {{}}, check);
}

/// 2049 has 12 bits, of which tf32 has 11. Missing products have no effect,
/// even if the memory beyond them has infinity.
TEST(TensorProduct, OperandsAreRounded) {
  KernelHarness harness(makeProduct(32, 32, 5));
  ASSERT_TRUE(harness.getKernel());
  std::unique_ptr<ThreadMachine> threads =
      ThreadMachine::create(harness.getKernel());
  ASSERT_TRUE(threads);
  std::vector<HostTensor> inputs = harness.makeInputs({});
  auto fill = [](HostTensor &tensor, float value) {
    std::fill_n(reinterpret_cast<float *>(tensor.data()),
                tensor.getNumBytes() / 4, value);
  };
  fill(inputs[0], 2049);
  fill(inputs[1], 3);
  KernelRun run = threads->run(harness, inputs, {});
  const auto *sums = reinterpret_cast<const float *>(run.outputs[1].data());
  for (int64_t i = 0; i < 32 * 32; ++i)
    EXPECT_EQ(sums[i], 5 * 2050.0f * 3) << i;
}
