#include "Driver.h"

using namespace tg::simulator;

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return callDriver("cuDevicePrimaryCtxRetain", [&](Driver &driver) {
    Device *found = driver.findDevice(device);
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    if (!found)
      return CUDA_ERROR_INVALID_DEVICE;
    ++found->context.retained;
    *context = &found->context;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return callDriver("cuDevicePrimaryCtxRelease_v2", [&](Driver &driver) {
    Device *found = driver.findDevice(device);
    if (!found)
      return CUDA_ERROR_INVALID_DEVICE;
    if (found->context.retained == 0)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (--found->context.retained == 0)
      driver.destroy(found->context);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return callDriver("cuDevicePrimaryCtxReset_v2", [&](Driver &driver) {
    Device *found = driver.findDevice(device);
    if (!found)
      return CUDA_ERROR_INVALID_DEVICE;
    driver.destroy(found->context);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                    int *isActive) {
  return callDriver("cuDevicePrimaryCtxGetState", [&](Driver &driver) {
    Device *found = driver.findDevice(device);
    if (!flags || !isActive)
      return CUDA_ERROR_INVALID_VALUE;
    if (!found)
      return CUDA_ERROR_INVALID_DEVICE;
    *flags = found->context.flags;
    *isActive = found->context.retained != 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return callDriver("cuDevicePrimaryCtxSetFlags_v2", [&](Driver &driver) {
    Device *found = driver.findDevice(device);
    if (!found)
      return CUDA_ERROR_INVALID_DEVICE;
    found->context.flags = flags;
    return CUDA_SUCCESS;
  });
}

/// Returns true for the handle of the primary context of a device.
static bool isContext(const Driver &driver, const CUctx_st *context) {
  for (const std::unique_ptr<Device> &device : driver.devices)
    if (&device->context == context)
      return true;
  return false;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return callDriver("cuCtxPushCurrent_v2", [&](Driver &driver) {
    if (!isContext(driver, context))
      return CUDA_ERROR_INVALID_CONTEXT;
    contextStack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  return callDriver("cuCtxPopCurrent_v2", [&](Driver &) {
    if (contextStack().empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
      *context = contextStack().back();
    contextStack().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  return callDriver("cuCtxGetCurrent", [&](Driver &) {
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    *context = contextStack().empty() ? nullptr : contextStack().back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return callDriver("cuCtxSetCurrent", [&](Driver &driver) {
    if (context && !isContext(driver, context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!contextStack().empty())
      contextStack().pop_back();
    if (context)
      contextStack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice *device) {
  return callDriver("cuCtxGetDevice", [&](Driver &) {
    if (contextStack().empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    *device = contextStack().back()->device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return callInContext("cuCtxSynchronize",
                       [](Driver &driver, CUctx_st &context) {
                         driver.count(&tgSimulatorCounters::waits, "wait");
                         driver.drain(context);
                         return context.fault;
                       });
}

TG_ALIAS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2)
TG_ALIAS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2)
TG_ALIAS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2)
TG_ALIAS(cuCtxPushCurrent, cuCtxPushCurrent_v2)
TG_ALIAS(cuCtxPopCurrent, cuCtxPopCurrent_v2)
