/// NVIDIA GPUs as devices of libtgrt.
#ifndef TG_RUNTIME_CUDA_CUDADEVICE_H
#define TG_RUNTIME_CUDA_CUDADEVICE_H

#include "runtime/device/Device.h"

namespace tg {

/// Opens the driver and the GPU of a number. Fails with TG_ERROR_NO_DRIVER,
/// TG_ERROR_OLD_DRIVER, TG_ERROR_NOT_FOUND, or as the driver does.
tg_status_t openCudaDevice(int32_t number, std::unique_ptr<Device> &device,
                           tg_error_t *error);

/// Opens the driver and counts the GPUs. Fails with TG_ERROR_NO_DRIVER or
/// TG_ERROR_OLD_DRIVER.
tg_status_t countCudaDevices(uint32_t &count, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDADEVICE_H
