#include "Driver.h"

#include <cstdio>
#include <cstring>

using namespace tg::simulator;

CUresult cuInit(unsigned flags) {
  return callAlways("cuInit", [&](Driver &driver) {
    return flags == 0 ? driver.initialize() : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuDriverGetVersion(int *version) {
  return callAlways("cuDriverGetVersion", [&](Driver &driver) {
    if (!version)
      return CUDA_ERROR_INVALID_VALUE;
    *version = driver.settings.version;
    return CUDA_SUCCESS;
  });
}

// Other libraries of the toolkit, such as NVRTC, ask for tables of functions
// that are not documented, and do without them.
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  return callAlways("cuGetExportTable", [&](Driver &) {
    if (!table || !id)
      return CUDA_ERROR_INVALID_VALUE;
    *table = nullptr;
    return CUDA_ERROR_NOT_FOUND;
  });
}

CUresult cuDeviceGetCount(int *count) {
  return callDriver("cuDeviceGetCount", [&](Driver &driver) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(driver.devices.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return callDriver("cuDeviceGet", [&](Driver &driver) {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (!driver.findDevice(ordinal))
      return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  return callDriver("cuDeviceGetName", [&](Driver &driver) {
    if (!name || bytes <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (!driver.findDevice(device))
      return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, bytes, "tgc PTX simulator");
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return callDriver("cuDeviceGetUuid_v2", [&](Driver &driver) {
    if (!uuid)
      return CUDA_ERROR_INVALID_VALUE;
    if (!driver.findDevice(device))
      return CUDA_ERROR_INVALID_DEVICE;
    std::memcpy(uuid->bytes, "tgc simulator  ", sizeof(uuid->bytes));
    uuid->bytes[15] = static_cast<char>(device);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  return callDriver("cuDeviceTotalMem_v2", [&](Driver &driver) {
    if (!bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (!driver.findDevice(device))
      return CUDA_ERROR_INVALID_DEVICE;
    *bytes = driver.settings.memory;
    return CUDA_SUCCESS;
  });
}

/// Returns the value of an attribute: those of an A100 where one is known.
static int attributeOf(const Settings &settings, CUdevice_attribute attribute) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
    return 1024;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
    return 64;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    return 0x7fffffff;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
    return 65535;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    return 48 << 10;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    return 163 << 10;
  case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    return 64 << 10;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    return 32;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    return 1410000;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    return 108;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
    return 40 << 20;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
    return 2048;
  case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    return 1;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    return settings.capability / 10;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    return settings.capability % 10;
  default:
    return 0;
  }
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  return callDriver("cuDeviceGetAttribute", [&](Driver &driver) {
    bool isKnown = attribute > 0 && attribute < CU_DEVICE_ATTRIBUTE_MAX;
    if (!value || !isKnown)
      return CUDA_ERROR_INVALID_VALUE;
    if (!driver.findDevice(device))
      return CUDA_ERROR_INVALID_DEVICE;
    *value = attributeOf(driver.settings, attribute);
    return CUDA_SUCCESS;
  });
}

TG_ALIAS(cuDeviceGetUuid, cuDeviceGetUuid_v2)
TG_ALIAS(cuDeviceTotalMem, cuDeviceTotalMem_v2)
