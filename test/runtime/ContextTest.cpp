/// Contexts: running, reserving, arguments, hooks.
#include "support/Line.h"

#include <cstdlib>
#include <cstring>
#include <thread>

using namespace tg::test;

using ContextTest = LineTest;

TEST_F(ContextTest, trainsAndTests) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK) << error.message;
  for (int step = 0; step < 2000; ++step)
    ASSERT_EQ(train(context), TG_OK) << error.message;
  EXPECT_LT(loss, 1e-3f);
  ASSERT_EQ(test(context), TG_OK) << error.message; // packs implicitly
  EXPECT_NEAR(y[3], target[3], 0.1f);
  ASSERT_EQ(train(context), TG_OK);
  ASSERT_EQ(test(context), TG_OK) << error.message; // repacks after training
}

TEST_F(ContextTest, runBeforeInitIsRefused) {
  EXPECT_EQ(train(context), TG_ERROR_SLAB);
  EXPECT_STREQ(error.message,
               "train: the variables have no values yet, or those of a model "
               "with another layout: initialize them with a seed, also if the "
               "library has weights, or load a checkpoint");
  EXPECT_EQ(test(context), TG_ERROR_SLAB);
}

TEST_F(ContextTest, repacksAfterEveryKindOfChange) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  const float first = y[5];
  ASSERT_EQ(tg_context_init(context, 2, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  EXPECT_NE(y[5], first);
  std::vector<float> weight(LINE_WIDTH, 0);
  std::vector<int64_t> dims = {LINE_WIDTH};
  const tg_tensor_t value = f32(weight.data(), dims);
  ASSERT_EQ(tg_context_set_variable(context, 0, &value, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  EXPECT_EQ(y[5], 0);
}

namespace {
/// A clock that calls functions of the context during a run.
struct NestedClock {
  tg_context_t *context;
  std::vector<tg_status_t> found;
  std::string message;

  static uint64_t now(void *user) {
    auto &clock = *static_cast<NestedClock *>(user);
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    const int64_t symbols[] = {1000};
    for (uint32_t function : {0u, 1u})
      clock.found.push_back(tg_context_run(clock.context, function, nullptr, 0,
                                           nullptr, 0, &error));
    clock.message = error.message;
    clock.found.push_back(
        tg_context_reserve(clock.context, 1, symbols, nullptr));
    clock.found.push_back(tg_context_init(clock.context, 1, nullptr));
    clock.found.push_back(tg_context_set_seed(clock.context, 1, nullptr));
    clock.found.push_back(
        tg_context_get_variable(clock.context, 0, nullptr, nullptr));
    return 0;
  }
};
} // namespace

TEST_F(ContextTest, aContextIsBusyWithinItsOwnRun) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  uint32_t index = 0;
  ASSERT_EQ(tg_module_find_function(module, "test", &index, &error), TG_OK);
  std::vector<uint64_t> begin(100), end(100);
  NestedClock clock = {context, {}, ""};
  tg_profile_t profile = {};
  profile.struct_size = sizeof(profile);
  profile.step_count = tg_module_model(module)->functions[index]->step_count;
  ASSERT_LE(profile.step_count, begin.size());
  profile.user = &clock;
  profile.now = NestedClock::now;
  profile.begin = begin.data();
  profile.end = end.data();
  const tg_tensor_t input = f32(x.data(), xDims);
  const tg_tensor_t output = f32(y.data(), rowDims);
  ASSERT_EQ(tg_context_run_profiled(context, index, &input, 1, &output, 1,
                                    &profile, &error),
            TG_OK)
      << error.message;
  ASSERT_GE(clock.found.size(), 6u);
  for (tg_status_t status : clock.found)
    EXPECT_EQ(status, TG_ERROR_BUSY);
  EXPECT_EQ(clock.message,
            "the context is running a function: expected a call after the "
            "run, or another context");
  EXPECT_EQ(test(context), TG_OK) << "idle again";
  EXPECT_EQ(tg_context_set_seed(nullptr, 1, &error), TG_ERROR_NULL);
}

TEST_F(ContextTest, runsByNamesInAnyOrder) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  tg_named_tensor_t tensors[] = {{"loss", f32(&loss, none)},
                                 {"rate", f32(&rate, none)},
                                 {"x", f32(x.data(), xDims)},
                                 {"target", f32(target.data(), rowDims)}};
  EXPECT_EQ(tg_context_run_named(context, "train", tensors, 4, &error), TG_OK)
      << error.message;
  EXPECT_EQ(tg_context_run_named(context, "train", tensors, 3, &error),
            TG_ERROR_COUNT);
  EXPECT_EQ(tg_context_run_named(context, "trian", tensors, 4, &error),
            TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message,
               "model 'line' has no function 'trian'; did you mean 'train'?");
  tensors[3].name = "x"; // duplicate, so another is missing
  EXPECT_EQ(tg_context_run_named(context, "train", tensors, 4, &error),
            TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message, "train: no tensor for 'target' was given");
  tensors[3].name = "targte";
  EXPECT_EQ(tg_context_run_named(context, "train", tensors, 4, &error),
            TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message,
               "train: no tensor for 'target' was given, found 'targte'");
  tensors[3].name = nullptr;
  EXPECT_EQ(tg_context_run_named(context, "train", tensors, 4, &error),
            TG_ERROR_NULL);
}

TEST_F(ContextTest, theCountOfNamedTensorsIsComparedFirst) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  const auto run = [&](std::vector<tg_named_tensor_t> tensors, size_t count) {
    // The count is far too large: no name after the array is read.
    tensors.shrink_to_fit();
    return tg_context_run_named(context, "test", tensors.data(),
                                static_cast<uint32_t>(count), &error);
  };
  const tg_tensor_t value = f32(x.data(), xDims);
  EXPECT_EQ(run({{"x", value}, {"y", value}, {"z", value}}, UINT32_MAX),
            TG_ERROR_COUNT);
  EXPECT_STREQ(error.message, "test: 4294967295 tensors, expected 1 inputs and "
                              "1 outputs; too many: 'z'");
  EXPECT_EQ(run({{"x", value}, {"x", value}, {"y", value}}, 3), TG_ERROR_COUNT);
  EXPECT_NE(std::strstr(error.message, "too many: 'x'"), nullptr);
  EXPECT_EQ(run({{nullptr, value}}, 1), TG_ERROR_COUNT);
  EXPECT_EQ(error.found, 1);
  EXPECT_EQ(error.expected, 2);
}

TEST_F(ContextTest, anInputAndAnOutputMayHaveOneName) {
  std::vector<float> from = {1, 2, 3};
  std::vector<float> to(3);
  std::vector<int64_t> dims = {1, 3};
  const tg_named_tensor_t tensors[] = {{"x", f32(from.data(), dims)},
                                       {"x", f32(to.data(), dims)}};
  ASSERT_EQ(tg_context_run_named(context, "square", tensors, 2, &error), TG_OK)
      << error.message;
  EXPECT_EQ(to, (std::vector<float>{1, 4, 9}));
  EXPECT_EQ(from, (std::vector<float>{1, 2, 3}));
}

TEST_F(ContextTest, workspaceGrowsOnlyByReserve) {
  tg_context_t *fresh = nullptr;
  ASSERT_EQ(tg_context_create(module, nullptr, &fresh, &error), TG_OK);
  ASSERT_EQ(tg_context_init(fresh, 1, &error), TG_OK) << error.message;
  EXPECT_EQ(train(fresh), TG_ERROR_SIZE);
  const std::string message = error.message;
  EXPECT_EQ(message.find("train: workspace has "), 0u) << message;
  EXPECT_NE(message.find(": call tg_context_reserve first"), message.npos)
      << message;
  const int64_t symbols[] = {batch};
  EXPECT_EQ(tg_context_reserve(fresh, function("train"), symbols, &error),
            TG_OK);
  EXPECT_EQ(train(fresh), TG_OK) << error.message;
  EXPECT_EQ(tg_context_reserve(fresh, function("train"), nullptr, &error),
            TG_ERROR_NULL);
  EXPECT_EQ(tg_context_reserve(fresh, 99, symbols, &error), TG_ERROR_NOT_FOUND);
  tg_context_destroy(fresh);
}

TEST_F(ContextTest, moduleIsBusyWhileContextsExist) {
  EXPECT_EQ(tg_module_unload(module, &error), TG_ERROR_BUSY);
  EXPECT_EQ(tg_context_init(context, 1, &error), TG_OK); // still usable
}

TEST_F(ContextTest, nullModulesAndPoolsAreRefused) {
  tg_module_t *made = module;
  tg_context_t *created = context;
  tg_pool_t *pool = nullptr;
  uint32_t index = 7;
  const auto isNull = [&](tg_status_t status) {
    EXPECT_EQ(status, TG_ERROR_NULL);
    EXPECT_EQ(error.status, status);
    EXPECT_NE(std::string(error.message), "");
    error = Error();
  };
  isNull(tg_module_verify(nullptr, nullptr, &error));
  isNull(tg_module_load(nullptr, nullptr, &made, &error));
  EXPECT_EQ(made, nullptr);
  isNull(tg_module_load("x", nullptr, nullptr, &error));
  isNull(tg_module_load_memory(nullptr, 9, nullptr, &made, &error));
  isNull(tg_module_load_memory("x", 1, nullptr, nullptr, &error));
  isNull(tg_module_adopt(line_tg_model_get, nullptr, nullptr, &error));
  isNull(tg_module_unload(nullptr, &error));
  EXPECT_EQ(tg_module_model(nullptr), nullptr);
  isNull(tg_module_find_function(nullptr, "train", &index, &error));
  isNull(tg_module_find_function(module, nullptr, &index, &error));
  isNull(tg_module_find_function(module, "train", nullptr, &error));
  isNull(tg_module_find_variable(nullptr, "line/step", &index, &error));
  isNull(tg_module_publish(nullptr, context, &error));
  isNull(tg_module_publish(module, nullptr, &error));
  isNull(tg_context_create(nullptr, nullptr, &created, &error));
  EXPECT_EQ(created, nullptr);
  isNull(tg_context_create(module, nullptr, nullptr, &error));
  tg_context_destroy(nullptr);
  isNull(tg_pool_create(1, nullptr, &error));
  isNull(tg_pool_destroy(pool, &error));
  EXPECT_EQ(tg_pool_parallel(nullptr), nullptr);
}

TEST_F(ContextTest, nullContextsAndTensorsAreRefused) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  const tg_named_tensor_t unnamed[] = {{nullptr, {}}, {nullptr, {}}};
  char block[LINE_SLAB_BYTES];
  const auto isNull = [&](tg_status_t status) {
    EXPECT_EQ(status, TG_ERROR_NULL) << error.message;
  };
  isNull(tg_context_reserve(nullptr, 0, nullptr, &error));
  isNull(tg_context_init(nullptr, 1, &error));
  isNull(tg_context_run(nullptr, 0, nullptr, 0, nullptr, 0, &error));
  isNull(tg_context_run(context, 2, nullptr, 1, nullptr, 1, &error));
  isNull(tg_context_run_named(nullptr, "test", unnamed, 2, &error));
  isNull(tg_context_run_named(context, nullptr, unnamed, 2, &error));
  isNull(tg_context_run_named(context, "test", nullptr, 2, &error));
  isNull(tg_context_run_named(context, "test", unnamed, 2, &error));
  isNull(tg_context_get_variable(nullptr, 0, &unnamed[0].tensor, &error));
  isNull(tg_context_get_variable(context, 0, nullptr, &error));
  isNull(tg_context_set_variable(nullptr, 0, &unnamed[0].tensor, &error));
  isNull(tg_context_set_variable(context, 0, nullptr, &error));
  isNull(tg_context_export_variables(nullptr, block, sizeof(block), &error));
  isNull(tg_context_export_variables(context, nullptr, sizeof(block), &error));
  isNull(tg_context_import_variables(nullptr, block, sizeof(block), &error));
  isNull(tg_context_import_variables(context, nullptr, sizeof(block), &error));
  isNull(tg_context_save_variables(nullptr, "x", &error));
  isNull(tg_context_save_variables(context, nullptr, &error));
  isNull(tg_context_load_variables(nullptr, "x", &error));
  isNull(tg_context_load_variables(context, nullptr, &error));
  EXPECT_EQ(tg_context_run(context, 99, nullptr, 0, nullptr, 0, &error),
            TG_ERROR_NOT_FOUND);
  // Without an error struct only the status reports the error.
  isNull(tg_context_init(nullptr, 1, nullptr));
}

TEST_F(ContextTest, optionsAreChecked) {
  tg_context_options_t options = {sizeof(options), 1u << 7, nullptr,
                                  nullptr,         nullptr, nullptr};
  tg_context_t *created = context;
  const auto create = [&] {
    return tg_context_create(module, &options, &created, &error);
  };
  EXPECT_EQ(create(), TG_ERROR_STRUCT);
  EXPECT_EQ(created, nullptr);
  options = {8, 0, nullptr, nullptr, nullptr, nullptr};
  EXPECT_EQ(create(), TG_ERROR_STRUCT);
  tg_parallel_t parallel = {sizeof(parallel), 0, nullptr, nullptr};
  options = {sizeof(options), 0, &parallel, nullptr, nullptr, nullptr};
  EXPECT_EQ(create(), TG_ERROR_STRUCT); // no worker
  parallel.worker_count = 2;
  EXPECT_EQ(create(), TG_ERROR_NULL); // no parallel_for
}

TEST_F(ContextTest, messagesAreOneLineOfUtf8) {
  uint32_t index;
  const auto messageFor = [&](const std::string &name) {
    EXPECT_EQ(tg_module_find_variable(module, name.c_str(), &index, &error),
              TG_ERROR_NOT_FOUND);
    return std::string(error.message);
  };
  const std::string before = "model 'line' has no variable '";
  const std::string after = "; there are 'line/weight', 'line/step'";
  EXPECT_EQ(messageFor("gr\xc3\xb6\xc3\x9f"
                       "e"),
            before +
                "gr\xc3\xb6\xc3\x9f"
                "e'" +
                after);
  EXPECT_EQ(messageFor("a\nb\x1b[m\x7f"), before + "a?b?[m?'" + after);
  EXPECT_EQ(messageFor("\xff\xc3x\xe2\x82y"), before + "??x??y'" + after);
  // Messages show 128 bytes, so the last character is truncated.
  EXPECT_EQ(messageFor(std::string(127, 'x') + "\xe2\x82\xac"),
            before + std::string(127, 'x') + "?'" + after);
}

TEST_F(ContextTest, statusCodesHaveNames) {
  EXPECT_STREQ(tg_status_name(TG_ERROR_DIM), "TG_ERROR_DIM");
  EXPECT_STREQ(tg_status_name(12345), "unknown");
  EXPECT_EQ(tg_runtime_abi(), TG_ABI_VERSION);
}

namespace {

/// A counting allocator of the caller that can inject failures.
struct Accountant {
  int64_t live = 0;
  int blocks = 0;
  int failAfter = 1 << 30;
  int errors = 0;
  std::string lastError;

  static void *allocate(void *user, uint64_t bytes, uint64_t alignment) {
    Accountant &self = *static_cast<Accountant *>(user);
    if (++self.blocks > self.failAfter)
      return nullptr;
    self.live += static_cast<int64_t>(bytes);
    return std::aligned_alloc(alignment, bytes);
  }
  static void release(void *user, void *memory, uint64_t bytes) {
    static_cast<Accountant *>(user)->live -= static_cast<int64_t>(bytes);
    std::free(memory);
  }
  static void error(void *user, const tg_error_t *error) {
    Accountant &self = *static_cast<Accountant *>(user);
    ++self.errors;
    self.lastError = error->message;
  }
};

} // namespace

TEST(Hooks, allMemoryOfABlockIsTheHosts) {
  Accountant accountant;
  tg_hooks_t hooks = {};
  hooks.struct_size = sizeof(hooks);
  hooks.user = &accountant;
  hooks.allocate = Accountant::allocate;
  hooks.release = Accountant::release;
  hooks.error = Accountant::error;
  const tg_load_options_t options = {sizeof(options), 0, 0, 0, &hooks, {}};
  tg_module_t *module;
  ASSERT_EQ(tg_module_load(linePath.c_str(), &options, &module, nullptr),
            TG_OK);
  tg_context_t *context;
  ASSERT_EQ(tg_context_create(module, nullptr, &context, nullptr), TG_OK);
  EXPECT_EQ(accountant.live, LINE_SLAB_BYTES + LINE_PACKED_BYTES + 64);
  // The hook is called even if the caller passes no error struct.
  EXPECT_EQ(tg_context_run_named(context, "no", nullptr, 0, nullptr),
            TG_ERROR_NOT_FOUND);
  EXPECT_EQ(accountant.errors, 1);
  EXPECT_EQ(
      accountant.lastError.find("model 'line' has no function 'no'; there are"),
      0u);
  ASSERT_EQ(tg_context_init(context, 1, nullptr), TG_OK);
  ASSERT_EQ(tg_module_publish(module, context, nullptr), TG_OK);
  tg_context_destroy(context);
  // Every allocation of a context may fail.
  const int blocks = accountant.blocks;
  for (int i = 0; i < 3; ++i) {
    accountant.blocks = 0, accountant.failAfter = i;
    EXPECT_EQ(tg_context_create(module, nullptr, &context, nullptr),
              TG_ERROR_MEMORY);
    EXPECT_EQ(context, nullptr);
  }
  EXPECT_GT(blocks, 3);
  ASSERT_EQ(tg_module_unload(module, nullptr), TG_OK);
  EXPECT_EQ(accountant.live, 0);
}

TEST_F(ContextTest, runsOnlyOneOfTwoCallsOfTwoThreads) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  const auto callOften = [&] {
    for (int call = 0; call < 2000; ++call) {
      std::vector<float> result(batch);
      const tg_tensor_t input = f32(x.data(), xDims);
      const tg_tensor_t output = f32(result.data(), rowDims);
      const tg_status_t status = tg_context_run(context, function("test"),
                                                &input, 1, &output, 1, nullptr);
      EXPECT_TRUE(status == TG_OK || status == TG_ERROR_BUSY) << status;
      EXPECT_TRUE(status != TG_OK || result == y);
    }
  };
  std::thread other(callOften);
  callOften();
  other.join();
}
