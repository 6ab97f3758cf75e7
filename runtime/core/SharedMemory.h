/// The memory that contexts of several modules share.
#ifndef TG_RUNTIME_CORE_SHAREDMEMORY_H
#define TG_RUNTIME_CORE_SHAREDMEMORY_H

#include "Memory.h"
#include "runtime/device/Device.h"

#include <memory>

struct tg_module_t;

namespace tg {

/// The kind of the memory of shared variables or of a shared workspace: that of
/// the host, or of a device.
class SharedMemory {
public:
  /// The memory of the host. `hooks` must outlive the object.
  explicit SharedMemory(const tg_hooks_t &hooks) : host(hooks) {}

  /// Selects the memory of a device, which may be a CPU. Called once at most,
  /// before any allocation.
  tg_status_t open(tg_device_t id, tg_error_t *error);
  /// Returns the kind of memory.
  const Memory &get() const { return device ? device->memory() : host; }
  /// Returns the alignment of the blocks. Of the host: a page, since large
  /// variables begin at multiples of a page. Of a device: that of the driver's
  /// allocations.
  uint64_t alignment() const { return device ? 256 : 4096; }
  /// Fails with TG_ERROR_DEVICE unless a module runs on the same device.
  /// `contents` names what lies in the memory.
  tg_status_t expectDeviceOf(const tg_module_t &module, const char *contents,
                             tg_error_t *error) const;

private:
  HookMemory host;
  std::unique_ptr<Device> device; // null for the host
  tg_device_t id = {TG_DEVICE_CPU, 0};
};

} // namespace tg

#endif // TG_RUNTIME_CORE_SHAREDMEMORY_H
