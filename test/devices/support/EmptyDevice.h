/// A device that has no memory and runs no kernel, so that tensors on it may be
/// large.
#ifndef TG_TEST_DEVICES_SUPPORT_EMPTYDEVICE_H
#define TG_TEST_DEVICES_SUPPORT_EMPTYDEVICE_H

#include "Mlp.h"

namespace tg::test {

/// A copy between the host and the device.
struct HostCopy {
  const void *host;
  uint64_t bytes;
  uint32_t direction;
  bool isInRun; ///< one of the operations that the table may repeat
};

/// The operations of the device, which note what a run enqueues.
struct EmptyDevice {
  EmptyDevice();

  static tg_status_t launch(void *device, void *stream, void *image,
                            uint32_t kernel, uint32_t blocks, uint32_t threads,
                            const uint64_t *arguments, uint32_t count);
  /// Copies the report of a run without errors.
  static tg_status_t copy(void *device, void *stream, void *to,
                          const void *from, uint64_t bytes, uint32_t direction);
  static tg_status_t fill(void *device, void *stream, void *memory,
                          uint8_t value, uint64_t bytes);
  static tg_status_t wait(void *device, void *stream);
  static tg_status_t run(void *device, void *stream, const tg_device_key_t *key,
                         tg_enqueue_fn *enqueue, void *argument);
  static const char *text(void *device);

  /// Runs `test` of a table, whose only input has the shape that its symbols
  /// bind. The workspace has an address that nothing accesses.
  void run(const LoadedTable &table, std::vector<int64_t> symbols,
           Arguments &inputs, Arguments &outputs);

  tg_device_ops_t ops;
  /// The indices of the launched kernels.
  std::vector<uint32_t> launched;
  /// The copies from and to the host.
  std::vector<HostCopy> copies;
  /// The host block of the last run, whose bytes are `blockBytes`.
  std::unique_ptr<AlignedMemory> block;
  uint64_t blockBytes = 0;
  uint64_t waits = 0;
  bool isInRun = false;
};

} // namespace tg::test

#endif // TG_TEST_DEVICES_SUPPORT_EMPTYDEVICE_H
