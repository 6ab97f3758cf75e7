#include "Driver.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::simulator;

/// Returns ten times the newest version of PTX that a driver reads.
static unsigned newestPtx(int driverVersion) {
  // CUDA 11.n reads PTX 7.n, and CUDA 12.n PTX 8.n; 12.6 had no new one.
  int major = driverVersion / 1000, minor = driverVersion % 1000 / 10;
  return (major - 4) * 10 + minor - (major == 12 && minor > 5);
}

/// Allocates a variable and stores its initial value. Returns false without
/// memory.
static bool placeVariable(Heap &heap, CUmod_st &module,
                          const ptx::Variable &variable) {
  bool isPlaced = variable.space == ptx::Space::Global ||
                  variable.space == ptx::Space::Const;
  if (!isPlaced)
    return true;
  uint64_t address = heap.allocate(std::max<uint64_t>(variable.bytes, 1));
  if (address == 0)
    return false;
  module.addresses[variable.name] = address;
  ptx::Region region = heap.find(address);
  uint8_t *bytes = region.bytes;
  std::memset(bytes, 0, variable.bytes);
  region.markWritten(address, variable.bytes);
  std::copy(variable.value.begin(), variable.value.end(), bytes);
  return true;
}

/// Stores the addresses of variables into initial values.
static void relocate(Heap &heap, const CUmod_st &module) {
  for (const ptx::Variable &variable : module.parsed.variables)
    for (const ptx::Relocation &relocation : variable.relocations) {
      uint64_t value =
          module.addresses.at(relocation.symbol) + relocation.addend;
      uint8_t *bytes = heap.find(module.addresses.at(variable.name)).bytes;
      std::memcpy(bytes + relocation.offset, &value, sizeof(value));
    }
}

/// Places the variables of a parsed module and decodes its functions.
static CUresult link(Heap &heap, CUmod_st &module, std::string &log) {
  for (const ptx::Variable &variable : module.parsed.variables)
    if (!placeVariable(heap, module, variable))
      return CUDA_ERROR_OUT_OF_MEMORY;
  auto decoded =
      ptx::decodeModule(module.parsed, [&](const ptx::Variable &variable) {
        return module.addresses.at(variable.name);
      });
  if (auto *error = std::get_if<ptx::Error>(&decoded)) {
    log = "ptxas application ptx input, line " + std::to_string(error->line) +
          "; error : " + error->message;
    return CUDA_ERROR_INVALID_PTX;
  }
  relocate(heap, module);
  module.program = std::move(std::get<ptx::Program>(decoded));
  return CUDA_SUCCESS;
}

/// Loads the text of a module. Fills the log with the error.
static CUresult loadModule(Driver &driver, CUctx_st &context, CUmodule *handle,
                           const char *text, std::string &log) {
  if (std::strncmp(text,
                   "\x7f"
                   "ELF",
                   4) == 0)
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  auto parsed = ptx::parseModule(text);
  if (auto *error = std::get_if<ptx::Error>(&parsed)) {
    log = "ptxas application ptx input, line " + std::to_string(error->line) +
          "; fatal : " + error->message;
    return CUDA_ERROR_INVALID_PTX;
  }
  auto module = std::make_unique<CUmod_st>();
  module->context = &context;
  module->parsed = std::move(std::get<ptx::Module>(parsed));
  if (module->parsed.version > newestPtx(driver.settings.version))
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  if (int(module->parsed.target) > driver.settings.capability)
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  Heap &heap = driver.deviceOf(context).heap;
  if (CUresult status = link(heap, *module, log); status != CUDA_SUCCESS) {
    for (const auto &[name, address] : module->addresses)
      heap.release(address);
    return status;
  }
  *handle = module.get();
  context.modules.emplace(*handle, std::move(module));
  return CUDA_SUCCESS;
}

namespace {

/// The log buffers of cuModuleLoadDataEx.
struct LogBuffers {
  char *error = nullptr;
  size_t errorBytes = 0;
  void **errorSize = nullptr;
  void **infoSize = nullptr;

  void take(CUjit_option option, void **value) {
    if (option == CU_JIT_ERROR_LOG_BUFFER)
      error = static_cast<char *>(*value);
    if (option == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      // The driver reads 32 bits and stores what it has filled.
      errorBytes = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(*value));
      errorSize = value;
    }
    if (option == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
      infoSize = value;
  }

  /// Stores a log, cut off where the buffer ends.
  void store(const std::string &log) const {
    size_t filled = 0;
    if (error && errorBytes != 0) {
      filled = std::min(log.size(), errorBytes - 1);
      std::memcpy(error, log.data(), filled);
      error[filled] = '\0';
    }
    if (errorSize)
      *errorSize = reinterpret_cast<void *>(filled);
    if (infoSize)
      *infoSize = nullptr;
  }
};

} // namespace

/// Loads a module as both functions for it do.
static CUresult loadLogged(Driver &driver, CUctx_st &context, CUmodule *module,
                           const void *image, const LogBuffers &buffers) {
  std::string log;
  CUresult status = loadModule(driver, context, module,
                               static_cast<const char *>(image), log);
  buffers.store(log);
  if (!log.empty())
    driver.log("cuModuleLoadData: " + log);
  return status;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return callInContext("cuModuleLoadData",
                       [&](Driver &driver, CUctx_st &context) {
                         if (!module || !image)
                           return CUDA_ERROR_INVALID_VALUE;
                         return loadLogged(driver, context, module, image, {});
                       });
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned optionCount, CUjit_option *options,
                            void **values) {
  return callInContext(
      "cuModuleLoadDataEx", [&](Driver &driver, CUctx_st &context) {
        bool hasOptions = optionCount == 0 || (options && values);
        if (!module || !image || !hasOptions)
          return CUDA_ERROR_INVALID_VALUE;
        LogBuffers buffers;
        for (unsigned i = 0; i < optionCount; ++i)
          buffers.take(options[i], &values[i]);
        return loadLogged(driver, context, module, image, buffers);
      });
}

CUresult cuModuleUnload(CUmodule module) {
  return callInContext("cuModuleUnload",
                       [&](Driver &driver, CUctx_st &context) {
                         if (!findObject(context.modules, module))
                           return CUDA_ERROR_INVALID_HANDLE;
                         driver.drain(context);
                         for (const auto &[name, address] : module->addresses)
                           driver.deviceOf(context).heap.release(address);
                         context.modules.erase(module);
                         return CUDA_SUCCESS;
                       });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes,
                              CUmodule module, const char *name) {
  return callInContext(
      "cuModuleGetGlobal_v2", [&](Driver &driver, CUctx_st &context) {
        if (!name)
          return CUDA_ERROR_INVALID_VALUE;
        if (!findObject(context.modules, module))
          return CUDA_ERROR_INVALID_HANDLE;
        auto found = module->addresses.find(name);
        if (found == module->addresses.end())
          return CUDA_ERROR_NOT_FOUND;
        ptx::Region region = driver.deviceOf(context).heap.find(found->second);
        if (address)
          *address = region.begin;
        if (bytes)
          *bytes = region.end - region.begin;
        return CUDA_SUCCESS;
      });
}

TG_ALIAS(cuModuleGetGlobal, cuModuleGetGlobal_v2)
