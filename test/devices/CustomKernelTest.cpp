/// CUDA kernels of the user on a device: custom.mlir on a host that has only
/// abi.h. custom.test compares their results with those of the CPU.
#include "support/BareHost.h"
#include "support/Mlp.h"

using namespace tg::test;

namespace {

class CustomKernelTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    host = std::make_unique<BareHost>(TG_CUSTOM_SO);
  }
  void TearDown() override {
    host.reset();
    CudaTest::TearDown();
  }

  /// Squares `x` on the host->
  tg_status_t square(std::vector<float> x) {
    squares.assign(x.size(), -1);
    const auto count = static_cast<int64_t>(x.size());
    Arguments inputs, outputs;
    inputs.add(x.data(), {count}, kF32);
    outputs.add(squares.data(), {count}, kF32);
    return host->run("squares", inputs, outputs);
  }

  /// Writes the squares of the elements of `x` at `indices` to the variable.
  tg_status_t store(std::vector<float> x, std::vector<int32_t> indices) {
    Arguments inputs, outputs;
    inputs.add(x.data(), {static_cast<int64_t>(x.size())}, kF32)
        .add(indices.data(), {3}, kI32);
    return host->run("store", inputs, outputs);
  }

  std::unique_ptr<BareHost> host;
  std::vector<float> squares;
};

} // namespace

TEST_F(CustomKernelTest, haveImagesOfTheirOwn) {
  const tg_model_t &model = host->table.model();
  // Two functions launch `square`.
  ASSERT_EQ(model.image_count, 4u);
  for (uint32_t i = 1; i < model.image_count; ++i)
    EXPECT_EQ(model.images[i]->kernel_count, 1u);
  EXPECT_STREQ(model.images[1]->kernels[0], "square");
  EXPECT_STREQ(model.images[2]->kernels[0], "slope");
  EXPECT_STREQ(model.images[3]->kernels[0], "reverse");
  for (uint32_t i = 0; i < model.function_count; ++i)
    EXPECT_EQ(model.functions[i]->host_function_count, 0u);
}

TEST_F(CustomKernelTest, runsMayBeRepeatedAndWaitOnce) {
  ASSERT_EQ(square({1, 2, -3}), TG_OK) << host->error.message;
  EXPECT_EQ(squares, (std::vector<float>{1, 4, 9}));
  ASSERT_EQ(host->keys.size(), 1u);
  EXPECT_TRUE(host->keys.front().second);
  EXPECT_EQ(host->waits, 1u);
}

TEST_F(CustomKernelTest, aLaunchWithoutElementsIsOmitted) {
  ASSERT_EQ(square({}), TG_OK) << host->error.message;
  const uint64_t without = host->operations;
  ASSERT_EQ(square({5}), TG_OK) << host->error.message;
  // The copies contain the report of errors, too, so only the launch is new.
  EXPECT_EQ(host->operations - without, without + 1);
}

TEST_F(CustomKernelTest, doNothingAfterAnErrorInTheData) {
  Arguments none;
  ASSERT_EQ(host->run("init", none, none), TG_OK) << host->error.message;
  ASSERT_EQ(store({1, 2, 3}, {0, 1, 2}), TG_OK) << host->error.message;
  const std::vector<char> before = host->variables();
  EXPECT_EQ(store({5, 6, 7}, {0, 3, 9}), TG_ERROR_INDEX);
  EXPECT_EQ(host->error.element, 1);
  EXPECT_EQ(host->error.found, 3);
  EXPECT_EQ(host->error.variables_changed, 0u);
  EXPECT_EQ(host->variables(), before);
  EXPECT_EQ(store({5, 6, 7}, {0, 1, 2}), TG_OK) << host->error.message;
  EXPECT_NE(host->variables(), before);
}

TEST_F(CustomKernelTest, everyFailingOperationIsAStatus) {
  ASSERT_EQ(square({1, 2}), TG_OK);
  const uint64_t count = host->operations;
  for (uint64_t i = 1; i <= count; ++i) {
    host->failing = host->operations + i;
    EXPECT_EQ(square({1, 2}), TG_ERROR_LAUNCH) << i;
  }
  host->failing = 0;
  EXPECT_EQ(square({1, 2}), TG_OK);
}

TEST_F(CustomKernelTest, areRefusedByHostsThatCannotLaunchThem) {
  host->ops.launch_grid = nullptr;
  EXPECT_EQ(square({1}), TG_ERROR_NULL);
  EXPECT_STREQ(
      host->error.message,
      "squares: launch_grid of the ops of device is null, expected a function "
      "because the model has CUDA kernels of users");
  host->ops.struct_size = offsetof(tg_device_ops_t, launch_grid);
  EXPECT_EQ(square({1}), TG_ERROR_NULL);
}
