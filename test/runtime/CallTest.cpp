/// Calls through abi.h alone: every single fault has its status code and
/// changes nothing.
#include "support/Caller.h"
#include "support/PretendedCpu.h"

#include <algorithm>

using namespace tg::test;

namespace {

/// A parallel_for that always fails.
int32_t failingFor(void *, int64_t, tg_body_fn *, void *) { return 1; }

} // namespace

TEST_F(CallTest, getNegotiatesVersionAndTarget) {
  const tg_model_t *found = model;
  EXPECT_EQ(get(TG_ABI_VERSION + 0x10000, 0, &found), TG_ERROR_ABI);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(get(0, 0, &found), TG_ERROR_ABI);
  EXPECT_EQ(get(TG_ABI_VERSION + 5, 0, &found), TG_OK);
  EXPECT_EQ(get(TG_ABI_VERSION, 9, &found), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(get(TG_ABI_VERSION, 0, nullptr), TG_ERROR_NULL);
}

TEST_F(CallTest, getRefusesLevelsThatTheCpuLacks) {
  for (const LesserCpu &cpu : lesserCpus()) {
    SCOPED_TRACE("a CPU " + cpu.name);
    const uint32_t most = cpu.level;
    const tg_model_t *best = model;
    tg_status_t status = TG_ERROR_NULL;
    const int asked = callOn(
        cpu, [&] { status = get(TG_ABI_VERSION, TG_TARGET_BEST, &best); });
    EXPECT_GT(asked, 0) << "nobody asked for the CPU";
    EXPECT_EQ(status, most < 2 ? TG_ERROR_TARGET : TG_OK);
    EXPECT_EQ(best ? best->target : 1, most);
    for (uint32_t level = 2; level <= 4; ++level) {
      const tg_model_t *found = model;
      callOn(cpu, [&] { status = get(TG_ABI_VERSION, level, &found); });
      EXPECT_EQ(status, level <= most ? TG_OK : TG_ERROR_TARGET);
      EXPECT_EQ(found ? found->target : 0, level <= most ? level : 0);
    }
  }
}

TEST_F(CallTest, slabMustBeInitialized) {
  refuseTrain(TG_ERROR_SLAB, [](tg_call_t &) {});
  init();
  EXPECT_EQ(run("train", trainCall()), TG_OK) << error.message;
  slab[3] ^= 1;
  refuseTrain(TG_ERROR_SLAB, [](tg_call_t &) {});
}

TEST_F(CallTest, callStructIsChecked) {
  init();
  refuseTrain(TG_ERROR_STRUCT, [](tg_call_t &c) { c.struct_size = 0; });
  refuseTrain(TG_ERROR_STRUCT,
              [](tg_call_t &c) { c.struct_size = 0x7fffffff; });
  refuseTrain(TG_ERROR_STRUCT, [](tg_call_t &c) { c.flags = 1; });
  const tg_device_call_t device = {};
  refuseTrain(TG_ERROR_STRUCT, [&](tg_call_t &c) { c.device = &device; });
  const tg_function_t *function = find("train");
  EXPECT_EQ(function->run(function, nullptr), TG_ERROR_NULL);
}

TEST_F(CallTest, newerCallPassesUnlessItsTailIsUsed) {
  init();
  struct {
    tg_call_t call;
    uint64_t newer[3];
  } longer = {trainCall(), {}};
  longer.call.struct_size = sizeof(longer);
  EXPECT_EQ(run("train", longer.call), TG_OK) << error.message;
  longer.newer[1] = 1;
  EXPECT_EQ(run("train", longer.call), TG_ERROR_STRUCT);
}

TEST_F(CallTest, olderPlanPassesAndIsWrittenUpToItsSize) {
  // A host of 1.0 has a plan of 40 bytes, with memory of its own behind it.
  struct {
    tg_plan_t plan;
    uint64_t behind;
  } memory;
  std::memset(&memory, 0xa5, sizeof(memory));
  const tg_function_t *function = find("train");
  int64_t symbols[8] = {3};
  tg_plan_t &plan = memory.plan;
  plan.struct_size = 40;
  plan.worker_count = 1;
  plan.symbols = symbols;
  EXPECT_EQ(function->plan(function, &plan, &error), TG_OK) << error.message;
  EXPECT_GT(plan.workspace_bytes, 0u);
  EXPECT_EQ(plan.host_block_bytes, 0xa5a5a5a5a5a5a5a5u);
  plan.struct_size = sizeof(plan);
  EXPECT_EQ(function->plan(function, &plan, &error), TG_OK) << error.message;
  EXPECT_EQ(plan.host_block_bytes, 0u);
  plan.struct_size = 39;
  EXPECT_EQ(function->plan(function, &plan, &error), TG_ERROR_STRUCT);
}

TEST_F(CallTest, countsAreChecked) {
  init();
  refuseTrain(TG_ERROR_COUNT, [](tg_call_t &c) { c.input_count = 2; });
  refuseTrain(TG_ERROR_COUNT, [](tg_call_t &c) { c.output_count = 0; });
  refuseTrain(TG_ERROR_NULL, [](tg_call_t &c) { c.inputs = nullptr; });
  refuseTrain(TG_ERROR_NULL, [](tg_call_t &c) { c.outputs = nullptr; });
}

TEST_F(CallTest, tensorKindsAreChecked) {
  init();
  refuseTrain(TG_ERROR_NULL,
              [&](tg_call_t &) { trainInputs[0].data = nullptr; });
  refuseTrain(TG_ERROR_DTYPE,
              [&](tg_call_t &) { trainInputs[0].dtype.bits = 64; });
  refuseTrain(TG_ERROR_DTYPE,
              [&](tg_call_t &) { trainInputs[0].dtype.lanes = 4; });
  refuseTrain(TG_ERROR_RANK, [&](tg_call_t &) { trainInputs[0].ndim = 1; });
  refuseTrain(TG_ERROR_RANK, [&](tg_call_t &) { trainInputs[0].ndim = -1; });
  refuseTrain(TG_ERROR_NULL,
              [&](tg_call_t &) { trainInputs[0].shape = nullptr; });
  refuseTrain(TG_ERROR_DEVICE, [&](tg_call_t &) {
    trainInputs[0].device.device_type = TG_DEVICE_CUDA;
  });
  refuseTrain(TG_ERROR_ALIGNMENT,
              [&](tg_call_t &) { trainInputs[0].byte_offset = 2; });
  std::vector<int64_t> strides = {5, 1};
  refuseTrain(TG_ERROR_STRIDES,
              [&](tg_call_t &) { trainInputs[0].strides = strides.data(); });
}

TEST_F(CallTest, dimensionsAreChecked) {
  init();
  refuseTrain(TG_ERROR_DIM, [&](tg_call_t &) { xDims[1] = 5; });
  refuseTrain(TG_ERROR_DIM, [&](tg_call_t &) { xDims[0] = -1; });
  refuseTrain(TG_ERROR_DIM, [&](tg_call_t &) { xDims[0] = 0; });
  refuseTrain(TG_ERROR_DIM, [&](tg_call_t &) { xDims[0] = INT64_MAX; });
  refuseTrain(TG_ERROR_DIM, [&](tg_call_t &) { xDims[0] = int64_t(1) << 41; });
  refuseTrain(TG_ERROR_DIM, [&](tg_call_t &) { rowDims[0] = batch - 1; });
  EXPECT_STREQ(error.message, "train: input 'target': dim 0 is 99, expected "
                              "100 ('batch', from input 'x') [R0]");
  EXPECT_EQ(error.argument, 1);
  EXPECT_EQ(error.found, 99);
  EXPECT_EQ(error.expected, 100);
}

TEST_F(CallTest, memoryIsChecked) {
  init();
  refuseTrain(TG_ERROR_NULL, [](tg_call_t &c) { c.slab = nullptr; });
  refuseTrain(TG_ERROR_SIZE, [](tg_call_t &c) { c.slab_bytes -= 1; });
  refuseTrain(TG_ERROR_NULL, [](tg_call_t &c) { c.workspace = nullptr; });
  refuseTrain(TG_ERROR_ALIGNMENT,
              [&](tg_call_t &c) { c.workspace = workspace + 4; });
  refuseTrain(TG_ERROR_SIZE, [](tg_call_t &c) { c.workspace_bytes = 64; });
}

TEST_F(CallTest, overlapIsRefused) {
  init();
  refuseTrain(TG_ERROR_OVERLAP, [&](tg_call_t &) { trainOutput.data = x + 3; });
  refuseTrain(TG_ERROR_OVERLAP,
              [&](tg_call_t &) { trainInputs[1].data = workspace + 64; });
  refuseTrain(TG_ERROR_OVERLAP,
              [&](tg_call_t &) { trainInputs[2].data = slab + 64; });
  refuseTrain(TG_ERROR_OVERLAP, [&](tg_call_t &c) { c.workspace = slab; });
  EXPECT_STREQ(
      error.message,
      "train: 'workspace' overlaps 'slab', expected memory of its own");
}

TEST_F(CallTest, inputsMayOverlapInputsAndAReadSlab) {
  init();
  tg_call_t made = lookupCall();
  indexInput.data = slab + LINE_STEP_AT; // two zeros
  rowDims = {2};
  indexInput.shape = testOutput.shape = rowDims.data();
  EXPECT_EQ(run("lookup", made), TG_OK) << error.message;
}

TEST_F(CallTest, errorMayBeNullOrShort) {
  init();
  refuseTrain(TG_ERROR_RANK, [&](tg_call_t &c) {
    c.error = nullptr;
    trainInputs[0].ndim = 7;
  });
  error.struct_size = 8;
  trainInputs[0].ndim = 7;
  EXPECT_EQ(run("train", trainCall()), TG_ERROR_RANK);
  EXPECT_EQ(error.status, TG_OK);
}

TEST_F(CallTest, parallelIsChecked) {
  init();
  uint32_t threads = 2;
  const tg_parallel_t none = {sizeof(none), 0, &threads, rudeFor};
  const tg_parallel_t failing = {sizeof(failing), 2, nullptr, failingFor};
  const tg_parallel_t null = {sizeof(null), 2, nullptr, nullptr};
  refuseTrain(TG_ERROR_STRUCT, [&](tg_call_t &c) { c.parallel = &none; });
  refuseTrain(TG_ERROR_HOST, [&](tg_call_t &c) { c.parallel = &failing; });
  refuseTrain(TG_ERROR_NULL, [&](tg_call_t &c) { c.parallel = &null; });
}

TEST_F(CallTest, packedWeightsMustBeOfTheSlabAsItIs) {
  init();
  const auto refuse = [&](const std::function<void(tg_call_t &)> &fault) {
    expectRefused("test", testCall(), TG_ERROR_PACKED, fault);
  };
  refuse([](tg_call_t &c) { c.packed = nullptr; });
  refuse([](tg_call_t &) {});
  const tg_call_t pack = testCall();
  EXPECT_EQ(model->pack(model, &pack), TG_OK) << error.message;
  EXPECT_EQ(run("test", testCall()), TG_OK) << error.message;
  EXPECT_EQ(run("train", trainCall()), TG_OK) << error.message;
  refuse([](tg_call_t &) {});
  EXPECT_EQ(model->pack(model, &pack), TG_OK) << error.message;
  EXPECT_EQ(run("test", testCall()), TG_OK) << error.message;
  init(); // other weights at the same address
  refuse([](tg_call_t &) {});
}

TEST_F(CallTest, profilesAreCheckedAndFilled) {
  init();
  const tg_call_t pack = testCall();
  ASSERT_EQ(model->pack(model, &pack), TG_OK) << error.message;
  // A clock that counts its calls.
  uint64_t asked = 0, begin[2] = {7, 7}, end[2] = {7, 7};
  tg_profile_t good = {};
  good.struct_size = sizeof(good);
  good.step_count = 1;
  good.user = &asked;
  good.now = [](void *user) { return ++*static_cast<uint64_t *>(user); };
  good.begin = begin;
  good.end = end;
  const auto refuse = [&](tg_status_t expected,
                          const std::function<void(tg_profile_t &)> &fault) {
    tg_profile_t profile = good;
    fault(profile);
    expectRefused("test", testCall(), expected,
                  [&](tg_call_t &c) { c.profile = &profile; });
  };
  refuse(TG_ERROR_STRUCT, [](tg_profile_t &p) { p.struct_size = 8; });
  refuse(TG_ERROR_NULL, [](tg_profile_t &p) { p.now = nullptr; });
  refuse(TG_ERROR_NULL, [](tg_profile_t &p) { p.begin = nullptr; });
  refuse(TG_ERROR_NULL, [](tg_profile_t &p) { p.end = nullptr; });
  refuse(TG_ERROR_COUNT, [](tg_profile_t &p) { p.step_count = 0; });
  EXPECT_EQ(asked, 0u);
  tg_call_t made = testCall();
  made.profile = &good;
  ASSERT_EQ(run("test", made), TG_OK) << error.message;
  EXPECT_EQ(begin[0], 1u);
  EXPECT_EQ(end[0], 2u);
  EXPECT_EQ(begin[1], 7u);
  EXPECT_EQ(end[1], 7u);
  // A function without steps needs no arrays and does not read the clock.
  good.step_count = 0;
  good.begin = good.end = nullptr;
  made = lookupCall();
  made.profile = &good;
  EXPECT_EQ(run("lookup", made), TG_OK) << error.message;
  EXPECT_EQ(asked, 2u);
}

TEST_F(CallTest, tracesAreCheckedAndFilled) {
  init();
  const tg_call_t pack = testCall();
  ASSERT_EQ(model->pack(model, &pack), TG_OK) << error.message;
  std::vector<tg_step_result_t> results;
  tg_trace_t good = {};
  good.struct_size = sizeof(good);
  good.user = &results;
  good.record = [](void *user, uint32_t step, uint32_t index,
                   const tg_step_result_t *result) {
    EXPECT_EQ(step, 0u);
    EXPECT_EQ(index, 0u);
    static_cast<std::vector<tg_step_result_t> *>(user)->push_back(*result);
  };
  const auto refuse = [&](tg_status_t expected,
                          const std::function<void(tg_trace_t &)> &fault) {
    tg_trace_t trace = good;
    fault(trace);
    expectRefused("test", testCall(), expected,
                  [&](tg_call_t &c) { c.trace = &trace; });
  };
  refuse(TG_ERROR_STRUCT, [](tg_trace_t &t) { t.struct_size = 8; });
  refuse(TG_ERROR_STRUCT, [](tg_trace_t &t) { t.flags = 1; });
  refuse(TG_ERROR_NULL, [](tg_trace_t &t) { t.record = nullptr; });
  // A function without TG_FUNCTION_TRACES.
  expectRefused("lookup", lookupCall(), TG_ERROR_STRUCT,
                [&](tg_call_t &c) { c.trace = &good; });
  tg_call_t made = testCall();
  made.trace = &good;
  EXPECT_EQ(model->pack(model, &made), TG_OK) << "pack does not read it";
  EXPECT_TRUE(results.empty());
  ASSERT_EQ(run("test", made), TG_OK) << error.message;
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].struct_size, sizeof(tg_step_result_t));
  EXPECT_EQ(results[0].data, made.outputs[0].data);
  EXPECT_EQ(results[0].rows * results[0].row_bytes,
            uint64_t(made.outputs[0].shape[0]) * 4);
}

TEST_F(CallTest, hostsAreChecked) {
  init();
  const tg_host_function_t whole = {
      sizeof(whole), 0, "f",
      [](void *, const tg_host_call_t *) { return tg_status_t(TG_OK); },
      nullptr};
  tg_host_function_t function = whole;
  const tg_host_function_t *functions[] = {&function};
  const tg_host_t good = {sizeof(good), 1, functions, nullptr, nullptr};
  const auto refuse = [&](tg_status_t expected,
                          const std::function<void(tg_host_t &)> &fault) {
    function = whole;
    functions[0] = &function;
    tg_host_t host = good;
    fault(host);
    expectRefused("train", trainCall(), expected,
                  [&](tg_call_t &c) { c.host = &host; });
  };
  refuse(TG_ERROR_STRUCT, [](tg_host_t &h) { h.struct_size = 8; });
  refuse(TG_ERROR_NULL, [](tg_host_t &h) { h.functions = nullptr; });
  refuse(TG_ERROR_NULL, [&](tg_host_t &) { functions[0] = nullptr; });
  refuse(TG_ERROR_NULL, [&](tg_host_t &) { function.name = nullptr; });
  refuse(TG_ERROR_NULL, [&](tg_host_t &) { function.call = nullptr; });
  refuse(TG_ERROR_STRUCT, [&](tg_host_t &) { function.flags = 1; });
  refuse(TG_ERROR_STRUCT, [&](tg_host_t &) { function.struct_size = 0; });
  // Unused host functions are allowed.
  function = whole;
  tg_call_t made = trainCall();
  made.host = &good;
  EXPECT_EQ(run("train", made), TG_OK) << error.message;
}

TEST_F(CallTest, packIsChecked) {
  init();
  const auto expect = [&](tg_status_t expected,
                          const std::function<void(tg_call_t &)> &fault) {
    tg_call_t made = testCall();
    fault(made);
    EXPECT_EQ(model->pack(model, &made), expected) << error.message;
  };
  expect(TG_ERROR_NULL, [](tg_call_t &c) { c.packed = nullptr; });
  expect(TG_ERROR_SIZE, [](tg_call_t &c) { c.packed_bytes = 64; });
  expect(TG_ERROR_OVERLAP, [](tg_call_t &c) { c.packed = c.slab; });
  const tg_device_call_t device = {};
  expect(TG_ERROR_STRUCT, [&](tg_call_t &c) { c.device = &device; });
  expect(TG_ERROR_SLAB,
         [](tg_call_t &c) { *static_cast<char *>(c.slab) ^= 1; });
}
