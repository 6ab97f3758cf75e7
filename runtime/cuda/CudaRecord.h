/// Operations of a run that are enqueued later, all at once.
#ifndef TG_RUNTIME_CUDA_CUDARECORD_H
#define TG_RUNTIME_CUDA_CUDARECORD_H

#include "tg/abi.h"

namespace tg {

/// A list of operations of tg_device_ops_t as words, in memory of the caller.
/// Lists with equal words enqueue equal operations.
class CudaRecord {
public:
  /// Begins an empty list with room for a number of words.
  void begin(uint64_t *memory, uint32_t words) {
    first = memory;
    capacity = words;
    used = operations = 0;
  }

  /// Adds an operation with the arguments of tg_device_ops_t. Returns false if
  /// there is no room.
  bool addLaunch(void *image, uint32_t kernel, const uint32_t blocks[3],
                 const uint32_t threads[3], uint32_t sharedBytes,
                 const uint64_t *arguments, uint32_t count);
  bool addCopy(void *to, const void *from, uint64_t bytes, uint32_t direction);
  bool addFill(void *memory, uint8_t value, uint64_t bytes);

  /// Returns the number of operations, and of their words.
  uint32_t count() const { return operations; }
  uint32_t length() const { return used; }

  /// Performs the operations until one fails. Returns the status.
  tg_status_t perform(const tg_device_ops_t &ops, void *device,
                      void *stream) const;

private:
  /// Makes room for the words of an operation. Returns null if there is none.
  uint64_t *add(uint32_t words);

  uint64_t *first = nullptr;
  uint32_t capacity = 0, used = 0, operations = 0;
};

} // namespace tg

#endif // TG_RUNTIME_CUDA_CUDARECORD_H
