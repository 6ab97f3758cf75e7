/// Variables that contexts of several modules share: values, growth, conflicts.
#include "support/SharedSet.h"

using namespace tg::test;

using SharedVariablesTest = SharedSetTest;

TEST_F(SharedVariablesTest, oneModuleTrainsAndAnotherInfers) {
  tg_context_t *trainer = create(module);
  tg_context_t *reader = create(longer);
  ASSERT_TRUE(trainer && reader) << error.message;
  ASSERT_EQ(tg_context_init(trainer, 1, &error), TG_OK) << error.message;
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  std::vector<float> last;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(train(trainer), TG_OK) << error.message;
    ASSERT_EQ(train(context), TG_OK); // by itself
    const std::vector<float> found = outputOf(reader);
    EXPECT_NE(found, last) << "packed again";
    EXPECT_EQ(found, outputOf(trainer));
    EXPECT_EQ(found, outputOf(context));
    last = found;
  }
  EXPECT_EQ(step(), 3);
}

TEST_F(SharedVariablesTest, modulesOfOtherIdsAndEqualListsShare) {
  tg_module_t *other = nullptr;
  ASSERT_EQ(tg_module_load(otherPath.c_str(), nullptr, &other, &error), TG_OK);
  tg_context_t *one = create(module);
  tg_context_t *two = create(other);
  ASSERT_TRUE(one && two) << error.message;
  ASSERT_EQ(tg_context_init(one, 1, &error), TG_OK);
  ASSERT_EQ(train(two), TG_OK) << error.message;
  EXPECT_EQ(outputOf(one), outputOf(two));
  std::vector<char> block(LINE_SLAB_BYTES);
  for (tg_context_t *from : {one, two, one}) {
    ASSERT_EQ(
        tg_context_export_variables(from, block.data(), block.size(), &error),
        TG_OK);
    // The block is one of the module that gave it.
    EXPECT_EQ(block[0], from == one ? 16 : 99);
    EXPECT_EQ(
        tg_context_import_variables(from, block.data(), block.size(), &error),
        TG_OK);
  }
  tg_context_destroy(two);
  std::erase(made, two);
  EXPECT_EQ(tg_module_unload(other, &error), TG_OK) << error.message;
}

TEST_F(SharedVariablesTest, functionsNeedValuesOfWhatTheyUse) {
  tg_context_t *small = create(module);
  tg_context_t *large = create(longer);
  ASSERT_TRUE(small && large) << error.message;
  std::vector<float> weight;
  EXPECT_EQ(train(small), TG_ERROR_SLAB);
  EXPECT_EQ(std::string(error.message).find("train: the variables have no "),
            0u);
  EXPECT_EQ(test(large), TG_ERROR_SLAB);
  EXPECT_EQ(getWeight(weight), TG_ERROR_SLAB);
  EXPECT_STREQ(error.message, "'line/weight' has no value yet");
  ASSERT_EQ(tg_context_init(small, 1, &error), TG_OK);
  EXPECT_EQ(test(large), TG_OK) << error.message;
  EXPECT_EQ(train(large), TG_ERROR_SLAB) << "line/extra has no value";
  EXPECT_EQ(getWeight(weight), TG_OK);

  float extra[] = {5, 6};
  std::vector<int64_t> dims = {2};
  const tg_tensor_t value = f32(extra, dims);
  ASSERT_EQ(tg_context_set_variable(large, 2, &value, &error), TG_OK);
  EXPECT_EQ(train(large), TG_OK) << error.message;
  EXPECT_EQ(step(), 1);
  // The init of the smaller module leaves the further variable alone.
  ASSERT_EQ(tg_context_init(small, 2, &error), TG_OK);
  EXPECT_EQ(step(), 0);
  extra[0] = 0;
  ASSERT_EQ(tg_context_get_variable(large, 2, &value, &error), TG_OK);
  EXPECT_EQ(extra[0], 5);
}

TEST_F(SharedVariablesTest, settingOneGivesTheOthersZeros) {
  tg_context_t *large = create(longer);
  ASSERT_TRUE(large);
  std::vector<float> weight = {1, 2, 3, 4};
  std::vector<int64_t> dims = {LINE_WIDTH}, two = {2};
  const tg_tensor_t value = f32(weight.data(), dims);
  ASSERT_EQ(tg_variables_set(set, 0, &value, &error), TG_OK) << error.message;
  EXPECT_EQ(step(), 0);
  float extra[] = {7, 7};
  const tg_tensor_t into = f32(extra, two);
  ASSERT_EQ(tg_variables_get(set, 2, &into, &error), TG_OK);
  EXPECT_EQ(extra[1], 0);
  EXPECT_EQ(train(large), TG_OK) << error.message;
}

TEST_F(SharedVariablesTest, zerosAreValuesWhereTheSetStartsWithThem) {
  ASSERT_EQ(tg_variables_destroy(set, &error), TG_OK);
  ASSERT_EQ(
      tg_variables_create(TG_VARIABLES_START_AT_ZERO, nullptr, &set, &error),
      TG_OK);
  tg_context_t *small = create(module);
  ASSERT_TRUE(small);
  EXPECT_EQ(outputOf(small), std::vector<float>(batch));
  EXPECT_EQ(train(small), TG_OK) << error.message;
  tg_context_t *large = create(longer);
  ASSERT_TRUE(large);
  EXPECT_EQ(train(large), TG_OK) << error.message;
  EXPECT_EQ(step(), 2);
}

TEST_F(SharedVariablesTest, aGrownSetKeepsItsValues) {
  tg_context_t *small = create(module);
  ASSERT_TRUE(small);
  ASSERT_EQ(tg_context_init(small, 1, &error), TG_OK);
  ASSERT_EQ(train(small), TG_OK);
  const std::vector<float> expected = outputOf(small);
  ASSERT_TRUE(create(longer));
  EXPECT_EQ(outputOf(small), expected) << "and packed weights fit";
  // Contexts that go leave the set as it is, and modules may go with them.
  for (tg_context_t *each : made)
    tg_context_destroy(each);
  made.clear();
  EXPECT_EQ(step(), 1);
  tg_context_t *again = create(module);
  ASSERT_TRUE(again);
  EXPECT_EQ(outputOf(again), expected);

  // The memory moves when a variable on another page is set.
  std::vector<int64_t> dims = {2};
  tg_variable_t far = {};
  far.struct_size = sizeof(far);
  far.dtype = {TG_DTYPE_FLOAT, 32, 1};
  far.name = "far";
  far.dims = dims.data();
  far.rank = 1;
  far.offset = 8192;
  far.bytes = 8;
  const tg_variable_t *const *known = tg_module_model(longer)->variables;
  tg_variable_t huge = far;
  std::vector<int64_t> hugeDims = {int64_t(1) << 40};
  huge.name = "huge";
  huge.dims = hugeDims.data();
  huge.offset = 12288;
  huge.bytes = uint64_t(4) << 40;
  const tg_variable_t *const list[] = {known[0], known[1], known[2], &far,
                                       &huge};
  ASSERT_EQ(tg_variables_extend(set, list, 4, &error), TG_OK) << error.message;
  float two[] = {8, 9}, found[2] = {};
  const tg_tensor_t value = f32(two, dims);
  const tg_tensor_t into = f32(found, dims);
  ASSERT_EQ(tg_variables_set(set, 3, &value, &error), TG_OK) << error.message;
  EXPECT_EQ(outputOf(again), expected);
  EXPECT_EQ(step(), 1);
  ASSERT_EQ(tg_variables_get(set, 3, &into, &error), TG_OK);
  EXPECT_EQ(found[1], 9);

  // The list may be far longer than the memory.
  ASSERT_EQ(tg_variables_extend(set, list, 5, &error), TG_OK) << error.message;
  ASSERT_EQ(tg_variables_extend(set, list, 2, &error), TG_OK) << "a beginning";
  EXPECT_EQ(outputOf(again), expected);
}

TEST_F(SharedVariablesTest, conflictingListsAreRefused) {
  ASSERT_TRUE(create(module));
  const tg_variable_t *const *known = tg_module_model(module)->variables;
  tg_variable_t changed = *known[1];
  const tg_variable_t *const list[] = {known[0], &changed};
  const auto isRefused = [&](const char *message) {
    EXPECT_EQ(tg_variables_extend(set, list, 2, &error), TG_ERROR_SLAB);
    EXPECT_STREQ(error.message, message);
    changed = *known[1];
  };
  changed.name = "line/other";
  isRefused("variable 1 is 'line/other', i64 at byte 128; expected "
            "'line/step', i64 at byte 128, as the shared variables have it");
  changed.dtype.bits = 32;
  isRefused("variable 1 is 'line/step', i32 at byte 128; expected "
            "'line/step', i64 at byte 128, as the shared variables have it");
  changed.offset = 192;
  isRefused("variable 1 is 'line/step', i64 at byte 192; expected "
            "'line/step', i64 at byte 128, as the shared variables have it");
  const int64_t dims[] = {1};
  changed.rank = 1;
  changed.dims = dims;
  isRefused("variable 1 is 'line/step', i64[1] at byte 128; expected "
            "'line/step', i64 at byte 128, as the shared variables have it");
  changed.rank = 0;

  // A context of a module whose list conflicts is not made.
  tg_variables_t *other = nullptr;
  ASSERT_EQ(tg_variables_create(0, nullptr, &other, &error), TG_OK);
  changed.name = "line/other";
  ASSERT_EQ(tg_variables_extend(other, list, 2, &error), TG_OK);
  std::swap(set, other);
  EXPECT_EQ(create(longer), nullptr);
  EXPECT_EQ(error.status, TG_ERROR_SLAB);
  std::swap(set, other);
  EXPECT_EQ(tg_variables_destroy(other, &error), TG_OK) << error.message;

  // Variables that overlap those before them.
  const tg_variable_t *const *three = tg_module_model(longer)->variables;
  changed = *three[2];
  changed.offset = 128;
  const tg_variable_t *const overlapping[] = {three[0], three[1], &changed};
  EXPECT_EQ(tg_variables_extend(set, overlapping, 3, &error), TG_ERROR_SLAB);
  EXPECT_STREQ(error.message, "variable 'line/extra' is at byte 128, expected "
                              "at least 136, after the variables before it");
  EXPECT_TRUE(create(longer)) << "the list is as before: " << error.message;
}
