/// Devices other than the CPU, as the other parts of libtgrt use them.
#ifndef TG_RUNTIME_DEVICE_DEVICE_H
#define TG_RUNTIME_DEVICE_DEVICE_H

#include "runtime/core/Memory.h"

#include <memory>

namespace tg {

/// The operations of one context on a device, which run in order. One thread at
/// a time.
class DeviceStream {
public:
  virtual ~DeviceStream() = default;

  /// Makes room to identify runs that are repeated, by keys of a number of
  /// words: those of a call, symbols and arguments. Called once, before a run.
  virtual tg_status_t reserveKeys(uint32_t words, tg_error_t *error) = 0;
  /// Sets the call that runs, whose addresses identify the run; null for none.
  virtual void setCall(const tg_call_t *call) = 0;
  /// Fails in a process that cannot use the device, where its memory of the
  /// host may be missing, too. Called before a run.
  virtual tg_status_t checkProcess(tg_error_t *error) const = 0;
  /// Sets ops, device and stream of a call.
  virtual void describe(tg_device_call_t &call) = 0;
  /// Returns after all operations have ended, also if one of them failed.
  virtual void settle() = 0;
  /// Waits for all operations, and returns the nanoseconds that the device
  /// computed since the first call of this function. Never goes back.
  virtual uint64_t now() = 0;
};

/// A device that a module uses. Any thread, except as noted.
class Device {
public:
  virtual ~Device() = default;

  /// Returns the number to compare with tg_model_t.capability.
  virtual uint32_t capability() const = 0;
  /// Returns the memory of the device.
  virtual const Memory &memory() const = 0;
  /// Returns the memory of the host from which and to which the device copies.
  virtual const HostMemory &hostMemory() const = 0;
  /// Loads the code of an image and finds its kernels. `image` must outlive the
  /// handle.
  virtual tg_status_t loadImage(const tg_image_t &image, void *&handle,
                                tg_error_t *error) = 0;
  /// Unloads an image; null is allowed.
  virtual void unloadImage(void *handle) = 0;
  /// Makes a stream, which the device must outlive: a new one, or one over a
  /// stream of the host, its handle of the driver, unless `given` is null.
  virtual tg_status_t createStream(void *given,
                                   std::unique_ptr<DeviceStream> &stream,
                                   tg_error_t *error) = 0;
};

} // namespace tg

#endif // TG_RUNTIME_DEVICE_DEVICE_H
