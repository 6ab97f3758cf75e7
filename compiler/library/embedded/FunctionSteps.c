/// An interpreter of the tables that describe functions: bodies and packing.
#include "FunctionSteps.h"
#include "FunctionSizes.h"

static const tg_embedded_function_t *implOf(const tg_function_t *function) {
  return function->impl;
}

/// Writes the addresses of tensors. Returns the end of the written words.
static int64_t *putTensors(int64_t *base, const tg_tensor_t *tensors,
                           uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    *base++ = (int64_t)tensors[i].data + (int64_t)tensors[i].byte_offset;
  return base;
}

/// Writes the numbers from index `first` on.
static void putNumbers(const tg_embedded_program_t *program,
                       const int64_t *symbols, int64_t *bases, uint32_t first) {
  int ignored = 0;
  int64_t *numbers = bases + program->base_count - program->number_count;
  for (uint32_t i = first; i < program->number_count; ++i)
    numbers[i] = tg_embedded_evaluate(
        program->expressions + program->numbers[i], symbols, &ignored);
}

/// Writes all bases and returns the start of the scratch memory. No size
/// overflows, because `sizes` checked it.
static char *putBases(const tg_embedded_run_t *run,
                      const tg_embedded_program_t *program, int64_t *bases) {
  const tg_function_t *function = run->function;
  const int64_t *symbols = run->symbols;
  const int64_t arena = (int64_t)run->workspace + program->header_bytes;
  int ignored = 0;
  bases[TG_EMBEDDED_BASE_ZERO] = 0;
  bases[TG_EMBEDDED_BASE_SLAB] = (int64_t)run->call->slab;
  bases[TG_EMBEDDED_BASE_PACKED] =
      (int64_t)run->call->packed + TG_EMBEDDED_PACKED_HEADER_BYTES;
  bases[TG_EMBEDDED_BASE_ARENA] = arena;
  int64_t *base = bases + TG_EMBEDDED_BASE_SYMBOLS;
  for (uint32_t i = 0; i < function->symbol_total; ++i)
    *base++ = symbols[i];
  base = putTensors(base, run->call->inputs, function->input_count);
  base = putTensors(base, run->call->outputs, function->output_count);
  for (uint32_t i = 0; i < program->constant_count; ++i)
    *base++ = (int64_t)program->constants[i];
  const int64_t end =
      tg_embedded_lay_arena(program, symbols, arena, base, &ignored);
  base += program->buffer_count + program->register_count;
  for (uint32_t i = 0; i < function->host_function_count; ++i)
    *base++ = (int64_t)tg_embedded_find_host(run->call->host,
                                             function->host_functions[i]->name);
  putNumbers(program, symbols, bases, 0);
  return (char *)(arena + end);
}

static int64_t *basesOf(const tg_embedded_run_t *run) {
  return (int64_t *)(void *)(run->workspace +
                             TG_EMBEDDED_CELL_BYTES(
                                 implOf(run->function)->cell_count));
}

/// Puts the slots of a step into the task.
static void putSlots(const tg_embedded_run_t *run,
                     const tg_embedded_step_t *step, int64_t *task) {
  const tg_embedded_slot_t *slots =
      implOf(run->function)->program->slots + step->first_slot;
  const int64_t *bases = basesOf(run);
  for (uint32_t i = 0; i < step->slot_count; ++i)
    task[i] = bases[slots[i].base] + slots[i].offset;
}

/// Completes the task of a kernel behind its pointers and symbols: scratch
/// memory, the error cells, the number of workers. Returns the kernel.
static const tg_embedded_kernel_t *putKernel(const tg_embedded_run_t *run,
                                             const tg_embedded_step_t *step,
                                             int64_t *task, char *scratch) {
  int64_t *rest = task + step->slot_count;
  rest[0] = (int64_t)scratch;
  rest[1] = (int64_t)run->workspace;
  rest[2] = run->workers;
  return &implOf(run->function)->target->kernels[step->number];
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
static void findValue(const tg_embedded_run_t *run,
                      const tg_embedded_step_t *step,
                      const tg_embedded_check_t *check, int64_t *task,
                      char *scratch) {
  for (uint32_t i = 0; i < implOf(run->function)->cell_count; ++i)
    if (i < check->first_cell || i >= check->first_cell + check->cell_count)
      *tg_embedded_cell(run->workspace, i) = -1;
  putSlots(run, step, task);
  const tg_embedded_kernel_t *kernel = putKernel(run, step, task, scratch);
  const int64_t tiles = kernel->tiles(task);
  kernel->body(task, 0, tiles, 0);
  if (kernel->has_finalize_step)
    kernel->body(task, tiles, tiles + 1, 0);
}

/// Fails where an element of the launch before this step fails a check: the
/// first check of the kernel that found one.
static tg_status_t checkElements(const tg_embedded_run_t *run,
                                 const tg_embedded_step_t *step, int64_t *task,
                                 char *scratch) {
  const tg_embedded_check_t *const *checks =
      implOf(run->function)->program->checks + step->number;
  for (uint32_t i = 0; i < step->slot_count; ++i) {
    if (__builtin_expect(tg_embedded_failing(run, checks[i]) == INT64_MAX, 1))
      continue;
    const int64_t bound = task[i];
    if (checks[i]->reports_value)
      findValue(run, step - 1, checks[i], task, scratch);
    return tg_embedded_check(run, checks[i], bound, step->variables_changed);
  }
  return TG_OK;
}

/// Fails if a relation does not hold.
static tg_status_t require(const tg_embedded_run_t *run,
                           const tg_embedded_step_t *step) {
  const tg_embedded_function_t *impl = implOf(run->function);
  int64_t numbers[2];
  int overflowed = 0;
  if (tg_embedded_is_held(impl->program,
                          &impl->program->relations[step->number], run->symbols,
                          numbers, &overflowed))
    return TG_OK;
  return tg_embedded_require_failed(run, impl->entry_checks[step->number],
                                    TG_ERROR_DIM, numbers[0], numbers[1],
                                    step->variables_changed);
}

/// Stores a data-dependent size as a symbol, and recomputes the numbers that
/// follow from it.
static tg_status_t measure(const tg_embedded_run_t *run,
                           const tg_embedded_step_t *step, int64_t found) {
  const tg_embedded_function_t *impl = implOf(run->function);
  const tg_embedded_program_t *program = impl->program;
  int ignored = 0;
  const int64_t most = tg_embedded_evaluate(
      program->expressions + program->relations[step->number].expected,
      run->symbols, &ignored);
  if (found < 0 || found > most)
    return tg_embedded_require_failed(run, impl->entry_checks[step->number],
                                      TG_ERROR_DIM, found, most,
                                      step->variables_changed);
  int64_t *bases = basesOf(run);
  run->symbols[step->target] = found;
  bases[TG_EMBEDDED_BASE_SYMBOLS + step->target] = found;
  putNumbers(program, run->symbols, bases, program->first_found_number);
  return TG_OK;
}

/// Recomputes the computed symbols from the data-dependent sizes of the run.
static void putExact(const tg_embedded_run_t *run) {
  const tg_function_t *function = run->function;
  const tg_embedded_program_t *program = implOf(function)->program;
  int ignored = 0;
  if (program->exact)
    for (uint32_t i = function->symbol_count; i < function->symbol_total; ++i)
      run->symbols[i] = tg_embedded_evaluate(
          program->expressions + program->exact[i - function->symbol_count],
          run->symbols, &ignored);
}

/// Runs a step whose slots are in `task`.
static tg_status_t runStep(const tg_embedded_run_t *run,
                           const tg_embedded_step_t *step, int64_t *task,
                           char *scratch) {
  const tg_embedded_function_t *impl = implOf(run->function);
  switch (step->kind) {
  case TG_EMBEDDED_LAUNCH:
    return launch(run, step, task, scratch);
  case TG_EMBEDDED_CHECK:
    return checkElements(run, step, task, scratch);
  case TG_EMBEDDED_HOST:
    return tg_embedded_host(run, step, task, scratch);
  case TG_EMBEDDED_CLEAR:
    tg_embedded_clear(run);
    return TG_OK;
  case TG_EMBEDDED_REQUIRE:
    return require(run, step);
  case TG_EMBEDDED_MEASURE:
    return measure(run, step, *(const int64_t *)task[0]);
  case TG_EMBEDDED_LIMIT:
    if (task[0] != task[1])
      return TG_OK;
    return tg_embedded_require_failed(run, impl->entry_checks[step->number],
                                      TG_ERROR_ASSERT, task[0], task[1],
                                      step->variables_changed);
  default:
    __builtin_memcpy((void *)task[1], (const void *)task[0], (uint64_t)task[2]);
    return TG_OK;
  }
}

/// Runs a control step: changes bases and returns the index of the next step,
/// `next` unless it jumps.
static uint32_t control(const tg_embedded_step_t *step,
                        const tg_embedded_slot_t *slots, const int64_t *task,
                        int64_t *bases, uint32_t next) {
  int64_t *base = &bases[step->number];
  switch (step->kind) {
  case TG_EMBEDDED_LOOP:
    *base = task[0];
    return task[0] == task[1] ? step->target : next;
  case TG_EMBEDDED_NEXT:
    *base += task[0];
    return *base == task[1] ? next : step->target;
  case TG_EMBEDDED_BRANCH:
    return *(const unsigned char *)task[0] ? next : step->target;
  case TG_EMBEDDED_JUMP:
    return step->target;
  case TG_EMBEDDED_ADDRESS:
    *base = task[0] + task[1] * task[2];
    return next;
  default: {
    const int64_t first = bases[slots[0].base];
    bases[slots[0].base] = bases[slots[1].base];
    bases[slots[1].base] = first;
    return next;
  }
  }
}

/// Sets the times of steps in loops and branches to 0, because they may not
/// run.
static void clearRepeated(const tg_embedded_program_t *program,
                          const tg_profile_t *profile) {
  for (uint32_t i = 0; i < program->step_count; ++i) {
    const tg_embedded_step_t *step = &program->steps[i];
    if (step->repeats && step->timed != TG_EMBEDDED_UNTIMED)
      profile->begin[step->timed] = profile->end[step->timed] = 0;
  }
}

tg_status_t tg_embedded_program_body(const tg_embedded_run_t *run) {
  const tg_embedded_function_t *impl = implOf(run->function);
  const tg_embedded_program_t *program = impl->program;
  int64_t *bases = basesOf(run);
  int64_t *task = bases + program->base_count;
  char *scratch = putBases(run, program, bases);
  const tg_profile_t *profile = run->call->profile;
  const tg_trace_t *trace = run->call->trace;
  uint64_t time = 0;
  if (profile) {
    clearRepeated(program, profile);
    time = profile->now(profile->user);
  }
  for (uint32_t i = 0; i < program->step_count;) {
    const tg_embedded_step_t *step = &program->steps[i++];
    putSlots(run, step, task);
    if (step->kind >= TG_EMBEDDED_LOOP) {
      i = control(step, program->slots + step->first_slot, task, bases, i);
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
  putExact(run);
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
