/// The list of the kinds of devices.
#ifndef TG_RUNTIME_DEVICE_DEVICEKINDS_H
#define TG_RUNTIME_DEVICE_DEVICEKINDS_H

#include "Device.h"

namespace tg {

/// A kind of device.
struct DeviceKind {
  int32_t type;       ///< TG_DEVICE_...
  const char *word;   ///< of tgc --targets, and before the number of a device
  const char *plural; ///< in messages
  /// Opens the device of a number. Fails with a status of class 4, or with
  /// TG_ERROR_NOT_FOUND if there is no such device.
  tg_status_t (*open)(int32_t number, std::unique_ptr<Device> &device,
                      tg_error_t *error);
};

/// Returns the kind of a type, null for an unknown one.
const DeviceKind *findDeviceKind(int32_t type);

} // namespace tg

#endif // TG_RUNTIME_DEVICE_DEVICEKINDS_H
