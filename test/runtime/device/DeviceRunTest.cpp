/// Running on a GPU: functions, published weights, threads, profiles.
#include "test/runtime/support/Pair.h"

#include <atomic>
#include <cstring>
#include <thread>

using namespace tg::test;

namespace {

using DeviceRunTest = PairTest;

/// The same on a device that works only when a call waits for it.
class DeferredRunTest : public PairTest {
protected:
  void SetUp() override {
    setVariable("TG_SIMULATOR_DEFER", "1");
    PairTest::SetUp();
  }
};

/// Fails unless the fixture's results on the CPU equal those on the device.
void expectSameAsOnCpu(const std::vector<float> &x, const std::vector<float> &y,
                       float weight) {
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(y[i], x[i] * weight + pairConstant) << i;
}

} // namespace

TEST_F(DeviceRunTest, initializesTrainsAndTests) {
  EXPECT_EQ(test(context), TG_ERROR_SLAB); // there are no values yet
  ASSERT_EQ(tg_context_init(context, 5, &error), TG_OK) << error.message;
  EXPECT_EQ(weights(context), (std::vector<float>{5, 6, 7, 8}));
  ASSERT_EQ(test(context), TG_OK) << error.message;
  expectSameAsOnCpu(x, y, 5);
  ASSERT_EQ(train(context), TG_OK) << error.message;
  // The weights are packed again, because they changed.
  ASSERT_EQ(test(context), TG_OK) << error.message;
  expectSameAsOnCpu(x, y, 5.5f);
}

TEST_F(DeviceRunTest, namedTensors) {
  ASSERT_EQ(tg_context_init(context, 2, &error), TG_OK);
  const tg_named_tensor_t tensors[] = {{"y", f32(y.data(), dims)},
                                       {"x", f32(x.data(), dims)}};
  ASSERT_EQ(tg_context_run_named(context, "test", tensors, 2, &error), TG_OK)
      << error.message;
  expectSameAsOnCpu(x, y, 2);
}

TEST_F(DeviceRunTest, workspacesGrow) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  const int64_t many = 5000;
  x.assign(many, 3);
  y.assign(many, 0);
  dims = {many};
  ASSERT_EQ(tg_context_reserve(context, PAIR_TEST, &many, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK) << error.message;
  expectSameAsOnCpu(x, y, 1);
}

TEST_F(DeviceRunTest, plansReportTheHostBlock) {
  int64_t symbols[] = {7};
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols;
  ASSERT_EQ(tg_context_plan(context, PAIR_TEST, &plan, &error), TG_OK);
  EXPECT_EQ(plan.host_block_bytes, uint64_t(PAIR_BLOCK_BYTES));
  plan.struct_size = offsetof(tg_plan_t, host_block_bytes);
  plan.host_block_bytes = 0;
  ASSERT_EQ(tg_context_plan(context, PAIR_TEST, &plan, &error), TG_OK);
  EXPECT_EQ(plan.host_block_bytes, 0u);
}

TEST_F(DeviceRunTest, twoContextsAreIndependent) {
  tg_context_t *other = createContext(module);
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  ASSERT_EQ(tg_context_init(other, 10, &error), TG_OK);
  ASSERT_EQ(train(other), TG_OK);
  EXPECT_EQ(weights(context)[0], 1);
  EXPECT_EQ(weights(other)[0], 10.5f);
  tg_context_destroy(other);
}

TEST_F(DeviceRunTest, sharedContextsReadWhatWasPublished) {
  tg_context_t *server = createContext(module, TG_CONTEXT_SHARED);
  EXPECT_EQ(test(server), TG_ERROR_SLAB);
  EXPECT_EQ(tg_module_publish(module, context, &error), TG_ERROR_SLAB);
  ASSERT_EQ(tg_context_init(context, 3, &error), TG_OK);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK) << error.message;
  ASSERT_EQ(train(context), TG_OK); // not published
  ASSERT_EQ(test(server), TG_OK) << error.message;
  expectSameAsOnCpu(x, y, 3);
  float weight[PAIR_WEIGHTS];
  const tg_tensor_t value = f32(weight, weightDims);
  ASSERT_EQ(tg_context_get_variable(server, 0, &value, &error), TG_OK);
  EXPECT_EQ(weight[3], 6);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  ASSERT_EQ(test(server), TG_OK);
  expectSameAsOnCpu(x, y, 3.5f);
  EXPECT_EQ(train(server), TG_ERROR_SLAB);
  tg_context_destroy(server);
}

TEST_F(DeviceRunTest, threadsRunContextsOfOneModule) {
  ASSERT_EQ(tg_context_init(context, 4, &error), TG_OK);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  std::atomic<int> failed = 0;
  const auto serve = [&](uint32_t flags) {
    tg_context_t *mine = createContext(module, flags);
    Error mistake;
    failed += !flags && tg_context_init(mine, 4, &mistake) != TG_OK;
    std::vector<float> results(x.size());
    std::vector<int64_t> extents = dims;
    const tg_tensor_t in = f32(x.data(), extents);
    const tg_tensor_t out = f32(results.data(), extents);
    for (int i = 0; i < 20; ++i) {
      failed +=
          tg_context_run(mine, PAIR_TEST, &in, 1, &out, 1, &mistake) != TG_OK;
      failed += results[9] != 9 * 4 + pairConstant;
    }
    tg_context_destroy(mine);
  };
  std::thread first(serve, 0), second(serve, uint32_t(TG_CONTEXT_SHARED));
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  first.join();
  second.join();
  EXPECT_EQ(failed, 0);
}

TEST_F(DeferredRunTest, everyCallWaits) {
  ASSERT_EQ(tg_context_init(context, 5, &error), TG_OK) << error.message;
  ASSERT_EQ(test(context), TG_OK) << error.message;
  expectSameAsOnCpu(x, y, 5);
  EXPECT_EQ(weights(context)[1], 6);
  std::vector<uint8_t> exported = block(context);
  float weight;
  std::memcpy(&weight, &exported[PAIR_WEIGHT_AT], sizeof(weight));
  EXPECT_EQ(weight, 5);
  ASSERT_EQ(tg_module_publish(module, context, &error), TG_OK);
  tg_context_t *server = createContext(module, TG_CONTEXT_SHARED);
  EXPECT_EQ(weights(server)[0], 5);
  tg_context_destroy(server);
}

/// A run that fails leaves no work behind that uses the memory of its caller.
TEST_F(DeferredRunTest, aFailedRunWaits) {
  ASSERT_EQ(tg_context_init(context, 5, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  const uint64_t before = counters().instructions;
  x.assign(x.size(), 2);
  // The launch is enqueued, the copy after it is not.
  ASSERT_TRUE(cuda.fail("cuMemcpyDtoHAsync_v2", 1, CUDA_ERROR_INVALID_VALUE));
  EXPECT_EQ(test(context), TG_ERROR_LAUNCH);
  EXPECT_GT(counters().instructions, before);
}

TEST_F(DeviceRunTest, profilesReadTheClockOfTheDevice) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  uint64_t begin = 1, end = 0;
  tg_profile_t profile = {};
  profile.struct_size = sizeof(profile);
  profile.step_count = 1;
  profile.begin = &begin;
  profile.end = &end;
  const tg_tensor_t in = f32(x.data(), dims), out = f32(y.data(), dims);
  const auto run = [&] {
    return tg_context_run_profiled(context, PAIR_TEST, &in, 1, &out, 1,
                                   &profile, &error);
  };
  ASSERT_EQ(run(), TG_OK) << error.message;
  EXPECT_EQ(begin, 0u); // the first time of this context
  const uint64_t first = end;
  EXPECT_GT(first, 0u); // the simulator's instructions take time
  ASSERT_EQ(run(), TG_OK);
  EXPECT_GE(begin, first);
  EXPECT_NEAR(static_cast<double>(end - begin), static_cast<double>(first), 9);
  int calls = 0;
  profile.user = &calls;
  profile.now = [](void *user) {
    return uint64_t(++*static_cast<int *>(user) * 7);
  };
  ASSERT_EQ(run(), TG_OK);
  EXPECT_EQ(begin, 7u);
  EXPECT_EQ(end, 14u);
}

TEST_F(DeviceRunTest, tracesAreRefused) {
  tg_trace_t trace = {};
  trace.struct_size = sizeof(trace);
  trace.record = [](void *, uint32_t, uint32_t, const tg_step_result_t *) {};
  const tg_tensor_t in = f32(x.data(), dims), out = f32(y.data(), dims);
  EXPECT_EQ(tg_context_run_traced(context, PAIR_TEST, &in, 1, &out, 1, &trace,
                                  &error),
            TG_ERROR_NOT_FOUND);
}
