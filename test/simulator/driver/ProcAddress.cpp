#include "Driver.h"

using namespace tg::simulator;

/// A function of the driver.
struct NamedFunction {
  std::string_view name;
  void *address;
};

/// Returns the function of a name, or null.
static void *findExact(std::string_view name) {
  static const NamedFunction functions[] = {
#define FUNCTION(name, parameters) {#name, reinterpret_cast<void *>(&name)},
#define ALIAS(name, function) {#name, reinterpret_cast<void *>(&function)},
#include "CudaFunctions.def"
#undef FUNCTION
#undef ALIAS
  };
  for (const NamedFunction &function : functions)
    if (function.name == name)
      return function.address;
  return nullptr;
}

/// Finds the newest version of a function that a caller knows.
static CUresult findNewest(const char *name, void **function, int version,
                           CUdriverProcAddressQueryResult *status) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  // The second version of cuGetProcAddress itself came with CUDA 12.
  bool isOld = std::string_view(name) == "cuGetProcAddress" && version < 12000;
  void *found = isOld ? nullptr : findExact(std::string(name) + "_v2");
  *function = found ? found : findExact(name);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version,
                             uint64_t flags,
                             CUdriverProcAddressQueryResult *status) {
  return callAlways("cuGetProcAddress_v2", [&](Driver &) {
    return findNewest(name, function, version, status);
  });
}

CUresult cuGetProcAddress(const char *name, void **function, int version,
                          uint64_t flags) {
  return callAlways("cuGetProcAddress", [&](Driver &) {
    return findNewest(name, function, version, nullptr);
  });
}
