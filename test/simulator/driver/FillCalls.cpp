#include "Driver.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::simulator;

/// Submits a fill of `count` values. The host does not wait for it.
template <class Value>
static CUresult fill(const char *name, CUdeviceptr to, Value value,
                     size_t count, CUstream stream) {
  return callInContext(name, [&](Driver &driver, CUctx_st &context) {
    CUstream_st *found = findStream(context, stream);
    if (!found)
      return CUDA_ERROR_INVALID_HANDLE;
    if (count == 0)
      return CUDA_SUCCESS;
    ptx::Region region = driver.findMemory(driver.deviceOf(context), to);
    bool isInside = region.bytes && (region.end - to) / sizeof(Value) >= count;
    if (!isInside || to % sizeof(Value) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    const auto execute = [&driver, &context, to, value, count] {
      if (context.fault != CUDA_SUCCESS)
        return;
      // The memory of a graph may be gone.
      ptx::Region found = driver.findMemory(driver.deviceOf(context), to);
      if (!found.bytes || (found.end - to) / sizeof(Value) < count) {
        context.fault = CUDA_ERROR_ILLEGAL_ADDRESS;
        return;
      }
      auto *values =
          reinterpret_cast<Value *>(found.bytes + (to - found.begin));
      std::fill(values, values + count, value);
      found.markWritten(to, count * sizeof(Value));
    };
    driver.submit(*found, {0, nullptr, execute, WorkKind::Fill});
    return CUDA_SUCCESS;
  });
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill("cuMemsetD8_v2", to, value, count, nullptr);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill("cuMemsetD16_v2", to, value, count, nullptr);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill("cuMemsetD32_v2", to, value, count, nullptr);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                         CUstream stream) {
  return fill("cuMemsetD8Async", to, value, count, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                          CUstream stream) {
  return fill("cuMemsetD16Async", to, value, count, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                          CUstream stream) {
  return fill("cuMemsetD32Async", to, value, count, stream);
}

TG_ALIAS(cuMemsetD8, cuMemsetD8_v2)
TG_ALIAS(cuMemsetD16, cuMemsetD16_v2)
TG_ALIAS(cuMemsetD32, cuMemsetD32_v2)
