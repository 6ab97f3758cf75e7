/// Calls on shared variables: those that exclude each other, snapshots,
/// checkpoints, wrong calls, memory of the host.
#include "support/SharedSet.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <thread>

using namespace tg::test;

using SharedVariablesUseTest = SharedSetTest;

namespace {
/// A clock that uses shared variables within a run that reads them.
struct NestedUses {
  std::vector<std::function<tg_status_t()>> calls;
  std::vector<tg_status_t> found;

  static uint64_t now(void *user) {
    auto &uses = *static_cast<NestedUses *>(user);
    uses.found.clear();
    for (const auto &call : uses.calls)
      uses.found.push_back(call());
    return 0;
  }
};
} // namespace

TEST_F(SharedVariablesUseTest, callsExcludeEachOther) {
  tg_context_t *one = create(module);
  tg_context_t *same = create(module);
  ASSERT_TRUE(one && same);
  ASSERT_EQ(tg_context_init(one, 1, &error), TG_OK);
  std::vector<float> weight(LINE_WIDTH), outputs(batch);
  std::vector<int64_t> dims = {LINE_WIDTH};
  const tg_tensor_t value = f32(weight.data(), dims);
  NestedUses uses;
  uses.calls = {
      [&] { return test(same); },
      [&] { return getWeight(weight); },
      [&] { return tg_variables_snapshot(set, nullptr, 0, nullptr); },
      [&] { return train(same); },
      [&] { return tg_variables_set(set, 0, &value, nullptr); },
      [&] { return tg_context_set_variable(same, 0, &value, nullptr); },
      [&] { return tg_context_init(same, 1, nullptr); },
  };
  std::vector<uint64_t> times(2);
  tg_profile_t profile = {};
  profile.struct_size = sizeof(profile);
  profile.step_count = 1;
  profile.user = &uses;
  profile.now = NestedUses::now;
  profile.begin = &times[0];
  profile.end = &times[1];
  const tg_tensor_t input = f32(x.data(), xDims);
  const tg_tensor_t output = f32(outputs.data(), rowDims);
  const auto run = [&] {
    return tg_context_run_profiled(one, function("test"), &input, 1, &output, 1,
                                   &profile, &error);
  };
  ASSERT_EQ(run(), TG_OK) << error.message;
  EXPECT_EQ(uses.found, (std::vector<tg_status_t>{
                            TG_OK, TG_OK, TG_OK, TG_ERROR_BUSY, TG_ERROR_BUSY,
                            TG_ERROR_BUSY, TG_ERROR_BUSY}));
  // A module of another layout.
  tg_context_t *large = create(longer);
  ASSERT_TRUE(large) << error.message;
  uses.calls = {[&] { return test(large); },
                [&] {
                  std::vector<char> block(LINE_LONGER_BYTES);
                  return tg_context_export_variables(large, block.data(),
                                                     block.size(), nullptr);
                }};
  ASSERT_EQ(run(), TG_OK) << error.message;
  EXPECT_EQ(uses.found,
            (std::vector<tg_status_t>{TG_ERROR_BUSY, TG_ERROR_BUSY}));
  EXPECT_EQ(tg_variables_destroy(set, &error), TG_ERROR_BUSY);
  EXPECT_STREQ(error.message, "3 contexts still use the variables");
  EXPECT_EQ(train(same), TG_OK) << "idle again: " << error.message;
}

TEST_F(SharedVariablesUseTest, readersOfOneLayoutRunAtOnce) {
  constexpr int threads = 4;
  tg_context_t *trainer = create(module);
  ASSERT_TRUE(trainer);
  ASSERT_EQ(tg_context_init(trainer, 1, &error), TG_OK);
  tg_context_t *readers[threads];
  for (tg_context_t *&reader : readers)
    ASSERT_TRUE(reader = create(longer));
  const uint32_t index = function("test");
  for (int round = 0; round < 50; ++round) {
    ASSERT_EQ(train(trainer), TG_OK) << error.message;
    const std::vector<float> expected = outputOf(trainer);
    std::atomic<int> failures = 0;
    std::vector<std::thread> running;
    for (tg_context_t *reader : readers)
      running.emplace_back([&, reader] {
        std::vector<float> rows(batch);
        const tg_tensor_t input = f32(x.data(), xDims);
        const tg_tensor_t output = f32(rows.data(), rowDims);
        // The first to come packs the weights.
        failures += tg_context_run(reader, index, &input, 1, &output, 1,
                                   nullptr) != TG_OK ||
                    rows != expected;
      });
    for (std::thread &each : running)
      each.join();
    EXPECT_EQ(failures, 0);
  }
}

TEST_F(SharedVariablesUseTest, aSnapshotBringsVariablesBack) {
  tg_context_t *small = create(module);
  ASSERT_TRUE(small);
  ASSERT_EQ(tg_context_init(small, 1, &error), TG_OK);
  ASSERT_EQ(train(small), TG_OK);
  const std::vector<float> expected = outputOf(small);
  std::vector<float> before, after;
  ASSERT_EQ(getWeight(before), TG_OK);
  const uint32_t both[] = {0, 1}, none[] = {9};
  ASSERT_EQ(tg_variables_rollback(set, &error), TG_OK) << "there is none";
  ASSERT_EQ(tg_variables_snapshot(set, both, 2, &error), TG_OK);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(train(small), TG_OK);
    int64_t label = 100;
    const tg_tensor_t input = i64(&label, this->none);
    EXPECT_EQ(
        tg_context_run(small, function("late"), &input, 1, nullptr, 0, &error),
        TG_ERROR_INDEX);
    EXPECT_EQ(error.variables_changed, 1u);
    EXPECT_EQ(step(), 3);
    EXPECT_NE(outputOf(small), expected);
    ASSERT_EQ(tg_variables_rollback(set, &error), TG_OK);
    EXPECT_EQ(step(), 1);
    ASSERT_EQ(getWeight(after), TG_OK);
    EXPECT_EQ(after, before);
    EXPECT_EQ(outputOf(small), expected) << "packed again";
  }
  EXPECT_EQ(tg_variables_snapshot(set, none, 1, &error), TG_ERROR_NOT_FOUND);
  ASSERT_EQ(train(small), TG_OK);
  ASSERT_EQ(tg_variables_rollback(set, &error), TG_OK) << "the last failed";
  EXPECT_EQ(step(), 2);
}

TEST_F(SharedVariablesUseTest, checkpointsAndPublicationsAreThoseOfTheModule) {
  const std::string path = testing::TempDir() + "shared.safetensors";
  tg_context_t *small = create(module);
  tg_context_t *large = create(longer);
  ASSERT_TRUE(small && large);
  ASSERT_EQ(tg_context_init(small, 1, &error), TG_OK);
  ASSERT_EQ(train(small), TG_OK);
  const std::vector<float> expected = outputOf(small);
  EXPECT_EQ(tg_context_save_variables(large, path.c_str(), &error),
            TG_ERROR_SLAB);
  ASSERT_EQ(tg_context_save_variables(small, path.c_str(), &error), TG_OK);
  ASSERT_EQ(train(small), TG_OK);
  EXPECT_EQ(tg_context_load_variables(large, path.c_str(), &error),
            TG_ERROR_NOT_FOUND)
      << "line/extra is not in the file";
  ASSERT_EQ(tg_context_load_variables(small, path.c_str(), &error), TG_OK)
      << error.message;
  EXPECT_EQ(step(), 1);
  EXPECT_EQ(outputOf(large), expected);
  EXPECT_EQ(outputOf(small), expected);
  // The same file by a context with variables of its own.
  ASSERT_EQ(tg_context_load_variables(context, path.c_str(), &error), TG_OK);
  EXPECT_EQ(outputOf(context), expected);

  EXPECT_EQ(test(large), TG_OK); // the slab has the id of the other layout
  ASSERT_EQ(tg_module_publish(module, small, &error), TG_OK) << error.message;
  tg_context_t *reader = createContext(TG_CONTEXT_SHARED);
  EXPECT_EQ(outputOf(reader), expected);
  tg_context_destroy(reader);
}

TEST_F(SharedVariablesUseTest, wrongCallsAreRefused) {
  tg_context_t *small = create(module);
  ASSERT_TRUE(small);
  tg_variables_t *created = set;
  EXPECT_EQ(tg_variables_create(1, nullptr, &created, &error), TG_ERROR_STRUCT);
  EXPECT_EQ(created, nullptr);
  tg_hooks_t hooks = {};
  EXPECT_EQ(tg_variables_create(0, &hooks, &created, &error), TG_ERROR_STRUCT);
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.flags = TG_CONTEXT_SHARED;
  options.variables = set;
  tg_context_t *none = nullptr;
  EXPECT_EQ(tg_context_create(module, &options, &none, &error),
            TG_ERROR_STRUCT);
  // An older program knows nothing of the fields, and its struct ends there.
  options.flags = 0;
  options.struct_size = 16;
  ASSERT_EQ(tg_context_create(module, &options, &none, &error), TG_OK);
  ASSERT_EQ(tg_context_init(none, 1, &error), TG_OK);
  EXPECT_EQ(test(small), TG_ERROR_SLAB) << "these are others";
  tg_context_destroy(none);
  options.struct_size = 24;
  EXPECT_EQ(tg_context_create(module, &options, &none, &error),
            TG_ERROR_STRUCT);

  const auto isNull = [&](tg_status_t status) {
    EXPECT_EQ(status, TG_ERROR_NULL) << error.message;
  };
  const tg_tensor_t value = f32(&loss, this->none);
  isNull(tg_variables_create(0, nullptr, nullptr, &error));
  isNull(tg_variables_destroy(nullptr, &error));
  isNull(tg_variables_extend(nullptr, nullptr, 0, &error));
  isNull(tg_variables_extend(set, nullptr, 1, &error));
  isNull(tg_variables_get(nullptr, 0, &value, &error));
  isNull(tg_variables_get(set, 0, nullptr, &error));
  isNull(tg_variables_set(nullptr, 0, &value, &error));
  isNull(tg_variables_set(set, 0, nullptr, &error));
  isNull(tg_variables_snapshot(nullptr, nullptr, 0, &error));
  isNull(tg_variables_snapshot(set, nullptr, 1, &error));
  isNull(tg_variables_rollback(nullptr, &error));
  EXPECT_EQ(tg_variables_get(set, 2, &value, &error), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(tg_variables_set(set, 0, &value, &error), TG_ERROR_RANK);
}

namespace {
/// Memory of a host, which fails when told.
struct Budget {
  int64_t live = 0;
  int blocks = 0, most = 1 << 30;

  static void *allocate(void *user, uint64_t bytes, uint64_t alignment) {
    Budget &self = *static_cast<Budget *>(user);
    if (++self.blocks > self.most)
      return nullptr;
    self.live += static_cast<int64_t>(bytes);
    return std::aligned_alloc(alignment, bytes);
  }
  static void release(void *user, void *memory, uint64_t bytes) {
    static_cast<Budget *>(user)->live -= static_cast<int64_t>(bytes);
    std::free(memory);
  }
};
} // namespace

TEST_F(SharedVariablesUseTest, theMemoryIsTheHosts) {
  ASSERT_EQ(tg_variables_destroy(set, &error), TG_OK);
  Budget budget;
  tg_hooks_t hooks = {};
  hooks.struct_size = sizeof(hooks);
  hooks.user = &budget;
  hooks.allocate = Budget::allocate;
  hooks.release = Budget::release;
  ASSERT_EQ(tg_variables_create(0, &hooks, &set, &error), TG_OK);
  budget.most = 0;
  EXPECT_EQ(create(module), nullptr);
  EXPECT_EQ(error.status, TG_ERROR_MEMORY);
  budget.most = 1 << 30;
  tg_context_t *small = create(module);
  ASSERT_TRUE(small);
  EXPECT_EQ(budget.live, 4096);
  EXPECT_EQ(tg_context_init(small, 1, &error), TG_OK);
  tg_context_destroy(small);
  made.clear();
  EXPECT_EQ(tg_variables_destroy(set, &error), TG_OK);
  EXPECT_EQ(budget.live, 0);
  ASSERT_EQ(tg_variables_create(0, nullptr, &set, &error), TG_OK);
}
