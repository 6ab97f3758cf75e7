/// Runs a function on a device: enqueues its steps, waits once at the end, and
/// finds the errors of the run.
///
/// The host block begins with the report that is copied back, the bases and the
/// argument block. The bases after the last wait and the initial report follow,
/// then the memory for what host steps read and write.
#include "DeviceSteps.h"

//===----------------------------------------------------------------------===//
// Errors in data
//===----------------------------------------------------------------------===//

/// A tg_embedded_find_value_fn: runs the failing launch again. All later
/// launches and copies had no effect, so its inputs are unchanged.
static tg_status_t findValue(const tg_embedded_run_t *run,
                             const tg_embedded_step_t *step,
                             const tg_embedded_check_t *check, int64_t *task,
                             void *argument) {
  tg_embedded_walk_t *walk = argument;
  for (uint32_t i = 0; i < tg_embedded_impl(run->function)->cell_count; ++i)
    if (i < check->first_cell || i >= check->first_cell + check->cell_count)
      *tg_embedded_cell(run->block, i) = -1;
  tg_embedded_walk_report(walk)->failing_launch = walk->last;
  tg_status_t status =
      tg_embedded_copy(walk, step, run->workspace, run->block,
                       tg_embedded_report_bytes(walk), TG_COPY_TO_DEVICE);
  tg_embedded_put_slots(run, step - 1, task);
  if (status == TG_OK)
    status = tg_embedded_launch_kernel(walk, step - 1, task, walk->last);
  if (status == TG_OK)
    status = tg_embedded_copy_report(walk, step);
  return status == TG_OK ? tg_embedded_wait(walk, step) : status;
}

/// Fails because of the elements of a launch. Walks again from the last wait to
/// find its step, since the slots of steps in loops change.
static tg_status_t failLaunch(tg_embedded_walk_t *walk) {
  const tg_embedded_program_t *program = tg_embedded_walk_program(walk);
  int64_t *bases = tg_embedded_bases(walk->run);
  int64_t *task = bases + program->base_count;
  walk->last = tg_embedded_walk_report(walk)->failing_launch;
  walk->step = walk->waited_step;
  walk->launch = walk->waited_launch;
  __builtin_memcpy(bases, tg_embedded_saved_bases(walk),
                   sizeof(int64_t) * program->base_count);
  tg_status_t status = tg_embedded_advance(walk);
  if (status != TG_OK)
    return status;
  const tg_embedded_step_t *check = &program->steps[walk->step];
  tg_embedded_put_slots(walk->run, check, task);
  return tg_embedded_check_elements(walk->run, check, task, findValue, walk);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Returns argument `index` of a call: an input, or an output after them.
static const tg_tensor_t *argumentAt(const tg_call_t *call, uint32_t index) {
  return index < call->input_count ? &call->inputs[index]
                                   : &call->outputs[index - call->input_count];
}

/// Returns true if a function on a device copies a tensor through the
/// workspace, because the tensor lies in host memory.
static int isCopied(const tg_model_t *model, const tg_tensor_t *tensor) {
  return tensor->device.device_type != model->device_type;
}

/// Returns the bytes of argument `index`.
static int64_t argumentBytes(const tg_function_t *function, uint32_t index,
                             const int64_t *symbols, int *overflowed) {
  const tg_value_t *value =
      index < function->input_count
          ? function->inputs[index]
          : function->outputs[index - function->input_count];
  int64_t bytes = value->dtype.bits / 8;
  int isEmpty = 0, isTooLarge = 0;
  for (uint32_t i = 0; i < value->rank; ++i) {
    const int64_t dim = tg_dim(value->dims[i], symbols);
    isEmpty |= dim == 0;
    isTooLarge |= __builtin_mul_overflow(bytes, dim, &bytes);
  }
  *overflowed |= isTooLarge && !isEmpty;
  return isEmpty ? 0 : bytes;
}

/// Returns the bytes of the workspace for a copy of argument `index`: a
/// multiple of the alignment.
static uint64_t copyBytes(const tg_function_t *function, uint32_t index,
                          const int64_t *symbols, int *overflowed) {
  const uint64_t alignment = tg_embedded_impl(function)->model->alignment;
  const uint64_t bytes =
      (uint64_t)argumentBytes(function, index, symbols, overflowed);
  return (bytes + alignment - 1) / alignment * alignment;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Writes the addresses on the device of the inputs and outputs, and of the
/// constants. `copies` is the memory for tensors of the host. Returns its end,
/// where scratch memory begins.
static char *putDeviceMemory(const tg_embedded_run_t *run, char *copies) {
  const tg_embedded_function_t *impl = tg_embedded_impl(run->function);
  int ignored = 0;
  int64_t *base = tg_embedded_bases(run) + TG_EMBEDDED_BASE_SYMBOLS +
                  run->function->symbol_total;
  const uint32_t count =
      run->function->input_count + run->function->output_count;
  for (uint32_t i = 0; i < count; ++i) {
    const tg_tensor_t *tensor = argumentAt(run->call, i);
    const int isOnHost = isCopied(impl->model, tensor);
    *base++ = (int64_t)(isOnHost ? copies : tg_embedded_data(tensor));
    if (isOnHost)
      copies += copyBytes(run->function, i, run->symbols, &ignored);
  }
  const char *constants = run->call->device->constants;
  for (uint32_t i = 0; i < impl->program->constant_count; ++i)
    *base++ = (int64_t)constants + ((const char *)impl->program->constants[i] -
                                    (const char *)impl->model->constants);
  return copies;
}

/// Copies the arguments [first, last) that lie in host memory to the workspace,
/// or from there.
static tg_status_t copyArguments(tg_embedded_walk_t *walk, uint32_t first,
                                 uint32_t last, uint32_t direction) {
  const tg_embedded_run_t *run = walk->run;
  const tg_function_t *function = run->function;
  const tg_model_t *model = tg_embedded_impl(function)->model;
  const int64_t *places = tg_embedded_bases(run) + TG_EMBEDDED_BASE_SYMBOLS +
                          function->symbol_total;
  int ignored = 0;
  for (uint32_t i = first; i < last; ++i) {
    const tg_tensor_t *tensor = argumentAt(run->call, i);
    if (!isCopied(model, tensor))
      continue;
    const int isInput = direction == TG_COPY_TO_DEVICE;
    void *host = tg_embedded_data(tensor), *place = (void *)places[i];
    const tg_status_t status = tg_embedded_copy(
        walk, 0, isInput ? place : host, isInput ? host : place,
        (uint64_t)argumentBytes(function, i, run->symbols, &ignored),
        direction);
    if (status != TG_OK)
      return status;
  }
  return TG_OK;
}

/// Returns true if a step of the function waits for the device.
static int waits(const tg_embedded_program_t *program) {
  for (uint32_t i = 0; i < program->step_count; ++i) {
    const uint32_t kind = program->steps[i].kind;
    if (kind == TG_EMBEDDED_HOST || kind == TG_EMBEDDED_MEASURE ||
        kind == TG_EMBEDDED_BRANCH)
      return 1;
  }
  return 0;
}

/// Enqueues the whole run.
static tg_status_t enqueueRun(tg_embedded_walk_t *walk) {
  const tg_embedded_run_t *run = walk->run;
  const tg_function_t *function = run->function;
  const tg_device_call_t *device = run->call->device;
  const tg_device_key_t key = {sizeof(key), function->symbol_total, function,
                               run->symbols};
  const int isRepeatable =
      !run->call->profile && !waits(tg_embedded_walk_program(walk));
  const uint32_t inputs = function->input_count;
  walk->scratch = putDeviceMemory(run, tg_embedded_put_bases(run));
  __builtin_memcpy(tg_embedded_saved_bases(walk), tg_embedded_bases(run),
                   sizeof(int64_t) *
                       tg_embedded_walk_program(walk)->base_count);
  tg_status_t status = copyArguments(walk, 0, inputs, TG_COPY_TO_DEVICE);
  if (status != TG_OK)
    return status;
  status = device->ops->run(device->device, device->stream,
                            isRepeatable ? &key : 0, tg_embedded_enqueue, walk);
  if (status != TG_OK || walk->found_error)
    return status;
  return copyArguments(walk, inputs, inputs + function->output_count,
                       TG_COPY_FROM_DEVICE);
}

tg_status_t tg_embedded_device_body(const tg_embedded_run_t *run) {
  tg_embedded_walk_t walk = {.run = run};
  tg_embedded_report_t *report = tg_embedded_walk_report(&walk),
                       *initial = tg_embedded_initial_report(&walk);
  const uint64_t cells = tg_embedded_report_bytes(&walk) - sizeof(*report);
  initial->value = 0;
  initial->failing_launch = INT64_MAX;
  __builtin_memcpy(initial + 1, report + 1, cells);
  tg_status_t status = enqueueRun(&walk);
  // Nothing may access the memory of the caller after the return.
  if (walk.has_failed) {
    (void)run->call->device->ops->wait(run->call->device->device,
                                       run->call->device->stream);
    return status;
  }
  // A launch before a step of the host that failed may have failed, too.
  const uint32_t changed = status == TG_OK ? 0 : report->variables_changed;
  const tg_status_t read = status == TG_OK && !walk.found_error
                               ? TG_OK
                               : tg_embedded_copy_report(&walk, 0);
  const tg_status_t waited = read == TG_OK ? tg_embedded_wait(&walk, 0) : read;
  if (waited != TG_OK)
    return waited;
  if (report->failing_launch != INT64_MAX)
    status = failLaunch(&walk);
  else
    report->variables_changed = changed;
  return status;
}

int32_t tg_embedded_device_sizes(const tg_function_t *function,
                                 int64_t *symbols, uint32_t workers,
                                 tg_plan_t *plan, int64_t found_expected[2]) {
  const int32_t failed = tg_embedded_program_sizes(function, symbols, workers,
                                                   plan, found_expected);
  if (failed)
    return failed;
  int overflowed = 0;
  for (uint32_t i = 0; i < function->input_count + function->output_count; ++i)
    overflowed |= __builtin_add_overflow(
        plan->workspace_bytes, copyBytes(function, i, symbols, &overflowed),
        &plan->workspace_bytes);
  const tg_embedded_function_t *impl = tg_embedded_impl(function);
  const int64_t staging =
      tg_embedded_staging_bytes(impl->program, symbols, &overflowed);
  if (TG_HAS(tg_plan_t, plan, host_block_bytes))
    plan->host_block_bytes = impl->host_block_bytes + (uint64_t)staging;
  return overflowed || plan->workspace_bytes > INT64_MAX ? -1 : 0;
}
