/// The list of the kinds of devices.
#include "DeviceKinds.h"

#include "runtime/cuda/CudaDevice.h"

using namespace tg;

static constexpr DeviceKind kinds[] = {
    {TG_DEVICE_CUDA, "cuda", "NVIDIA GPUs", openCudaDevice},
};

const DeviceKind *tg::findDeviceKind(int32_t type) {
  for (const DeviceKind &kind : kinds)
    if (kind.type == type)
      return &kind;
  return nullptr;
}
