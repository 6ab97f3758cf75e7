/// The state of the simulated driver, and the rules of all its calls.
#ifndef TG_TEST_SIMULATOR_DRIVER_DRIVER_H
#define TG_TEST_SIMULATOR_DRIVER_DRIVER_H

#include "CudaFunctions.h"
#include "Failures.h"
#include "Heap.h"
#include "Objects.h"
#include "Settings.h"
#include "test/simulator/Simulator.h"

#include <mutex>
#include <new>
#include <vector>

namespace tg::simulator {

/// A device with its memory and its primary context.
struct Device {
  Device(uint64_t memory, bool tracksWrites) : heap(memory, tracksWrites) {}

  Heap heap;
  CUctx_st context;
};

/// The state of the driver. One mutex guards it.
class Driver {
public:
  /// Returns the driver of the process.
  static Driver &get();

  /// Makes the devices. Returns a status of cuInit.
  CUresult initialize();
  /// Destroys everything and reads the settings.
  void reset();

  /// Returns the device of an ordinal, or null.
  Device *findDevice(CUdevice ordinal);
  Device &deviceOf(const CUctx_st &context) { return *devices[context.device]; }
  /// Returns the memory that kernels of a device may access at an address.
  ptx::Region findMemory(Device &device, uint64_t address) const;
  /// Returns the bytes of pinned host memory behind an address, or none.
  ptx::Region findPinned(uint64_t address) const;

  /// Adds work to a stream and runs it unless work is deferred. Adds it to the
  /// graph instead if the stream is captured.
  void submit(CUstream_st &stream, Work work);
  /// Counts a kernel, copy or fill that is submitted.
  void count(WorkKind kind);
  /// Counts a node of a graph that is launched.
  void countNode(WorkKind kind);
  /// Runs the work of a stream that was submitted before a number.
  void drain(CUstream_st &stream, uint64_t before = UINT64_MAX);
  /// Runs all work of a context.
  void drain(CUctx_st &context);
  /// Runs work until an event was reached.
  void reach(const EventRecord &record);
  /// Deactivates a context and destroys what belongs to it.
  void destroy(CUctx_st &context);

  /// Appends a line to the log.
  void log(const std::string &line) const;
  /// Counts an event, and appends its name to the file of counts.
  void count(uint64_t tgSimulatorCounters::*counter, const char *name);
  /// Adds the counts of a launch to those of its kernel, and appends them to
  /// the file of counts.
  void addCounts(const std::string &kernel,
                 const tgSimulatorKernelCounters &counts);

  std::recursive_mutex mutex;
  Settings settings = Settings::read();
  Failures failures;
  tgSimulatorCounters counters = {};
  /// The counts of kernels by their names.
  std::map<std::string, tgSimulatorKernelCounters, std::less<>> kernels;
  bool isInitialized = false;
  /// True while a function of the host runs in a stream.
  bool isInHostFunction = false;
  /// Changes when everything is destroyed.
  uint64_t generation = 0;
  std::vector<std::unique_ptr<Device>> devices;

private:
  Driver() { failures.plant(settings.failures); }
  void execute(CUstream_st &stream, Work &work);

  uint64_t workCount = 0;
};

/// The contexts that are current in the calling thread, the last one first in
/// use. Contexts of an earlier generation do not count.
std::vector<CUctx_st *> &contextStack();

/// Runs a call of the driver that works at any time: under the mutex, and
/// unless a failure is planted.
template <class Function>
CUresult callAlways(const char *name, Function function) {
  Driver &driver = Driver::get();
  std::lock_guard lock(driver.mutex);
  CUresult planted = driver.failures.count(name);
  try {
    return planted == CUDA_SUCCESS ? function(driver) : planted;
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

/// Runs a call of the driver that needs no context, after `cuInit`.
template <class Function>
CUresult callDriver(const char *name, Function function) {
  return callAlways(name, [&](Driver &driver) {
    if (driver.isInHostFunction)
      return CUDA_ERROR_NOT_PERMITTED;
    return driver.isInitialized ? function(driver) : CUDA_ERROR_NOT_INITIALIZED;
  });
}

/// Returns the status with which calls in a context begin.
CUresult statusOf(const CUctx_st *context);

/// Returns the status of a call that the captures of the calling thread forbid,
/// which are invalid then, or CUDA_SUCCESS.
CUresult checkCaptures(CUctx_st &context, std::string_view name);

/// Runs a call of the driver in the current context, which must be active and
/// have no fault.
template <class Function>
CUresult callInContext(const char *name, Function function) {
  return callDriver(name, [&](Driver &driver) {
    CUctx_st *context =
        contextStack().empty() ? nullptr : contextStack().back();
    CUresult status = statusOf(context);
    if (status == CUDA_SUCCESS)
      status = checkCaptures(*context, name);
    return status == CUDA_SUCCESS ? function(driver, *context) : status;
  });
}

/// Returns the stream of a handle of a context, or null.
CUstream_st *findStream(CUctx_st &context, CUstream handle);

/// Returns the object of a handle in a map of objects, or null.
template <class Handle, class Object>
Object *findObject(const std::map<Handle, std::unique_ptr<Object>> &objects,
                   Handle handle) {
  auto found = objects.find(handle);
  return found == objects.end() ? nullptr : found->second.get();
}

} // namespace tg::simulator

/// Defines another name of a function of the same file.
#define TG_ALIAS(name, function)                                               \
  extern "C" __attribute__((visibility("default"),                             \
                            alias(#function))) decltype(function) name;

#endif
