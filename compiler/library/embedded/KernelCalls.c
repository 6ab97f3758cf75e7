/// Functions that the body of a function calls while it runs: loops, errors in
/// data, a failed host.
#include "Embedded.h"
#include "ErrorText.h"

enum {
  // The control bits of MXCSR, without the exception flags, and their values in
  // a run: exceptions masked, rounding to nearest, neither FTZ nor DAZ.
  MODE_BITS = 0xffc0,
  MODE = 0x1f80
};

uint32_t tg_embedded_enter_mode(void) {
  const uint32_t old = __builtin_ia32_stmxcsr();
  if (__builtin_expect((old & MODE_BITS) != MODE, 0))
    __builtin_ia32_ldmxcsr((old & ~(uint32_t)MODE_BITS) | MODE);
  return old;
}

void tg_embedded_leave_mode(uint32_t old) {
  // Writing MXCSR is expensive, and hardly ever needed.
  if (__builtin_expect((old & MODE_BITS) == MODE, 1))
    return;
  const uint32_t flags = __builtin_ia32_stmxcsr() & ~(uint32_t)MODE_BITS;
  __builtin_ia32_ldmxcsr((old & MODE_BITS) | flags);
}

/// A body to run in the floating-point mode of runs, with its argument.
typedef struct modal_task_t {
  tg_body_fn *body;
  void *task;
} modal_task_t;

/// Runs a body on a thread of the caller's pool, whose mode may differ.
static void runInMode(void *task, int64_t first, int64_t last,
                      uint32_t worker) {
  const modal_task_t *modal = task;
  const uint32_t old = tg_embedded_enter_mode();
  modal->body(modal->task, first, last, worker);
  tg_embedded_leave_mode(old);
}

int32_t tg_embedded_loop(const tg_parallel_t *parallel, int64_t count,
                         tg_body_fn *body, void *task) {
  if (count <= 0)
    return 0;
  if (!parallel || count == 1) {
    body(task, 0, count, 0);
    return 0;
  }
  modal_task_t modal = {body, task};
  return parallel->parallel_for(parallel->user, count, runInMode, &modal);
}

int32_t tg_embedded_for(const tg_embedded_run_t *run, int64_t count,
                        tg_body_fn *body, void *task) {
  return tg_embedded_loop(run->call->parallel, count, body, task);
}

uint64_t tg_embedded_note(const tg_embedded_run_t *run, uint32_t step,
                          uint64_t begin, uint32_t ran_before) {
  const tg_profile_t *profile = run->call->profile;
  const uint64_t now = profile->now(profile->user);
  if (ran_before) {
    profile->end[step] += now - begin;
  } else {
    profile->begin[step] = begin;
    profile->end[step] = now;
  }
  return now;
}

void tg_embedded_clear(const tg_embedded_run_t *run) {
  __builtin_memset(run->call->slab, 0, run->function->slab_bytes);
}

static tg_embedded_report_t *reportOf(const tg_embedded_run_t *run) {
  return (tg_embedded_report_t *)(void *)run->block;
}

// Also records `variables_changed` in the report, which tg_embedded_run reads
// when the caller passed no error struct.
tg_status_t tg_embedded_fail_run(const tg_embedded_run_t *run,
                                 tg_embedded_fault_t *fault,
                                 uint32_t variables_changed, const char *text) {
  reportOf(run)->variables_changed = variables_changed;
  fault->model = ((const tg_embedded_function_t *)run->function->impl)->model;
  fault->function = run->function->name;
  fault->argument = -1;
  fault->variables_changed = variables_changed;
  return tg_embedded_fail(run->call->error, fault, text);
}

/// Returns the predicate that the lowest failing element violates; any
/// predicate if no element fails.
static uint32_t failingPredicate(const tg_embedded_run_t *run,
                                 const tg_embedded_check_t *check) {
  const int64_t *cells = tg_embedded_cell(run->block, check->first_cell);
  uint32_t lowest = 0;
  for (uint32_t i = 1; i < check->cell_count; ++i)
    if (cells[i] < cells[lowest])
      lowest = i;
  return lowest;
}

int64_t tg_embedded_failing(const tg_embedded_run_t *run,
                            const tg_embedded_check_t *check) {
  return *tg_embedded_cell(run->block,
                           check->first_cell + failingPredicate(run, check));
}

tg_status_t tg_embedded_check(const tg_embedded_run_t *run,
                              const tg_embedded_check_t *check, int64_t bound,
                              uint32_t variables_changed) {
  const int64_t element = tg_embedded_failing(run, check);
  if (__builtin_expect(element == INT64_MAX, 1))
    return TG_OK;
  tg_embedded_fault_t fault = {
      .status = check->status,
      .location = check->location,
      .element = element,
      .found = check->reports_value ? reportOf(run)->value : 0,
      .expected = bound,
  };
  return tg_embedded_fail_run(run, &fault, variables_changed,
                              check->messages[failingPredicate(run, check)]);
}

tg_status_t tg_embedded_require_failed(const tg_embedded_run_t *run,
                                       const tg_embedded_entry_check_t *check,
                                       tg_status_t status, int64_t found,
                                       int64_t expected,
                                       uint32_t variables_changed) {
  tg_embedded_fault_t fault = {
      .status = status,
      .location = check->location,
      .element = -1,
      .found = found,
      .expected = expected,
  };
  return tg_embedded_fail_run(run, &fault, variables_changed, check->message);
}

tg_status_t tg_embedded_host_failed(const tg_embedded_run_t *run,
                                    uint32_t variables_changed) {
  tg_embedded_fault_t fault = {
      .status = TG_ERROR_HOST, .location = -1, .element = -1};
  return tg_embedded_fail_run(run, &fault, variables_changed,
                              "the host's parallel_for failed");
}
