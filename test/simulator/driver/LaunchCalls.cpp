#include "Functions.h"

#include <algorithm>

using namespace tg;
using namespace tg::simulator;

/// Returns true if a device can run blocks and grids of these extents.
static bool areExtentsValid(const CUfunc_st &function,
                            const std::array<uint32_t, 3> &grid,
                            const std::array<uint32_t, 3> &block) {
  const uint64_t mostBlocks[] = {0x7fffffff, 65535, 65535};
  const uint64_t mostOfBlock[] = {1024, 1024, 64};
  for (int i = 0; i < 3; ++i)
    if (grid[i] == 0 || grid[i] > mostBlocks[i] || block[i] == 0 ||
        block[i] > mostOfBlock[i])
      return false;
  const auto &required = function.code->requiredThreads;
  if (required && *required != block)
    return false;
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  return threads <= threadLimit(*function.code);
}

/// Copies the parameters of a launch, given one by one or as one buffer.
/// Returns false if they are not complete.
static bool takeParameters(const ptx::Code &code, void **parameters,
                           void **extra, std::vector<uint8_t> &bytes) {
  size_t size = 0;
  for (const ptx::ParameterPlace &place : code.parameters)
    size = std::max<size_t>(size, place.offset + place.bytes);
  bytes.assign(size, 0);
  if (parameters && extra)
    return false;
  if (!extra) {
    for (size_t i = 0; i < code.parameters.size(); ++i) {
      if (!parameters || !parameters[i])
        return false;
      const auto *from = static_cast<const uint8_t *>(parameters[i]);
      const ptx::ParameterPlace &place = code.parameters[i];
      std::copy(from, from + place.bytes, bytes.begin() + place.offset);
    }
    return true;
  }
  const uint8_t *buffer = nullptr;
  size_t given = 0;
  for (; *extra != reinterpret_cast<void *>(CU_LAUNCH_PARAM_END); extra += 2) {
    auto mark = reinterpret_cast<uintptr_t>(extra[0]);
    if (mark == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<const uint8_t *>(extra[1]);
    else if (mark == CU_LAUNCH_PARAM_BUFFER_SIZE)
      given = *static_cast<const size_t *>(extra[1]);
    else
      return false;
  }
  if (given != size || (size != 0 && !buffer))
    return false;
  std::copy(buffer, buffer + size, bytes.begin());
  return true;
}

/// Returns the status of a fault.
static CUresult statusOf(ptx::Fault fault) {
  switch (fault) {
  case ptx::Fault::None:
    return CUDA_SUCCESS;
  case ptx::Fault::IllegalAddress:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case ptx::Fault::MisalignedAddress:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case ptx::Fault::Timeout:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case ptx::Fault::LaunchFailed:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_UNKNOWN;
}

/// Returns an index as (x, y, z).
static std::string describe(const std::array<uint32_t, 3> &index) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) +
         ", " + std::to_string(index[2]) + ")";
}

/// Returns the line of the log about a fault.
static std::string describe(const ptx::Code &kernel,
                            const ptx::Failure &failure) {
  static constexpr const char *names[] = {"no fault", "illegal address",
                                          "misaligned address", "timeout",
                                          "launch failure"};
  char address[32];
  std::snprintf(address, sizeof(address), "0x%llx",
                static_cast<unsigned long long>(failure.address));
  std::string reason = failure.reason.empty() ? address : failure.reason;
  return "kernel '" + kernel.name + "': " + names[int(failure.fault)] + " " +
         reason + " in '" + failure.function + "', line " +
         std::to_string(failure.line) + ", block " + describe(failure.block) +
         ", thread " + describe(failure.thread);
}

/// Runs a launch, unless kernels do nothing. A fault stays in the context.
static void runLaunch(Driver &driver, CUctx_st &context, ptx::Launch launch) {
  if (context.fault != CUDA_SUCCESS)
    return;
  ptx::Counter counter;
  counter.counters.launches = 1;
  bool counts = !driver.settings.count.empty();
  launch.counter = counts ? &counter : nullptr;
  ptx::Outcome outcome;
  if (!driver.settings.skips)
    outcome = ptx::run(launch);
  if (counts)
    driver.addCounts(launch.kernel->name, counter.counters);
  driver.counters.instructions += outcome.executed;
  driver.counters.globalBytes += outcome.globalBytes;
  context.fault = statusOf(outcome.failure.fault);
  if (context.fault != CUDA_SUCCESS)
    driver.log(describe(*launch.kernel, outcome.failure));
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **parameters, void **extra) {
  return callInContext("cuLaunchKernel", [&](Driver &driver,
                                             CUctx_st &context) {
    CUstream_st *found = findStream(context, stream);
    if (!isFunction(context, function) || !found)
      return CUDA_ERROR_INVALID_HANDLE;
    ptx::Launch launch;
    launch.program = &function->module->program;
    launch.kernel = function->code;
    launch.grid = {gridX, gridY, gridZ};
    launch.block = {blockX, blockY, blockZ};
    launch.dynamicSharedBytes = sharedBytes;
    launch.limit = driver.settings.limit;
    launch.checks = driver.settings.checks;
    launch.find = [&driver, &context](uint64_t address) {
      return driver.findMemory(driver.deviceOf(context), address);
    };
    bool isValid =
        areExtentsValid(*function, launch.grid, launch.block) &&
        sharedBytes <= function->maxDynamicShared &&
        takeParameters(*function->code, parameters, extra, launch.parameters);
    if (!isValid)
      return CUDA_ERROR_INVALID_VALUE;
    driver.submit(*found, {0, nullptr,
                           [&driver, &context, launch] {
                             runLaunch(driver, context, launch);
                           },
                           WorkKind::Kernel});
    return CUDA_SUCCESS;
  });
}
