/// The checks that every model carries: what generated code calls and what the
/// generated tables hand to it. Private to a model library; compiled once, to
/// an object with hidden symbols that is linked into each model.
///
/// Nothing here allocates, locks, makes a system call, computes with floating
/// point or has writable state. Only memcpy, memmove, memset and memcmp stay
/// undefined.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_EMBEDDED_H
#define TG_COMPILER_LIBRARY_EMBEDDED_EMBEDDED_H

#include "tg/abi.h"

enum {
  /// Symbols that one function may have, bound and computed ones together. The
  /// compiler refuses more.
  TG_EMBEDDED_MAX_SYMBOLS = 1024,
  /// Inputs, and outputs, that one function may have. The compiler refuses
  /// more.
  TG_EMBEDDED_MAX_VALUES = 4096,
  /// The bits of the element in the cell of a kernel with checks of floats: the
  /// cell holds check << TG_EMBEDDED_CHECK_ELEMENT_BITS | element << 1 | is
  /// infinite, in which a check is its number among those of the kernel.
  TG_EMBEDDED_CHECK_ELEMENT_BITS = 48,
  /// Bytes of the error cell at the front of every workspace, counted in
  /// tg_plan_t.workspace_bytes.
  TG_EMBEDDED_CELL_BYTES = 64,
  /// Bytes of the header at the front of every packed block, counted in
  /// tg_model_t.packed_bytes.
  TG_EMBEDDED_PACKED_HEADER_BYTES = 64
};

/// The error cell: how a kernel reports an element that it cannot compute. A
/// kernel that meets one lowers `element` to its linear index by an atomic
/// signed minimum (relaxed order is enough) and goes on with any value. Where
/// the index that it checks is in no memory, it takes the lock first, and keeps
/// the index beside the element if that was lowered.
typedef struct tg_embedded_cell_t {
  int64_t element;            ///< INT64_MAX: no error
  uint32_t variables_changed; ///< the embedded runtime's own
  uint32_t lock;              ///< 0 but while a kernel changes the two
  int64_t found;              ///< of the element, where no memory has it
  uint32_t reserved[10];
} tg_embedded_cell_t;

/// The argument of a body. Lives as long as the body runs; constant but the
/// memory that call, symbols and workspace point to.
typedef struct tg_embedded_run_t {
  const tg_function_t *function;
  const tg_call_t *call; ///< checked completely
  int64_t *symbols;      ///< symbol_count bound ones, then the computed ones
  char *workspace;  ///< begins with a tg_embedded_cell_t; aligned as the model
  uint32_t workers; ///< at least 1: worker numbers are below it
} tg_embedded_run_t;

/// A relation between dimensions that `sizes` tests: its texts.
typedef struct tg_embedded_entry_check_t {
  int32_t location; ///< index in tg_model_t.locations
  /// The message after the location, in which %f stands for the number found
  /// and %e for the one expected: "lhs dim 0 is %f, expected %e [R0]".
  const char *what;
} tg_embedded_entry_check_t;

/// Computes symbols[symbol_count .. symbol_total), and in *plan nothing but
/// workspace_bytes (a multiple of the alignment, at least
/// TG_EMBEDDED_CELL_BYTES), flops and traffic_bytes. The bound symbols are
/// within their ranges.
///
/// Returns 0; -1 when a size or a computed symbol overflows (TG_ERROR_SIZE); or
/// k > 0 when entry check k - 1 fails (TG_ERROR_DIM), with the numbers found
/// and expected in found_expected.
typedef int32_t tg_embedded_sizes_fn(const tg_function_t *function,
                                     int64_t *symbols, uint32_t workers,
                                     tg_plan_t *plan,
                                     int64_t found_expected[2]);

/// The kernels of one function in program order; leaves in run->symbols what it
/// found. Answers TG_OK or the status of what failed below. That of a function
/// with TG_FUNCTION_INITIALIZES calls tg_embedded_clear before it touches the
/// slab.
typedef tg_status_t tg_embedded_body_fn(const tg_embedded_run_t *run);

/// The struct that tg_function_t.impl points to.
typedef struct tg_embedded_function_t {
  const tg_model_t *model; ///< the table that the function belongs to
  tg_embedded_sizes_fn *sizes;
  tg_embedded_body_fn *body;
  const tg_embedded_entry_check_t *const *entry_checks; ///< may be null if none
  /// The program of sizes and body of compiled functions: see FunctionSteps.h.
  const struct tg_embedded_program_t *program;
  const struct tg_embedded_level_t *level;
  uint32_t entry_check_count;
  uint32_t reserved;
} tg_embedded_function_t;

/// Writes the packed weights behind the header of the packed block: payload is
/// packed + TG_EMBEDDED_PACKED_HEADER_BYTES. Answers TG_OK, or TG_ERROR_HOST
/// when tg_embedded_loop did not return 0.
typedef tg_status_t tg_embedded_pack_fn(const tg_model_t *model,
                                        const void *slab, void *payload,
                                        const tg_parallel_t *parallel);

/// The struct that tg_model_t.impl points to; impl may be null when nothing is
/// packed.
typedef struct tg_embedded_model_t {
  tg_embedded_pack_fn *pack;
  /// The kernels that pack of compiled models runs: see FunctionSteps.h.
  const struct tg_embedded_kernel_t *kernels;
  const struct tg_embedded_pack_t *packs;
  uint32_t pack_count;
  uint32_t reserved;
} tg_embedded_model_t;

/// The first TG_EMBEDDED_PACKED_HEADER_BYTES of a packed block: what it was
/// made from. table is null while the block is being filled.
typedef struct tg_embedded_packed_header_t {
  const void *slab;
  uint64_t generation;
  const tg_model_t *table;
  uint64_t reserved[5];
} tg_embedded_packed_header_t;

/// The data that tg_embedded_check needs about a kernel that can fail.
typedef struct tg_embedded_check_t {
  tg_status_t status; ///< TG_ERROR_INDEX, TG_ERROR_DIVIDE or TG_ERROR_NAN
  int32_t location;   ///< index in tg_model_t.locations
  tg_dtype_t dtype;   ///< of `data`: i32, i64 or ui8; others have no value
  const char *what;   ///< "index", "label"; "divisor"; "result"
} tg_embedded_check_t;

/// tg_function_t.run of every function: all checks of the call, always in
/// the same order, then the body, then the slab's header, which bodies do not
/// write.
tg_status_t tg_embedded_run(const tg_function_t *function,
                            const tg_call_t *call);

/// tg_function_t.plan of every function.
tg_status_t tg_embedded_plan(const tg_function_t *function, tg_plan_t *plan,
                             tg_error_t *error);

/// tg_model_t.pack of every model that packs weights.
tg_status_t tg_embedded_pack(const tg_model_t *model, const tg_call_t *call);

/// Gives this thread the floating-point mode that every run has: rounding to
/// nearest, masked exceptions, no flushing to zero. Returns what
/// tg_embedded_leave_mode needs, which gives the old mode back and keeps the
/// flags of exceptions.
uint32_t tg_embedded_enter_mode(void);
void tg_embedded_leave_mode(uint32_t old);

/// Runs body over [0, count), in that mode on each thread: at once on this
/// thread when there is one piece or no parallel_for, else by the host's
/// parallel_for. Nothing for count <= 0.
/// Returns 0, or another number if the host could not
/// (tg_embedded_host_failed).
int32_t tg_embedded_for(const tg_embedded_run_t *run, int64_t count,
                        tg_body_fn *body, void *task);

/// The same for tg_embedded_pack_fn; parallel may be null.
int32_t tg_embedded_loop(const tg_parallel_t *parallel, int64_t count,
                         tg_body_fn *body, void *task);

/// Notes in the call's profile, which is not null, that a step which began at
/// `begin` ended now; where it ran before in this call, adds its time. Returns
/// the time.
uint64_t tg_embedded_note(const tg_embedded_run_t *run, uint32_t step,
                          uint64_t begin, uint32_t ran_before);

/// Asked after a kernel that can fail, and before the first write to a variable
/// where that is possible. TG_OK if no element failed; else fills the call's
/// error and returns check->status. data is the tensor whose element is at
/// fault (indices, labels; null where the cell has it), bound what an index
/// must be below, variables_changed 1 if a variable was written before.
tg_status_t tg_embedded_check(const tg_embedded_run_t *run,
                              const tg_embedded_check_t *check,
                              const void *data, int64_t bound,
                              uint32_t variables_changed);

/// The same for a kernel with several checks, of which `checks` points to the
/// first, if they share the cell.
tg_status_t tg_embedded_check_all(const tg_embedded_run_t *run,
                                  const tg_embedded_check_t *const *checks,
                                  uint32_t share_cell, const void *data,
                                  int64_t bound, uint32_t variables_changed);

/// Makes the slab of a function with TG_FUNCTION_INITIALIZES 0. What fails
/// after it leaves variables without values, what fails before changes none.
void tg_embedded_clear(const tg_embedded_run_t *run);

/// The function of a host, which may be null, of that name; null if none.
const tg_host_function_t *tg_embedded_find_host(const tg_host_t *host,
                                                const char *name);
/// Fails a run whose loop or branch requires what does not hold: fills the
/// call's error with the check's text and the numbers; returns the status.
tg_status_t tg_embedded_require_failed(const tg_embedded_run_t *run,
                                       const tg_embedded_entry_check_t *check,
                                       tg_status_t status, int64_t found,
                                       int64_t expected,
                                       uint32_t variables_changed);

/// Fills the call's error after a tg_embedded_for that failed; returns
/// TG_ERROR_HOST.
tg_status_t tg_embedded_host_failed(const tg_embedded_run_t *run,
                                    uint32_t variables_changed);

/// The highest x86-64 psABI level of this CPU whose registers the system saves
/// too: 4, 3, 2, or 1 for less.
uint32_t tg_embedded_cpu_level(void);

/// The whole of tg_model_get. tables holds one table per target, stamp is the
/// model's abi_version.
tg_status_t tg_embedded_model_get(uint32_t abi_version, uint32_t target,
                                  const tg_model_t **model,
                                  const tg_model_t *const *tables,
                                  uint32_t table_count, uint32_t stamp);

TG_STATIC_ASSERT(sizeof(tg_embedded_cell_t) == TG_EMBEDDED_CELL_BYTES);
TG_STATIC_ASSERT(offsetof(tg_embedded_cell_t, lock) == 12);
TG_STATIC_ASSERT(offsetof(tg_embedded_cell_t, found) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_packed_header_t) ==
                 TG_EMBEDDED_PACKED_HEADER_BYTES);
TG_STATIC_ASSERT(sizeof(tg_embedded_run_t) == 40);
TG_STATIC_ASSERT(sizeof(tg_embedded_function_t) == 56);
TG_STATIC_ASSERT(sizeof(tg_embedded_model_t) == 32);
TG_STATIC_ASSERT(offsetof(tg_embedded_check_t, what) == 16);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_EMBEDDED_H
