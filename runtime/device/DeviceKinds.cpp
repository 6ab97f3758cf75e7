/// The list of the kinds of devices.
#include "DeviceKinds.h"

#include "runtime/cuda/CudaDevice.h"
#include "runtime/messages/Error.h"

using namespace tg;

static constexpr DeviceKind kinds[] = {
    {TG_DEVICE_CUDA, "cuda", "NVIDIA GPUs", openCudaDevice, countCudaDevices},
};

const DeviceKind *tg::findDeviceKind(int32_t type) {
  for (const DeviceKind &kind : kinds)
    if (kind.type == type)
      return &kind;
  return nullptr;
}

tg_status_t tg::failDeviceType(int32_t type, tg_error_t *error) {
  return failNumber(error, TG_ERROR_DEVICE, type, TG_DEVICE_CUDA,
                    "found device type %d, expected %d for a CPU or %d for "
                    "an NVIDIA GPU",
                    type, TG_DEVICE_CPU, TG_DEVICE_CUDA);
}
