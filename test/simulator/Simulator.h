/// Functions of the simulator that tests call beside the driver API.
///
/// Find them by dlsym in build/lib/simulator/libcuda.so.1; a real driver does
/// not have them. All of them may be called from any thread.
#ifndef TG_TEST_SIMULATOR_SIMULATOR_H
#define TG_TEST_SIMULATOR_SIMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The objects that exist, and the events since the library was loaded or
/// reset.
typedef struct tgSimulatorCounters {
  /// The live allocations of device memory, and their bytes. Variables of
  /// modules are no allocations.
  uint64_t allocations;
  uint64_t bytes;
  /// The live allocations of pinned host memory, and their bytes.
  uint64_t hostAllocations;
  uint64_t hostBytes;
  /// The live objects; of contexts the active ones.
  uint64_t modules;
  uint64_t streams;
  uint64_t events;
  uint64_t contexts;
  /// The kernels, copies and fills that were submitted.
  uint64_t launches;
  uint64_t copies;
  uint64_t fills;
  /// The calls that waited for a stream, an event, a context or a copy.
  uint64_t waits;
  /// The PTX instructions that were executed.
  uint64_t instructions;
  /// The bytes of global memory that kernels read and wrote.
  uint64_t globalBytes;
  /// The live graphs, and those that can be launched.
  uint64_t graphs;
  uint64_t graphExecs;
  /// The captures that ended with a graph, and the graphs that were launched.
  uint64_t captures;
  uint64_t graphLaunches;
  /// The kernels, copies and fills of the graphs that were launched, which do
  /// not count as launches, copies and fills.
  uint64_t graphKernels;
  uint64_t graphCopies;
  uint64_t graphFills;
  /// The graphs that got the arguments of another capture.
  uint64_t graphUpdates;
} tgSimulatorCounters;

/// The counts of the launches of a kernel. A request is an access of the lanes
/// of a warp by one instruction.
typedef struct tgSimulatorKernelCounters {
  uint64_t launches;
  /// The instructions that threads and warps executed.
  uint64_t instructions;
  uint64_t warpInstructions;
  /// The products that threads added to a sum: one for each fma, and those of
  /// mma.
  uint64_t multiplyAdds;
  /// The requests to global memory, and the bytes that they read and wrote. A
  /// byte for several threads of a request counts once. An atomic operation
  /// reads and writes.
  uint64_t globalLoads;
  uint64_t globalStores;
  uint64_t globalBytesRead;
  uint64_t globalBytesWritten;
  /// The sectors of 32 bytes that the requests touched, and the least number
  /// that holds the bytes of each request.
  uint64_t sectorsTouched;
  uint64_t sectorsNeeded;
  /// The requests to shared memory, and the passes over its banks that they
  /// took beyond the least number.
  uint64_t sharedLoads;
  uint64_t sharedStores;
  uint64_t bankConflicts;
} tgSimulatorKernelCounters;

/// Lets the nth call from now on of a function, counted from 1, return a code
/// of CUresult instead of doing anything. Returns 0 if the simulator has no
/// such function.
__attribute__((visibility("default"))) int
tgSimulatorFail(const char *function, uint64_t nth, int code);

/// Lets all later calls in the primary context of a device return a status, as
/// if the device was pulled. Returns 0 if there is no such device.
__attribute__((visibility("default"))) int tgSimulatorLose(int device,
                                                           int code);
/// Destroys everything, forgets failures and counts, and reads the environment
/// again. No other thread may be in a call.
__attribute__((visibility("default"))) void tgSimulatorReset(void);
/// Stores the first `bytes` bytes of the counters.
__attribute__((visibility("default"))) void
tgSimulatorCounts(tgSimulatorCounters *counters, size_t bytes);
/// Stores the first `bytes` bytes of the counters of the kernels of a name, or
/// of all kernels if it is null, since the library was loaded or reset. Returns
/// the number of launches, which is 0 unless TG_SIMULATOR_COUNT is set.
__attribute__((visibility("default"))) uint64_t tgSimulatorKernelCounts(
    const char *kernel, tgSimulatorKernelCounters *counters, size_t bytes);

#ifdef __cplusplus
} // extern "C"
#endif

#endif
