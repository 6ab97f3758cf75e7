/// The state of a run between two steps: the symbols and the bases, from which
/// the slots of a step follow.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_STEPSTATE_H
#define TG_COMPILER_LIBRARY_EMBEDDED_STEPSTATE_H

#include "FunctionSizes.h"

/// Returns the private half of a function's table.
static inline const tg_embedded_function_t *
tg_embedded_impl(const tg_function_t *function) {
  return function->impl;
}

/// Returns the bases of a run. The argument block of a step follows them.
static inline int64_t *tg_embedded_bases(const tg_embedded_run_t *run) {
  return (int64_t *)(void *)(run->block +
                             TG_EMBEDDED_CELL_BYTES(
                                 tg_embedded_impl(run->function)->cell_count));
}

/// Puts the slots of a step into the argument block.
static inline void tg_embedded_put_slots(const tg_embedded_run_t *run,
                                         const tg_embedded_step_t *step,
                                         int64_t *task) {
  const tg_embedded_slot_t *slots =
      tg_embedded_impl(run->function)->program->slots + step->first_slot;
  const int64_t *bases = tg_embedded_bases(run);
  for (uint32_t i = 0; i < step->slot_count; ++i)
    task[i] = bases[slots[i].base] + slots[i].offset;
}

/// Runs a control step: changes bases and returns the index of the next step,
/// `next` unless it jumps.
static inline uint32_t tg_embedded_control(const tg_embedded_step_t *step,
                                           const tg_embedded_slot_t *slots,
                                           const int64_t *task, int64_t *bases,
                                           uint32_t next) {
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

/// Writes all bases and returns the end of the arena. No size overflows,
/// because `sizes` checked it.
char *tg_embedded_put_bases(const tg_embedded_run_t *run);

/// Fails if relation `number` of a step does not hold.
tg_status_t tg_embedded_require(const tg_embedded_run_t *run,
                                const tg_embedded_step_t *step);

/// Fails if a loop, whose slots are in `task`, has reached its limit.
tg_status_t tg_embedded_limit(const tg_embedded_run_t *run,
                              const tg_embedded_step_t *step,
                              const int64_t *task);

/// Stores a data-dependent size as a symbol, and recomputes the numbers that
/// follow from it.
tg_status_t tg_embedded_measure(const tg_embedded_run_t *run,
                                const tg_embedded_step_t *step, int64_t found);

/// Recomputes the computed symbols from the data-dependent sizes of the run.
void tg_embedded_put_exact(const tg_embedded_run_t *run);

/// Finds the value of the lowest element that failed a check of the launch
/// before `step`, and stores it in the report of the run.
typedef tg_status_t tg_embedded_find_value_fn(const tg_embedded_run_t *run,
                                              const tg_embedded_step_t *step,
                                              const tg_embedded_check_t *check,
                                              int64_t *task, void *argument);

/// Fails where an element of the launch before this step, whose slots are in
/// `task`, fails a check: the first check of the kernel that found one.
tg_status_t tg_embedded_check_elements(const tg_embedded_run_t *run,
                                       const tg_embedded_step_t *step,
                                       int64_t *task,
                                       tg_embedded_find_value_fn *find_value,
                                       void *argument);

/// Sets the times of steps in loops and branches to 0, because they may not
/// run.
void tg_embedded_clear_repeated(const tg_embedded_program_t *program,
                                const tg_profile_t *profile);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_STEPSTATE_H
