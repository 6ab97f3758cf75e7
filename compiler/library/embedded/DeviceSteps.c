/// The walk over the steps of a function on a device, which enqueues them.
#include "DeviceArguments.h"
#include "ErrorText.h"

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

tg_status_t tg_embedded_fail_operation(tg_embedded_walk_t *walk,
                                       const tg_embedded_step_t *step,
                                       tg_status_t status) {
  const tg_function_t *function = walk->run->function;
  const tg_device_call_t *device = tg_embedded_walk_device(walk);
  const int isTimed = step && step->timed != TG_EMBEDDED_UNTIMED;
  const int writes = (function->flags & TG_FUNCTION_WRITES_VARIABLES) != 0;
  tg_embedded_fault_t fault = {
      .status = status,
      .location = isTimed ? function->steps[step->timed]->location : -1,
      .element = -1,
      .other = device->ops->error_text(device->device),
  };
  walk->has_failed = 1;
  return tg_embedded_fail_run(walk->run, &fault,
                              step ? step->variables_changed : (uint32_t)writes,
                              "the device failed: %o");
}

tg_status_t tg_embedded_copy(tg_embedded_walk_t *walk,
                             const tg_embedded_step_t *step, void *to,
                             const void *from, uint64_t bytes,
                             uint32_t direction) {
  const tg_device_call_t *device = tg_embedded_walk_device(walk);
  const tg_status_t status =
      bytes ? device->ops->copy(device->device, device->stream, to, from, bytes,
                                direction)
            : TG_OK;
  return status == TG_OK ? TG_OK
                         : tg_embedded_fail_operation(walk, step, status);
}

tg_status_t tg_embedded_wait(tg_embedded_walk_t *walk,
                             const tg_embedded_step_t *step) {
  const tg_device_call_t *device = tg_embedded_walk_device(walk);
  const tg_status_t status = device->ops->wait(device->device, device->stream);
  return status == TG_OK ? TG_OK
                         : tg_embedded_fail_operation(walk, step, status);
}

tg_status_t tg_embedded_receive_report(tg_embedded_walk_t *walk,
                                       const tg_embedded_step_t *step) {
  const tg_status_t status = tg_embedded_wait(walk, step);
  if (status == TG_OK && walk->received != walk->run->block)
    __builtin_memcpy(walk->run->block, walk->received,
                     tg_embedded_report_bytes(walk->run->function));
  return status;
}

tg_status_t tg_embedded_wait_for_report(tg_embedded_walk_t *walk,
                                        const tg_embedded_step_t *step) {
  const tg_status_t status = tg_embedded_receive_report(walk, step);
  if (status != TG_OK)
    return status;
  walk->found_error =
      tg_embedded_walk_report(walk)->failing_launch != INT64_MAX;
  walk->has_waited = !walk->found_error;
  return TG_OK;
}

tg_status_t tg_embedded_copy_report(tg_embedded_walk_t *walk,
                                    const tg_embedded_step_t *step) {
  return tg_embedded_copy(walk, step, walk->received, walk->report,
                          tg_embedded_report_bytes(walk->run->function),
                          TG_COPY_FROM_DEVICE);
}

/// Fails the run because a launch has too many blocks.
static tg_status_t failBlocks(const tg_embedded_walk_t *walk,
                              const tg_embedded_step_t *step, int64_t blocks) {
  tg_embedded_fault_t fault = {.status = TG_ERROR_SIZE,
                               .location = -1,
                               .element = -1,
                               .found = blocks,
                               .expected = INT32_MAX};
  return tg_embedded_fail_run(walk->run, &fault, step->variables_changed,
                              "a launch has %f blocks, expected at most %e");
}

/// Enqueues a launch whose slots are in `task`.
static tg_status_t launch(tg_embedded_walk_t *walk,
                          const tg_embedded_step_t *step,
                          const tg_embedded_launch_t *kernel,
                          const int64_t *task) {
  const tg_device_call_t *device = tg_embedded_walk_device(walk);
  const int64_t *expressions =
      tg_embedded_impl(walk->run->function)->target->device->expressions;
  const int64_t *symbols = task + kernel->first_symbol;
  int ignored = 0;
  const int64_t threads =
      tg_embedded_evaluate(expressions + kernel->threads, symbols, &ignored);
  const int isWide =
      kernel->wide_kernel != kernel->kernel &&
      tg_embedded_evaluate(expressions + kernel->excess, symbols, &ignored) > 0;
  const int64_t block = kernel->block_threads;
  const int64_t blocks = threads / block + (threads % block > 0);
  if (blocks <= 0)
    return TG_OK;
  if (blocks > INT32_MAX)
    return failBlocks(walk, step, blocks);
  const tg_status_t status = device->ops->launch(
      device->device, device->stream, device->images[kernel->image],
      isWide ? kernel->wide_kernel : kernel->kernel, (uint32_t)blocks,
      kernel->block_threads, (const uint64_t *)task, kernel->parameter_count);
  return status == TG_OK ? TG_OK
                         : tg_embedded_fail_operation(walk, step, status);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

tg_status_t tg_embedded_launch_kernel(tg_embedded_walk_t *walk,
                                      const tg_embedded_step_t *step,
                                      int64_t *task, int64_t number) {
  const tg_embedded_device_t *code =
      tg_embedded_impl(walk->run->function)->target->device;
  const tg_embedded_launch_t *kernel = &code->launches[step->number];
  int64_t *rest = task + step->slot_count;
  rest[0] = (int64_t)walk->scratch;
  rest[1] = (int64_t)walk->report;
  rest[2] = number;
  return launch(walk, step, kernel, task);
}

/// Enqueues the kernel of the user of a step, whose slots are in `task`. Has no
/// effect after a launch that found an error.
static tg_status_t launchGrid(tg_embedded_walk_t *walk,
                              const tg_embedded_step_t *step, int64_t *task) {
  const tg_device_call_t *device = tg_embedded_walk_device(walk);
  const tg_embedded_grid_t *grid =
      &tg_embedded_walk_program(walk)->grids[step->number];
  int64_t *arguments = task + TG_EMBEDDED_GRID_DIMS;
  int64_t *rest = task + step->slot_count;
  rest[0] = (int64_t)walk->report;
  rest[1] = walk->launch + 1;
  if (task[0] <= 0)
    return TG_OK;
  if (task[0] > INT32_MAX)
    return failBlocks(walk, step, task[0]);
  const uint32_t blocks[] = {(uint32_t)task[0], (uint32_t)task[1],
                             (uint32_t)task[2]};
  const tg_status_t status = device->ops->launch_grid(
      device->device, device->stream, device->images[grid->image],
      /*kernel=*/0, blocks, grid->threads, grid->shared_bytes,
      (const uint64_t *)arguments, (uint32_t)(rest + 2 - arguments));
  return status == TG_OK ? TG_OK
                         : tg_embedded_fail_operation(walk, step, status);
}

/// Enqueues a copy within the device, or zeros if `from` is 0. Has no effect
/// after a launch that found an error.
static tg_status_t copyWithin(tg_embedded_walk_t *walk,
                              const tg_embedded_step_t *step, int64_t from,
                              int64_t to, int64_t bytes) {
  const tg_device_call_t *device = tg_embedded_walk_device(walk);
  if (!walk->launch && bytes) { // nothing can have failed
    const tg_status_t status =
        from ? device->ops->copy(device->device, device->stream, (void *)to,
                                 (const void *)from, (uint64_t)bytes,
                                 TG_COPY_WITHIN_DEVICE)
             : device->ops->fill(device->device, device->stream, (void *)to, 0,
                                 (uint64_t)bytes);
    return status == TG_OK ? TG_OK
                           : tg_embedded_fail_operation(walk, step, status);
  }
  const tg_embedded_device_t *code =
      tg_embedded_impl(walk->run->function)->target->device;
  const int64_t task[] = {from, to, bytes, (int64_t)walk->report,
                          walk->launch + 1};
  return launch(walk, step, &code->copy, task);
}

/// Reads the number or flag on the device to which the slot of a step points.
/// Points the slot to the copy.
static tg_status_t readBack(tg_embedded_walk_t *walk,
                            const tg_embedded_step_t *step, int64_t *slot) {
  tg_embedded_report_t *report = tg_embedded_walk_report(walk);
  const uint64_t bytes = step->kind == TG_EMBEDDED_MEASURE ? 8 : 1;
  tg_status_t status = tg_embedded_copy_report(walk, step);
  if (status == TG_OK)
    status = tg_embedded_copy(walk, step, &report->value, (const void *)*slot,
                              bytes, TG_COPY_FROM_DEVICE);
  *slot = (int64_t)&report->value;
  return status == TG_OK ? tg_embedded_wait_for_report(walk, step) : status;
}

/// Enqueues a step whose slots are in `task`, or does what the host does.
static tg_status_t enqueueStep(tg_embedded_walk_t *walk,
                               const tg_embedded_step_t *step, int64_t *task) {
  const tg_embedded_run_t *run = walk->run;
  switch (step->kind) {
  case TG_EMBEDDED_LAUNCH:
    return tg_embedded_launch_kernel(walk, step, task, walk->launch);
  case TG_EMBEDDED_COPY:
    return copyWithin(walk, step, task[0], task[1], task[2]);
  case TG_EMBEDDED_GRID:
    return launchGrid(walk, step, task);
  case TG_EMBEDDED_CLEAR:
    return copyWithin(
        walk, step, 0,
        (int64_t)run->call->slab + (int64_t)sizeof(tg_slab_header_t),
        (int64_t)(run->function->slab_bytes - sizeof(tg_slab_header_t)));
  case TG_EMBEDDED_REQUIRE:
    return tg_embedded_require(run, step);
  case TG_EMBEDDED_LIMIT:
    return tg_embedded_limit(run, step, task);
  case TG_EMBEDDED_MEASURE:
    return tg_embedded_measure(run, step, *(const int64_t *)task[0]);
  case TG_EMBEDDED_HOST:
    return tg_embedded_host_on_device(walk, step, task);
  default:
    return TG_OK; // the errors of checks are found at the end
  }
}

/// Saves the state after a step that waited. A failing launch comes after it,
/// so launches are counted anew, and parts of a run may be equal.
static void saveState(tg_embedded_walk_t *walk) {
  walk->has_waited = 0;
  walk->waited_step = walk->step;
  walk->launch = 0;
  __builtin_memcpy(tg_embedded_saved_bases(walk), tg_embedded_bases(walk->run),
                   sizeof(int64_t) *
                       tg_embedded_walk_program(walk)->base_count);
}

/// Records the end of a step in the profile, if there is one.
static void note(tg_embedded_walk_t *walk, const tg_embedded_step_t *step) {
  const tg_profile_t *profile = walk->run->call->profile;
  if (profile && step->timed != TG_EMBEDDED_UNTIMED)
    walk->time = tg_embedded_note(walk->run, step->timed, walk->time,
                                  step->repeats && profile->end[step->timed]);
}

tg_status_t tg_embedded_advance(tg_embedded_walk_t *walk) {
  const tg_embedded_program_t *program = tg_embedded_walk_program(walk);
  int64_t *bases = tg_embedded_bases(walk->run);
  int64_t *task = bases + program->base_count;
  while (walk->step < program->step_count) {
    const tg_embedded_step_t *step = &program->steps[walk->step++];
    tg_embedded_put_slots(walk->run, step, task);
    if (step->kind == TG_EMBEDDED_LAUNCH && ++walk->launch == walk->last)
      return TG_OK;
    tg_status_t status = TG_OK;
    if (step->kind == TG_EMBEDDED_MEASURE || step->kind == TG_EMBEDDED_BRANCH) {
      status = readBack(walk, step, task);
      if (status != TG_OK || walk->found_error)
        return status;
    }
    if (step->kind >= TG_EMBEDDED_LOOP) {
      walk->step = tg_embedded_control(step, program->slots + step->first_slot,
                                       task, bases, walk->step);
    } else if (!walk->last) {
      status = enqueueStep(walk, step, task);
      if (status != TG_OK || walk->found_error)
        return status;
      note(walk, step);
    }
    if (walk->has_waited)
      saveState(walk);
  }
  tg_embedded_put_exact(walk->run);
  return TG_OK;
}

/// Enqueues the steps and all copies of the run that are repeated with them.
static tg_status_t enqueueAll(tg_embedded_walk_t *walk) {
  const tg_profile_t *profile = walk->run->call->profile;
  tg_status_t status = tg_embedded_begin_exchange(walk);
  if (status != TG_OK)
    return status;
  if (profile) {
    tg_embedded_clear_repeated(tg_embedded_walk_program(walk), profile);
    walk->time = profile->now(profile->user);
  }
  status = tg_embedded_advance(walk);
  if (status != TG_OK || walk->found_error)
    return status;
  return tg_embedded_end_exchange(walk);
}

tg_status_t tg_embedded_enqueue(void *argument) {
  tg_embedded_walk_t *walk = argument;
  // The caller's table may call this again, as after a failed recording.
  walk->step = 0;
  walk->launch = 0;
  walk->has_failed = 0;
  __builtin_memcpy(tg_embedded_bases(walk->run), tg_embedded_saved_bases(walk),
                   sizeof(int64_t) *
                       tg_embedded_walk_program(walk)->base_count);
  walk->status = enqueueAll(walk);
  return walk->status;
}
