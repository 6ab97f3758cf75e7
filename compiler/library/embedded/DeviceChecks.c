/// The checks of a call that concern devices.
#include "CallChecks.h"

/// The sizes of the first versions of structs of the caller.
enum { DEVICE_CALL_BYTES = 88, DEVICE_OPS_BYTES = 56 };

/// Rejects a device struct because of `text`.
static tg_status_t rejectDevice(const tg_embedded_subject_t *subject,
                                tg_status_t status, int64_t found,
                                int64_t expected, const char *text) {
  return tg_embedded_reject(subject, status, -1, 0, found, expected, text);
}

/// Checks the table of operations.
static tg_status_t checkOps(const tg_embedded_subject_t *subject) {
  const tg_device_ops_t *ops = subject->call->device->ops;
  if (!ops)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0, "ops of device is null");
  if (!tg_embedded_struct_ok(ops, DEVICE_OPS_BYTES, sizeof(tg_device_ops_t)) ||
      ops->flags)
    return rejectDevice(
        subject, TG_ERROR_STRUCT, ops->struct_size, sizeof(tg_device_ops_t),
        "ops of device has struct_size %f or a field that this model does not "
        "know, expected %e");
  if (!ops->launch || !ops->copy || !ops->fill || !ops->wait || !ops->run ||
      !ops->error_text)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "a function of the ops of device is null");
  // The first image has all kernels but those of users.
  if (subject->model->image_count > 1 &&
      !(TG_HAS(tg_device_ops_t, ops, launch_grid) && ops->launch_grid))
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "launch_grid of the ops of device is null, expected a "
                        "function because the model has CUDA kernels of users");
  return TG_OK;
}

/// Checks the memory of the host that belongs to the call. The size of the
/// host block depends on symbols, which tensors bind later.
static tg_status_t checkHostMemory(const tg_embedded_subject_t *subject) {
  const tg_device_call_t *device = subject->call->device;
  if (subject->call->slab && !device->slab_header)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "slab_header of device is null");
  if (subject->call->packed && !device->packed_header)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "packed_header of device is null");
  if (!subject->function)
    return TG_OK;
  if (!device->host_block)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "host_block of device is null");
  if ((uintptr_t)device->host_block % 64)
    return rejectDevice(subject, TG_ERROR_ALIGNMENT,
                        (int64_t)((uintptr_t)device->host_block % 64), 64,
                        "host_block of device is not aligned to %e bytes");
  return TG_OK;
}

tg_status_t tg_embedded_check_device(const tg_embedded_subject_t *subject) {
  const tg_device_call_t *device = subject->call->device;
  const tg_model_t *model = subject->model;
  if (!device)
    return rejectDevice(subject, TG_ERROR_DEVICE, 0, model->device_type,
                        "device is null, expected a device of type %e, on "
                        "which the function runs");
  if (!tg_embedded_struct_ok(device, DEVICE_CALL_BYTES,
                             sizeof(tg_device_call_t)) ||
      device->flags > TG_DEVICE_FINISH) // one flag at most
    return rejectDevice(subject, TG_ERROR_STRUCT, device->struct_size,
                        sizeof(tg_device_call_t),
                        "device has struct_size %f or a field that this model "
                        "does not know, expected %e");
  if (device->id.device_type != model->device_type)
    return rejectDevice(subject, TG_ERROR_DEVICE, device->id.device_type,
                        model->device_type, "device has type %f, expected %e");
  if (model->image_count && !device->images)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "images of device is null");
  if (model->constants_bytes && !device->constants)
    return rejectDevice(subject, TG_ERROR_NULL, 0, 0,
                        "constants of device is null");
  const tg_status_t status = checkOps(subject);
  return status == TG_OK ? checkHostMemory(subject) : status;
}
