/// Runs that libtgrt begins and finishes in two calls, on streams of its own
/// and of the host.
#include "support/DeviceModel.h"

#include <cstdlib>

using namespace tg::test;

namespace {

/// The calls of mlp in a context, on a device that works only when a call waits
/// for it.
class DeviceModelAsyncTest : public testing::Test {
protected:
  DeviceModelAsyncTest() {
    const Cuda &cuda = Cuda::get();
    setenv("TG_SIMULATOR_DEFER", "1", 1);
    cuda.reset();
    unsetenv("TG_SIMULATOR_DEFER");
    device = tg::Model::load(TG_MLP_SO, {.device = {TG_DEVICE_CUDA, 0}});
    cpu = tg::Model::load(TG_MLP_SO, {.target = TG_TARGET_X86_64_V3});
  }
  ~DeviceModelAsyncTest() override {
    device.reset();
    expectNothingLeft();
    EXPECT_EQ(simulatorCounters().contexts, 0u);
    Cuda::get().reset();
  }

  std::optional<tg::Model> device, cpu;
};

/// A step of training of mlp, or a test, with its tensors.
struct Step {
  Step(const tg::Model &model, int64_t size, uint32_t number)
      : batch(size, number), probabilities(10 * size), digits(size) {
    EXPECT_EQ(tg_module_find_function(model.handle(), "train", &train, nullptr),
              TG_OK);
    EXPECT_EQ(tg_module_find_function(model.handle(), "test", &test, nullptr),
              TG_OK);
    error.struct_size = sizeof(error);
  }

  tg_status_t beginTraining(tg::Context &context) {
    return begin(context, train, /*inputCount=*/3);
  }
  tg_status_t beginTest(tg::Context &context) {
    return begin(context, test, /*inputCount=*/1);
  }
  tg_status_t finish(tg::Context &context) {
    return tg_context_finish(context.handle(), &error);
  }

  MlpBatch batch;
  float rate = 0.01f, loss = -1;
  std::vector<float> probabilities;
  std::vector<int64_t> digits;
  uint32_t train = 0, test = 0;
  tg_error_t error = {};

private:
  tg_status_t begin(tg::Context &context, uint32_t function,
                    uint32_t inputCount) {
    EXPECT_EQ(
        tg_context_reserve(context.handle(), function, &batch.size, nullptr),
        TG_OK);
    shapes = {batch.size, 784};
    outShapes = {batch.size, 10};
    tg_tensor_t in[3] = {}, out[2] = {};
    fill(in[0], batch.x.data(), kF32, 2, shapes.data());
    fill(in[1], batch.labels.data(), kI32, 1, shapes.data());
    fill(in[2], &rate, kF32, 0, nullptr);
    const bool isTest = function == test;
    if (isTest) {
      fill(out[0], probabilities.data(), kF32, 2, outShapes.data());
      fill(out[1], digits.data(), kI64, 1, outShapes.data());
    } else {
      fill(out[0], &loss, kF32, 0, nullptr);
    }
    // The arrays of tensors end with this call.
    return tg_context_begin(context.handle(), function, in, inputCount, out,
                            isTest ? 2 : 1, &error);
  }
  static void fill(tg_tensor_t &tensor, void *data, tg_dtype_t dtype,
                   int32_t rank, int64_t *shape) {
    tensor.data = data;
    tensor.device = {TG_DEVICE_CPU, 0};
    tensor.dtype = dtype;
    tensor.ndim = rank;
    tensor.shape = shape;
  }

  std::vector<int64_t> shapes, outShapes;
};

} // namespace

TEST_F(DeviceModelAsyncTest, beginsWithoutWaiting) {
  tg::Context onCpu = cpu->context({.seed = 3});
  tg::Context first = device->context({.seed = 3});
  tg::Context second = device->context({.seed = 3});
  // Memory that is freed waits for the device.
  for (tg::Context *context : {&first, &second})
    context->reserve("train", {{"batch", 2}});
  for (int number = 0; number < 3; ++number) {
    Step one(*device, 2, number), other(*device, 2, number);
    const double expected = train(onCpu, one.batch);
    const tgSimulatorCounters before = simulatorCounters();
    ASSERT_EQ(one.beginTraining(first), TG_OK) << one.error.message;
    ASSERT_EQ(other.beginTraining(second), TG_OK) << other.error.message;
    const tgSimulatorCounters enqueued = simulatorCounters();
    EXPECT_EQ(enqueued.waits, before.waits);
    EXPECT_EQ(enqueued.instructions, before.instructions);
    EXPECT_EQ(one.loss, -1);
    ASSERT_EQ(other.finish(second), TG_OK) << other.error.message;
    EXPECT_EQ(other.loss, float(expected));
    EXPECT_EQ(one.loss, -1);
    ASSERT_EQ(one.finish(first), TG_OK) << one.error.message;
    EXPECT_EQ(one.loss, float(expected));
    EXPECT_EQ(simulatorCounters().waits, before.waits + 2);
  }
  EXPECT_EQ(variablesOf(first), variablesOf(onCpu));
  EXPECT_EQ(variablesOf(second), variablesOf(onCpu));
}

TEST_F(DeviceModelAsyncTest, theContextIsBusyUntilTheEnd) {
  tg::Context context = device->context({.seed = 3});
  Step step(*device, 2, 1);
  EXPECT_EQ(step.finish(context), TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(step.error.message,
               "found no run to finish, expected a call of tg_context_begin "
               "before");
  ASSERT_EQ(step.beginTraining(context), TG_OK) << step.error.message;
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  tg_tensor_t none = {};
  EXPECT_EQ(tg_context_begin(context.handle(), step.train, &none, 1, &none, 1,
                             &error),
            TG_ERROR_BUSY);
  EXPECT_EQ(
      tg_context_run(context.handle(), step.train, &none, 1, &none, 1, &error),
      TG_ERROR_BUSY);
  EXPECT_EQ(tg_context_init(context.handle(), 1, &error), TG_ERROR_BUSY);
  EXPECT_EQ(tg_module_publish(device->handle(), context.handle(), &error),
            TG_ERROR_BUSY);
  EXPECT_THROW(context.snapshot(), tg::RuntimeError);
  EXPECT_EQ(step.finish(context), TG_OK) << step.error.message;
  EXPECT_EQ(step.finish(context), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(tg_module_publish(device->handle(), context.handle(), &error),
            TG_OK);
}

TEST_F(DeviceModelAsyncTest, destructionDropsTheRun) {
  Step step(*device, 2, 1);
  {
    tg::Context context = device->context({.seed = 3});
    ASSERT_EQ(step.beginTraining(context), TG_OK) << step.error.message;
  }
  EXPECT_EQ(step.loss, -1);
}

TEST_F(DeviceModelAsyncTest, errorsInDataAreThoseOfFinish) {
  tg::Context context = device->context({.seed = 3});
  const std::vector<std::byte> before = variablesOf(context);
  Step step(*device, 4, 1);
  step.batch.labels[2] = 10;
  ASSERT_EQ(step.beginTraining(context), TG_OK) << step.error.message;
  EXPECT_EQ(step.finish(context), TG_ERROR_INDEX);
  EXPECT_EQ(step.error.element, 2);
  EXPECT_EQ(step.loss, -1);
  EXPECT_EQ(variablesOf(context), before);
  step.batch.labels[2] = 1;
  ASSERT_EQ(step.beginTraining(context), TG_OK) << step.error.message;
  EXPECT_EQ(step.finish(context), TG_OK) << step.error.message;
}

TEST_F(DeviceModelAsyncTest, aRunThatDoesNotBeginLeavesTheContextIdle) {
  tg::Context context = device->context({.seed = 3});
  Step step(*device, 2, 1);
  ASSERT_TRUE(Cuda::get().fail("cuLaunchKernel", 3, 701));
  EXPECT_EQ(step.beginTraining(context), TG_ERROR_LAUNCH);
  EXPECT_EQ(step.finish(context), TG_ERROR_NOT_FOUND);
  ASSERT_EQ(step.beginTraining(context), TG_OK) << step.error.message;
  ASSERT_TRUE(Cuda::get().fail("cuStreamSynchronize", 1, 719));
  EXPECT_EQ(step.finish(context), TG_ERROR_DEVICE_LOST);
  EXPECT_EQ(step.finish(context), TG_ERROR_NOT_FOUND);
}

/// The weights that a begun run reads stay, although others are published.
TEST_F(DeviceModelAsyncTest, sharedContextsReadOnePublication) {
  tg::Context source = device->context({.seed = 11});
  device->publish(source);
  const std::vector<float> before = test(source, MlpBatch(3, 1));
  tg::Context server = device->context({.shared = true});
  Step step(*device, 3, 1);
  ASSERT_EQ(step.beginTest(server), TG_OK) << step.error.message;
  for (int i = 0; i < 3; ++i) {
    train(source, MlpBatch(4, 2));
    device->publish(source);
  }
  ASSERT_EQ(step.finish(server), TG_OK) << step.error.message;
  EXPECT_EQ(step.probabilities, before);
}

/// Runs on a stream of the host are ordered by its events.
TEST_F(DeviceModelAsyncTest, usesTheStreamOfTheHost) {
  const Cuda &cuda = Cuda::get();
  CUcontext primary;
  CUstream stream, other;
  CUevent event;
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuCtxPushCurrent_v2(primary), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuStreamCreate(&other, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  {
    tg_context_options_t options = {};
    options.struct_size = sizeof(options);
    options.stream = stream;
    tg_context_t *context = nullptr;
    ASSERT_EQ(tg_context_create(device->handle(), &options, &context, nullptr),
              TG_OK);
    ASSERT_EQ(tg_context_init(context, 3, nullptr), TG_OK);
    // The input is written by another stream, before an event of the host.
    MlpBatch batch(2, 1);
    Buffer x(batch.x.size() * 4), y(2 * 10 * 4), digits(2 * 8);
    void *pinned = nullptr;
    ASSERT_EQ(cuda.cuMemHostAlloc(&pinned, batch.x.size() * 4, 0),
              CUDA_SUCCESS);
    std::copy(batch.x.begin(), batch.x.end(), static_cast<float *>(pinned));
    cuda.cuMemcpyHtoDAsync_v2(x.address, pinned, batch.x.size() * 4, other);
    cuda.cuEventRecord(event, other);
    cuda.cuStreamWaitEvent(stream, event, 0);
    int64_t dims[] = {2, 784}, outDims[] = {2, 10};
    tg_tensor_t in = {}, out[2] = {};
    in.data = reinterpret_cast<void *>(x.address);
    in.device = out[0].device = out[1].device = {TG_DEVICE_CUDA, 0};
    in.dtype = out[0].dtype = kF32;
    in.ndim = out[0].ndim = 2;
    in.shape = dims;
    out[0].data = reinterpret_cast<void *>(y.address);
    out[0].shape = out[1].shape = outDims;
    out[1].data = reinterpret_cast<void *>(digits.address);
    out[1].dtype = kI64;
    out[1].ndim = 1;
    Step step(*device, 2, 1);
    ASSERT_EQ(tg_context_reserve(context, step.test, dims, nullptr), TG_OK);
    ASSERT_EQ(tg_context_begin(context, step.test, &in, 1, out, 2, &step.error),
              TG_OK)
        << step.error.message;
    ASSERT_EQ(tg_context_finish(context, &step.error), TG_OK);
    tg::Context onCpu = cpu->context({.seed = 3});
    EXPECT_EQ(y.take<float>(20), test(onCpu, batch));
    tg_context_destroy(context);
    EXPECT_EQ(cuda.cuMemFreeHost(pinned), CUDA_SUCCESS);
  }
  // The stream still exists.
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_SUCCESS);
  for (CUstream ended : {stream, other})
    EXPECT_EQ(cuda.cuStreamDestroy_v2(ended), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&primary), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

/// The C++ interface keeps what a begun run needs.
TEST_F(DeviceModelAsyncTest, theWrapperBeginsAndFinishes) {
  tg::Context onCpu = cpu->context({.seed = 3});
  tg::Context context = device->context({.seed = 3});
  const MlpBatch batch(2, 1);
  const auto begin = [&](tg::Context &of) {
    of.begin(
        "train",
        {{"x", batch.x}, {"label", batch.labels}, {"learning_rate", 0.01}});
  };
  context.reserve("train", {{"batch", 2}});
  for (int step = 0; step < 3; ++step) {
    const double expected = train(onCpu, batch);
    const uint64_t instructions = simulatorCounters().instructions;
    begin(context);
    EXPECT_EQ(simulatorCounters().instructions, instructions);
    EXPECT_THROW(test(context, batch), tg::RuntimeError);
    tg::Context moved = std::move(context);
    EXPECT_EQ(moved.finish().scalar("loss"), expected);
    context = std::move(moved);
  }
  EXPECT_EQ(variablesOf(context), variablesOf(onCpu));
  const auto statusOf = [](auto call) {
    try {
      call();
    } catch (const tg::RuntimeError &error) {
      return error.status();
    }
    return tg_status_t(TG_OK);
  };
  EXPECT_EQ(statusOf([&] { context.finish(); }), TG_ERROR_NOT_FOUND);
  begin(context);
  EXPECT_EQ(statusOf([&] { begin(context); }), TG_ERROR_BUSY);
  context.finish();
  EXPECT_EQ(statusOf([&] { context.begin("none", {}); }), TG_ERROR_NOT_FOUND);
  EXPECT_EQ(statusOf([&] { device->context({.stream = &context}); }),
            TG_ERROR_LAUNCH); // CUDA_ERROR_INVALID_HANDLE
  EXPECT_EQ(statusOf([&] { cpu->context({.stream = &context}); }),
            TG_ERROR_DEVICE);
  begin(onCpu); // a run on a CPU ends here
  onCpu.finish();
  begin(context); // dropped by the end of the context
}

TEST_F(DeviceModelAsyncTest, aRunOnTheCpuEndsWhenItBegins) {
  tg::Context context = cpu->context({.seed = 3});
  tg::Context other = cpu->context({.seed = 3});
  Step step(*cpu, 2, 1);
  ASSERT_EQ(step.beginTraining(context), TG_OK) << step.error.message;
  EXPECT_EQ(step.loss, float(train(other, step.batch)));
  EXPECT_THROW(context.snapshot(), tg::RuntimeError);
  EXPECT_EQ(step.finish(context), TG_OK);
  EXPECT_EQ(variablesOf(context), variablesOf(other));
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.stream = &options;
  tg_context_t *refused = nullptr;
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  EXPECT_EQ(tg_context_create(cpu->handle(), &options, &refused, &error),
            TG_ERROR_DEVICE);
  EXPECT_STREQ(error.message, "found a stream, expected null for a context "
                              "that computes on the CPU");
}
