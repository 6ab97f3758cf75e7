#include "Cuda.h"
#include "Ptxas.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tg::test;

/// Opens a driver.
static Cuda open(const char *path) {
  Cuda cuda;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    ADD_FAILURE() << dlerror();
    return cuda;
  }
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
  };
#define FUNCTION(name, parameters) find(cuda.name, #name);
#define ALIAS(name, function) find(cuda.name, #name);
#include "test/simulator/driver/CudaFunctions.def"
#undef FUNCTION
#undef ALIAS
  find(cuda.fail, "tgSimulatorFail");
  find(cuda.lose, "tgSimulatorLose");
  find(cuda.reset, "tgSimulatorReset");
  find(cuda.counts, "tgSimulatorCounts");
  find(cuda.kernelCounts, "tgSimulatorKernelCounts");
  cuda.isSimulator = cuda.reset;
  return cuda;
}

const Cuda &Cuda::get() {
  static const Cuda cuda = [] {
    const char *other = std::getenv("TG_TEST_DRIVER");
    return open(other ? other : TG_SIMULATOR);
  }();
  return cuda;
}

Buffer::Buffer(size_t bytes) {
  EXPECT_EQ(Cuda::get().cuMemAlloc_v2(&address, bytes), CUDA_SUCCESS);
}

Buffer::~Buffer() {
  EXPECT_EQ(Cuda::get().cuMemFree_v2(address), CUDA_SUCCESS);
}

void Buffer::write(const void *from, size_t bytes) {
  EXPECT_EQ(Cuda::get().cuMemcpyHtoD_v2(address, from, bytes), CUDA_SUCCESS);
}

void Buffer::read(void *to, size_t bytes) const {
  EXPECT_EQ(Cuda::get().cuMemcpyDtoH_v2(to, address, bytes), CUDA_SUCCESS);
}

tgSimulatorCounters tg::test::simulatorCounters() {
  tgSimulatorCounters found = {};
  Cuda::get().counts(&found, sizeof(found));
  return found;
}

void tg::test::expectNothingLeft() {
  const tgSimulatorCounters left = simulatorCounters();
  EXPECT_EQ(left.allocations, 0u);
  EXPECT_EQ(left.bytes, 0u);
  EXPECT_EQ(left.hostAllocations, 0u);
  EXPECT_EQ(left.modules, 0u);
  EXPECT_EQ(left.streams, 0u);
  EXPECT_EQ(left.events, 0u);
  EXPECT_EQ(left.graphs, 0u);
  EXPECT_EQ(left.graphExecs, 0u);
}

void CudaTest::SetUp() {
  if (cuda.isSimulator)
    cuda.reset();
  ASSERT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
}

void CudaTest::TearDown() {
  for (CUmodule module : modules)
    EXPECT_EQ(cuda.cuModuleUnload(module), CUDA_SUCCESS);
  if (cuda.isSimulator)
    expectNothingLeft();
  CUcontext popped = nullptr;
  EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}

CUmodule CudaTest::load(const std::string &text) {
  expectAssembles(text);
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  CUmodule module = nullptr;
  EXPECT_EQ(cuda.cuModuleLoadDataEx(&module, text.c_str(), 2, options, values),
            CUDA_SUCCESS)
      << log << "\n"
      << text;
  if (module)
    modules.push_back(module);
  return module;
}

CUfunction CudaTest::kernel(const std::string &text, const char *name) {
  CUfunction function = nullptr;
  EXPECT_EQ(cuda.cuModuleGetFunction(&function, load(text), name),
            CUDA_SUCCESS);
  return function;
}

CUresult CudaTest::launch(CUfunction function, unsigned grid, unsigned block,
                          std::vector<uint64_t> parameters, CUstream stream) {
  std::vector<void *> addresses;
  for (uint64_t &parameter : parameters)
    addresses.push_back(&parameter);
  return cuda.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream,
                             addresses.data(), nullptr);
}

void CudaTest::run(CUfunction function, unsigned grid, unsigned block,
                   std::vector<uint64_t> parameters) {
  EXPECT_EQ(launch(function, grid, block, std::move(parameters)), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
}

tgSimulatorCounters CudaTest::counters() const { return simulatorCounters(); }

void CudaTest::renew() {
  modules.clear();
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
}

std::string tg::test::moduleOf(const std::string &body) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n" + body;
}

std::string tg::test::kernelOf(unsigned parameters, const std::string &body) {
  std::string text = ".visible .entry k(", loads;
  for (unsigned i = 0; i < parameters; ++i) {
    std::string number = std::to_string(i);
    text += (i ? ", .param .u64 p" : ".param .u64 p") + number;
    loads += "ld.param.u64 %p" + number + ", [p" + number + "];\n";
  }
  text += ") {\n.reg .pred %q<10>;\n.reg .b16 %h<10>;\n.reg .b32 %r<10>;\n"
          ".reg .b64 %d<10>;\n.reg .b64 %p<10>;\n";
  return moduleOf(text + loads + body + "ret;\n}\n");
}
