/// Variables in the memory of a GPU: values, blocks, checkpoints.
#include "test/runtime/support/ModelFile.h"
#include "test/runtime/support/Pair.h"

#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace tg::test;

namespace {

enum { WEIGHT, MASK, TABLE };

class DeviceVariablesTest : public PairTest {
protected:
  void SetUp() override {
    PairTest::SetUp();
    path = testing::TempDir() + "/tg-device-" + std::to_string(::getpid());
    ASSERT_EQ(tg_module_adopt(pair_tg_model_get, nullptr, &onCpu, &error),
              TG_OK);
    cpu = createContext(onCpu);
  }
  void TearDown() override {
    std::filesystem::remove(path);
    tg_context_destroy(cpu);
    EXPECT_EQ(tg_module_unload(onCpu, &error), TG_OK);
    PairTest::TearDown();
  }

  tg_status_t setMask(tg_context_t *of) {
    const tg_tensor_t value = tensor(mask.data(), TG_DTYPE_BOOL, 8, maskDims);
    return tg_context_set_variable(of, MASK, &value, &error);
  }
  tg_status_t setTable(tg_context_t *of) {
    const tg_tensor_t value = f32(table.data(), tableDims);
    return tg_context_set_variable(of, TABLE, &value, &error);
  }
  /// Sets all variables of a context.
  void fill(tg_context_t *of) {
    ASSERT_EQ(tg_context_init(of, 7, &error), TG_OK) << error.message;
    for (size_t i = 0; i < mask.size(); ++i)
      mask[i] = static_cast<uint8_t>(i % 3);
    for (size_t i = 0; i < table.size(); ++i)
      table[i] = static_cast<float>(i) / 8;
    ASSERT_EQ(setMask(of), TG_OK) << error.message;
    ASSERT_EQ(setTable(of), TG_OK) << error.message;
  }
  /// Returns the exported variables, without the header.
  std::vector<uint8_t> values(const tg_context_t *of) {
    std::vector<uint8_t> all = block(of);
    return {all.begin() + 64, all.end()};
  }

  tg_module_t *onCpu = nullptr;
  tg_context_t *cpu = nullptr;
  std::string path;
  std::vector<uint8_t> mask = std::vector<uint8_t>(PAIR_MASKS);
  std::vector<float> table = std::vector<float>(PAIR_ENTRIES);
  std::vector<int64_t> maskDims = {PAIR_MASKS}, tableDims = {PAIR_ENTRIES};
};

} // namespace

TEST_F(DeviceVariablesTest, settingOneSetsTheOthersToZero) {
  float weight[PAIR_WEIGHTS] = {1, 2, 3, 4};
  const tg_tensor_t value = f32(weight, weightDims);
  EXPECT_EQ(tg_context_get_variable(context, WEIGHT, &value, &error),
            TG_ERROR_SLAB);
  ASSERT_EQ(tg_context_set_variable(context, WEIGHT, &value, &error), TG_OK)
      << error.message;
  EXPECT_EQ(weights(context), (std::vector<float>{1, 2, 3, 4}));
  const tg_tensor_t read = f32(table.data(), tableDims);
  table.back() = 1;
  ASSERT_EQ(tg_context_get_variable(context, TABLE, &read, &error), TG_OK);
  EXPECT_EQ(table, std::vector<float>(PAIR_ENTRIES));
}

TEST_F(DeviceVariablesTest, packedWeightsFollowTheVariables) {
  ASSERT_EQ(tg_context_init(context, 2, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  float weight[PAIR_WEIGHTS] = {9};
  const tg_tensor_t value = f32(weight, weightDims);
  ASSERT_EQ(tg_context_set_variable(context, WEIGHT, &value, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK) << error.message;
  EXPECT_EQ(y[3], 3 * 9 + pairConstant);
}

TEST_F(DeviceVariablesTest, booleansAreNormalized) {
  fill(context);
  fill(cpu);
  std::vector<uint8_t> read(PAIR_MASKS);
  const tg_tensor_t value = tensor(read.data(), TG_DTYPE_BOOL, 8, maskDims);
  ASSERT_EQ(tg_context_get_variable(context, MASK, &value, &error), TG_OK);
  for (size_t i = 0; i < read.size(); ++i)
    ASSERT_EQ(read[i], i % 3 != 0) << i;
  EXPECT_EQ(values(context), values(cpu));
}

TEST_F(DeviceVariablesTest, blocksMoveBetweenDevices) {
  fill(context);
  const std::vector<uint8_t> exported = block(context);
  tg_slab_header_t header;
  std::memcpy(&header, exported.data(), sizeof(header));
  EXPECT_EQ(
      std::memcmp(header.layout_id, tg_module_model(module)->layout_id, 16), 0);
  EXPECT_EQ(header.generation, 3u);
  ASSERT_EQ(tg_context_import_variables(cpu, exported.data(), exported.size(),
                                        &error),
            TG_OK)
      << error.message;
  EXPECT_EQ(values(cpu), values(context));
  ASSERT_EQ(train(cpu), TG_OK);
  std::vector<uint8_t> back = block(cpu);
  back[PAIR_MASK_AT] = 77; // neither 0 nor 1
  ASSERT_EQ(
      tg_context_import_variables(context, back.data(), back.size(), &error),
      TG_OK)
      << error.message;
  back[PAIR_MASK_AT] = 1;
  EXPECT_EQ(values(context),
            std::vector<uint8_t>(back.begin() + 64, back.end()));
  EXPECT_EQ(weights(context)[0], 7.5f);
  ASSERT_EQ(test(context), TG_OK) << error.message;
  EXPECT_EQ(y[2], 2 * 7.5f + pairConstant);
}

TEST_F(DeviceVariablesTest, checkpointsMoveBetweenDevices) {
  EXPECT_EQ(tg_context_save_variables(context, path.c_str(), &error),
            TG_ERROR_SLAB);
  fill(context);
  ASSERT_EQ(tg_context_save_variables(context, path.c_str(), &error), TG_OK)
      << error.message;
  const Bytes saved = readFile(path);
  ASSERT_EQ(tg_context_load_variables(cpu, path.c_str(), &error), TG_OK)
      << error.message;
  EXPECT_EQ(values(cpu), values(context));
  ASSERT_EQ(tg_context_save_variables(cpu, path.c_str(), &error), TG_OK);
  EXPECT_EQ(readFile(path), saved); // the same bytes on all devices
  ASSERT_EQ(train(cpu), TG_OK);
  ASSERT_EQ(tg_context_save_variables(cpu, path.c_str(), &error), TG_OK);
  ASSERT_EQ(tg_context_load_variables(context, path.c_str(), &error), TG_OK)
      << error.message;
  EXPECT_EQ(values(context), values(cpu));
  ASSERT_EQ(test(context), TG_OK) << error.message;
  EXPECT_EQ(y[1], 7.5f + pairConstant);
}

TEST_F(DeviceVariablesTest, aFailedLoadChangesNothing) {
  fill(context);
  ASSERT_EQ(tg_context_save_variables(context, path.c_str(), &error), TG_OK);
  ASSERT_EQ(train(context), TG_OK);
  const std::vector<uint8_t> before = block(context);
  Bytes damaged = readFile(path);
  damaged.back() ^= 1;
  ASSERT_TRUE(writeFile(path, damaged));
  EXPECT_EQ(tg_context_load_variables(context, path.c_str(), &error),
            TG_ERROR_CORRUPT);
  EXPECT_EQ(block(context), before);
  damaged.back() ^= 1;
  ASSERT_TRUE(writeFile(path, damaged));
  const auto refuse = [&](const char *function, int result,
                          tg_status_t status) {
    ASSERT_TRUE(cuda.fail(function, 1, result));
    EXPECT_EQ(tg_context_load_variables(context, path.c_str(), &error), status)
        << error.message;
    EXPECT_EQ(block(context), before);
  };
  refuse("cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY, TG_ERROR_MEMORY);
  EXPECT_STREQ(error.message, "no memory for 90240 bytes of variables");
  refuse("cuMemcpyHtoDAsync_v2", CUDA_ERROR_UNKNOWN, TG_ERROR_LAUNCH);
  EXPECT_EQ(tg_context_load_variables(context, path.c_str(), &error), TG_OK);
}

TEST_F(DeviceVariablesTest, aFailedImportSaysThatVariablesChanged) {
  fill(context);
  const std::vector<uint8_t> exported = block(context);
  ASSERT_TRUE(cuda.fail("cuMemcpyHtoDAsync_v2", 2, CUDA_ERROR_UNKNOWN));
  EXPECT_EQ(tg_context_import_variables(context, exported.data(),
                                        exported.size(), &error),
            TG_ERROR_LAUNCH);
  EXPECT_EQ(error.variables_changed, 1u);
  ASSERT_TRUE(cuda.fail("cuMemcpyHtoDAsync_v2", 1, CUDA_ERROR_UNKNOWN));
  error = Error();
  EXPECT_EQ(setTable(context), TG_ERROR_LAUNCH);
  EXPECT_EQ(error.variables_changed, 1u);
}
