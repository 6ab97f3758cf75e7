#include "Pair.h"

#include <cstdlib>

using namespace tg::test;

tg_load_options_t tg::test::onGpu(int32_t number, uint32_t target) {
  return {sizeof(tg_load_options_t), 0, target, 0, nullptr,
          {TG_DEVICE_CUDA, number}};
}

void SimulatorTest::SetUp() {
  cuda.reset();
  retain();
}

void SimulatorTest::retain() {
  CUcontext context;
  isRetained = cuda.cuInit(0) == CUDA_SUCCESS &&
               cuda.cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS;
}

void SimulatorTest::TearDown() {
  expectNothingLeft();
  if (isRetained)
    cuda.cuDevicePrimaryCtxRelease_v2(0);
  EXPECT_EQ(counters().contexts, 0u);
  for (const std::string &name : names)
    unsetenv(name.c_str());
  cuda.reset();
}

void SimulatorTest::setVariable(const char *name, const char *value) {
  names.push_back(name);
  setenv(name, value, 1);
}

void SimulatorTest::configure(const char *name, const char *value) {
  setVariable(name, value);
  cuda.reset();
  retain();
}

void SimulatorTest::expectNothingLeft() {
  tg::test::expectNothingLeft();
  CUcontext current = nullptr;
  cuda.cuCtxGetCurrent(&current);
  EXPECT_EQ(current, nullptr);
}

tgSimulatorCounters SimulatorTest::counters() const {
  return simulatorCounters();
}

void PairTest::SetUp() {
  SimulatorTest::SetUp();
  const tg_load_options_t options = onGpu();
  ASSERT_EQ(tg_module_adopt(pair_tg_model_get, &options, &module, &error),
            TG_OK)
      << error.message;
  context = createContext(module);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
}

void PairTest::TearDown() {
  tg_context_destroy(context);
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK) << error.message;
  SimulatorTest::TearDown();
}

tg_context_t *PairTest::createContext(tg_module_t *of, uint32_t flags) {
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.flags = flags;
  tg_context_t *created = nullptr;
  EXPECT_EQ(tg_context_create(of, &options, &created, &error), TG_OK)
      << error.message;
  EXPECT_EQ(tg_context_reserve(created, PAIR_TEST, &batch, &error), TG_OK)
      << error.message;
  return created;
}

tg_status_t PairTest::test(tg_context_t *running) {
  const tg_tensor_t in = f32(x.data(), dims), out = f32(y.data(), dims);
  return tg_context_run(running, PAIR_TEST, &in, 1, &out, 1, &error);
}

std::vector<float> PairTest::weights(tg_context_t *running) {
  std::vector<float> read(PAIR_WEIGHTS);
  const tg_tensor_t out = f32(read.data(), weightDims);
  EXPECT_EQ(tg_context_run(running, PAIR_READ, nullptr, 0, &out, 1, &error),
            TG_OK)
      << error.message;
  return read;
}

std::vector<uint8_t> PairTest::block(const tg_context_t *of) {
  std::vector<uint8_t> exported(PAIR_SLAB_BYTES);
  EXPECT_EQ(
      tg_context_export_variables(of, exported.data(), exported.size(), &error),
      TG_OK)
      << error.message;
  return exported;
}
