/// Calls to the host between two kernels: its functions, prints, asserts.
#include "CallChecks.h"
#include "FunctionSteps.h"

/// The sizes of the first versions of structs of the caller.
enum { HOST_BYTES = 32, HOST_FUNCTION_BYTES = 32 };

/// The canary byte around outputs that a host function fills.
static const unsigned char canary = 0xa5;

const tg_host_function_t *tg_embedded_find_host(const tg_host_t *host,
                                                const char *name) {
  for (uint32_t i = 0; host && i < host->function_count; ++i) {
    const char *a = host->functions[i]->name, *b = name;
    while (*a && *a == *b)
      ++a, ++b;
    if (*a == *b)
      return host->functions[i];
  }
  return 0;
}

/// Checks that the host has every function that the run may call.
static tg_status_t checkNeeds(const tg_embedded_subject_t *subject) {
  const tg_function_t *function = subject->function;
  for (uint32_t i = 0; function && i < function->host_function_count; ++i) {
    const tg_host_need_t *need = function->host_functions[i];
    if (tg_embedded_find_host(subject->call->host, need->name))
      continue;
    const tg_embedded_fault_t fault = {
        .model = subject->model,
        .name = need->name,
        .status = TG_ERROR_NOT_FOUND,
        .argument = -1,
        .location = need->location,
        .element = -1,
    };
    return tg_embedded_fail(
        subject->error, &fault,
        "no function '%n' of the host is registered, expected one [R1]");
  }
  return TG_OK;
}

static tg_status_t checkHost(const tg_embedded_subject_t *subject) {
  const tg_host_t *host = subject->call->host;
  if (!tg_embedded_struct_ok(host, HOST_BYTES, sizeof(tg_host_t)))
    return tg_embedded_reject(
        subject, TG_ERROR_STRUCT, -1, 0, host->struct_size, sizeof(tg_host_t),
        "host has struct_size %f or a field that this model does not know, "
        "expected %e");
  if (host->function_count && !host->functions)
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, 0, 0,
                              "functions of host is null");
  for (uint32_t i = 0; i < host->function_count; ++i) {
    const tg_host_function_t *function = host->functions[i];
    if (!function || !function->name || !function->call)
      return tg_embedded_reject(subject, TG_ERROR_NULL, -1, 0, i, 0,
                                "function %f of host, or its name or call, is "
                                "null");
    if (!tg_embedded_struct_ok(function, HOST_FUNCTION_BYTES,
                               sizeof(tg_host_function_t)) ||
        function->flags)
      return tg_embedded_reject(
          subject, TG_ERROR_STRUCT, -1, function->name, function->struct_size,
          sizeof(tg_host_function_t),
          "function '%n' of host has struct_size %f or a field that this model "
          "does not know, expected %e");
  }
  return TG_OK;
}

tg_status_t tg_embedded_check_host(const tg_embedded_subject_t *subject) {
  const tg_status_t status = subject->call->host ? checkHost(subject) : TG_OK;
  return status == TG_OK ? checkNeeds(subject) : status;
}

tg_tensor_t *tg_embedded_put_tensors(const tg_embedded_host_step_t *host,
                                     const tg_embedded_step_t *step,
                                     int64_t *task) {
  tg_tensor_t *tensors = (tg_tensor_t *)(void *)(task + step->slot_count);
  const uint32_t count = host->input_count + host->output_count;
  int64_t *dims = task + 1 + count;
  for (uint32_t i = 0; i < count; ++i) {
    const tg_embedded_host_value_t *value = &host->values[i];
    const tg_tensor_t tensor = {
        .data = (void *)task[1 + i],
        .device = {TG_DEVICE_CPU, 0},
        .ndim = (int32_t)value->rank,
        .dtype = value->dtype,
        .shape = value->rank ? dims : 0,
    };
    tensors[i] = tensor;
    dims += value->rank;
  }
  return tensors;
}

uint64_t tg_embedded_tensor_bytes(const tg_tensor_t *tensor) {
  uint64_t bytes = tensor->dtype.bits / 8;
  for (int32_t i = 0; i < tensor->ndim; ++i)
    bytes *= (uint64_t)tensor->shape[i];
  return bytes;
}

/// Returns the number of staging bytes of an output: its own bytes and the
/// canary after them, up to a multiple of the size of a canary.
static uint64_t stagingBytesOf(const tg_tensor_t *tensor) {
  const uint64_t unit = TG_EMBEDDED_CANARY_BYTES;
  return (tg_embedded_tensor_bytes(tensor) + unit - 1) / unit * unit + unit;
}

/// Places outputs in `scratch`, filled with 0 and surrounded by canaries.
static void stage(tg_tensor_t *outputs, uint32_t count, char *scratch) {
  __builtin_memset(scratch, canary, TG_EMBEDDED_CANARY_BYTES);
  scratch += TG_EMBEDDED_CANARY_BYTES;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t bytes = tg_embedded_tensor_bytes(&outputs[i]);
    const uint64_t room = stagingBytesOf(&outputs[i]);
    __builtin_memset(scratch, 0, bytes);
    __builtin_memset(scratch + bytes, canary, room - bytes);
    outputs[i].data = scratch;
    scratch += room;
  }
}

/// Returns true if all bytes of a canary are unchanged.
static int isIntact(const char *begin, const char *end) {
  for (; begin < end; ++begin)
    if ((unsigned char)*begin != canary)
      return 0;
  return 1;
}

/// Returns the first output with a write past its bounds; -1 if there is none.
static int64_t findDamage(const tg_tensor_t *outputs, uint32_t count,
                          const char *scratch) {
  const char *at = scratch + TG_EMBEDDED_CANARY_BYTES;
  if (!isIntact(scratch, at))
    return 0;
  for (uint32_t i = 0; i < count; ++i) {
    const char *end = at + stagingBytesOf(&outputs[i]);
    if (!isIntact(at + tg_embedded_tensor_bytes(&outputs[i]), end))
      return i;
    at = end;
  }
  return -1;
}

/// Makes the booleans of outputs 0 or 1.
static void normalizeBooleans(const tg_tensor_t *outputs, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (outputs[i].dtype.code != TG_DTYPE_BOOL)
      continue;
    char *data = outputs[i].data;
    const uint64_t bytes = tg_embedded_tensor_bytes(&outputs[i]);
    for (uint64_t j = 0; j < bytes; ++j)
      data[j] = data[j] != 0;
  }
}

/// Returns a hash of the descriptors of the tensors and of their extents, to
/// detect whether a host function changed them.
static uint64_t fingerprint(const tg_embedded_host_step_t *host,
                            const tg_tensor_t *tensors, const int64_t *dims) {
  const uint64_t prime = 0x100000001b3u;
  const uint32_t count = host->input_count + host->output_count;
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t i = 0; i < count; ++i) {
    const tg_tensor_t *tensor = &tensors[i];
    const tg_dtype_t dtype = tensor->dtype;
    hash = (hash ^ (uint64_t)tensor->data) * prime;
    hash = (hash ^ (uint64_t)tensor->shape) * prime;
    hash = (hash ^ (uint64_t)(uint32_t)tensor->ndim) * prime;
    hash = (hash ^ dtype.code ^ (uint64_t)dtype.bits << 8) * prime;
    for (uint32_t j = 0; j < host->values[i].rank; ++j)
      hash = (hash ^ (uint64_t)*dims++) * prime;
  }
  return hash;
}

static tg_status_t callHost(const tg_embedded_run_t *run,
                            const tg_embedded_host_step_t *host,
                            const tg_host_function_t *function,
                            tg_tensor_t *tensors, const int64_t *addresses,
                            char *scratch, tg_embedded_fault_t *fault) {
  tg_tensor_t *outputs = tensors + host->input_count;
  const uint32_t count = host->output_count;
  char message[200] = "";
  const tg_host_call_t call = {
      .struct_size = sizeof(call),
      .input_count = host->input_count,
      .output_count = count,
      .message_bytes = sizeof(message),
      .name = host->text,
      .inputs = tensors,
      .outputs = outputs,
      .message = message,
  };
  const int64_t *dims = addresses + host->input_count + count;
  stage(outputs, count, scratch);
  const uint64_t before = fingerprint(host, tensors, dims);
  const tg_status_t status = function->call(function->user, &call);
  (void)tg_embedded_enter_mode(); // the host function may have changed the mode
  message[sizeof(message) - 1] = 0;
  fault->status = TG_ERROR_HOST;
  fault->found = status;
  fault->other = message;
  if (fingerprint(host, tensors, dims) != before)
    return tg_embedded_fail_run(
        run, fault, fault->variables_changed,
        "function '%n' of the host changed the shape, type or address of "
        "an array [R1]");
  fault->element = findDamage(outputs, count, scratch);
  if (fault->element >= 0)
    return tg_embedded_fail_run(
        run, fault, fault->variables_changed,
        "function '%n' of the host wrote beyond its result %i [R1]");
  if (status != TG_OK)
    return tg_embedded_fail_run(
        run, fault, fault->variables_changed,
        *message ? "function '%n' of the host failed: %o [R1]"
                 : "function '%n' of the host failed with status %f [R1]");
  normalizeBooleans(outputs, count);
  return TG_OK;
}

tg_status_t tg_embedded_host(const tg_embedded_run_t *run,
                             const tg_embedded_step_t *step, int64_t *task,
                             char *scratch) {
  const tg_embedded_function_t *impl = run->function->impl;
  const tg_embedded_host_step_t *host = impl->program->host_steps[step->number];
  tg_embedded_fault_t fault = {
      .name = host->text,
      .status = TG_ERROR_ASSERT,
      .location = host->location,
      .variables_changed = step->variables_changed,
      .element = -1,
  };
  tg_tensor_t *tensors = tg_embedded_put_tensors(host, step, task);
  const tg_host_t *callerHost = run->call->host;
  switch (host->action) {
  case TG_EMBEDDED_HOST_PRINT:
    if (callerHost && callerHost->print) {
      callerHost->print(callerHost->user, host->text, tensors);
      (void)tg_embedded_enter_mode(); // the host may have changed the mode
    }
    return TG_OK;
  case TG_EMBEDDED_HOST_ASSERT:
    if (*(const unsigned char *)task[1])
      return TG_OK;
    return tg_embedded_fail_run(run, &fault, fault.variables_changed,
                                "the condition is false: %n [R1]");
  default:
    return callHost(run, host, (const tg_host_function_t *)task[0], tensors,
                    task + 1, scratch, &fault);
  }
}
