/// The tables into which the compiler translates a function. FunctionSizes.c
/// and FunctionSteps.c interpret them. They contain only numbers, and all ISA
/// levels share them. Data that depends on the ISA level is in
/// tg_embedded_target_t.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSTEPS_H
#define TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSTEPS_H

#include "Embedded.h"

enum {
  /// The number of words that a launch appends to the slots of its argument
  /// block: scratch memory, the error cells, the number of workers.
  TG_EMBEDDED_LAUNCH_SLOTS = 3,
  /// The maximum stack depth of an expression. The compiler rejects more.
  TG_EMBEDDED_MAX_DEPTH = 32,
  /// The maximum number of buffer ends that are stored while the arena is laid
  /// out.
  TG_EMBEDDED_MAX_ENDS = 192
};

/// The opcodes of an expression over the symbols of a function. An expression
/// is a sequence of words in postfix order with the opcode in the low 3 bits.
/// TG_EMBEDDED_SYMBOL has the index of the symbol in the bits above; the word
/// after TG_EMBEDDED_CONSTANT is the number itself.
enum {
  TG_EMBEDDED_END,
  TG_EMBEDDED_CONSTANT,
  TG_EMBEDDED_SYMBOL,
  TG_EMBEDDED_ADD,
  TG_EMBEDDED_MULTIPLY,
  TG_EMBEDDED_FLOOR_DIVIDE,
  TG_EMBEDDED_CEIL_DIVIDE,
  TG_EMBEDDED_MODULO
};

/// The relation between the two numbers of a check.
enum { TG_EMBEDDED_EQUAL, TG_EMBEDDED_AT_MOST, TG_EMBEDDED_AT_LEAST };

/// A check that two expressions have a relation.
typedef struct tg_embedded_relation_t {
  uint32_t found, expected; ///< the first words of the expressions
  uint32_t kind;
  uint32_t reserved;
} tg_embedded_relation_t;

/// A buffer in the arena whose offset is not known before the call. The offset
/// is the lowest multiple of the alignment that is at least `min_offset` and
/// not below the end of any buffer that the buffer lies above.
typedef struct tg_embedded_buffer_t {
  int64_t min_offset;
  uint32_t bytes; ///< the first word of the expression
  /// Indices of ends: below_ends[first_below .. first_below + below_count).
  uint32_t first_below, below_count;
  uint32_t end; ///< the index under which its own end is stored
} tg_embedded_buffer_t;

/// The bases of slots, by index. The symbols, inputs, outputs, constants,
/// buffers, registers, host functions and numbers follow the named ones, in
/// this order. Registers hold iteration counters of loops and addresses of loop
/// elements, and change during a run. Buffers change when two are swapped.
enum {
  TG_EMBEDDED_BASE_ZERO,
  TG_EMBEDDED_BASE_SLAB,
  TG_EMBEDDED_BASE_PACKED, ///< after the header
  TG_EMBEDDED_BASE_ARENA,
  TG_EMBEDDED_BASE_SYMBOLS
};

/// A pointer or a number: base + offset.
typedef struct tg_embedded_slot_t {
  uint32_t base;
  uint32_t reserved;
  int64_t offset;
} tg_embedded_slot_t;

/// The kinds of steps. Each comment lists the slots of the kind, then says what
/// the step does. The kinds that tg_function_t.steps contains come first.
enum {
  TG_EMBEDDED_LAUNCH, ///< the pointers and symbols of the argument block
  TG_EMBEDDED_COPY,   ///< source, target, bytes
  /// The dimensions of a grid, TG_EMBEDDED_GRID_DIMS; the pointers and extents
  /// that a kernel of the user gets. Only on a device.
  TG_EMBEDDED_GRID,
  TG_EMBEDDED_HOST, ///< the host function or 0, the pointers of inputs and
                    ///< outputs, the dims of all of these
  /// The bound of each check of the kernel that the step before launched. The
  /// checks are those from `number` on.
  TG_EMBEDDED_CHECK,
  TG_EMBEDDED_CLEAR,   ///< no slots: fills the whole slab with 0
  TG_EMBEDDED_REQUIRE, ///< no slots: relation `number` must hold
  TG_EMBEDDED_LIMIT,   ///< iterations, limit: fails if they are equal
  /// A pointer to an i64, which is stored as symbol `target`. Fails unless it
  /// is between 0 and the bound that relation `number` expects.
  TG_EMBEDDED_MEASURE,
  /// Control steps, which choose the next step and change base `number`.
  TG_EMBEDDED_LOOP,    ///< first, end: sets the base to first; jumps to
                       ///< `target` if first is end
  TG_EMBEDDED_NEXT,    ///< step, end: adds step to the base; jumps to `target`
                       ///< unless the base is end
  TG_EMBEDDED_BRANCH,  ///< a flag: jumps to `target` unless it is set
  TG_EMBEDDED_JUMP,    ///< no slots: jumps to `target`
  TG_EMBEDDED_ADDRESS, ///< a, b, c: sets the base to a + b * c
  TG_EMBEDDED_SWAP     ///< swaps the bases of two slots
};

/// The number of dimensions of a grid.
enum { TG_EMBEDDED_GRID_DIMS = 3 };

/// The cost index of steps that tg_function_t.steps does not contain.
#define TG_EMBEDDED_UNTIMED UINT32_MAX

/// One step of a body.
typedef struct tg_embedded_step_t {
  uint32_t kind;
  uint32_t number; ///< index of the kernel, check, host step, grid, relation
                   ///< or base
  uint32_t first_slot, slot_count;
  uint32_t target;            ///< the next step, or a symbol, by kind
  uint32_t variables_changed; ///< 1 if a variable has been written by now
  uint32_t timed;   ///< index in tg_function_t.steps, or TG_EMBEDDED_UNTIMED
  uint32_t repeats; ///< 1 in a loop or branch: runs any number of times
} tg_embedded_step_t;

/// The cost of a step of tg_function_t.steps, as the first words of
/// expressions.
typedef struct tg_embedded_cost_t {
  uint32_t flops, traffic;
} tg_embedded_cost_t;

/// A result of a step of tg_function_t.steps, for traces: memory that the step
/// writes. The numbers are the first words of expressions.
typedef struct tg_embedded_result_t {
  uint32_t slot; ///< the index of the address among the slots of the step
  uint32_t rows, row_bytes, row_stride;
  tg_dtype_t dtype;
} tg_embedded_result_t;

/// The action of a host step.
enum { TG_EMBEDDED_HOST_CALL, TG_EMBEDDED_HOST_PRINT, TG_EMBEDDED_HOST_ASSERT };

/// A tensor that a host step reads or writes.
typedef struct tg_embedded_host_value_t {
  tg_dtype_t dtype;
  uint32_t rank;
} tg_embedded_host_value_t;

/// A step that calls the host.
typedef struct tg_embedded_host_step_t {
  uint32_t action;
  int32_t location;
  const char *text;                       ///< function name, label or message
  const tg_embedded_host_value_t *values; ///< inputs, then outputs
  uint32_t input_count, output_count;
  /// The first word of the expression for the staging bytes: the outputs with
  /// the canaries around them, after copies of the inputs on a device.
  uint32_t staging;
  uint32_t reserved;
} tg_embedded_host_step_t;

/// The launch of a kernel of the user, the only one of its image. Its arguments
/// are the slots after the dimensions of the grid, then the report and the
/// number of the next launch: the kernel does nothing after a failing launch.
typedef struct tg_embedded_grid_t {
  uint32_t image;                          ///< index in tg_model_t.images
  uint32_t threads[TG_EMBEDDED_GRID_DIMS]; ///< of a block
  uint32_t shared_bytes;
  uint32_t reserved;
} tg_embedded_grid_t;

/// The program of a function.
typedef struct tg_embedded_program_t {
  const int64_t *expressions;
  /// The first words of the expressions of the computed symbols. For
  /// data-dependent sizes, the expressions are upper bounds.
  const uint32_t *computed;
  /// One relation for each entry check of the function. The requirements of
  /// loops and branches come last.
  const tg_embedded_relation_t *relations;
  const tg_embedded_buffer_t *buffers;
  const uint32_t *below_ends;
  const void *const *constants;
  const uint32_t *numbers; ///< the first words of the numbers that slots use
  const tg_embedded_slot_t *slots;
  const tg_embedded_step_t *steps;
  const tg_embedded_check_t *const *checks;
  /// The end of the buffers with constant offsets.
  int64_t arena_bytes;
  /// The bytes between workspace and arena: the error cells, the bases, the
  /// argument block; on a device the error cells alone.
  int64_t header_bytes;
  uint32_t flops, traffic; ///< the first words
  uint32_t buffer_count, constant_count, number_count, step_count;
  /// The number of all bases together.
  uint32_t base_count;
  uint32_t alignment;              ///< tg_model_t.alignment
  const tg_embedded_cost_t *costs; ///< of the tg_function_t.step_count steps
  const tg_embedded_host_step_t *const *host_steps;
  uint32_t host_step_count;
  uint32_t register_count;
  /// The first words of the expressions that give the computed symbols once a
  /// run knows the data-dependent sizes; null if there are none.
  const uint32_t *exact;
  /// The index of the first number that depends on data-dependent sizes. All
  /// numbers after it also do.
  uint32_t first_found_number;
  uint32_t reserved;
  /// The results of step i of tg_function_t.steps are
  /// results[first_results[i] .. first_results[i + 1]).
  const uint32_t *first_results;
  const tg_embedded_result_t *results;
  const tg_embedded_grid_t *grids; ///< of the steps of this kind
} tg_embedded_program_t;

/// Returns true if a step waits for the device that runs it.
static inline int tg_embedded_step_waits(const tg_embedded_step_t *step) {
  return step->kind == TG_EMBEDDED_HOST || step->kind == TG_EMBEDDED_MEASURE ||
         step->kind == TG_EMBEDDED_BRANCH;
}

/// Returns true if a step of the function waits for the device that runs it.
static inline int tg_embedded_waits(const tg_embedded_program_t *program) {
  for (uint32_t i = 0; i < program->step_count; ++i)
    if (tg_embedded_step_waits(&program->steps[i]))
      return 1;
  return 0;
}

/// A kernel of an ISA level.
typedef struct tg_embedded_kernel_t {
  tg_body_fn *body;
  int64_t (*tiles)(const void *task);
  /// 1 if one more tile, the finalize step, runs after the loop, on the thread
  /// of the caller.
  uint32_t has_finalize_step;
  uint32_t reserved;
} tg_embedded_kernel_t;

/// The minimum of two numbers, as the first words of their expressions.
typedef struct tg_embedded_minimum_t {
  uint32_t needed, limit;
} tg_embedded_minimum_t;

/// The temporary memory of a launch in bytes: the partials buffer that all
/// tiles share, followed by the scratch memory of each worker.
typedef struct tg_embedded_scratch_t {
  tg_embedded_minimum_t partials, per_worker;
} tg_embedded_scratch_t;

/// The launch of a kernel on a device. Its parameters are the slots of the
/// argument block, in which the last word is the number of the launch:
/// tg_embedded_report_t.
typedef struct tg_embedded_launch_t {
  uint32_t image;  ///< index in tg_model_t.images
  uint32_t kernel; ///< index in tg_image_t.kernels
  uint32_t parameter_count;
  uint32_t block_threads;
  /// The first word of the number of threads in tg_embedded_device_t: an
  /// expression over the slots from `first_symbol` on.
  uint32_t threads, first_symbol;
  /// The kernel that runs in place of `kernel` if `excess`, an expression like
  /// `threads`, is positive; equal to `kernel` if there is none.
  uint32_t wide_kernel, excess;
} tg_embedded_launch_t;

/// The code of a model for one device.
typedef struct tg_embedded_device_t {
  const tg_embedded_launch_t *launches; ///< of each kernel
  const int64_t *expressions;
  /// A kernel that copies bytes: source or 0, which writes zeros; target;
  /// bytes; the report; the number of the launch.
  tg_embedded_launch_t copy;
} tg_embedded_device_t;

/// The data of a function for one target.
typedef struct tg_embedded_target_t {
  const tg_embedded_kernel_t *kernels;
  const int64_t *expressions;
  const tg_embedded_scratch_t *scratch;
  uint32_t scratch_count;
  uint32_t reserved;
  const tg_embedded_device_t *device; ///< null for a CPU
} tg_embedded_target_t;

/// A variable that `pack` writes in another layout.
typedef struct tg_embedded_pack_t {
  uint64_t source; ///< offset from the start of the slab
  uint64_t target; ///< offset from the end of the packed block's header
  uint32_t kernel;
  uint32_t reserved;
} tg_embedded_pack_t;

/// Passes the results of a step, which ran with these slots, to the call's
/// trace, which is not null.
void tg_embedded_trace(const tg_embedded_run_t *run,
                       const tg_embedded_step_t *step, const int64_t *task);

/// Implement sizes, costs, body and pack of compiled functions by interpreting
/// their tables.
tg_embedded_sizes_fn tg_embedded_program_sizes;
tg_costs_fn tg_embedded_program_costs;
tg_embedded_body_fn tg_embedded_program_body;

/// The same for functions that run on a device.
tg_embedded_sizes_fn tg_embedded_device_sizes;
tg_embedded_body_fn tg_embedded_device_body;
tg_embedded_pack_fn tg_embedded_program_pack;

/// The number of canary bytes before and after each output that a host function
/// fills. Out-of-bounds writes are detected when the function returns. Also the
/// alignment of inputs and outputs in the staging memory.
enum { TG_EMBEDDED_CANARY_BYTES = 64 };

/// Returns the bytes of a tensor of a host step.
uint64_t tg_embedded_tensor_bytes(const tg_tensor_t *tensor);

/// Writes the tensors of a host step, whose slots are in `task`, after the
/// slots. Returns them: the inputs, then the outputs.
tg_tensor_t *tg_embedded_put_tensors(const tg_embedded_host_step_t *host,
                                     const tg_embedded_step_t *step,
                                     int64_t *task);

/// Runs a host step. `task` holds its slots, with room for its tensors after
/// them, and `scratch` is memory for its outputs and the canaries. Leaves the
/// outputs there, and their tensors after the slots.
tg_status_t tg_embedded_host(const tg_embedded_run_t *run,
                             const tg_embedded_step_t *step, int64_t *task,
                             char *scratch);

TG_STATIC_ASSERT(sizeof(tg_embedded_relation_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_buffer_t) == 24);
TG_STATIC_ASSERT(sizeof(tg_embedded_slot_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_step_t) == 32);
TG_STATIC_ASSERT(sizeof(tg_embedded_cost_t) == 8);
TG_STATIC_ASSERT(sizeof(tg_embedded_host_value_t) == 8);
TG_STATIC_ASSERT(sizeof(tg_embedded_host_step_t) == 40);
TG_STATIC_ASSERT(sizeof(tg_embedded_result_t) == 20);
TG_STATIC_ASSERT(sizeof(tg_embedded_grid_t) == 24);
TG_STATIC_ASSERT(sizeof(tg_embedded_program_t) == 192);
TG_STATIC_ASSERT(sizeof(tg_embedded_scratch_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_pack_t) == 24);
TG_STATIC_ASSERT(sizeof(tg_embedded_launch_t) == 32);
TG_STATIC_ASSERT(sizeof(tg_embedded_device_t) == 48);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSTEPS_H
