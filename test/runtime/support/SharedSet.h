/// Contexts of two modules on one set of variables.
#ifndef TG_TEST_RUNTIME_SUPPORT_SHAREDSET_H
#define TG_TEST_RUNTIME_SUPPORT_SHAREDSET_H

#include "Line.h"

namespace tg::test {

/// A set of variables for contexts of `line` and of `longer`, whose list has
/// one more variable.
class SharedSetTest : public LineTest {
protected:
  void SetUp() override {
    LineTest::SetUp();
    ASSERT_EQ(tg_module_load(longerPath.c_str(), nullptr, &longer, &error),
              TG_OK)
        << error.message;
    ASSERT_EQ(tg_variables_create(0, nullptr, &set, &error), TG_OK);
  }
  void TearDown() override {
    for (tg_context_t *each : made)
      tg_context_destroy(each);
    EXPECT_EQ(tg_variables_destroy(set, &error), TG_OK) << error.message;
    EXPECT_EQ(tg_module_unload(longer, &error), TG_OK) << error.message;
    LineTest::TearDown();
  }
  /// Makes a context of a module on the set, null on failure.
  tg_context_t *create(tg_module_t *of) {
    tg_context_options_t options = {};
    options.struct_size = sizeof(options);
    options.variables = set;
    tg_context_t *created = nullptr;
    if (tg_context_create(of, &options, &created, &error) != TG_OK)
      return nullptr;
    made.push_back(created);
    const int64_t symbols[] = {batch, batch};
    for (uint32_t i : {function("train"), function("test")})
      EXPECT_EQ(tg_context_reserve(created, i, symbols, &error), TG_OK);
    return created;
  }
  /// Returns the output of `test`.
  std::vector<float> outputOf(tg_context_t *on) {
    EXPECT_EQ(test(on), TG_OK) << error.message;
    return y;
  }
  tg_status_t getWeight(std::vector<float> &weight) {
    weight.resize(LINE_WIDTH);
    std::vector<int64_t> dims = {LINE_WIDTH};
    const tg_tensor_t value = f32(weight.data(), dims);
    return tg_variables_get(set, 0, &value, &error);
  }
  int64_t step() {
    int64_t count = -1;
    const tg_tensor_t value = i64(&count, none);
    EXPECT_EQ(tg_variables_get(set, 1, &value, &error), TG_OK);
    return count;
  }

  tg_module_t *longer = nullptr;
  tg_variables_t *set = nullptr;
  std::vector<tg_context_t *> made;
};

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_SHAREDSET_H
