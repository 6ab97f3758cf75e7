/// The walk over the steps of a function on a device.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_DEVICESTEPS_H
#define TG_COMPILER_LIBRARY_EMBEDDED_DEVICESTEPS_H

#include "StepState.h"

/// A walk over the steps of a function.
typedef struct tg_embedded_walk_t {
  const tg_embedded_run_t *run;
  uint32_t step;  ///< the index of the next step
  int64_t launch; ///< the number of the last launch, counted from the last wait
  /// The launch before which the walk ends, which then enqueues nothing; 0: the
  /// walk enqueues all steps.
  int64_t last;
  char *scratch;  ///< the scratch memory of each launch, on the device
  char *report;   ///< the tg_embedded_report_t on the device
  char *initial;  ///< its initial contents, in the host block
  char *received; ///< the place in the host block to which it is copied back
  /// The staged arguments around the report, on the device and in the host
  /// block.
  char *exchange, *exchange_copy;
  uint32_t waited_step; ///< the step after the last one that waited
  int has_waited;  ///< the current step waited, and no launch before it failed
  uint64_t time;   ///< of the profile, after the last step
  int has_failed;  ///< an operation of the device failed
  int found_error; ///< a wait found the error of a launch
  tg_status_t status; ///< of the last tg_embedded_enqueue
} tg_embedded_walk_t;

static inline const tg_embedded_program_t *
tg_embedded_walk_program(const tg_embedded_walk_t *walk) {
  return tg_embedded_impl(walk->run->function)->program;
}

static inline const tg_device_call_t *
tg_embedded_walk_device(const tg_embedded_walk_t *walk) {
  return walk->run->call->device;
}

static inline tg_embedded_report_t *
tg_embedded_walk_report(const tg_embedded_walk_t *walk) {
  return (tg_embedded_report_t *)(void *)walk->run->block;
}

/// Returns the bytes of a report with its cells.
static inline uint64_t tg_embedded_report_bytes(const tg_function_t *function) {
  return TG_EMBEDDED_CELL_BYTES(tg_embedded_impl(function)->cell_count);
}

/// Returns the copy of the bases, before the initial report of functions that
/// wait.
static inline int64_t *tg_embedded_saved_bases(const tg_embedded_walk_t *walk) {
  const tg_function_t *function = walk->run->function;
  return (int64_t *)(void *)(walk->exchange_copy -
                             tg_embedded_report_bytes(function)) -
         tg_embedded_walk_program(walk)->base_count;
}

/// Fails the run because an operation of the device failed. `step` is that of
/// the operation, null if it belongs to none.
tg_status_t tg_embedded_fail_operation(tg_embedded_walk_t *walk,
                                       const tg_embedded_step_t *step,
                                       tg_status_t status);

/// Enqueues a copy. `step` is the step of the operation, null if it belongs to
/// none. Like the functions below, fills the call's error on failure.
tg_status_t tg_embedded_copy(tg_embedded_walk_t *walk,
                             const tg_embedded_step_t *step, void *to,
                             const void *from, uint64_t bytes,
                             uint32_t direction);

/// Waits for all operations.
tg_status_t tg_embedded_wait(tg_embedded_walk_t *walk,
                             const tg_embedded_step_t *step);

/// Waits for all operations, among them the copy of the report, which then is
/// at the front of the host block.
tg_status_t tg_embedded_receive_report(tg_embedded_walk_t *walk,
                                       const tg_embedded_step_t *step);

/// Receives the report. Sets `found_error` if a launch failed, otherwise
/// `has_waited`.
tg_status_t tg_embedded_wait_for_report(tg_embedded_walk_t *walk,
                                        const tg_embedded_step_t *step);

/// Enqueues the copy of the report from the device.
tg_status_t tg_embedded_copy_report(tg_embedded_walk_t *walk,
                                    const tg_embedded_step_t *step);

/// Enqueues the kernel of a step, whose slots are in `task`, as launch
/// `number`.
tg_status_t tg_embedded_launch_kernel(tg_embedded_walk_t *walk,
                                      const tg_embedded_step_t *step,
                                      int64_t *task, int64_t number);

/// Walks over the steps from the current one on. Stops before launch `last`,
/// with its slots in the argument block.
tg_status_t tg_embedded_advance(tg_embedded_walk_t *walk);

/// Enqueues the steps of a run, and the copies of staged arguments; `argument`
/// is the walk, which begins anew.
tg_enqueue_fn tg_embedded_enqueue;

/// Runs a host step, whose slots are in `task`: copies its inputs to the host
/// block, waits, calls the host unless a launch failed, and enqueues the copies
/// of its outputs. Prints that the host drops do nothing.
tg_status_t tg_embedded_host_on_device(tg_embedded_walk_t *walk,
                                       const tg_embedded_step_t *step,
                                       int64_t *task);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_DEVICESTEPS_H
