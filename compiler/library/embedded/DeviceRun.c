/// Runs a function on a device: enqueues its steps, waits once at the end, and
/// finds the errors of the run.
///
/// The host block begins with the report of the run, the bases and the argument
/// block. The bases after the last wait and, in a function that waits, the
/// initial report follow, then the memory for what host steps read and write,
/// or, in a function that does not wait, for the exchange.
#include "DeviceArguments.h"

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
  tg_status_t status = tg_embedded_copy(walk, step, walk->report, run->block,
                                        tg_embedded_report_bytes(run->function),
                                        TG_COPY_TO_DEVICE);
  tg_embedded_put_slots(run, step - 1, task);
  if (status == TG_OK)
    status = tg_embedded_launch_kernel(walk, step - 1, task, walk->last);
  if (status == TG_OK)
    status = tg_embedded_copy_report(walk, step);
  return status == TG_OK ? tg_embedded_receive_report(walk, step) : status;
}

/// Fails because of the elements of a launch. Walks again from the last wait to
/// find its step, since the slots of steps in loops change.
static tg_status_t failLaunch(tg_embedded_walk_t *walk) {
  const tg_embedded_program_t *program = tg_embedded_walk_program(walk);
  int64_t *bases = tg_embedded_bases(walk->run);
  int64_t *task = bases + program->base_count;
  walk->last = tg_embedded_walk_report(walk)->failing_launch;
  walk->step = walk->waited_step;
  walk->launch = 0;
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

/// Prepares the host block, but for the report at its front.
static void prepareBlock(tg_embedded_walk_t *walk) {
  const tg_embedded_run_t *run = walk->run;
  const tg_embedded_report_t *report = tg_embedded_walk_report(walk);
  tg_embedded_report_t *initial = (tg_embedded_report_t *)(void *)walk->initial;
  initial->value = 0;
  initial->failing_launch = INT64_MAX;
  __builtin_memcpy(initial + 1, report + 1,
                   tg_embedded_report_bytes(run->function) - sizeof(*report));
  __builtin_memcpy(tg_embedded_saved_bases(walk), tg_embedded_bases(run),
                   sizeof(int64_t) *
                       tg_embedded_walk_program(walk)->base_count);
  tg_embedded_stage_inputs(walk);
}

/// Enqueues the whole run, but for the copies of outputs beside it.
static tg_status_t enqueueRun(tg_embedded_walk_t *walk) {
  const tg_embedded_run_t *run = walk->run;
  const tg_function_t *function = run->function;
  const tg_device_call_t *device = run->call->device;
  const tg_device_key_t key = {sizeof(key), function->symbol_total, function,
                               run->symbols};
  const int isRepeatable =
      !run->call->profile && !tg_embedded_waits(tg_embedded_walk_program(walk));
  prepareBlock(walk);
  tg_status_t status = tg_embedded_copy_inputs(walk);
  if (status != TG_OK)
    return status;
  status = device->ops->run(device->device, device->stream,
                            isRepeatable ? &key : 0, tg_embedded_enqueue, walk);
  // A failure of run itself is one of the device.
  return status == TG_OK || walk->status != TG_OK
             ? status
             : tg_embedded_fail_operation(walk, 0, status);
}

/// Waits for the end of what was enqueued, of which `status` is the result, and
/// finds the errors of the run.
static tg_status_t complete(tg_embedded_walk_t *walk, tg_status_t status) {
  tg_embedded_report_t *report = tg_embedded_walk_report(walk);
  const int isComplete = status == TG_OK && !walk->found_error;
  // A launch before a step of the host that failed may have failed, too.
  const uint32_t changed = status == TG_OK ? 0 : report->variables_changed;
  const tg_status_t copied = isComplete ? tg_embedded_copy_outputs(walk)
                                        : tg_embedded_copy_report(walk, 0);
  const tg_status_t waited =
      copied == TG_OK ? tg_embedded_receive_report(walk, 0) : copied;
  if (waited != TG_OK)
    return waited;
  if (report->failing_launch != INT64_MAX)
    return failLaunch(walk);
  report->variables_changed = changed;
  if (status == TG_OK)
    tg_embedded_unstage_outputs(walk);
  return status;
}

tg_status_t tg_embedded_device_body(const tg_embedded_run_t *run) {
  const tg_device_call_t *device = run->call->device;
  tg_embedded_walk_t walk = {.run = run};
  tg_embedded_put_arguments(&walk, tg_embedded_put_bases(run));
  tg_status_t status =
      device->flags & TG_DEVICE_FINISH ? TG_OK : enqueueRun(&walk);
  const int isSplit = device->flags & TG_DEVICE_ASYNC &&
                      !tg_embedded_waits(tg_embedded_walk_program(&walk));
  if (status == TG_OK && isSplit)
    return status;
  if (!walk.has_failed)
    status = complete(&walk, status);
  // Nothing may access the memory of the caller after the return.
  if (walk.has_failed)
    (void)device->ops->wait(device->device, device->stream);
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
  uint64_t copies, staged;
  tg_embedded_argument_sizes(function, symbols, &copies, &staged, &overflowed);
  overflowed |= __builtin_add_overflow(plan->workspace_bytes, copies,
                                       &plan->workspace_bytes);
  const tg_embedded_function_t *impl = tg_embedded_impl(function);
  const int64_t ofHostSteps =
      tg_embedded_staging_bytes(impl->program, symbols, &overflowed);
  if (TG_HAS(tg_plan_t, plan, host_block_bytes))
    plan->host_block_bytes =
        impl->host_block_bytes + (uint64_t)ofHostSteps + staged;
  return overflowed || plan->workspace_bytes > INT64_MAX ? -1 : 0;
}
