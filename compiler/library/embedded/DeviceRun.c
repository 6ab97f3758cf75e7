/// Runs a function on a device: enqueues its steps, waits once at the end, and
/// finds the errors of the run.
///
/// The host block begins with the report that is copied back, the bases and the
/// argument block. The bases at the last wait and the initial report are at its
/// end.
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
// Runs
//===----------------------------------------------------------------------===//

/// Copies the arguments [first, last) that lie in host memory to the workspace,
/// or from there.
static tg_status_t copyArguments(tg_embedded_walk_t *walk, uint32_t first,
                                 uint32_t last, uint32_t direction) {
  const tg_embedded_run_t *run = walk->run;
  const tg_function_t *function = run->function;
  const tg_model_t *model = tg_embedded_impl(function)->model;
  const int64_t *places = tg_embedded_bases(run) + TG_EMBEDDED_BASE_SYMBOLS +
                          function->symbol_total;
  for (uint32_t i = first; i < last; ++i) {
    const tg_tensor_t *tensor = tg_embedded_argument(run->call, i);
    if (!tg_embedded_is_copied(model, tensor))
      continue;
    const int isInput = direction == TG_COPY_TO_DEVICE;
    void *host = tg_embedded_data(tensor), *place = (void *)places[i];
    const tg_status_t status = tg_embedded_copy(
        walk, 0, isInput ? place : host, isInput ? host : place,
        tg_embedded_argument_bytes(function, i, run->symbols), direction);
    if (status != TG_OK)
      return status;
  }
  return TG_OK;
}

/// Returns true if a step of the function waits for the device.
static int waits(const tg_embedded_program_t *program) {
  for (uint32_t i = 0; i < program->step_count; ++i)
    if (tg_embedded_slot_to_read(&program->steps[i]) >= 0)
      return 1;
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
  (void)tg_embedded_put_bases(run);
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
