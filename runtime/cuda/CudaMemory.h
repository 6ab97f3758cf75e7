/// The memory of an NVIDIA GPU, and pinned memory of the host.
#ifndef TG_RUNTIME_CUDA_CUDAMEMORY_H
#define TG_RUNTIME_CUDA_CUDAMEMORY_H

#include "CudaDriver.h"
#include "runtime/core/Memory.h"

namespace tg {

/// The handles that operations of a module need.
struct CudaHandles {
  CudaDriver driver;
  CUcontext context = nullptr; // primary
  CUstream stream = nullptr;   // for copies outside of runs
  int sharedBytes = 0;         // the most shared memory of a block
};

/// The memory of a GPU.
class CudaMemory final : public Memory {
public:
  explicit CudaMemory(const CudaHandles &cuda) : cuda(cuda) {}

  bool isHost() const override { return false; }
  tg_status_t allocate(uint64_t bytes, uint64_t alignment, void *&block,
                       tg_error_t *error) const override;
  void release(void *block, uint64_t bytes) const override;
  tg_status_t copyIn(void *to, const void *from, uint64_t bytes,
                     tg_error_t *error) const override;
  tg_status_t copyOut(void *to, const void *from, uint64_t bytes,
                      tg_error_t *error) const override;
  tg_status_t copyWithin(void *to, const void *from, uint64_t bytes,
                         tg_error_t *error) const override;
  tg_status_t fill(void *to, uint8_t value, uint64_t bytes,
                   tg_error_t *error) const override;

private:
  /// Calls enqueue() and waits for the operation.
  template <typename Enqueue>
  tg_status_t complete(uint64_t bytes, const char *action, tg_error_t *error,
                       Enqueue enqueue) const;

  const CudaHandles &cuda;
};

/// Memory of the host that the GPU reads and writes without a copy.
class PinnedMemory final : public HostMemory {
public:
  explicit PinnedMemory(const CudaHandles &cuda) : cuda(cuda) {}

  tg_status_t allocate(uint64_t bytes, uint64_t alignment, void *&block,
                       tg_error_t *error) const override;
  void release(void *block, uint64_t bytes) const override;

private:
  const CudaHandles &cuda;
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDAMEMORY_H
