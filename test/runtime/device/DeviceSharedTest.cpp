/// Variables and workspaces in the memory of a GPU that several contexts share,
/// and the number of devices.
#include "test/runtime/support/Pair.h"

#include "tg/runtime.hpp"

using namespace tg::test;

namespace {

enum { WEIGHT, MASK, TABLE };

/// Contexts of two modules on one set of variables and one workspace.
class DeviceSharedTest : public PairTest {
protected:
  void SetUp() override {
    PairTest::SetUp();
    const tg_load_options_t options = onGpu();
    ASSERT_EQ(tg_module_adopt(pair_tg_model_get, &options, &second, &error),
              TG_OK);
    ASSERT_EQ(tg_variables_create_on(gpu, 0, nullptr, &set, &error), TG_OK)
        << error.message;
    ASSERT_EQ(tg_workspace_create_on(gpu, nullptr, &workspace, &error), TG_OK)
        << error.message;
  }
  void TearDown() override {
    for (tg_context_t *each : made)
      tg_context_destroy(each);
    EXPECT_EQ(tg_workspace_destroy(workspace, &error), TG_OK);
    EXPECT_EQ(tg_variables_destroy(set, &error), TG_OK) << error.message;
    EXPECT_EQ(tg_module_unload(second, &error), TG_OK) << error.message;
    PairTest::TearDown();
  }

  /// Creates a context of a module on the set and the workspace.
  tg_status_t tryCreate(tg_module_t *of, tg_context_t *&created) {
    tg_context_options_t options = {};
    options.struct_size = sizeof(options);
    options.variables = set;
    options.workspace = workspace;
    return tg_context_create(of, &options, &created, &error);
  }
  tg_context_t *create(tg_module_t *of) {
    tg_context_t *created = nullptr;
    EXPECT_EQ(tryCreate(of, created), TG_OK) << error.message;
    made.push_back(created);
    EXPECT_EQ(tg_context_reserve(created, PAIR_TEST, &batch, &error), TG_OK);
    return created;
  }
  /// Returns the variable pair/weight of the set.
  std::vector<float> weight() {
    std::vector<float> read(PAIR_WEIGHTS);
    const tg_tensor_t value = f32(read.data(), weightDims);
    EXPECT_EQ(tg_variables_get(set, WEIGHT, &value, &error), TG_OK)
        << error.message;
    return read;
  }
  tg_status_t setWeight(std::vector<float> to) {
    const tg_tensor_t value = f32(to.data(), weightDims);
    return tg_variables_set(set, WEIGHT, &value, &error);
  }

  static constexpr tg_device_t gpu = {TG_DEVICE_CUDA, 0};
  tg_module_t *second = nullptr;
  tg_variables_t *set = nullptr;
  tg_workspace_t *workspace = nullptr;
  std::vector<tg_context_t *> made;
};

/// Returns the list of the fixture's variables and one more, `extra`, which
/// lies behind them.
std::vector<const tg_variable_t *> withExtra(const tg_model_t &model,
                                             const tg_variable_t &extra) {
  std::vector<const tg_variable_t *> list(
      model.variables, model.variables + model.variable_count);
  list.push_back(&extra);
  return list;
}

} // namespace

TEST_F(DeviceSharedTest, oneModuleTrainsAndAnotherInfers) {
  tg_context_t *trainer = create(module);
  tg_context_t *reader = create(second);
  EXPECT_EQ(test(reader), TG_ERROR_SLAB);
  ASSERT_EQ(tg_context_init(trainer, 7, &error), TG_OK) << error.message;
  ASSERT_EQ(tg_context_init(context, 7, &error), TG_OK);
  for (int step = 0; step < 3; ++step) {
    ASSERT_EQ(train(trainer), TG_OK) << error.message;
    ASSERT_EQ(train(context), TG_OK);
    ASSERT_EQ(test(context), TG_OK); // by itself
    const std::vector<float> expected = y;
    ASSERT_EQ(test(reader), TG_OK) << error.message;
    EXPECT_EQ(y, expected);
    EXPECT_EQ(weight(), weights(context));
    EXPECT_EQ(weights(reader), weights(context));
  }
}

TEST_F(DeviceSharedTest, valuesAreSetAndPackedAgain) {
  tg_context_t *trainer = create(module);
  ASSERT_EQ(setWeight({9, 8, 7, 6}), TG_OK) << error.message;
  std::vector<uint8_t> masks(PAIR_MASKS, 3);
  std::vector<int64_t> maskDims = {PAIR_MASKS};
  const tg_tensor_t mask = tensor(masks.data(), TG_DTYPE_BOOL, 8, maskDims);
  ASSERT_EQ(tg_variables_get(set, MASK, &mask, &error), TG_OK);
  EXPECT_EQ(masks, std::vector<uint8_t>(PAIR_MASKS)); // the others are 0
  ASSERT_EQ(test(trainer), TG_OK) << error.message;
  EXPECT_EQ(y[3], 3 * 9 + pairConstant);
  ASSERT_EQ(setWeight({2, 0, 0, 0}), TG_OK);
  ASSERT_EQ(test(trainer), TG_OK);
  EXPECT_EQ(y[3], 3 * 2 + pairConstant);
}

TEST_F(DeviceSharedTest, snapshotsAreRestored) {
  tg_context_t *trainer = create(module);
  ASSERT_EQ(tg_context_init(trainer, 7, &error), TG_OK);
  const std::vector<float> before = weight();
  const uint32_t indices[] = {TABLE, WEIGHT};
  ASSERT_EQ(tg_variables_snapshot(set, indices, 2, &error), TG_OK)
      << error.message;
  ASSERT_EQ(train(trainer), TG_OK);
  EXPECT_NE(weight(), before);
  ASSERT_EQ(tg_variables_rollback(set, &error), TG_OK) << error.message;
  EXPECT_EQ(weight(), before);
  EXPECT_EQ(weights(trainer), before);
}

TEST_F(DeviceSharedTest, aGrownSetKeepsItsValues) {
  tg_context_t *trainer = create(module);
  ASSERT_EQ(setWeight({1, 2, 3, 4}), TG_OK);
  ASSERT_EQ(test(trainer), TG_OK);
  const std::vector<float> expected = y;
  tg_variable_t extra = *tg_module_model(module)->variables[WEIGHT];
  extra.name = "extra";
  extra.offset = 4 * PAIR_SLAB_BYTES;
  const auto list = withExtra(*tg_module_model(module), extra);
  ASSERT_EQ(tg_variables_extend(set, list.data(),
                                static_cast<uint32_t>(list.size()), &error),
            TG_OK)
      << error.message;
  std::vector<float> value = {5, 6, 7, 8}, read(PAIR_WEIGHTS);
  const tg_tensor_t in = f32(value.data(), weightDims),
                    out = f32(read.data(), weightDims);
  ASSERT_EQ(tg_variables_set(set, 3, &in, &error), TG_OK) << error.message;
  ASSERT_EQ(tg_variables_get(set, 3, &out, &error), TG_OK);
  EXPECT_EQ(read, value);
  EXPECT_EQ(weight(), (std::vector<float>{1, 2, 3, 4}));
  ASSERT_EQ(test(trainer), TG_OK) << error.message;
  EXPECT_EQ(y, expected);
}

TEST_F(DeviceSharedTest, failuresOfTheDeviceAreStatuses) {
  tg_context_t *trainer = create(module);
  ASSERT_EQ(setWeight({1, 2, 3, 4}), TG_OK);
  const auto expectLaunchError = [&](const char *function, auto call) {
    ASSERT_TRUE(cuda.fail(function, 1, CUDA_ERROR_UNKNOWN));
    EXPECT_EQ(call(), TG_ERROR_LAUNCH) << error.message;
  };
  const uint32_t index = WEIGHT;
  ASSERT_EQ(tg_variables_snapshot(set, &index, 1, &error), TG_OK);
  expectLaunchError("cuMemcpyDtoDAsync_v2",
                    [&] { return tg_variables_rollback(set, &error); });
  expectLaunchError("cuMemcpyDtoDAsync_v2", [&] {
    return tg_variables_snapshot(set, &index, 1, &error);
  });
  expectLaunchError("cuMemcpyHtoDAsync_v2", [&] { return setWeight({4}); });
  expectLaunchError("cuMemcpyDtoHAsync_v2", [&] {
    float read[PAIR_WEIGHTS];
    const tg_tensor_t value = f32(read, weightDims);
    return tg_variables_get(set, WEIGHT, &value, &error);
  });
  EXPECT_EQ(test(trainer), TG_OK) << error.message;
}

TEST_F(DeviceSharedTest, theWorkspaceIsShared) {
  tg_context_t *one = create(module), *two = create(second);
  ASSERT_EQ(setWeight({1, 2, 3, 4}), TG_OK);
  const uint64_t bytes = tg_workspace_bytes(workspace);
  EXPECT_GT(bytes, 0u);
  const int64_t larger = 1 << 16;
  ASSERT_EQ(tg_context_reserve(two, PAIR_TEST, &larger, &error), TG_OK);
  EXPECT_GE(tg_workspace_bytes(workspace), bytes);
  EXPECT_EQ(test(one), TG_OK) << error.message;
  EXPECT_EQ(test(two), TG_OK) << error.message;
}

TEST_F(DeviceSharedTest, otherMemoryIsRefused) {
  tg_module_t *onCpu = nullptr;
  ASSERT_EQ(tg_module_adopt(pair_tg_model_get, nullptr, &onCpu, &error), TG_OK);
  tg_context_t *none = nullptr;
  EXPECT_EQ(tryCreate(onCpu, none), TG_ERROR_DEVICE);
  EXPECT_STREQ(error.message,
               "found shared variables in the memory of cuda:0, expected that "
               "of the host, where the module runs");
  EXPECT_EQ(tg_module_unload(onCpu, &error), TG_OK);
  ASSERT_EQ(tg_workspace_destroy(workspace, &error), TG_OK);
  ASSERT_EQ(tg_workspace_create(nullptr, &workspace, &error), TG_OK);
  EXPECT_EQ(tryCreate(module, none), TG_ERROR_DEVICE);
  EXPECT_STREQ(error.message,
               "found shared workspace in the memory of the host, expected "
               "that of cuda:0, where the module runs");
  EXPECT_EQ(none, nullptr);

  tg_variables_t *missing = set;
  EXPECT_EQ(
      tg_variables_create_on({TG_DEVICE_CUDA, 5}, 0, nullptr, &missing, &error),
      TG_ERROR_NOT_FOUND);
  EXPECT_EQ(missing, nullptr);
  tg_workspace_t *absent = workspace;
  EXPECT_EQ(tg_workspace_create_on({99, 0}, nullptr, &absent, &error),
            TG_ERROR_DEVICE);
  EXPECT_STREQ(error.message, "found device type 99, expected 1 for a CPU or 2 "
                              "for an NVIDIA GPU");
  EXPECT_EQ(absent, nullptr);
}

TEST_F(DeviceSharedTest, theWrapperNamesTheDevice) {
  tg::Model model = tg::Model::adopt(pair_tg_model_get, {.device = gpu});
  tg::Variables variables(false, gpu);
  tg::Workspace memory(gpu);
  tg::Context trainer =
      model.context({.seed = 3, .variables = variables, .workspace = memory});
  tg::Context reader =
      model.context({.variables = variables, .workspace = memory});
  trainer.run("train", {});
  const tg::Outputs &outputs =
      reader.run("test", {{"x", std::vector<float>{1, 2}}});
  EXPECT_EQ(outputs.values<float>("y")[0], 4.f);
}

namespace {

class DeviceCountTest : public SimulatorTest {
protected:
  tg_status_t count(int32_t type) {
    number = 99;
    return tg_device_count(type, &number, &error);
  }

  uint32_t number = 0;
};

} // namespace

TEST_F(DeviceCountTest, countsDevices) {
  ASSERT_EQ(count(TG_DEVICE_CUDA), TG_OK) << error.message;
  EXPECT_EQ(number, 1u);
  ASSERT_EQ(count(TG_DEVICE_CPU), TG_OK);
  EXPECT_EQ(number, 1u);
  configure("TG_SIMULATOR_DEVICES", "3");
  EXPECT_EQ(tg::deviceCount(TG_DEVICE_CUDA), 3u);
  configure("TG_SIMULATOR_DEVICES", "0");
  ASSERT_EQ(count(TG_DEVICE_CUDA), TG_OK) << error.message;
  EXPECT_EQ(number, 0u);
}

TEST_F(DeviceCountTest, failsWithoutADriver) {
  EXPECT_EQ(count(99), TG_ERROR_DEVICE);
  EXPECT_EQ(number, 0u);
  EXPECT_EQ(tg_device_count(TG_DEVICE_CUDA, nullptr, &error), TG_ERROR_NULL);
  ASSERT_TRUE(cuda.fail("cuDeviceGetCount", 1, CUDA_ERROR_UNKNOWN));
  EXPECT_EQ(count(TG_DEVICE_CUDA), TG_ERROR_LAUNCH);
  configure("TG_SIMULATOR_VERSION", "10020");
  EXPECT_EQ(count(TG_DEVICE_CUDA), TG_ERROR_OLD_DRIVER);
  EXPECT_EQ(number, 0u);
}
