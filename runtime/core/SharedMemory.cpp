/// Memory of the host or of a device that contexts of several modules share.
#include "SharedMemory.h"

#include "Module.h"
#include "runtime/device/DeviceKinds.h"
#include "runtime/messages/Error.h"

#include <cstdio>

using namespace tg;

tg_status_t SharedMemory::open(tg_device_t given, tg_error_t *error) {
  if (!given.device_type || given.device_type == TG_DEVICE_CPU)
    return TG_OK;
  const DeviceKind *kind = findDeviceKind(given.device_type);
  if (!kind)
    return failDeviceType(given.device_type, error);
  id = given;
  return kind->open(id.device_id, device, error);
}

/// Writes the name of a device: "cuda:0", or "the host" for a CPU.
static void nameDevice(tg_device_t id, char (&name)[32]) {
  if (const DeviceKind *kind = findDeviceKind(id.device_type))
    std::snprintf(name, sizeof(name), "%s:%d", kind->word, id.device_id);
  else
    std::snprintf(name, sizeof(name), "the host");
}

tg_status_t SharedMemory::expectDeviceOf(const tg_module_t &module,
                                         const char *contents,
                                         tg_error_t *error) const {
  tg_device_t expected = {TG_DEVICE_CPU, 0};
  if (module.device)
    expected = module.device->getId();
  if (id.device_type == expected.device_type &&
      id.device_id == expected.device_id)
    return TG_OK;
  char found[32], wanted[32];
  nameDevice(id, found);
  nameDevice(expected, wanted);
  return fail(error, TG_ERROR_DEVICE,
              "found shared %s in the memory of %s, expected that of %s, where "
              "the module runs",
              contents, found, wanted);
}
