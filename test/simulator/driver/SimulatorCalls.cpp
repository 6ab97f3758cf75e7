#include "Driver.h"
#include "KernelCounts.h"

#include <algorithm>
#include <cstring>

using namespace tg::simulator;

int tgSimulatorFail(const char *function, uint64_t nth, int code) {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  return driver.failures.plant(function, nth, code);
}

int tgSimulatorLose(int device, int code) {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  if (device < 0 || static_cast<size_t>(device) >= driver.devices.size())
    return 0;
  driver.devices[device]->context.fault = static_cast<CUresult>(code);
  return 1;
}

void tgSimulatorReset() {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  driver.reset();
}

void tgSimulatorCounts(tgSimulatorCounters *counters, size_t bytes) {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  tgSimulatorCounters found = driver.counters;
  for (const std::unique_ptr<Device> &device : driver.devices) {
    const CUctx_st &context = device->context;
    found.contexts += context.retained != 0;
    found.allocations += context.allocations.size();
    for (const auto &[address, size] : context.allocations)
      found.bytes += size;
    found.hostAllocations += context.hostAllocations.size();
    for (const auto &[address, size] : context.hostAllocations)
      found.hostBytes += size;
    found.modules += context.modules.size();
    found.streams += context.streams.size();
    found.events += context.events.size();
    found.graphs += context.graphs.size();
    found.graphExecs += context.graphExecs.size();
  }
  std::memcpy(counters, &found, std::min(bytes, sizeof(found)));
}

uint64_t tgSimulatorKernelCounts(const char *kernel,
                                 tgSimulatorKernelCounters *counters,
                                 size_t bytes) {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  tgSimulatorKernelCounters sum = {};
  for (const auto &[name, counts] : driver.kernels)
    if (!kernel || name == kernel)
      add(sum, counts);
  std::memcpy(counters, &sum, std::min(bytes, sizeof(sum)));
  return sum.launches;
}
