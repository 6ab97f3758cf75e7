/// Calls of abi.h alone: every single fault has its code, and changes nothing.
#include "support/Line.h"

#include <cstring>
#include <functional>
#include <thread>

using namespace tg::test;

namespace {

/// A host without libtgrt: memory of its own and one call per function.
class CallTest : public testing::Test {
protected:
  static constexpr int64_t batch = 100;

  void SetUp() override {
    ASSERT_EQ(line_tg_model_get(TG_ABI_VERSION, TG_TARGET_BEST, &model), TG_OK);
    reset();
    std::memset(slab, 0x5a, sizeof(slab));
  }

  const tg_function_t *find(const char *name) {
    for (uint32_t i = 0; i < model->function_count; ++i)
      if (std::strcmp(model->functions[i]->name, name) == 0)
        return model->functions[i];
    ADD_FAILURE() << name;
    return nullptr;
  }

  /// Undoes what a test case changed in the tensors.
  void reset() {
    xDims = {batch, LINE_WIDTH};
    rowDims = {batch};
    trainInputs[0] = f32(x, xDims);
    trainInputs[1] = f32(target, rowDims);
    trainInputs[2] = f32(&rate, none);
    trainOutput = f32(&loss, none);
    testOutput = f32(y, rowDims);
    seedInput = i64(&seed, none);
    indexInput = i32(index, rowDims);
  }

  tg_call_t call(const tg_tensor_t *inputs, uint32_t inputCount,
                 const tg_tensor_t *outputs, uint32_t outputCount) {
    tg_call_t made = {};
    made.struct_size = sizeof(made);
    made.inputs = inputs;
    made.input_count = inputCount;
    made.outputs = outputs;
    made.output_count = outputCount;
    made.slab = slab;
    made.slab_bytes = sizeof(slab);
    made.workspace = workspace;
    made.workspace_bytes = sizeof(workspace);
    made.error = &error;
    return made;
  }
  tg_call_t trainCall() { return call(trainInputs, 3, &trainOutput, 1); }
  tg_call_t testCall() {
    tg_call_t made = call(trainInputs, 1, &testOutput, 1);
    made.packed = packed;
    made.packed_bytes = sizeof(packed);
    return made;
  }
  tg_call_t lookupCall() { return call(&indexInput, 1, &testOutput, 1); }

  tg_status_t run(const char *name, const tg_call_t &made) {
    const tg_function_t *function = find(name);
    return function->run(function, &made);
  }
  void init() {
    ASSERT_EQ(run("init", call(&seedInput, 1, nullptr, 0)), TG_OK)
        << error.message;
  }

  /// Runs with one fault: the code, and that nothing but the error changed.
  void expectRefused(const char *name, tg_call_t made, tg_status_t expected,
                     const std::function<void(tg_call_t &)> &fault) {
    fault(made);
    error = Error();
    loss = y[0] = -5;
    char before[sizeof(slab)];
    std::memcpy(before, slab, sizeof(slab));
    EXPECT_EQ(run(name, made), expected) << error.message;
    if (made.error && expected != TG_ERROR_STRUCT) {
      EXPECT_EQ(error.status, expected);
      EXPECT_EQ(std::string(error.message).find(name), 0u) << error.message;
    }
    EXPECT_EQ(std::memcmp(before, slab, sizeof(slab)), 0);
    EXPECT_EQ(loss, -5);
    EXPECT_EQ(y[0], -5);
    reset();
  }
  void refuseTrain(tg_status_t expected,
                   const std::function<void(tg_call_t &)> &fault) {
    expectRefused("train", trainCall(), expected, fault);
  }

  const tg_model_t *model = nullptr;
  Error error;
  alignas(64) char slab[LINE_SLAB_BYTES];
  alignas(64) char workspace[65536];
  alignas(64) char packed[LINE_PACKED_BYTES] = {};
  float x[batch * LINE_WIDTH] = {}, target[batch] = {}, y[batch] = {};
  float loss = 0, rate = 0.1f;
  int64_t seed = 7;
  int32_t index[batch] = {};
  std::vector<int64_t> xDims, rowDims, none;
  tg_tensor_t trainInputs[3], trainOutput, testOutput, seedInput, indexInput;
};

/// A host whose parallel_for never works.
int32_t failingFor(void *, int64_t, tg_body_fn *, void *) { return 1; }

/// A host that cuts one by one, and runs backward on as many threads as told.
int32_t rudeFor(void *user, int64_t count, tg_body_fn *body, void *task) {
  const int64_t threads = *static_cast<uint32_t *>(user);
  std::vector<std::thread> running;
  for (int64_t t = 0; t < threads; ++t)
    running.emplace_back([=] {
      for (int64_t i = count * (t + 1) / threads; i-- > count * t / threads;)
        body(task, i, i + 1, static_cast<uint32_t>(t));
    });
  for (std::thread &thread : running)
    thread.join();
  return 0;
}

} // namespace

TEST_F(CallTest, getNegotiatesVersionAndTarget) {
  const tg_model_t *found = model;
  EXPECT_EQ(line_tg_model_get(TG_ABI_VERSION + 0x10000, 0, &found),
            TG_ERROR_ABI);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(line_tg_model_get(0, 0, &found), TG_ERROR_ABI);
  EXPECT_EQ(line_tg_model_get(TG_ABI_VERSION + 5, 0, &found), TG_OK);
  EXPECT_EQ(line_tg_model_get(TG_ABI_VERSION, 9, &found), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(line_tg_model_get(TG_ABI_VERSION, 0, nullptr), TG_ERROR_NULL);
}

TEST_F(CallTest, getAnswersEachLevelThatTheCpuHas) {
  const bool has[] = {__builtin_cpu_supports("x86-64-v2") != 0,
                      __builtin_cpu_supports("x86-64-v3") != 0,
                      __builtin_cpu_supports("x86-64-v4") != 0};
  uint32_t best = 0;
  for (uint32_t level = 2; level <= 4; ++level) {
    const tg_model_t *found = nullptr;
    EXPECT_EQ(line_tg_model_get(TG_ABI_VERSION, level, &found),
              has[level - 2] ? TG_OK : TG_ERROR_TARGET);
    if (found) {
      EXPECT_EQ(found->target, level);
      best = level;
    }
  }
  EXPECT_EQ(model->target, best);
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
  refuseTrain(TG_ERROR_STRUCT, [](tg_call_t &c) { c.reserved[2] = 1; });
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
  init(); // other weights under the same address
  refuse([](tg_call_t &) {});
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
  expect(TG_ERROR_STRUCT, [](tg_call_t &c) { c.reserved[0] = 1; });
  expect(TG_ERROR_SLAB,
         [](tg_call_t &c) { *static_cast<char *>(c.slab) ^= 1; });
}

TEST_F(CallTest, emptyTensorsNeedNoData) {
  init();
  rowDims = {0};
  indexInput.data = testOutput.data = nullptr;
  EXPECT_EQ(run("lookup", lookupCall()), TG_OK) << error.message;
}

TEST_F(CallTest, badIndexIsReportedWithItsPlace) {
  init();
  index[41] = 9, index[42] = 5, index[93] = -1;
  EXPECT_EQ(run("lookup", lookupCall()), TG_ERROR_INDEX);
  EXPECT_STREQ(error.message,
               "line.mlir:12:8: tg.gather in 'line/lookup': index 9 at element "
               "41 is out of range, expected below 4 [R1]");
  EXPECT_EQ(error.location, 0);
  EXPECT_EQ(error.element, 41);
  EXPECT_EQ(error.found, 9);
  EXPECT_EQ(error.expected, 4);
  EXPECT_EQ(error.variables_changed, 0u);
  index[41] = index[42] = index[93] = 0;
  EXPECT_EQ(run("lookup", lookupCall()), TG_OK) << error.message;
}

TEST_F(CallTest, divisionByZeroIsReported) {
  int32_t divisor[batch], quotient[batch];
  for (int i = 0; i < batch; ++i)
    index[i] = i, divisor[i] = i + 1;
  divisor[30] = divisor[90] = 0;
  const tg_tensor_t inputs[] = {indexInput, i32(divisor, rowDims)};
  const tg_tensor_t output = i32(quotient, rowDims);
  EXPECT_EQ(run("divide", call(inputs, 2, &output, 1)), TG_ERROR_DIVIDE);
  EXPECT_STREQ(error.message,
               "line.mlir:20:3: tg.divide: divisor at element 30 is 0 [R1]");
  divisor[30] = divisor[90] = 1;
  EXPECT_EQ(run("divide", call(inputs, 2, &output, 1)), TG_OK);
  rowDims[0] = 99; // the symbol is a multiple of 2
  EXPECT_EQ(run("divide", call(inputs, 2, &output, 1)), TG_ERROR_DIM);
  EXPECT_STREQ(error.message, "divide: dimension 'batch' of 'numerator' is 99, "
                              "expected a multiple of 2");
}

TEST_F(CallTest, lateFailureSaysThatVariablesChanged) {
  init();
  int64_t label = 1; // the new step is 1: fails, after it was counted
  const tg_tensor_t input = i64(&label, none);
  const tg_call_t made = call(&input, 1, nullptr, 0);
  const uint64_t before =
      reinterpret_cast<tg_slab_header_t *>(slab)->generation;
  EXPECT_EQ(run("late", made), TG_ERROR_INDEX);
  EXPECT_EQ(error.variables_changed, 1u);
  EXPECT_STREQ(error.message,
               "tg.softmax_cross_entropy in 'late': label 1 at element 0 is "
               "out of range, expected below 1 [R1]");
  EXPECT_EQ(reinterpret_cast<tg_slab_header_t *>(slab)->generation, before + 1);
  EXPECT_EQ(run("late", made), TG_OK); // the step is 2
}

TEST_F(CallTest, relationsAndComputedSymbolsAreChecked) {
  std::vector<int64_t> left = {3}, right = {2}, joined = {6};
  float joinedData[8];
  const tg_tensor_t inputs[] = {f32(x, left), f32(target, right)};
  const tg_tensor_t output = f32(joinedData, joined);
  const tg_call_t made = call(inputs, 2, &output, 1);
  EXPECT_EQ(run("pair", made), TG_ERROR_DIM);
  EXPECT_STREQ(error.message, "line.mlir:14:8: tg.add in 'pair': lhs dim 0 is "
                              "2, expected 3 [R0]");
  right[0] = 3;
  EXPECT_EQ(run("pair", made), TG_OK) << error.message;
  joined[0] = 5;
  EXPECT_EQ(run("pair", made), TG_ERROR_DIM);
  EXPECT_STREQ(
      error.message,
      "pair: output 'joined': dim 0 is 5, expected 6 ('joined.0') [R0]");
}

TEST_F(CallTest, planComputesSizesAndChecks) {
  const tg_function_t *pair = find("pair");
  int64_t symbols[3] = {8, 8, 0};
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = symbols;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_OK) << error.message;
  EXPECT_EQ(symbols[2], 16);
  EXPECT_EQ(plan.workspace_bytes, 64u);
  symbols[0] = symbols[1] = int64_t(1) << 40;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_SIZE);
  symbols[0] = -1;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_DIM);
  plan.symbols = nullptr;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_NULL);
  plan.struct_size = 8;
  EXPECT_EQ(pair->plan(pair, &plan, &error), TG_ERROR_STRUCT);
  EXPECT_EQ(pair->plan(pair, nullptr, &error), TG_ERROR_NULL);
}

TEST_F(CallTest, resultsDoNotDependOnThreadsOrCuts) {
  std::vector<char> first;
  for (uint32_t threads = 1; threads <= 5; ++threads) {
    const tg_parallel_t parallel = {sizeof(parallel), threads, &threads,
                                    rudeFor};
    for (int i = 0; i < batch * LINE_WIDTH; ++i)
      x[i] = static_cast<float>((i * 37) % 101) / 101;
    std::memset(slab, 0, sizeof(slab));
    std::memset(workspace, 0xff, sizeof(workspace));
    init();
    tg_call_t made = trainCall();
    made.parallel = &parallel;
    for (int step = 0; step < 20; ++step)
      ASSERT_EQ(run("train", made), TG_OK) << error.message;
    index[41] = 9, index[93] = -1;
    made = lookupCall();
    made.parallel = &parallel;
    EXPECT_EQ(run("lookup", made), TG_ERROR_INDEX);
    EXPECT_EQ(error.element, 41);
    const std::vector<char> after(slab, slab + sizeof(slab));
    if (first.empty())
      first = after;
    EXPECT_EQ(first, after) << threads << " threads";
  }
}
