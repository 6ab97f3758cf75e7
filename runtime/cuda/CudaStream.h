/// The operations that models enqueue on an NVIDIA GPU.
#ifndef TG_RUNTIME_CUDA_CUDASTREAM_H
#define TG_RUNTIME_CUDA_CUDASTREAM_H

#include "CudaGraphs.h"
#include "CudaRecord.h"
#include "runtime/device/Device.h"

namespace tg {

/// An image that the driver loaded.
struct CudaImage {
  const tg_image_t &table;
  CUmodule module = nullptr;
  std::unique_ptr<CUfunction[]> functions; // of the kernels
};

/// A stream of the driver, and the operations of tg_device_ops_t on it.
class CudaStream final : public DeviceStream {
public:
  explicit CudaStream(const CudaHandles &cuda) : cuda(cuda), graphs(cuda) {}
  CudaStream(const CudaStream &) = delete;
  ~CudaStream() override;

  /// Makes the stream of the driver, or uses that of the host unless `given` is
  /// null.
  tg_status_t open(CUstream given, tg_error_t *error);
  /// Returns the stream of the driver, null before open().
  CUstream handle() const { return stream; }

  tg_status_t reserveKeys(uint32_t words, tg_error_t *error) override {
    return graphs.reserve(words, error);
  }
  tg_status_t checkProcess(tg_error_t *error) const override {
    return cuda.driver.check(cuda.driver.isForked() ? CUDA_FORKED
                                                    : CUDA_SUCCESS,
                             "run a function", error);
  }
  void describe(tg_device_call_t &call) override;
  void setCall(const tg_call_t *call) override { current = call; }
  void settle() override;
  uint64_t now() override;

private:
  /// Fails if a stream of the host belongs to another context than the device.
  tg_status_t checkGiven(CUstream given, tg_error_t *error) const;

  // The functions of `ops`; `device` is the object.
  static tg_status_t launch(void *device, void *stream, void *image,
                            uint32_t kernel, uint32_t blocks, uint32_t threads,
                            const uint64_t *arguments, uint32_t count);
  static tg_status_t launchGrid(void *device, void *stream, void *image,
                                uint32_t kernel, const uint32_t blocks[3],
                                const uint32_t threads[3], uint32_t sharedBytes,
                                const uint64_t *arguments, uint32_t count);
  static tg_status_t copy(void *device, void *stream, void *to,
                          const void *from, uint64_t bytes, uint32_t direction);
  static tg_status_t fill(void *device, void *stream, void *memory,
                          uint8_t value, uint64_t bytes);
  static tg_status_t wait(void *device, void *stream);
  static tg_status_t run(void *device, void *stream, const tg_device_key_t *key,
                         tg_enqueue_fn *enqueue, void *argument);
  static const char *errorText(void *device);
  static const tg_device_ops_t ops;

  /// Calls operation() in the context. Keeps the description of a failure:
  /// "cannot <verb> <object>: ...".
  template <typename Operation>
  tg_status_t perform(const char *verb, const char *object,
                      Operation operation);
  /// Lets a kernel be launched with dynamic shared memory. Fails if a block of
  /// the device has less.
  tg_status_t allowShared(const CudaImage &image, uint32_t kernel,
                          uint32_t bytes);
  /// Runs a function that waits: what it enqueues between two waits is a part,
  /// which may be a graph.
  tg_status_t runInParts(CUstream stream, tg_enqueue_fn *enqueue,
                         void *argument);
  /// Adds an operation to the current part by add(). Returns false if it must
  /// be enqueued now: there is no part, or no room. `status` is the result.
  template <typename Add>
  bool defer(CUstream stream, tg_status_t &status, Add add);
  /// Enqueues the current part, and begins the next one.
  tg_status_t endPart(CUstream stream);
  /// Notes the memory of the host that a copy reads or writes.
  void noteHost(const void *memory, uint64_t bytes);
  /// Records an event, waits for it, and adds the time since the last one.
  CUresult readEvents();
  void destroyEvents();

  const CudaHandles &cuda;
  CudaGraphs graphs;
  CudaRecord part; // the operations since the last wait
  bool hasPart = false;
  const tg_call_t *current = nullptr; // the call that runs
  CUstream stream = nullptr;
  bool isOwn = false; // the object destroys the stream
  char text[256] = "no operation failed";
  // The clock: the last event and the next one, and the time at the last one.
  CUevent last = nullptr, next = nullptr;
  double nanoseconds = 0;
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDASTREAM_H
