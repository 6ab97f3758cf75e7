/// The contract between generated tables and the embedded runtime, the C code
/// that every model carries. Private to a model library. The embedded runtime
/// is compiled once, to an object with hidden symbols that is linked into each
/// model.
///
/// It does not allocate, lock, make system calls, compute with floating point
/// or have writable state. Only memcpy, memmove, memset and memcmp stay
/// undefined.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_EMBEDDED_H
#define TG_COMPILER_LIBRARY_EMBEDDED_EMBEDDED_H

#include "tg/abi.h"

enum {
  /// The maximum number of symbols of one function, bound and computed ones
  /// together. The compiler rejects more.
  TG_EMBEDDED_MAX_SYMBOLS = 1024,
  /// The maximum number of inputs, and of outputs, of one function. The
  /// compiler rejects more.
  TG_EMBEDDED_MAX_VALUES = 4096,
  /// The minimum number of error cells of a workspace.
  TG_EMBEDDED_LEAST_CELLS = 6,
  /// The size in bytes of the header at the front of every packed block,
  /// included in tg_model_t.packed_bytes.
  TG_EMBEDDED_PACKED_HEADER_BYTES = 64
};

/// Bytes at the front of a workspace with this number of error cells, counted
/// in tg_plan_t.workspace_bytes: a tg_embedded_report_t and the cells, an
/// int64_t each.
#define TG_EMBEDDED_CELL_BYTES(count) (16 + 8 * (count))

/// The front of a workspace, before the error cells. A kernel has one cell for
/// each predicate that its elements must satisfy. If an element violates one,
/// the kernel lowers the cell to the linear index of the element by an atomic
/// signed minimum (relaxed order is enough) and continues with any value. A
/// cell without an error is INT64_MAX.
///
/// Some checks also report the value of the lowest failing element. For them
/// the kernel runs a second time: it stores the value of an element in `value`
/// only if the cell already holds the index of the element. So index and value
/// match without a lock.
///
/// On a device a run does not wait for the checks of its kernels. Each launch
/// has a number, which counts from 1 after the begin of the run and after each
/// of its waits. A kernel whose
/// element violates a predicate also lowers `failing_launch` to its number. A
/// kernel does nothing if `failing_launch` is below its number, so a failing
/// launch is the last one that has an effect.
typedef struct tg_embedded_report_t {
  int64_t value;
  union {
    uint32_t variables_changed; ///< used by the embedded runtime alone
    int64_t failing_launch;     ///< on a device; INT64_MAX: none
  };
} tg_embedded_report_t;

/// Returns error cell `index` behind a report.
static inline int64_t *tg_embedded_cell(void *report, uint32_t index) {
  return (int64_t *)(void *)((char *)report + TG_EMBEDDED_CELL_BYTES(index));
}

/// The argument of a body. It lives as long as the body runs, and is constant
/// except for the memory that call, symbols and workspace point to.
typedef struct tg_embedded_run_t {
  const tg_function_t *function;
  const tg_call_t *call; ///< passed all checks
  int64_t *symbols;      ///< the symbol_count bound ones, then the computed
                         ///< ones
  char *workspace;       ///< begins with a tg_embedded_report_t; aligned like
                         ///< the model
  char *block;           ///< begins with the report that the host reads: the
                         ///< workspace of a CPU, the host block of a device
  uint32_t workers;      ///< at least 1, and above all worker indices
} tg_embedded_run_t;

/// The location and message of a relation between dimensions that `sizes`
/// checks.
typedef struct tg_embedded_entry_check_t {
  int32_t location; ///< index in tg_model_t.locations
  /// The message after the location. %f is replaced by the number found, %e by
  /// the number expected: "lhs dim 0 is %f, expected %e [R0]".
  const char *message;
} tg_embedded_entry_check_t;

/// Computes symbols[symbol_count .. symbol_total), and sets in *plan only
/// workspace_bytes (a multiple of the alignment, with room for the error
/// cells), flops and traffic_bytes, and on a device host_block_bytes if the
/// struct has it. The bound symbols are within their ranges.
///
/// Returns 0; -1 when a size or a computed symbol overflows (TG_ERROR_SIZE); or
/// k > 0 when entry check k - 1 fails (TG_ERROR_DIM), with the numbers found
/// and expected in found_expected.
typedef int32_t tg_embedded_sizes_fn(const tg_function_t *function,
                                     int64_t *symbols, uint32_t workers,
                                     tg_plan_t *plan,
                                     int64_t found_expected[2]);

/// Runs the kernels of one function in program order, and stores the
/// data-dependent sizes to run->symbols. Returns TG_OK or the status of the
/// call that failed. The body of a function with TG_FUNCTION_INITIALIZES calls
/// tg_embedded_clear before it accesses the slab.
typedef tg_status_t tg_embedded_body_fn(const tg_embedded_run_t *run);

struct tg_embedded_subject_t;

/// The struct that tg_function_t.impl points to.
typedef struct tg_embedded_function_t {
  const tg_model_t *model; ///< the table that contains the function
  tg_embedded_sizes_fn *sizes;
  tg_embedded_body_fn *body;
  const tg_embedded_entry_check_t *const *entry_checks; ///< may be null if none
  /// The program that sizes and body of compiled functions interpret: see
  /// FunctionSteps.h.
  const struct tg_embedded_program_t *program;
  const struct tg_embedded_target_t *target; ///< of the ISA level of the model
  uint32_t entry_check_count;
  uint32_t cell_count; ///< error cells, at least TG_EMBEDDED_LEAST_CELLS
  /// As in tg_plan_t, without the staging memory of host steps after them.
  uint64_t host_block_bytes;
  /// Checks the device struct of a call; null for a CPU, so that its libraries
  /// lack the code for devices.
  tg_status_t (*check_device)(const struct tg_embedded_subject_t *subject);
} tg_embedded_function_t;

/// Writes the packed weights to payload, which follows the header of the packed
/// block at packed + TG_EMBEDDED_PACKED_HEADER_BYTES. Returns TG_OK, or
/// TG_ERROR_HOST when tg_embedded_loop did not return 0.
typedef tg_status_t tg_embedded_pack_fn(const tg_model_t *model,
                                        const void *slab, void *payload,
                                        const tg_parallel_t *parallel);

/// The struct that tg_model_t.impl points to; impl may be null if nothing is
/// packed.
typedef struct tg_embedded_model_t {
  tg_embedded_pack_fn *pack;
  /// The kernels that pack of compiled models runs: see FunctionSteps.h.
  const struct tg_embedded_kernel_t *kernels;
  const struct tg_embedded_pack_t *packs;
  uint32_t pack_count;
  uint32_t reserved;
} tg_embedded_model_t;

/// The first TG_EMBEDDED_PACKED_HEADER_BYTES of a packed block, which identify
/// its source. table is null while the block is being filled.
typedef struct tg_embedded_packed_header_t {
  const void *slab;
  uint64_t generation;
  const tg_model_t *table;
  uint64_t reserved[5];
} tg_embedded_packed_header_t;

/// A check of the elements of a kernel: the text of its errors, and the cells
/// of its predicates. An element violates at most one of the predicates.
typedef struct tg_embedded_check_t {
  tg_status_t status; ///< TG_ERROR_INDEX, TG_ERROR_DIVIDE or TG_ERROR_NAN
  int32_t location;   ///< index in tg_model_t.locations
  uint32_t first_cell, cell_count;
  /// The message of each predicate after the location, in which %i stands for
  /// the element, %f for its value and %e for the bound: "index %f at element
  /// %i is out of range, expected at least 0 and below %e [R1]".
  const char *const *messages;
  uint32_t reports_value; ///< 1 if the kernel stores the value of an element
  uint32_t reserved;
} tg_embedded_check_t;

/// Runs a function; the tg_function_t.run of every function. Makes all checks
/// of the call, always in the same order, then runs the body and updates the
/// slab's header, which bodies do not write.
tg_status_t tg_embedded_run(const tg_function_t *function,
                            const tg_call_t *call);

/// Plans a function; the tg_function_t.plan of every function.
tg_status_t tg_embedded_plan(const tg_function_t *function, tg_plan_t *plan,
                             tg_error_t *error);

/// Packs the weights of a model; the tg_model_t.pack of every model that packs
/// weights.
tg_status_t tg_embedded_pack(const tg_model_t *model, const tg_call_t *call);

/// Sets the floating-point mode of all runs on this thread: round to nearest,
/// exceptions masked, neither FTZ nor DAZ. Returns the old mode for
/// tg_embedded_leave_mode, which restores it and keeps the exception flags.
uint32_t tg_embedded_enter_mode(void);
void tg_embedded_leave_mode(uint32_t old);

/// Runs body over [0, count) in the floating-point mode of runs. Runs it on
/// this thread if count is 1 or there is no parallel_for, otherwise by the
/// caller's parallel_for. Does nothing for count <= 0. Returns 0, or another
/// number if parallel_for failed (tg_embedded_host_failed).
int32_t tg_embedded_for(const tg_embedded_run_t *run, int64_t count,
                        tg_body_fn *body, void *task);

/// Runs body as tg_embedded_for does, for tg_embedded_pack_fn; parallel may be
/// null.
int32_t tg_embedded_loop(const tg_parallel_t *parallel, int64_t count,
                         tg_body_fn *body, void *task);

/// Records in the call's profile, which is not null, that a step that began at
/// `begin` ended now. If the step ran before in this call, adds its time.
/// Returns the current time.
uint64_t tg_embedded_note(const tg_embedded_run_t *run, uint32_t step,
                          uint64_t begin, uint32_t ran_before);

/// Returns the lowest element that fails a check; INT64_MAX if none does.
int64_t tg_embedded_failing(const tg_embedded_run_t *run,
                            const tg_embedded_check_t *check);

/// Returns TG_OK if no element failed the check. Otherwise fills the call's
/// error and returns check->status. Called after a kernel that can fail, if
/// possible before the first write to a variable. Indices must be below
/// `bound`; variables_changed is 1 if a variable was written before. If the
/// check reports a value, it is in the tg_embedded_report_t.
tg_status_t tg_embedded_check(const tg_embedded_run_t *run,
                              const tg_embedded_check_t *check, int64_t bound,
                              uint32_t variables_changed);

/// Fills the slab of a function with TG_FUNCTION_INITIALIZES with zeros. If the
/// run fails after this call, the variables are uninitialized; if it fails
/// before, they are unchanged.
void tg_embedded_clear(const tg_embedded_run_t *run);

/// Returns the function of this name in a host struct, which may be null; null
/// if it has none.
const tg_host_function_t *tg_embedded_find_host(const tg_host_t *host,
                                                const char *name);
/// Fails a run in which a check of a step, loop or branch does not hold: fills
/// the call's error with the check's message and the numbers, and returns
/// `status`.
tg_status_t tg_embedded_require_failed(const tg_embedded_run_t *run,
                                       const tg_embedded_entry_check_t *check,
                                       tg_status_t status, int64_t found,
                                       int64_t expected,
                                       uint32_t variables_changed);

/// Fills the call's error after a tg_embedded_for that failed. Returns
/// TG_ERROR_HOST.
tg_status_t tg_embedded_host_failed(const tg_embedded_run_t *run,
                                    uint32_t variables_changed);

/// Returns the highest x86-64 psABI level that this CPU supports and whose
/// registers the operating system saves: 4, 3, 2, or 1 for less.
uint32_t tg_embedded_cpu_isa_level(void);

/// Implements tg_model_get. tables holds one table per target.
tg_status_t tg_embedded_model_get(uint32_t abi_version, uint32_t target,
                                  const tg_model_t **model,
                                  const tg_model_t *const *tables,
                                  uint32_t table_count);

TG_STATIC_ASSERT(sizeof(tg_embedded_report_t) == TG_EMBEDDED_CELL_BYTES(0));
TG_STATIC_ASSERT(sizeof(tg_embedded_packed_header_t) ==
                 TG_EMBEDDED_PACKED_HEADER_BYTES);
TG_STATIC_ASSERT(sizeof(tg_embedded_run_t) == 48);
TG_STATIC_ASSERT(sizeof(tg_embedded_function_t) == 72);
TG_STATIC_ASSERT(sizeof(tg_embedded_model_t) == 32);
TG_STATIC_ASSERT(sizeof(tg_embedded_check_t) == 32);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_EMBEDDED_H
