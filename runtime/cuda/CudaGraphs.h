/// Graphs of the driver, each of which repeats the operations of a run.
#ifndef TG_RUNTIME_CUDA_CUDAGRAPHS_H
#define TG_RUNTIME_CUDA_CUDAGRAPHS_H

#include "CudaMemory.h"

#include <memory>

namespace tg {

/// The graphs of a stream: one for each function, extents and addresses. One
/// thread at a time.
class CudaGraphs {
public:
  /// The maximum number of graphs; the least recently used one goes.
  static constexpr uint32_t maximumGraphs = 16;
  /// The maximum number of operations of a graph. Longer runs are enqueued each
  /// time.
  static constexpr uint64_t maximumOperations = 20000;

  explicit CudaGraphs(const CudaHandles &cuda) : cuda(cuda) {}
  CudaGraphs(const CudaGraphs &) = delete;
  ~CudaGraphs();

  /// Makes room for keys of a number of words. Without it nothing is repeated.
  tg_status_t reserve(uint32_t words, tg_error_t *error);

  /// Enqueues a run by enqueue(argument), or launches the graph of an equal
  /// run. The second run with a key is captured. `call` is that of the run.
  tg_status_t run(CUstream stream, const tg_device_key_t &key,
                  const tg_call_t &call, tg_enqueue_fn *enqueue,
                  void *argument);

  /// Counts an operation of a run. Returns true if it succeeded. While a run is
  /// captured, keeps a failure for the end of the capture, and returns true.
  bool take(CUresult result);
  /// Notes that an operation depends on an address that no key contains, so
  /// that its run is not captured.
  void refuseCapture() { canCapture = false; }

private:
  /// A run that was enqueued before.
  struct Entry {
    uint32_t length = 0; // of its key; 0: the entry is free
    uint64_t lastUse = 0;
    CUgraphExec graph = nullptr;
    bool isPlain = false; // the run is not captured, or could not be
  };

  uint64_t *keyOf(uint32_t entry) const { return &keys[entry * keyWords]; }
  /// Writes the key of a run behind those of the entries. Returns its length, 0
  /// if there is no room.
  uint32_t writeKey(const tg_device_key_t &key, const tg_call_t &call);
  /// Returns the entry of the key that was written, or maximumGraphs.
  uint32_t find(uint32_t length) const;
  /// Enqueues the first run with a key, and remembers it if it succeeds.
  tg_status_t enqueueFirst(uint32_t length, tg_enqueue_fn *enqueue,
                           void *argument);
  /// Captures a run. Returns false if it cannot be repeated.
  bool capture(Entry &entry, CUstream stream, tg_enqueue_fn *enqueue,
               void *argument);
  void destroy(Entry &entry);

  const CudaHandles &cuda;
  Entry entries[maximumGraphs];
  std::unique_ptr<uint64_t[]> keys; // of the entries, and of the current run
  uint32_t keyWords = 0;
  uint64_t time = 0; // counts the runs
  uint64_t operations = 0;
  bool canCapture = false; // the run that is enqueued for the first time
  bool isCapturing = false;
  bool hasFailed = false; // an operation of the captured run
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDAGRAPHS_H
