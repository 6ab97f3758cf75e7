/// The functions tg_device_*().
#include "DeviceKinds.h"
#include "runtime/messages/Error.h"

using namespace tg;

tg_status_t tg_device_count(int32_t device_type, uint32_t *count,
                            tg_error_t *error) {
  if (!count)
    return fail(error, TG_ERROR_NULL, "count is null");
  *count = 0;
  if (!device_type || device_type == TG_DEVICE_CPU) {
    *count = 1;
    return TG_OK;
  }
  const DeviceKind *kind = findDeviceKind(device_type);
  return kind ? kind->count(*count, error) : failDeviceType(device_type, error);
}
