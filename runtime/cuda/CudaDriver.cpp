/// Opens NVIDIA's driver and describes its failures.
#include "CudaDriver.h"

#include "runtime/messages/Error.h"

#include <cstdio>
#include <dlfcn.h>

using namespace tg;

/// The first driver that reads PTX 7.0: CUDA 11.0.
static constexpr int leastVersion = 11000;

CudaDriver::~CudaDriver() {
  if (library)
    dlclose(library);
}

template <typename Function>
void CudaDriver::find(Function *&function, const char *name) {
  function = reinterpret_cast<Function *>(dlsym(library, name));
}

const char *CudaDriver::findAll() {
  const char *missing = nullptr;
#define REQUIRED(name, parameters)                                             \
  find(name, #name);                                                           \
  if (!name)                                                                   \
    missing = #name;
#define OPTIONAL(name, parameters) find(name, #name);
#include "CudaFunctions.def"
#undef REQUIRED
#undef OPTIONAL
  return missing;
}

tg_status_t CudaDriver::open(tg_error_t *error) {
  // The driver stays loaded: it may have threads of its own.
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library)
    return start(findAll(), error);
  const char *reason = dlerror();
  return fail(error, TG_ERROR_NO_DRIVER, "no driver for NVIDIA GPUs: %s",
              reason ? reason : "libcuda.so.1: unknown failure");
}

tg_status_t CudaDriver::start(const char *missing, tg_error_t *error) {
  CUresult result =
      cuDriverGetVersion ? cuDriverGetVersion(&cudaVersion) : CUDA_SUCCESS;
  if (result == CUDA_SUCCESS && cudaVersion && cudaVersion < leastVersion)
    return failNumber(error, TG_ERROR_OLD_DRIVER, cudaVersion, leastVersion,
                      "the driver for NVIDIA GPUs is for CUDA %d.%d, expected "
                      "at least %d.%d",
                      cudaVersion / 1000, cudaVersion % 1000 / 10,
                      leastVersion / 1000, leastVersion % 1000 / 10);
  if (missing)
    return fail(error, TG_ERROR_NO_DRIVER,
                "no driver for NVIDIA GPUs: libcuda.so.1 has no function '%s'",
                missing);
  if (result == CUDA_SUCCESS)
    result = cuInit(0);
  if (result == CUDA_SUCCESS)
    return mark.set(error);
  if (result == CUDA_ERROR_NO_DEVICE)
    return fail(error, TG_ERROR_NOT_FOUND,
                "found no NVIDIA GPU, expected at least one");
  char text[256];
  describe("start it", result, text);
  return failNumber(error, TG_ERROR_NO_DRIVER, result, 0,
                    "no driver for NVIDIA GPUs: %.200s%s", text,
                    result == CUDA_ERROR_NOT_INITIALIZED
                        ? " (a process that was forked after the first use of "
                          "a GPU cannot use it)"
                        : "");
}

tg_status_t CudaDriver::statusOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return TG_OK;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return TG_ERROR_MEMORY;
  case CUDA_ERROR_NO_DEVICE:
    return TG_ERROR_NOT_FOUND;
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return TG_ERROR_OLD_DRIVER;
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
    return TG_ERROR_TARGET;
  case CUDA_FORKED:
  case CUDA_ERROR_DEINITIALIZED:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return TG_ERROR_DEVICE_LOST;
  default:
    return TG_ERROR_LAUNCH;
  }
}

void CudaDriver::describe(const char *action, CUresult result,
                          char (&text)[256]) const {
  if (result == CUDA_FORKED) {
    std::snprintf(text, sizeof(text),
                  "cannot %.100s: the process was forked after its first use "
                  "of the GPU, expected a process that is started anew",
                  action);
    return;
  }
  const char *name = nullptr, *reason = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  if (cuGetErrorString(result, &reason) != CUDA_SUCCESS || !reason)
    reason = "without a description";
  std::snprintf(text, sizeof(text), "cannot %.100s: %.60s (%d), %.80s", action,
                name, result, reason);
}

tg_status_t CudaDriver::check(CUresult result, const char *action,
                              tg_error_t *error) const {
  if (result == CUDA_SUCCESS)
    return TG_OK;
  char text[256];
  describe(action, result, text);
  return failNumber(error, statusOf(result), result, 0, "%s", text);
}
