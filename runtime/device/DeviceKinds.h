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
  /// Counts the devices of the system. Fails with TG_ERROR_NO_DRIVER or
  /// TG_ERROR_OLD_DRIVER if none of them can be used.
  tg_status_t (*count)(uint32_t &count, tg_error_t *error);
};

/// Returns the kind of a type, null for an unknown one.
const DeviceKind *findDeviceKind(int32_t type);

/// Fails with TG_ERROR_DEVICE because a type is unknown.
tg_status_t failDeviceType(int32_t type, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_DEVICE_DEVICEKINDS_H
