/// The state of a run between two steps: bases, symbols and the errors that
/// follow from them.
#include "StepState.h"

/// Writes the addresses of tensors. Returns the end of the written words.
static int64_t *putTensors(int64_t *base, const tg_tensor_t *tensors,
                           uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    *base++ = (int64_t)tg_embedded_data(&tensors[i]);
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

char *tg_embedded_put_bases(const tg_embedded_run_t *run) {
  const tg_function_t *function = run->function;
  const tg_embedded_program_t *program = tg_embedded_impl(function)->program;
  const int64_t *symbols = run->symbols;
  const int64_t arena = (int64_t)run->workspace + program->header_bytes;
  int64_t *bases = tg_embedded_bases(run);
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

tg_status_t tg_embedded_require(const tg_embedded_run_t *run,
                                const tg_embedded_step_t *step) {
  const tg_embedded_function_t *impl = tg_embedded_impl(run->function);
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

tg_status_t tg_embedded_limit(const tg_embedded_run_t *run,
                              const tg_embedded_step_t *step,
                              const int64_t *task) {
  if (task[0] != task[1])
    return TG_OK;
  return tg_embedded_require_failed(
      run, tg_embedded_impl(run->function)->entry_checks[step->number],
      TG_ERROR_ASSERT, task[0], task[1], step->variables_changed);
}

tg_status_t tg_embedded_measure(const tg_embedded_run_t *run,
                                const tg_embedded_step_t *step, int64_t found) {
  const tg_embedded_function_t *impl = tg_embedded_impl(run->function);
  const tg_embedded_program_t *program = impl->program;
  int ignored = 0;
  const int64_t most = tg_embedded_evaluate(
      program->expressions + program->relations[step->number].expected,
      run->symbols, &ignored);
  if (found < 0 || found > most)
    return tg_embedded_require_failed(run, impl->entry_checks[step->number],
                                      TG_ERROR_DIM, found, most,
                                      step->variables_changed);
  int64_t *bases = tg_embedded_bases(run);
  run->symbols[step->target] = found;
  bases[TG_EMBEDDED_BASE_SYMBOLS + step->target] = found;
  putNumbers(program, run->symbols, bases, program->first_found_number);
  return TG_OK;
}

void tg_embedded_put_exact(const tg_embedded_run_t *run) {
  const tg_function_t *function = run->function;
  const tg_embedded_program_t *program = tg_embedded_impl(function)->program;
  int ignored = 0;
  if (program->exact)
    for (uint32_t i = function->symbol_count; i < function->symbol_total; ++i)
      run->symbols[i] = tg_embedded_evaluate(
          program->expressions + program->exact[i - function->symbol_count],
          run->symbols, &ignored);
}

tg_status_t tg_embedded_check_elements(const tg_embedded_run_t *run,
                                       const tg_embedded_step_t *step,
                                       int64_t *task,
                                       tg_embedded_find_value_fn *find_value,
                                       void *argument) {
  const tg_embedded_check_t *const *checks =
      tg_embedded_impl(run->function)->program->checks + step->number;
  for (uint32_t i = 0; i < step->slot_count; ++i) {
    if (__builtin_expect(tg_embedded_failing(run, checks[i]) == INT64_MAX, 1))
      continue;
    const int64_t bound = task[i];
    const tg_status_t status =
        checks[i]->reports_value
            ? find_value(run, step, checks[i], task, argument)
            : TG_OK;
    if (status != TG_OK)
      return status;
    return tg_embedded_check(run, checks[i], bound, step->variables_changed);
  }
  return TG_OK;
}

void tg_embedded_clear_repeated(const tg_embedded_program_t *program,
                                const tg_profile_t *profile) {
  for (uint32_t i = 0; i < program->step_count; ++i) {
    const tg_embedded_step_t *step = &program->steps[i];
    if (step->repeats && step->timed != TG_EMBEDDED_UNTIMED)
      profile->begin[step->timed] = profile->end[step->timed] = 0;
  }
}
