/// The part of a module that concerns its device.
#ifndef TG_RUNTIME_DEVICE_DEVICEMODULE_H
#define TG_RUNTIME_DEVICE_DEVICEMODULE_H

#include "Device.h"

namespace tg {

/// The header of a packed block of a device, in memory of the host.
struct alignas(64) PackedHeader {
  unsigned char bytes[64];
};

/// Returns the device_type that runs the functions of a table.
inline int32_t deviceTypeOf(const tg_model_t &model) {
  const bool hasDevice =
      TG_HAS(tg_model_t, &model, device_type) && model.device_type;
  return hasDevice ? model.device_type : TG_DEVICE_CPU;
}

/// Returns the word of the first kind of device for which a library has code:
/// "cuda", or "none".
const char *wordOfDevice(tg_model_get_fn *get);

/// A device with the images and the constants of one table.
class DeviceModule {
public:
  /// Finds the table of a library that a device runs: the one of `target`, or
  /// the one of the highest target that the device can run. Opens the device
  /// and loads the table's images and constants.
  static tg_status_t open(tg_model_get_fn *get, uint32_t target, tg_device_t id,
                          const tg_model_t *&model,
                          std::unique_ptr<DeviceModule> &module,
                          tg_error_t *error);
  DeviceModule(const DeviceModule &) = delete;
  /// Frees everything in the opposite order.
  ~DeviceModule();

  tg_device_t getId() const { return id; }
  const Memory &memory() const { return device->memory(); }
  const HostMemory &hostMemory() const { return device->hostMemory(); }
  tg_status_t createStream(void *given, std::unique_ptr<DeviceStream> &stream,
                           tg_error_t *error) {
    return device->createStream(given, stream, error);
  }
  /// Sets images, constants and id of a call.
  void describe(tg_device_call_t &call) const;

private:
  DeviceModule(tg_device_t id, std::unique_ptr<Device> device)
      : id(id), device(std::move(device)) {}

  tg_status_t load(const tg_model_t &model, tg_error_t *error);

  tg_device_t id;
  std::unique_ptr<Device> device;
  std::unique_ptr<void *[]> images; // handles
  uint32_t imageCount = 0;          // of the loaded ones
  char *constants = nullptr;
  uint64_t constantsBytes = 0;
};

} // namespace tg

#endif // TG_RUNTIME_DEVICE_DEVICEMODULE_H
