#include "Driver.h"

#include <cstdlib>
#include <fstream>

using namespace tg::simulator;

Driver &Driver::get() {
  // Never destroyed: threads may be in calls while the process ends.
  static Driver *driver = new Driver;
  return *driver;
}

std::vector<CUctx_st *> &tg::simulator::contextStack() {
  static thread_local std::vector<CUctx_st *> stack;
  static thread_local uint64_t generation = 0;
  uint64_t current = Driver::get().generation;
  if (generation != current)
    stack.clear();
  generation = current;
  return stack;
}

CUresult tg::simulator::statusOf(const CUctx_st *context) {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->retained == 0)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return context->fault;
}

CUstream_st *tg::simulator::findStream(CUctx_st &context, CUstream handle) {
  // CU_STREAM_LEGACY has the value 1.
  uintptr_t value = reinterpret_cast<uintptr_t>(handle);
  if (value <= 1)
    return &context.defaultStream;
  return findObject(context.streams, handle);
}

CUresult Driver::initialize() {
  if (isInitialized)
    return CUDA_SUCCESS;
  if (settings.devices <= 0)
    return CUDA_ERROR_NO_DEVICE;
  for (int i = 0; i < settings.devices; ++i) {
    auto device = std::make_unique<Device>(settings.memory, settings.checks);
    if (!device->heap.isValid())
      return CUDA_ERROR_OUT_OF_MEMORY;
    device->context.device = i;
    device->context.defaultStream.context = &device->context;
    devices.push_back(std::move(device));
  }
  isInitialized = true;
  return CUDA_SUCCESS;
}

void Driver::reset() {
  for (const std::unique_ptr<Device> &device : devices)
    destroy(device->context);
  devices.clear();
  isInitialized = false;
  ++generation;
  counters = {};
  kernels.clear();
  settings = Settings::read();
  failures = Failures();
  failures.plant(settings.failures);
}

Device *Driver::findDevice(CUdevice ordinal) {
  bool exists = ordinal >= 0 && size_t(ordinal) < devices.size();
  return exists ? devices[ordinal].get() : nullptr;
}

tg::ptx::Region Driver::findPinned(uint64_t address) const {
  for (const std::unique_ptr<Device> &device : devices) {
    const auto &pinned = device->context.hostAllocations;
    auto next = pinned.upper_bound(address);
    if (next == pinned.begin())
      continue;
    auto [begin, bytes] = *--next;
    if (address - begin < bytes)
      return {begin, begin + bytes, reinterpret_cast<uint8_t *>(begin)};
  }
  return {};
}

tg::ptx::Region Driver::findMemory(Device &device, uint64_t address) const {
  ptx::Region region = device.heap.find(address);
  return region.bytes ? region : findPinned(address);
}

void Driver::destroy(CUctx_st &context) {
  drain(context);
  Heap &heap = deviceOf(context).heap;
  for (const auto &[address, bytes] : context.allocations)
    heap.release(address);
  for (const auto &[handle, module] : context.modules)
    for (const auto &[name, address] : module->addresses)
      heap.release(address);
  for (const auto &[address, bytes] : context.hostAllocations)
    std::free(reinterpret_cast<void *>(address));
  context.allocations.clear();
  context.hostAllocations.clear();
  context.modules.clear();
  context.streams.clear();
  context.events.clear();
  context.graphs.clear();
  context.graphExecs.clear();
  context.fault = CUDA_SUCCESS;
  context.retained = 0;
}

void Driver::log(const std::string &line) const {
  if (!settings.log.empty())
    std::ofstream(settings.log, std::ios::app) << line << '\n';
}
