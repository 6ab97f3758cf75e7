/// Allocates, frees and copies the memory of an NVIDIA GPU.
#include "CudaMemory.h"

#include "runtime/messages/Error.h"

using namespace tg;

/// The alignment of all allocations of the driver.
static constexpr uint64_t driverAlignment = 256;

tg_status_t CudaMemory::allocate(uint64_t bytes, uint64_t alignment,
                                 void *&block, tg_error_t *error) const {
  block = nullptr;
  if (alignment > driverAlignment)
    return failNumber(error, TG_ERROR_ALIGNMENT,
                      static_cast<int64_t>(alignment), driverAlignment,
                      "the library needs memory aligned to %llu bytes, "
                      "expected at most %llu",
                      static_cast<unsigned long long>(alignment),
                      static_cast<unsigned long long>(driverAlignment));
  const CudaScope scope(cuda.driver, cuda.context);
  CUdeviceptr address = 0;
  const CUresult result =
      scope.run([&] { return cuda.driver.cuMemAlloc_v2(&address, bytes); });
  block = reinterpret_cast<void *>(address);
  return cuda.driver.check(result, "allocate memory of the GPU", error);
}

void CudaMemory::release(void *block, uint64_t) const {
  if (!block)
    return;
  const CudaScope scope(cuda.driver, cuda.context);
  scope.run([&] { return cuda.driver.cuMemFree_v2(addressOf(block)); });
}

template <typename Enqueue>
tg_status_t CudaMemory::complete(uint64_t bytes, const char *action,
                                 tg_error_t *error, Enqueue enqueue) const {
  if (!bytes)
    return TG_OK;
  const CudaScope scope(cuda.driver, cuda.context);
  CUresult result = scope.run(enqueue);
  if (result == CUDA_SUCCESS)
    result = cuda.driver.cuStreamSynchronize(cuda.stream);
  return cuda.driver.check(result, action, error);
}

tg_status_t CudaMemory::copyIn(void *to, const void *from, uint64_t bytes,
                               tg_error_t *error) const {
  return complete(bytes, "copy to the GPU", error, [&] {
    return cuda.driver.cuMemcpyHtoDAsync_v2(addressOf(to), from, bytes,
                                            cuda.stream);
  });
}

tg_status_t CudaMemory::copyOut(void *to, const void *from, uint64_t bytes,
                                tg_error_t *error) const {
  return complete(bytes, "copy from the GPU", error, [&] {
    return cuda.driver.cuMemcpyDtoHAsync_v2(to, addressOf(from), bytes,
                                            cuda.stream);
  });
}

tg_status_t CudaMemory::copyWithin(void *to, const void *from, uint64_t bytes,
                                   tg_error_t *error) const {
  return complete(bytes, "copy within the GPU", error, [&] {
    return cuda.driver.cuMemcpyDtoDAsync_v2(addressOf(to), addressOf(from),
                                            bytes, cuda.stream);
  });
}

tg_status_t CudaMemory::fill(void *to, uint8_t value, uint64_t bytes,
                             tg_error_t *error) const {
  return complete(bytes, "set memory of the GPU", error, [&] {
    return cuda.driver.cuMemsetD8Async(addressOf(to), value, bytes,
                                       cuda.stream);
  });
}

tg_status_t PinnedMemory::allocate(uint64_t bytes, uint64_t, void *&block,
                                   tg_error_t *error) const {
  block = nullptr;
  const CudaScope scope(cuda.driver, cuda.context);
  void *address = nullptr;
  const CUresult result = scope.run(
      [&] { return cuda.driver.cuMemHostAlloc(&address, bytes, /*flags=*/0); });
  block = address;
  return cuda.driver.check(result, "pin memory of the host", error);
}

void PinnedMemory::release(void *block, uint64_t) const {
  if (!block)
    return;
  const CudaScope scope(cuda.driver, cuda.context);
  scope.run([&] { return cuda.driver.cuMemFreeHost(block); });
}
