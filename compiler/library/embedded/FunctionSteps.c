/// An interpreter of the tables that describe functions: bodies and packing.
#include "StepState.h"

/// Completes the task of a kernel behind its pointers and symbols: scratch
/// memory, the error cells, the number of workers. Returns the kernel.
static const tg_embedded_kernel_t *putKernel(const tg_embedded_run_t *run,
                                             const tg_embedded_step_t *step,
                                             int64_t *task, char *scratch) {
  int64_t *rest = task + step->slot_count;
  rest[0] = (int64_t)scratch;
  rest[1] = (int64_t)run->workspace;
  rest[2] = run->workers;
  return &tg_embedded_impl(run->function)->target->kernels[step->number];
}

/// Runs a kernel on its task.
static tg_status_t launch(const tg_embedded_run_t *run,
                          const tg_embedded_step_t *step, int64_t *task,
                          char *scratch) {
  const tg_embedded_kernel_t *kernel = putKernel(run, step, task, scratch);
  const int64_t tiles = kernel->tiles(task);
  if (__builtin_expect(tg_embedded_for(run, tiles, kernel->body, task), 0))
    return tg_embedded_host_failed(run, step->variables_changed);
  if (kernel->has_finalize_step)
    kernel->body(task, tiles, tiles + 1, 0);
  return TG_OK;
}

/// Runs the kernel of a step again, on this thread, to find the value of the
/// lowest element that failed a check. The kernel has overwritten nothing that
/// the value is computed from. Cells below all indices keep the other checks of
/// the kernel silent.
static tg_status_t findValue(const tg_embedded_run_t *run,
                             const tg_embedded_step_t *check_step,
                             const tg_embedded_check_t *check, int64_t *task,
                             void *scratch) {
  const tg_embedded_step_t *step = check_step - 1;
  for (uint32_t i = 0; i < tg_embedded_impl(run->function)->cell_count; ++i)
    if (i < check->first_cell || i >= check->first_cell + check->cell_count)
      *tg_embedded_cell(run->block, i) = -1;
  tg_embedded_put_slots(run, step, task);
  const tg_embedded_kernel_t *kernel = putKernel(run, step, task, scratch);
  const int64_t tiles = kernel->tiles(task);
  kernel->body(task, 0, tiles, 0);
  if (kernel->has_finalize_step)
    kernel->body(task, tiles, tiles + 1, 0);
  return TG_OK;
}

/// Runs a host step and copies its outputs to their buffers.
static tg_status_t callHost(const tg_embedded_run_t *run,
                            const tg_embedded_step_t *step, int64_t *task,
                            char *scratch) {
  const tg_embedded_host_step_t *host =
      tg_embedded_impl(run->function)->program->host_steps[step->number];
  const tg_status_t status = tg_embedded_host(run, step, task, scratch);
  if (status != TG_OK)
    return status;
  const uint32_t inputs = host->input_count;
  const tg_tensor_t *outputs =
      (const tg_tensor_t *)(const void *)(task + step->slot_count) + inputs;
  for (uint32_t i = 0; i < host->output_count; ++i)
    __builtin_memcpy((void *)task[1 + inputs + i], outputs[i].data,
                     tg_embedded_tensor_bytes(&outputs[i]));
  return TG_OK;
}

/// Runs a step whose slots are in `task`.
static tg_status_t runStep(const tg_embedded_run_t *run,
                           const tg_embedded_step_t *step, int64_t *task,
                           char *scratch) {
  switch (step->kind) {
  case TG_EMBEDDED_LAUNCH:
    return launch(run, step, task, scratch);
  case TG_EMBEDDED_CHECK:
    return tg_embedded_check_elements(run, step, task, findValue, scratch);
  case TG_EMBEDDED_HOST:
    return callHost(run, step, task, scratch);
  case TG_EMBEDDED_CLEAR:
    tg_embedded_clear(run);
    return TG_OK;
  case TG_EMBEDDED_REQUIRE:
    return tg_embedded_require(run, step);
  case TG_EMBEDDED_MEASURE:
    return tg_embedded_measure(run, step, *(const int64_t *)task[0]);
  case TG_EMBEDDED_LIMIT:
    return tg_embedded_limit(run, step, task);
  default:
    __builtin_memcpy((void *)task[1], (const void *)task[0], (uint64_t)task[2]);
    return TG_OK;
  }
}

tg_status_t tg_embedded_program_body(const tg_embedded_run_t *run) {
  const tg_embedded_function_t *impl = tg_embedded_impl(run->function);
  const tg_embedded_program_t *program = impl->program;
  int64_t *bases = tg_embedded_bases(run);
  int64_t *task = bases + program->base_count;
  char *scratch = tg_embedded_put_bases(run);
  const tg_profile_t *profile = run->call->profile;
  const tg_trace_t *trace = run->call->trace;
  uint64_t time = 0;
  if (profile) {
    tg_embedded_clear_repeated(program, profile);
    time = profile->now(profile->user);
  }
  for (uint32_t i = 0; i < program->step_count;) {
    const tg_embedded_step_t *step = &program->steps[i++];
    tg_embedded_put_slots(run, step, task);
    if (step->kind >= TG_EMBEDDED_LOOP) {
      i = tg_embedded_control(step, program->slots + step->first_slot, task,
                              bases, i);
      continue;
    }
    const tg_status_t status = runStep(run, step, task, scratch);
    if (__builtin_expect(status != TG_OK, 0))
      return status;
    if (__builtin_expect(profile != 0, 0) && step->timed != TG_EMBEDDED_UNTIMED)
      time = tg_embedded_note(run, step->timed, time,
                              step->repeats && profile->end[step->timed]);
    if (__builtin_expect(trace != 0, 0) && step->timed != TG_EMBEDDED_UNTIMED)
      tg_embedded_trace(run, step, task);
  }
  tg_embedded_put_exact(run);
  return TG_OK;
}

tg_status_t tg_embedded_program_pack(const tg_model_t *model, const void *slab,
                                     void *payload,
                                     const tg_parallel_t *parallel) {
  const tg_embedded_model_t *impl = model->impl;
  for (uint32_t i = 0; i < impl->pack_count; ++i) {
    const tg_embedded_pack_t *pack = &impl->packs[i];
    const tg_embedded_kernel_t *kernel = &impl->kernels[pack->kernel];
    // No symbols, scratch memory or error cells; one worker.
    int64_t task[] = {(int64_t)slab + (int64_t)pack->source,
                      (int64_t)payload + (int64_t)pack->target, 0, 0, 1};
    if (tg_embedded_loop(parallel, kernel->tiles(task), kernel->body, task))
      return TG_ERROR_HOST;
  }
  return TG_OK;
}
