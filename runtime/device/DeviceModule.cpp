/// Finds the table for a device, and loads its images and constants.
#include "DeviceModule.h"

#include "DeviceKinds.h"
#include "runtime/messages/AbiError.h"
#include "runtime/messages/Error.h"
#include "runtime/messages/TargetName.h"

#include <new>

using namespace tg;

/// The targets of devices: see TG_TARGET_BEST.
static constexpr uint32_t firstTarget = 16, lastTarget = 31;

/// Returns the table of a target, if a device of the type runs it; otherwise
/// null.
static const tg_model_t *findTable(tg_model_get_fn *get, uint32_t target,
                                   int32_t type) {
  const tg_model_t *model = nullptr;
  return get(TG_ABI_VERSION, target, &model) == TG_OK &&
                 deviceTypeOf(*model) == type
             ? model
             : nullptr;
}

const char *tg::wordOfDevice(tg_model_get_fn *get) {
  for (uint32_t target = firstTarget; target <= lastTarget; ++target) {
    const tg_model_t *model = nullptr;
    if (get(TG_ABI_VERSION, target, &model) != TG_OK)
      continue;
    if (const DeviceKind *kind = findDeviceKind(deviceTypeOf(*model)))
      return kind->word;
  }
  return "none";
}

/// Returns the capability that a table needs.
static uint32_t capabilityOf(const tg_model_t &model) {
  return TG_HAS(tg_model_t, &model, capability) ? model.capability : 0;
}

/// Fails because the library has no table for a device, or only one of another
/// ABI among the targets from `first` to `last`.
static tg_status_t failMissing(tg_model_get_fn *get, const DeviceKind &kind,
                               uint32_t first, uint32_t last,
                               tg_error_t *error) {
  const tg_model_t *model = nullptr;
  for (uint32_t target = first; target <= last; ++target)
    if (get(TG_ABI_VERSION, target, &model) == TG_ERROR_ABI)
      return failAbi(get, target, error);
  if (first == last)
    return fail(error, TG_ERROR_NOT_FOUND,
                "the library has no code for %s, expected another target of "
                "%s, or TG_TARGET_BEST",
                TargetName(first).text(), kind.plural);
  return fail(error, TG_ERROR_NOT_FOUND,
              "the library has no code for %s, expected one compiled with "
              "--targets=cpu,%s",
              kind.plural, kind.word);
}

/// Finds the table of the highest target from `first` to `last` that a device
/// of the capability can run.
static tg_status_t chooseTable(tg_model_get_fn *get, const DeviceKind &kind,
                               uint32_t first, uint32_t last,
                               uint32_t capability, const tg_model_t *&model,
                               tg_error_t *error) {
  uint32_t least = UINT32_MAX;
  for (uint32_t target = last; target >= first; --target) {
    model = findTable(get, target, kind.type);
    if (model && capabilityOf(*model) <= capability)
      return TG_OK;
    if (model)
      least = std::min(least, capabilityOf(*model));
  }
  model = nullptr;
  return failNumber(error, TG_ERROR_TARGET, capability, least,
                    "the device has compute capability %u.%u, expected at "
                    "least %u.%u for this library",
                    capability / 10, capability % 10, least / 10, least % 10);
}

tg_status_t DeviceModule::open(tg_model_get_fn *get, uint32_t target,
                               tg_device_t id, const tg_model_t *&model,
                               std::unique_ptr<DeviceModule> &module,
                               tg_error_t *error) {
  const DeviceKind *kind = findDeviceKind(id.device_type);
  if (!kind)
    return failDeviceType(id.device_type, error);
  const bool isBest = target == TG_TARGET_BEST;
  if (!isBest && target < firstTarget)
    return failNumber(error, TG_ERROR_DEVICE, target, firstTarget,
                      "%s is a target of CPUs, expected one of %s, from %u to "
                      "%u, or TG_TARGET_BEST",
                      TargetName(target).text(), kind->plural, firstTarget,
                      lastTarget);
  const uint32_t first = isBest ? firstTarget : target;
  const uint32_t last = isBest ? lastTarget : target;
  bool exists = false;
  for (uint32_t i = first; i <= last && i <= lastTarget; ++i)
    exists |= findTable(get, i, kind->type) != nullptr;
  if (!exists)
    return failMissing(get, *kind, first, last, error);
  std::unique_ptr<Device> device;
  tg_status_t status = kind->open(id.device_id, device, error);
  if (status == TG_OK)
    status = chooseTable(get, *kind, first, last, device->capability(), model,
                         error);
  if (status != TG_OK)
    return status;
  module.reset(new (std::nothrow) DeviceModule(id, std::move(device)));
  if (!module)
    return fail(error, TG_ERROR_MEMORY, "no memory for a module");
  status = module->load(*model, error);
  if (status != TG_OK)
    module.reset();
  return status;
}

tg_status_t DeviceModule::load(const tg_model_t &model, tg_error_t *error) {
  images.reset(new (std::nothrow) void *[model.image_count + 1]());
  if (!images)
    return fail(error, TG_ERROR_MEMORY, "no memory for a module");
  for (; imageCount < model.image_count; ++imageCount) {
    const tg_status_t status =
        device->loadImage(*model.images[imageCount], images[imageCount], error);
    if (status != TG_OK)
      return status;
  }
  constantsBytes = model.constants_bytes;
  const tg_status_t status = allocateBlock(
      memory(), constantsBytes, model.alignment, "constants", constants, error);
  return status == TG_OK ? memory().copyIn(constants, model.constants,
                                           constantsBytes, error)
                         : status;
}

DeviceModule::~DeviceModule() {
  memory().release(constants, constantsBytes);
  while (imageCount)
    device->unloadImage(images[--imageCount]);
}

void DeviceModule::describe(tg_device_call_t &call) const {
  call.images = images.get();
  call.constants = constants;
  call.id = id;
}
