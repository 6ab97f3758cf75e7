/// Passes the results of steps to the receiver of the caller.
#include "FunctionSizes.h"

/// Returns the value of an expression of the function. None overflows, because
/// the size of the result was allocated.
static uint64_t valueOf(const tg_embedded_run_t *run, uint32_t expression) {
  const tg_embedded_function_t *impl = run->function->impl;
  int ignored = 0;
  return (uint64_t)tg_embedded_evaluate(impl->program->expressions + expression,
                                        run->symbols, &ignored);
}

void tg_embedded_trace(const tg_embedded_run_t *run,
                       const tg_embedded_step_t *step, const int64_t *task) {
  const tg_embedded_function_t *impl = run->function->impl;
  const tg_embedded_program_t *program = impl->program;
  const tg_trace_t *trace = run->call->trace;
  const uint32_t first = program->first_results[step->timed],
                 last = program->first_results[step->timed + 1];
  for (uint32_t i = first; i < last; ++i) {
    const tg_embedded_result_t *result = &program->results[i];
    const tg_step_result_t written = {
        .struct_size = sizeof(written),
        .dtype = result->dtype,
        .data = (const void *)task[result->slot],
        .rows = valueOf(run, result->rows),
        .row_bytes = valueOf(run, result->row_bytes),
        .row_stride = valueOf(run, result->row_stride),
    };
    trace->record(trace->user, step->timed, i - first, &written);
    (void)tg_embedded_enter_mode(); // the caller may have changed the mode
  }
}
