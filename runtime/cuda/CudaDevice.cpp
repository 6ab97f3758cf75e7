/// Opens NVIDIA GPUs and loads images.
#include "CudaDevice.h"

#include "CudaStream.h"
#include "PtxVersion.h"
#include "runtime/messages/Error.h"

#include <cstdio>
#include <cstring>
#include <new>

using namespace tg;

namespace {

class CudaDevice final : public Device {
public:
  CudaDevice() = default;
  ~CudaDevice() override;

  tg_status_t open(int32_t number, tg_error_t *error);

  uint32_t capability() const override { return found; }
  const Memory &memory() const override { return deviceMemory; }
  const HostMemory &hostMemory() const override { return pinned; }
  tg_status_t loadImage(const tg_image_t &image, void *&handle,
                        tg_error_t *error) override;
  void unloadImage(void *handle) override;
  tg_status_t createStream(void *given, std::unique_ptr<DeviceStream> &stream,
                           tg_error_t *error) override;

private:
  tg_status_t findDevice(int32_t number, tg_error_t *error);
  tg_status_t loadCode(CudaImage &image, tg_error_t *error);
  tg_status_t findKernels(CudaImage &image, tg_error_t *error);

  CudaHandles cuda;
  CudaMemory deviceMemory{cuda};
  PinnedMemory pinned{cuda};
  CUdevice device = 0;
  uint32_t found = 0; // the capability
  std::unique_ptr<CudaStream> copies;
};

} // namespace

tg_status_t CudaDevice::findDevice(int32_t number, tg_error_t *error) {
  const CudaDriver &driver = cuda.driver;
  int count = 0, major = 0, minor = 0;
  CUresult result = driver.cuDeviceGetCount(&count);
  if (result == CUDA_SUCCESS && (number < 0 || number >= count))
    return failNumber(error, TG_ERROR_NOT_FOUND, number, count,
                      "device cuda:%d, expected below %d", number, count);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGet(&device, number);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(
        &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(
        &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(
        &cuda.sharedBytes,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  found = static_cast<uint32_t>(10 * major + minor);
  return driver.check(result, "find the GPU", error);
}

tg_status_t CudaDevice::open(int32_t number, tg_error_t *error) {
  tg_status_t status = cuda.driver.open(error);
  if (status == TG_OK)
    status = findDevice(number, error);
  if (status != TG_OK)
    return status;
  CUcontext context = nullptr;
  status =
      cuda.driver.check(cuda.driver.cuDevicePrimaryCtxRetain(&context, device),
                        "open the GPU", error);
  if (status != TG_OK)
    return status;
  cuda.context = context;
  copies.reset(new (std::nothrow) CudaStream(cuda));
  if (!copies)
    return fail(error, TG_ERROR_MEMORY, "no memory for a device");
  status = copies->open(/*given=*/nullptr, error);
  cuda.stream = copies->handle();
  return status;
}

CudaDevice::~CudaDevice() {
  copies.reset();
  if (cuda.context && !cuda.driver.isForked())
    cuda.driver.cuDevicePrimaryCtxRelease_v2(device);
}

/// Returns the status for a result of a function that loads code.
static tg_status_t loadingStatus(CUresult result) {
  const tg_status_t status = CudaDriver::statusOf(result);
  return status == TG_ERROR_LAUNCH ? TG_ERROR_LOAD : status;
}

/// Fails if an image that the driver refused needs a newer driver or device.
static tg_status_t checkNeeds(const tg_image_t &image, int driver,
                              uint32_t capability, tg_error_t *error) {
  const char *code = static_cast<const char *>(image.code);
  const char *kernel = image.kernel_count ? image.kernels[0] : "";
  const Version ptx = ptxVersionOf(code);
  const Version least = driverForPtx(ptx);
  const Version found = {driver / 1000, driver % 1000 / 10};
  if (least > found)
    return failNumber(error, TG_ERROR_OLD_DRIVER, driver,
                      1000 * least.major + 10 * least.minor,
                      "the code of kernel %.80s is PTX %d.%d, which needs a "
                      "driver for CUDA %d.%d, found one for CUDA %d.%d",
                      kernel, ptx.major, ptx.minor, least.major, least.minor,
                      found.major, found.minor);
  const uint32_t target = capabilityOf(code);
  if (target <= capability)
    return TG_OK;
  return failNumber(error, TG_ERROR_TARGET, capability, target,
                    "the device has compute capability %u.%u, expected at "
                    "least %u.%u for kernel %.80s",
                    capability / 10, capability % 10, target / 10, target % 10,
                    kernel);
}

tg_status_t CudaDevice::loadCode(CudaImage &image, tg_error_t *error) {
  const CudaDriver &driver = cuda.driver;
  const void *code = image.table.code;
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  const CudaScope scope(driver, cuda.context);
  const CUresult result = scope.run([&] {
    return driver.cuModuleLoadDataEx
               ? driver.cuModuleLoadDataEx(&image.module, code, 2, options,
                                           values)
               : driver.cuModuleLoadData(&image.module, code);
  });
  if (result == CUDA_SUCCESS)
    return TG_OK;
  if (const tg_status_t status =
          checkNeeds(image.table, driver.version(), found, error))
    return status;
  char text[256];
  driver.describe("load the code of the library", result, text);
  log[std::strcspn(log, "\r\n")] = 0;
  return fail(error, loadingStatus(result), "%.160s%s%.90s", text,
              *log ? ": " : "", log);
}

tg_status_t CudaDevice::findKernels(CudaImage &image, tg_error_t *error) {
  const uint32_t count = image.table.kernel_count;
  image.functions.reset(new (std::nothrow) CUfunction[count + 1]);
  if (!image.functions)
    return fail(error, TG_ERROR_MEMORY, "no memory for the list of kernels");
  const CudaScope scope(cuda.driver, cuda.context);
  for (uint32_t i = 0; i < count; ++i) {
    const char *name = image.table.kernels[i];
    const CUresult result = scope.run([&] {
      return cuda.driver.cuModuleGetFunction(&image.functions[i], image.module,
                                             name);
    });
    if (result == CUDA_SUCCESS)
      continue;
    char action[100], text[256];
    std::snprintf(action, sizeof(action), "find kernel %s", name);
    cuda.driver.describe(action, result, text);
    return fail(error, loadingStatus(result), "%s", text);
  }
  return TG_OK;
}

tg_status_t CudaDevice::loadImage(const tg_image_t &image, void *&handle,
                                  tg_error_t *error) {
  handle = nullptr;
  CudaImage *loaded = new (std::nothrow) CudaImage{image, nullptr, nullptr};
  if (!loaded)
    return fail(error, TG_ERROR_MEMORY, "no memory for the code of a library");
  tg_status_t status = loadCode(*loaded, error);
  if (status == TG_OK)
    status = findKernels(*loaded, error);
  if (status == TG_OK)
    handle = loaded;
  else
    unloadImage(loaded);
  return status;
}

void CudaDevice::unloadImage(void *handle) {
  const CudaImage *image = static_cast<const CudaImage *>(handle);
  if (image && image->module) {
    const CudaScope scope(cuda.driver, cuda.context);
    scope.run([&] { return cuda.driver.cuModuleUnload(image->module); });
  }
  delete image;
}

tg_status_t CudaDevice::createStream(void *given,
                                     std::unique_ptr<DeviceStream> &stream,
                                     tg_error_t *error) {
  CudaStream *created = new (std::nothrow) CudaStream(cuda);
  if (!created)
    return fail(error, TG_ERROR_MEMORY, "no memory for a stream");
  stream.reset(created);
  return created->open(static_cast<CUstream>(given), error);
}

tg_status_t tg::openCudaDevice(int32_t number, std::unique_ptr<Device> &device,
                               tg_error_t *error) {
  std::unique_ptr<CudaDevice> opened(new (std::nothrow) CudaDevice);
  if (!opened)
    return fail(error, TG_ERROR_MEMORY, "no memory for a device");
  const tg_status_t status = opened->open(number, error);
  if (status == TG_OK)
    device = std::move(opened);
  return status;
}

tg_status_t tg::countCudaDevices(uint32_t &count, tg_error_t *error) {
  CudaDriver driver;
  const tg_status_t status = driver.open(error);
  if (status != TG_OK)
    return status == TG_ERROR_NOT_FOUND ? TG_OK : status;
  int found = 0;
  const CUresult result = driver.cuDeviceGetCount(&found);
  count = static_cast<uint32_t>(found);
  return driver.check(result, "count the GPUs", error);
}
