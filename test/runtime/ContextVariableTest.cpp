/// Variables of a context: reading, writing and checking them, and the slab
/// that holds them.
#include "support/Line.h"

#include <cstring>

using namespace tg::test;

using ContextVariableTest = LineTest;

TEST_F(ContextVariableTest, offsetsOfTensorsDoNotWrap) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  std::vector<float> weight(LINE_WIDTH, 3);
  std::vector<int64_t> dims = {LINE_WIDTH};
  tg_tensor_t value = f32(weight.data(), dims);
  for (uint64_t offset : {~uint64_t(0), uint64_t(0) - 16, uint64_t(1) << 63}) {
    value.data = offset >> 63 && offset << 1 == 0
                     ? reinterpret_cast<char *>(uintptr_t(1) << 63)
                     : reinterpret_cast<char *>(weight.data());
    value.byte_offset = offset;
    EXPECT_EQ(tg_context_set_variable(context, 0, &value, &error),
              TG_ERROR_SIZE);
    EXPECT_EQ(tg_context_get_variable(context, 0, &value, &error),
              TG_ERROR_SIZE);
  }
}

TEST_F(ContextVariableTest, variablesAreCopiedInAndOut) {
  std::vector<float> weight = {1, 2, 3, 4};
  std::vector<float> read(LINE_WIDTH);
  std::vector<int64_t> dims = {LINE_WIDTH};
  uint32_t index;
  ASSERT_EQ(tg_module_find_variable(module, "line/weight", &index, &error),
            TG_OK);
  const tg_tensor_t into = f32(read.data(), dims);
  EXPECT_EQ(tg_context_get_variable(context, index, &into, &error),
            TG_ERROR_SLAB); // not initialized
  const tg_tensor_t from = f32(weight.data(), dims);
  ASSERT_EQ(tg_context_set_variable(context, index, &from, &error), TG_OK);
  ASSERT_EQ(tg_context_get_variable(context, index, &into, &error), TG_OK);
  EXPECT_EQ(read, weight);
  int64_t step = 5;
  const tg_tensor_t stepInto = i64(&step, none);
  ASSERT_EQ(tg_context_get_variable(context, 1, &stepInto, &error), TG_OK);
  EXPECT_EQ(step, 0); // setting one variable zeroes the others
}

TEST_F(ContextVariableTest, variableTensorsAreChecked) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  float data[8];
  std::vector<int64_t> dims = {LINE_WIDTH}, wrong = {5}, strides = {2};
  tg_tensor_t value = f32(data, dims);
  const auto set = [&] {
    const tg_status_t status =
        tg_context_set_variable(context, 0, &value, &error);
    value = f32(data, dims);
    return status;
  };
  EXPECT_EQ(tg_context_set_variable(context, 7, &value, &error),
            TG_ERROR_NOT_FOUND);
  EXPECT_EQ(tg_context_set_variable(context, 0, nullptr, &error),
            TG_ERROR_NULL);
  value.dtype.bits = 64;
  EXPECT_EQ(set(), TG_ERROR_DTYPE);
  value.ndim = 0;
  EXPECT_EQ(set(), TG_ERROR_RANK);
  value.shape = wrong.data();
  EXPECT_EQ(set(), TG_ERROR_DIM);
  value.strides = strides.data();
  EXPECT_EQ(set(), TG_ERROR_STRIDES);
  value.data = nullptr;
  EXPECT_EQ(set(), TG_ERROR_NULL);
  value.device.device_type = TG_DEVICE_CUDA;
  EXPECT_EQ(set(), TG_ERROR_DEVICE);
}

TEST_F(ContextVariableTest, exportAndImportKeepEverything) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  ASSERT_EQ(train(context), TG_OK);
  const std::vector<uint8_t> expected = variables(context);
  std::vector<uint8_t> block(LINE_SLAB_BYTES);
  ASSERT_EQ(
      tg_context_export_variables(context, block.data(), block.size(), &error),
      TG_OK);
  ASSERT_EQ(train(context), TG_OK);
  EXPECT_NE(variables(context), expected);
  ASSERT_EQ(
      tg_context_import_variables(context, block.data(), block.size(), &error),
      TG_OK);
  EXPECT_EQ(variables(context), expected);
  EXPECT_EQ(test(context), TG_OK) << error.message;
  EXPECT_EQ(tg_context_import_variables(context, block.data(), 64, &error),
            TG_ERROR_SIZE);
  block[0] ^= 1;
  EXPECT_EQ(
      tg_context_import_variables(context, block.data(), block.size(), &error),
      TG_ERROR_SLAB);
  EXPECT_EQ(variables(context), expected);
}

namespace {

const int64_t flagDims[] = {4};
const tg_variable_t flags = {sizeof(tg_variable_t),
                             {TG_DTYPE_BOOL, 8, 1},
                             "flags",
                             flagDims,
                             1,
                             TG_ROLE_OTHER,
                             0,
                             -1,
                             64,
                             4};

/// Returns a model with one boolean variable and no function.
tg_status_t getFlagsModel(uint32_t, uint32_t, const tg_model_t **model) {
  static const tg_variable_t *const variables[] = {&flags};
  static const tg_model_t table = [] {
    tg_model_t made = {};
    made.struct_size = sizeof(made);
    made.abi_version = TG_ABI_VERSION;
    made.name = made.metadata = "flags";
    made.layout_id[0] = 1;
    made.variables = variables;
    made.variable_count = 1;
    made.alignment = 64;
    made.slab_bytes = 128;
    return made;
  }();
  *model = &table;
  return TG_OK;
}

} // namespace

TEST(Truths, areZeroOrOneWhateverAHostWrites) {
  Error error;
  tg_module_t *module;
  tg_context_t *context;
  ASSERT_EQ(tg_module_adopt(getFlagsModel, nullptr, &module, &error), TG_OK);
  ASSERT_EQ(tg_context_create(module, nullptr, &context, &error), TG_OK);
  uint8_t given[] = {2, 0, 255, 1}, got[4] = {};
  const uint8_t expected[] = {1, 0, 1, 1};
  std::vector<int64_t> dims = {4};
  const tg_tensor_t from = tensor(given, TG_DTYPE_BOOL, 8, dims);
  const tg_tensor_t into = tensor(got, TG_DTYPE_BOOL, 8, dims);
  ASSERT_EQ(tg_context_set_variable(context, 0, &from, &error), TG_OK)
      << error.message;
  ASSERT_EQ(tg_context_get_variable(context, 0, &into, &error), TG_OK);
  EXPECT_EQ(std::memcmp(got, expected, 4), 0);
  std::vector<char> block(128);
  ASSERT_EQ(tg_context_export_variables(context, block.data(), 128, &error),
            TG_OK);
  std::memcpy(block.data() + 64, given, 4);
  ASSERT_EQ(tg_context_import_variables(context, block.data(), 128, &error),
            TG_OK);
  ASSERT_EQ(tg_context_get_variable(context, 0, &into, &error), TG_OK);
  EXPECT_EQ(std::memcmp(got, expected, 4), 0);
  tg_context_destroy(context);
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK);
}
