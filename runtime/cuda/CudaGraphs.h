/// Graphs of the driver, each of which repeats the operations of a run.
#ifndef TG_RUNTIME_CUDA_CUDAGRAPHS_H
#define TG_RUNTIME_CUDA_CUDAGRAPHS_H

#include "CudaMemory.h"

#include <memory>

namespace tg {

/// The graphs of a stream: of runs, one for each function, extents and
/// addresses, and of the parts of runs that wait. One thread at a time.
class CudaGraphs {
public:
  /// The maximum number of graphs; the least recently used one goes.
  static constexpr uint32_t maximumGraphs = 16;
  /// The maximum number of operations of a graph. Longer runs are enqueued each
  /// time.
  static constexpr uint64_t maximumOperations = 20000;
  /// The maximum number of graphs of one function and extents. A run with
  /// further addresses puts them into the least recently used one.
  static constexpr uint32_t maximumVariants = 4;
  /// The maximum number of words of a part of a run.
  static constexpr uint32_t maximumPart = 8192;

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

  /// Returns the memory for the words of a part of a run, maximumPart of them.
  /// Null if there is none.
  uint64_t *partMemory() const {
    return keys ? keyOf(maximumGraphs) + 1 : nullptr;
  }
  /// Enqueues a part of a run by enqueue(argument), or launches the graph of an
  /// equal one: of the same `words` words in partMemory().
  tg_status_t runPart(CUstream stream, uint32_t words, tg_enqueue_fn *enqueue,
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
    /// The words of function and extents at the front of the key; 0: a part.
    uint32_t shape = 0;
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
  /// Returns the entry that a run with new addresses replaces, or
  /// maximumGraphs.
  uint32_t findVariant(uint32_t length, uint32_t shape) const;
  /// Does what run() and runPart() do, with the key that was written.
  tg_status_t repeat(CUstream stream, uint32_t length, uint32_t shape,
                     tg_enqueue_fn *enqueue, void *argument);
  /// Enqueues the first run with a key, and remembers it if it succeeds.
  tg_status_t enqueueFirst(uint32_t length, uint32_t shape,
                           tg_enqueue_fn *enqueue, void *argument);
  /// Captures a run as the graph of an entry, which may have one of another run
  /// of the function. Returns false if it cannot be repeated.
  bool capture(Entry &entry, CUstream stream, tg_enqueue_fn *enqueue,
               void *argument);
  /// Makes the graph of an entry launch what was captured.
  void renew(Entry &entry, CUgraph captured);
  void destroy(Entry &entry);

  const CudaHandles &cuda;
  Entry entries[maximumGraphs];
  /// The keys of the entries, and of the current run or part.
  std::unique_ptr<uint64_t[]> keys;
  uint32_t keyWords = 0;
  uint64_t time = 0; // counts the runs
  uint64_t operations = 0;
  bool canCapture = false; // the run that is enqueued for the first time
  bool isCapturing = false;
  bool hasFailed = false; // an operation of the captured run
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDAGRAPHS_H
