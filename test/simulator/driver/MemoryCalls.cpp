#include "Driver.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace tg;
using namespace tg::simulator;

/// The bytes of a page of pinned memory.
static constexpr size_t pageBytes = 4096;

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  return callInContext("cuMemAlloc_v2", [&](Driver &driver, CUctx_st &context) {
    if (!address || bytes == 0)
      return CUDA_ERROR_INVALID_VALUE;
    uint64_t allocated = driver.deviceOf(context).heap.allocate(bytes);
    if (allocated == 0)
      return CUDA_ERROR_OUT_OF_MEMORY;
    context.allocations[allocated] = bytes;
    *address = allocated;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return callInContext("cuMemFree_v2", [&](Driver &driver, CUctx_st &context) {
    if (address == 0)
      return CUDA_SUCCESS;
    if (!context.allocations.contains(address))
      return CUDA_ERROR_INVALID_VALUE;
    // Freeing waits for all work that may use the memory.
    driver.drain(context);
    driver.deviceOf(context).heap.release(address);
    context.allocations.erase(address);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  return callInContext("cuMemHostAlloc", [&](Driver &, CUctx_st &context) {
    if (!address || bytes == 0 || (flags & ~CU_MEMHOSTALLOC_ALL) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    void *allocated = nullptr;
    const size_t pages = (bytes + pageBytes - 1) / pageBytes * pageBytes;
    if (posix_memalign(&allocated, pageBytes, pages) != 0)
      return CUDA_ERROR_OUT_OF_MEMORY;
    // A forked process does not get memory of the driver.
    madvise(allocated, pages, MADV_DONTFORK);
    std::memset(allocated, 0xff, bytes);
    context.hostAllocations[reinterpret_cast<uint64_t>(allocated)] = bytes;
    *address = allocated;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFreeHost(void *address) {
  return callInContext("cuMemFreeHost", [&](Driver &driver, CUctx_st &context) {
    auto found =
        context.hostAllocations.find(reinterpret_cast<uint64_t>(address));
    if (found == context.hostAllocations.end())
      return CUDA_ERROR_INVALID_VALUE;
    driver.drain(context);
    const size_t pages =
        (found->second + pageBytes - 1) / pageBytes * pageBytes;
    madvise(address, pages, MADV_DOFORK);
    context.hostAllocations.erase(found);
    std::free(address);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  return callInContext("cuMemGetInfo_v2",
                       [&](Driver &driver, CUctx_st &context) {
                         if (!free || !total)
                           return CUDA_ERROR_INVALID_VALUE;
                         const Heap &heap = driver.deviceOf(context).heap;
                         *total = heap.total();
                         *free = heap.total() - heap.used();
                         return CUDA_SUCCESS;
                       });
}

/// Stores a value at the address that a caller has given for it.
template <class Value> static void storeValue(void *to, Value value) {
  std::memcpy(to, &value, sizeof(value));
}

/// Stores an attribute of an address: zeros if the address is not the driver's.
/// Returns false for an unknown attribute.
static bool storeAttribute(Driver &driver, CUctx_st &context, void *value,
                           CUpointer_attribute attribute, CUdeviceptr address) {
  ptx::Region device = driver.deviceOf(context).heap.find(address);
  ptx::Region region = driver.findMemory(driver.deviceOf(context), address);
  bool isKnown = region.bytes;
  bool isHost = isKnown && !device.bytes;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    storeValue(value, isKnown ? &context : nullptr);
    return true;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    storeValue(value, !isKnown ? 0u
                      : isHost ? unsigned(CU_MEMORYTYPE_HOST)
                               : unsigned(CU_MEMORYTYPE_DEVICE));
    return true;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    storeValue(value, isKnown ? address : 0);
    return true;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    storeValue(value, isHost ? address : 0);
    return true;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    storeValue(value, false);
    return true;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    storeValue(value, isKnown ? context.device : -2);
    return true;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    storeValue(value, region.begin);
    return true;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    storeValue(value, region.end - region.begin);
    return true;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    storeValue(value, isKnown);
    return true;
  }
  return false;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  return callInContext("cuPointerGetAttribute", [&](Driver &driver,
                                                    CUctx_st &context) {
    Device &device = driver.deviceOf(context);
    bool isStored = value && driver.findMemory(device, address).bytes &&
                    storeAttribute(driver, context, value, attribute, address);
    return isStored ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                                void **values, CUdeviceptr address) {
  return callInContext("cuPointerGetAttributes", [&](Driver &driver,
                                                     CUctx_st &context) {
    if (count == 0 || !attributes || !values)
      return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; ++i)
      if (!storeAttribute(driver, context, values[i], attributes[i], address))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
  });
}

TG_ALIAS(cuMemAlloc, cuMemAlloc_v2)
TG_ALIAS(cuMemFree, cuMemFree_v2)
TG_ALIAS(cuMemGetInfo, cuMemGetInfo_v2)
