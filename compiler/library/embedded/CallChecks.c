/// The individual checks of a call against the tables of its function.
#include "CallChecks.h"
#include "tg/dtypes.h"

/// The sizes of the first versions of structs of the caller. They stay as they
/// are when the structs grow, so that older callers are still accepted.
enum {
  CALL_BYTES = 128,
  PARALLEL_BYTES = 24,
  PROFILE_BYTES = 40,
  TRACE_BYTES = 24
};

/// The alignment in bytes of tensors in the memory of a device, which kernels
/// read and write in place by vectors.
enum { DEVICE_ALIGNMENT = 16 };

/// Returns true if the bytes are all zero.
static int isZero(const void *bytes, uint64_t count) {
  const char *at = bytes;
  for (; count; --count)
    if (*at++)
      return 0;
  return 1;
}

int tg_embedded_struct_ok(const void *object, uint64_t least, uint64_t known) {
  uint32_t size;
  __builtin_memcpy(&size, object, sizeof(size));
  return size >= least && size <= 4096 &&
         (size <= known || isZero((const char *)object + known, size - known));
}

/// Returns "input" or "output", the word for an argument in messages.
static const char *kindOf(const tg_embedded_subject_t *subject,
                          int32_t argument) {
  const int isOutput = subject->function && argument >= 0 &&
                       (uint32_t)argument >= subject->function->input_count;
  return isOutput ? "output" : "input";
}

tg_status_t tg_embedded_reject(const tg_embedded_subject_t *subject,
                               tg_status_t status, int32_t argument,
                               const char *name, int64_t found,
                               int64_t expected, const char *text) {
  const tg_embedded_fault_t fault = {
      .model = subject->model,
      .function = subject->name,
      .name = name,
      .kind = kindOf(subject, argument),
      .status = status,
      .argument = argument,
      .location = -1,
      .element = -1,
      .found = found,
      .expected = expected,
  };
  return tg_embedded_fail(subject->error, &fault, text);
}

/// Checks the call struct. An error in it may be found before its error field
/// is known to be valid.
static tg_status_t checkStruct(tg_embedded_subject_t *subject) {
  const tg_call_t *call = subject->call;
  if (!tg_embedded_struct_ok(call, CALL_BYTES, sizeof(tg_call_t)) ||
      call->flags || (call->device && !subject->model->device_type)) {
    // Only a struct of plausible length is certain to have an error field.
    if (call->struct_size >= CALL_BYTES && call->struct_size <= 4096)
      subject->error = call->error;
    return tg_embedded_reject(
        subject, TG_ERROR_STRUCT, -1, 0, call->struct_size, sizeof(tg_call_t),
        "call has struct_size %f or a field that this model does not know, "
        "expected %e");
  }
  return TG_OK;
}

static tg_status_t checkParallel(const tg_embedded_subject_t *subject) {
  const tg_parallel_t *parallel = subject->call->parallel;
  if (!tg_embedded_struct_ok(parallel, PARALLEL_BYTES, sizeof(tg_parallel_t)) ||
      !parallel->worker_count)
    return tg_embedded_reject(subject, TG_ERROR_STRUCT, -1, 0,
                              parallel->struct_size, sizeof(tg_parallel_t),
                              "parallel has struct_size %f, a field that this "
                              "model does not know or no worker, expected %e");
  if (!parallel->parallel_for)
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "parallel_for is null");
  return TG_OK;
}

static tg_status_t checkProfile(const tg_embedded_subject_t *subject) {
  const tg_profile_t *profile = subject->call->profile;
  const uint32_t steps = subject->function ? subject->function->step_count : 0;
  if (!tg_embedded_struct_ok(profile, PROFILE_BYTES, sizeof(tg_profile_t)))
    return tg_embedded_reject(
        subject, TG_ERROR_STRUCT, -1, 0, profile->struct_size,
        sizeof(tg_profile_t),
        "profile has struct_size %f or a field that this model does not know, "
        "expected %e");
  if (!profile->now || (steps && (!profile->begin || !profile->end)))
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "now, begin or end of profile is null");
  if (profile->step_count < steps)
    return tg_embedded_reject(subject, TG_ERROR_COUNT, -1, 0,
                              profile->step_count, steps,
                              "profile has room for %f steps, expected %e");
  return TG_OK;
}

/// Checks that the function passes on its results, and the receiver.
static tg_status_t checkTrace(const tg_embedded_subject_t *subject) {
  const tg_trace_t *trace = subject->call->trace;
  if (!(subject->function->flags & TG_FUNCTION_TRACES))
    return tg_embedded_reject(
        subject, TG_ERROR_STRUCT, -1, 0, 0, 0,
        "trace is not null, expected null: the results of the function's steps "
        "cannot be traced");
  if (!tg_embedded_struct_ok(trace, TRACE_BYTES, sizeof(tg_trace_t)) ||
      trace->flags)
    return tg_embedded_reject(
        subject, TG_ERROR_STRUCT, -1, 0, trace->struct_size, sizeof(tg_trace_t),
        "trace has struct_size %f or a field that this model does not know, "
        "expected %e");
  if (!trace->record)
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "record of trace is null");
  return TG_OK;
}

tg_status_t tg_embedded_check_call(tg_embedded_subject_t *subject) {
  const tg_status_t status = checkStruct(subject);
  if (status != TG_OK)
    return status;
  subject->error = subject->call->error;
  const tg_embedded_function_t *impl =
      subject->function ? subject->function->impl : 0;
  if (impl && impl->check_device) {
    const tg_status_t ofDevice = impl->check_device(subject);
    if (ofDevice != TG_OK)
      return ofDevice;
  }
  if (subject->call->parallel) {
    const tg_status_t ofParallel = checkParallel(subject);
    if (ofParallel != TG_OK)
      return ofParallel;
  }
  const tg_status_t ofProfile =
      subject->call->profile ? checkProfile(subject) : TG_OK;
  if (ofProfile != TG_OK)
    return ofProfile;
  const int isTraced = subject->call->trace && subject->function;
  const tg_status_t ofTrace = isTraced ? checkTrace(subject) : TG_OK;
  return ofTrace == TG_OK ? tg_embedded_check_host(subject) : ofTrace;
}

/// Rejects one symbol; the text depends on whether a tensor bound it.
static tg_status_t rejectSymbol(const tg_embedded_subject_t *subject,
                                uint32_t index, int32_t argument,
                                const char *tensor, int64_t expected,
                                const char *unboundText,
                                const char *boundText) {
  const tg_embedded_fault_t fault = {
      .model = subject->model,
      .function = subject->name,
      .name = subject->function->symbols[index]->name,
      .other = tensor,
      .status = TG_ERROR_DIM,
      .argument = argument,
      .location = -1,
      .element = -1,
      .found = subject->symbols[index],
      .expected = expected,
  };
  return tg_embedded_fail(subject->error, &fault,
                          tensor ? boundText : unboundText);
}

tg_status_t tg_embedded_check_symbols(const tg_embedded_subject_t *subject,
                                      uint32_t first, uint32_t last,
                                      int32_t argument, const char *name) {
  for (uint32_t i = first; i < last; ++i) {
    const tg_symbol_t *symbol = subject->function->symbols[i];
    const int64_t value = subject->symbols[i];
    if (value < symbol->minimum)
      return rejectSymbol(subject, i, argument, name, symbol->minimum,
                          "dimension '%n' is %f, expected at least %e",
                          "dimension '%n' of '%o' is %f, expected at least %e");
    if (value > symbol->maximum)
      return rejectSymbol(subject, i, argument, name, symbol->maximum,
                          "dimension '%n' is %f, expected at most %e",
                          "dimension '%n' of '%o' is %f, expected at most %e");
    if (symbol->multiple > 1 && value % symbol->multiple)
      return rejectSymbol(
          subject, i, argument, name, symbol->multiple,
          "dimension '%n' is %f, expected a multiple of %e",
          "dimension '%n' of '%o' is %f, expected a multiple of %e");
  }
  return TG_OK;
}

/// Checks that a tensor lies in memory that the function can read.
static tg_status_t checkPlace(const tg_embedded_subject_t *subject,
                              const tg_value_t *value,
                              const tg_tensor_t *tensor, int32_t argument) {
  const tg_device_t place = tensor->device;
  if (place.device_type == TG_DEVICE_CPU ||
      place.device_type == TG_DEVICE_CUDA_HOST)
    return TG_OK;
  const int32_t expected = subject->model->device_type;
  if (!expected || place.device_type != expected)
    return tg_embedded_reject(subject, TG_ERROR_DEVICE, argument, value->name,
                              place.device_type,
                              expected ? expected : TG_DEVICE_CPU,
                              "%k '%n' is on device type %f, expected %e");
  const int32_t id = subject->call->device->id.device_id;
  if (place.device_id != id)
    return tg_embedded_reject(subject, TG_ERROR_DEVICE, argument, value->name,
                              place.device_id, id,
                              "%k '%n' is on device %f, expected device %e");
  return TG_OK;
}

/// Checks the element type, rank, device and shape pointer.
static tg_status_t checkKind(const tg_embedded_subject_t *subject,
                             const tg_value_t *value, const tg_tensor_t *tensor,
                             int32_t argument) {
  if (tensor->dtype.code != value->dtype.code ||
      tensor->dtype.bits != value->dtype.bits || tensor->dtype.lanes != 1) {
    const tg_embedded_fault_t fault = {
        .function = subject->name,
        .name = value->name,
        .kind = kindOf(subject, argument),
        .other = tg_dtype_name(tensor->dtype),
        .detail = tg_dtype_name(value->dtype),
        .status = TG_ERROR_DTYPE,
        .argument = argument,
        .location = -1,
        .element = -1,
        .found = tensor->dtype.code << 8 | tensor->dtype.bits,
        .expected = value->dtype.code << 8 | value->dtype.bits,
    };
    return tg_embedded_fail(subject->error, &fault,
                            "%k '%n' has element type %o, expected %w [R0]");
  }
  if (tensor->ndim < 0 || (uint32_t)tensor->ndim != value->rank)
    return tg_embedded_reject(subject, TG_ERROR_RANK, argument, value->name,
                              tensor->ndim, value->rank,
                              "%k '%n' has rank %f, expected %e [R0]");
  const tg_status_t place = checkPlace(subject, value, tensor, argument);
  if (place != TG_OK)
    return place;
  if (value->rank && !tensor->shape)
    return tg_embedded_reject(subject, TG_ERROR_NULL, argument, value->name, 0,
                              0, "shape of %k '%n' is null");
  return TG_OK;
}

/// Returns the name of the first input whose shape contains a symbol; null for
/// computed symbols.
static const char *binderOf(const tg_function_t *function, int64_t dim) {
  for (uint32_t i = 0; i < function->input_count; ++i)
    for (uint32_t j = 0; j < function->inputs[i]->rank; ++j)
      if (function->inputs[i]->dims[j] == dim)
        return function->inputs[i]->name;
  return 0;
}

/// Rejects dimension `index` of a tensor.
static tg_status_t rejectDim(const tg_embedded_subject_t *subject,
                             const tg_value_t *value, const tg_tensor_t *tensor,
                             int32_t argument, uint32_t index) {
  const int64_t dim = value->dims[index];
  const char *binder = dim < 0 ? binderOf(subject->function, dim) : 0;
  const tg_embedded_fault_t fault = {
      .function = subject->name,
      .name = value->name,
      .other = dim < 0 ? subject->function->symbols[-1 - dim]->name : 0,
      .detail = binder,
      .kind = kindOf(subject, argument),
      .status = TG_ERROR_DIM,
      .argument = argument,
      .location = -1,
      .element = -1,
      .found = tensor->shape[index],
      .expected = tg_dim(dim, subject->symbols),
      .dim = index,
  };
  const char *text = "%k '%n': dim %d is %f, expected %e [R0]";
  if (binder)
    text = "%k '%n': dim %d is %f, expected %e ('%o', from input '%w') [R0]";
  else if (dim < 0)
    text = "%k '%n': dim %d is %f, expected %e ('%o') [R0]";
  return tg_embedded_fail(subject->error, &fault, text);
}

static tg_status_t rejectSize(const tg_embedded_subject_t *subject,
                              const tg_value_t *value, int32_t argument) {
  return tg_embedded_reject(subject, TG_ERROR_SIZE, argument, value->name, 0, 0,
                            "%k '%n' is larger than memory");
}

tg_status_t tg_embedded_check_size(const tg_embedded_subject_t *subject,
                                   const tg_value_t *value, int32_t argument) {
  int overflow = 0, empty = 0;
  int64_t bytes = value->dtype.bits / 8;
  for (uint32_t i = 0; i < value->rank; ++i) {
    const int64_t dim = tg_dim(value->dims[i], subject->symbols);
    empty |= dim == 0;
    overflow |= __builtin_mul_overflow(bytes, dim, &bytes);
  }
  return overflow && !empty ? rejectSize(subject, value, argument) : TG_OK;
}

/// Checks the dimensions and computes the number of bytes; sets *empty if it is
/// 0.
static tg_status_t checkDims(tg_embedded_subject_t *subject,
                             const tg_value_t *value, const tg_tensor_t *tensor,
                             int32_t argument, int *empty, int64_t *bytes) {
  int overflow = 0;
  *empty = 0;
  *bytes = value->dtype.bits / 8;
  for (uint32_t i = 0; i < value->rank; ++i) {
    const int64_t dim = value->dims[i];
    // Only the first 64 symbols can be bound by an input.
    if (dim < 0 && dim >= -64 && !(subject->bound >> (-1 - dim) & 1)) {
      const uint32_t symbol = (uint32_t)(-1 - dim);
      subject->symbols[symbol] = tensor->shape[i];
      subject->bound |= (uint64_t)1 << symbol;
      const tg_status_t status = tg_embedded_check_symbols(
          subject, symbol, symbol + 1, argument, value->name);
      if (status != TG_OK)
        return status;
    }
    const int64_t expected = tg_dim(dim, subject->symbols);
    if (tensor->shape[i] != expected)
      return rejectDim(subject, value, tensor, argument, i);
    *empty |= expected == 0;
    overflow |= __builtin_mul_overflow(*bytes, expected, bytes);
  }
  if (*empty)
    *bytes = 0;
  else if (overflow)
    return rejectSize(subject, value, argument);
  return TG_OK;
}

/// Checks the alignment of the first element, which lies at `address`: that of
/// the element type, and DEVICE_ALIGNMENT in the memory of a device.
static tg_status_t checkAlignment(const tg_embedded_subject_t *subject,
                                  const tg_value_t *value,
                                  const tg_tensor_t *tensor, int32_t argument,
                                  uint64_t address) {
  const int32_t device = subject->model->device_type;
  const int isOnDevice = device && tensor->device.device_type == device;
  const uint64_t ofType = value->dtype.bits / 8;
  const uint64_t alignment =
      isOnDevice && ofType < DEVICE_ALIGNMENT ? DEVICE_ALIGNMENT : ofType;
  if (address % alignment == 0)
    return TG_OK;
  return tg_embedded_reject(
      subject, TG_ERROR_ALIGNMENT, argument, value->name,
      (int64_t)(address % alignment), (int64_t)alignment,
      isOnDevice ? "%k '%n' on the device begins %f bytes after a multiple of "
                   "%e bytes, expected a multiple"
                 : "%k '%n' is not aligned to %e bytes");
}

tg_status_t tg_embedded_check_tensor(tg_embedded_subject_t *subject,
                                     const tg_value_t *value,
                                     const tg_tensor_t *tensor,
                                     int32_t argument) {
  tg_status_t status = checkKind(subject, value, tensor, argument);
  if (status != TG_OK)
    return status;
  int empty;
  int64_t bytes;
  status = checkDims(subject, value, tensor, argument, &empty, &bytes);
  if (status != TG_OK || empty)
    return status;

  int64_t stride = 1;
  for (uint32_t i = tensor->strides ? value->rank : 0; i-- > 0;) {
    if (tensor->shape[i] > 1 && tensor->strides[i] != stride)
      return tg_embedded_reject(subject, TG_ERROR_STRIDES, argument,
                                value->name, tensor->strides[i], stride,
                                "%k '%n' has a stride %f, expected %e");
    stride *= tensor->shape[i];
  }
  if (!tensor->data)
    return tg_embedded_reject(subject, TG_ERROR_NULL, argument, value->name, 0,
                              0, "data of %k '%n' is null");
  uint64_t begin, end;
  if (__builtin_add_overflow((uintptr_t)tensor->data, tensor->byte_offset,
                             &begin) ||
      __builtin_add_overflow(begin, (uint64_t)bytes, &end))
    return tg_embedded_reject(subject, TG_ERROR_SIZE, argument, value->name, 0,
                              0, "%k '%n' reaches beyond the end of memory");
  return checkAlignment(subject, value, tensor, argument, begin);
}
