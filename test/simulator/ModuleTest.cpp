#include "support/Cuda.h"

#include <cstdlib>

using namespace tg::test;

namespace {

/// Tests modules, functions and the arguments of launches.
class ModuleTest : public CudaTest {
protected:
  /// Returns the status of loading a text. Stores the log and its size.
  CUresult loadLogged(const std::string &text, size_t capacity = 256) {
    std::vector<char> buffer(capacity, '?');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {buffer.data(), reinterpret_cast<void *>(capacity)};
    CUmodule module = nullptr;
    CUresult status =
        cuda.cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
    filled = reinterpret_cast<size_t>(values[1]);
    log = buffer.data();
    if (module)
      modules.push_back(module);
    return status;
  }

  std::string log;
  size_t filled = 0;
};

TEST_F(ModuleTest, TheLogHasTheLineOfAnError) {
  EXPECT_EQ(loadLogged(moduleOf(".entry k() {\nret\n}\n")),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(log, "ptxas application ptx input, line 6; fatal : expected ';', "
                 "found '}'");
  EXPECT_EQ(filled, log.size());
  EXPECT_EQ(loadLogged(kernelOf(0, "sin.approx.f32 %r1, %r2;\n")),
            CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(log, "ptxas application ptx input, line 10; error : expected exact "
                 "arithmetic, found .approx in 'sin.approx.f32'");
}

TEST_F(ModuleTest, TheLogIsCutOff) {
  EXPECT_EQ(loadLogged("nonsense", 10), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(log, "ptxas app");
  EXPECT_EQ(filled, 9u);
  EXPECT_EQ(loadLogged(kernelOf(0, "")), CUDA_SUCCESS);
  EXPECT_EQ(log, "");
  EXPECT_EQ(filled, 0u);
}

TEST_F(ModuleTest, OtherImages) {
  EXPECT_EQ(loadLogged("\x7f"
                       "ELF"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(loadLogged(".version 7.0\n.target sm_90\n"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(loadLogged(".version 9.0\n.target sm_80\n"),
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CUmodule module = nullptr;
  EXPECT_EQ(cuda.cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, HandlesOfOthers) {
  CUmodule module = load(kernelOf(0, ""));
  CUfunction function = nullptr;
  EXPECT_EQ(cuda.cuModuleGetFunction(&function, module, "none"),
            CUDA_ERROR_NOT_FOUND);
  auto wrong = reinterpret_cast<CUmodule>(&function);
  EXPECT_EQ(cuda.cuModuleGetFunction(&function, wrong, "k"),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuda.cuModuleUnload(wrong), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(launch(reinterpret_cast<CUfunction>(&function), 1, 1, {}),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, ExtentsOfLaunches) {
  CUmodule module =
      load(moduleOf(".visible .entry free() { ret; }\n"
                    ".visible .entry most() .maxntid 64, 1, 1 { ret; }\n"
                    ".visible .entry exact() .reqntid 32, 2 { ret; }\n"));
  auto run = [&](const char *name, unsigned grid, unsigned x, unsigned y) {
    CUfunction function = nullptr;
    EXPECT_EQ(cuda.cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
    return cuda.cuLaunchKernel(function, 1, grid, 1, x, y, 1, 0, nullptr,
                               nullptr, nullptr);
  };
  EXPECT_EQ(run("free", 1, 1024, 1), CUDA_SUCCESS);
  EXPECT_EQ(run("free", 1, 1025, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run("free", 1, 64, 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run("free", 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run("free", 65536, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run("most", 1, 64, 1), CUDA_SUCCESS);
  EXPECT_EQ(run("most", 1, 65, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run("exact", 1, 32, 2), CUDA_SUCCESS);
  EXPECT_EQ(run("exact", 1, 64, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, ParametersOfLaunches) {
  CUfunction function = kernel(kernelOf(2, "st.global.b64 [%p0], %p1;\n"), "k");
  Buffer to(8);
  uint64_t values[] = {to.address, 77};
  size_t bytes = sizeof(values);
  void *extra[] = {reinterpret_cast<void *>(CU_LAUNCH_PARAM_BUFFER_POINTER),
                   values,
                   reinterpret_cast<void *>(CU_LAUNCH_PARAM_BUFFER_SIZE),
                   &bytes, reinterpret_cast<void *>(CU_LAUNCH_PARAM_END)};
  auto launchExtra = [&](void **parameters) {
    return cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr,
                               parameters, extra);
  };
  EXPECT_EQ(launchExtra(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(to.take<uint64_t>(1)[0], 77u);
  void *parameters[] = {&values[0], nullptr};
  EXPECT_EQ(launchExtra(parameters), CUDA_ERROR_INVALID_VALUE);
  bytes = 8;
  EXPECT_EQ(launchExtra(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                parameters, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                                nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, AttributesOfFunctions) {
  CUfunction function =
      kernel(moduleOf(".shared .b8 s[100];\n.visible .entry k() .maxntid 96 {\n"
                      ".local .b8 l[24];\nret;\n}\n"),
             "k");
  auto get = [&](CUfunction_attribute attribute) {
    int value = -1;
    EXPECT_EQ(cuda.cuFuncGetAttribute(&value, attribute, function),
              CUDA_SUCCESS);
    return value;
  };
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 96);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 100);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 24);
  EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PTX_VERSION), 70);
  auto launchShared = [&](unsigned bytes) {
    return cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, bytes, nullptr,
                               nullptr, nullptr);
  };
  EXPECT_EQ(launchShared(48 * 1024 - 100), CUDA_SUCCESS);
  EXPECT_EQ(launchShared(48 * 1024), CUDA_ERROR_INVALID_VALUE);
  auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(cuda.cuFuncSetAttribute(function, dynamic, 100 << 10),
            CUDA_SUCCESS);
  EXPECT_EQ(launchShared(100 << 10), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuFuncSetAttribute(function, dynamic, 163 << 10),
            CUDA_ERROR_INVALID_VALUE);
}

/// A kernel has the shared memory of the module, of functions, which it may
/// call, and of its own.
TEST_F(ModuleTest, SharedMemoryOfKernels) {
  CUmodule module =
      load(moduleOf(".shared .b8 s[100];\n"
                    ".func f() { .shared .b8 a[20];\nret;\n}\n"
                    ".entry k() { .shared .b8 b[900000];\nret;\n}\n"
                    ".entry l() { .shared .b8 b[900007];\nret;\n}\n"
                    ".entry m() { ret;\n}\n"));
  auto bytesOf = [&](const char *name) {
    CUfunction function = nullptr;
    EXPECT_EQ(cuda.cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
    int bytes = -1;
    EXPECT_EQ(cuda.cuFuncGetAttribute(
                  &bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function),
              CUDA_SUCCESS);
    return bytes;
  };
  EXPECT_EQ(bytesOf("k"), 900120);
  EXPECT_EQ(bytesOf("l"), 900127);
  EXPECT_EQ(bytesOf("m"), 120);
}

} // namespace
