/// Calls through abi.h alone, as a caller without libtgrt makes them.
#ifndef TG_TEST_RUNTIME_SUPPORT_CALLER_H
#define TG_TEST_RUNTIME_SUPPORT_CALLER_H

#include "Line.h"

#include <cstring>
#include <functional>
#include <thread>

namespace tg::test {

/// A caller without libtgrt: it allocates all memory and has one call per model
/// function.
class CallTest : public testing::Test {
protected:
  static constexpr int64_t batch = 100;

  void SetUp() override {
    ASSERT_EQ(get(TG_ABI_VERSION, TG_TARGET_BEST, &model), TG_OK);
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

  /// Resets the tensors that a test case changed.
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

  /// Runs a call with one fault. Expects the status and that only the error
  /// struct changed.
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

  tg_model_get_fn *get = lineGetter();
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

/// A parallel_for that runs one tile per range, in reverse order, on `user`
/// threads.
inline int32_t rudeFor(void *user, int64_t count, tg_body_fn *body,
                       void *task) {
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

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_CALLER_H
