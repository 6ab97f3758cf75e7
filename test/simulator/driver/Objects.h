/// The objects behind the handles of the driver.
#ifndef TG_TEST_SIMULATOR_DRIVER_OBJECTS_H
#define TG_TEST_SIMULATOR_DRIVER_OBJECTS_H

#include "CudaTypes.h"
#include "test/simulator/ptx/Parser.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

struct CUctx_st;

/// A recorded event: where a stream has been.
struct EventRecord {
  CUstream_st *stream = nullptr;
  bool isDone = false;
  /// The instructions of all kernels before, as a clock.
  uint64_t time = 0;
};

/// The kinds of work that a graph may contain, and all others.
enum class WorkKind : uint8_t { Other, Kernel, Copy, Fill };

/// Work in a stream.
struct Work {
  /// Numbers the work of all streams in the order of submission.
  uint64_t number = 0;
  /// Another stream's record that the work waits for, or null.
  std::shared_ptr<EventRecord> awaited;
  std::function<void()> execute;
  WorkKind kind = WorkKind::Other;
};

/// A node of a graph. The nodes of a graph run one after the other.
struct CUgraphNode_st {
  WorkKind kind;
  std::function<void()> execute;
};

/// A graph that was captured.
struct CUgraph_st {
  std::vector<CUgraphNode_st> nodes;
};

/// A graph that can be launched. Launches keep its nodes.
struct CUgraphExec_st {
  std::shared_ptr<const std::vector<CUgraphNode_st>> nodes;
};

/// A capture of the work of a stream.
struct Capture {
  CUgraph_st graph;
  CUstreamCaptureMode mode;
  std::thread::id thread;
  bool isValid = true;
};

/// A stream.
struct CUstream_st {
  CUctx_st *context = nullptr;
  /// True if the stream does not wait for the default stream.
  bool isNonBlocking = false;
  std::deque<Work> work;
  /// Null unless the stream is captured.
  std::unique_ptr<Capture> capture;
};

/// An event.
struct CUevent_st {
  CUctx_st *context = nullptr;
  bool hasTime = true;
  /// The last record, or null.
  std::shared_ptr<EventRecord> record;
};

/// A kernel of a loaded module.
struct CUfunc_st {
  CUmod_st *module = nullptr;
  const tg::ptx::Code *code = nullptr;
  /// The attribute CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
  uint32_t maxDynamicShared = 0;
};

/// A loaded module.
struct CUmod_st {
  CUctx_st *context = nullptr;
  tg::ptx::Module parsed;
  tg::ptx::Program program;
  /// The addresses of its .global and .const variables.
  std::map<std::string, CUdeviceptr, std::less<>> addresses;
  /// The functions that were asked for.
  std::map<std::string, CUfunc_st, std::less<>> functions;
};

/// The primary context of a device.
struct CUctx_st {
  CUdevice device = 0;
  unsigned flags = 0;
  /// The number of times that the context is retained; 0 if it is not active.
  unsigned retained = 0;
  /// The fault of a kernel, which all later calls return.
  CUresult fault = CUDA_SUCCESS;
  CUstream_st defaultStream;
  std::map<CUstream, std::unique_ptr<CUstream_st>> streams;
  std::map<CUevent, std::unique_ptr<CUevent_st>> events;
  std::map<CUmodule, std::unique_ptr<CUmod_st>> modules;
  std::map<CUgraph, std::unique_ptr<CUgraph_st>> graphs;
  std::map<CUgraphExec, std::unique_ptr<CUgraphExec_st>> graphExecs;
  /// The bytes of device memory that cuMemAlloc has given out, by address.
  std::map<CUdeviceptr, uint64_t> allocations;
  /// The bytes of pinned host memory, by address.
  std::map<uint64_t, uint64_t> hostAllocations;
};

#endif
