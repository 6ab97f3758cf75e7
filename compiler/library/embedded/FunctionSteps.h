/// Functions as data: the tables that the compiler makes of a function and that
/// FunctionSteps.c runs. They hold numbers alone, and exist once for all
/// levels; data that depends on the level is in tg_embedded_level_t.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSTEPS_H
#define TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSTEPS_H

#include "Embedded.h"

enum {
  /// The number of slots that a launch puts behind those of its task: scratch
  /// memory, the error cell, the number of workers.
  TG_EMBEDDED_LAUNCH_SLOTS = 3,
  /// Numbers that an expression may have under way. The compiler refuses more.
  TG_EMBEDDED_MAX_DEPTH = 32,
  /// Ends of buffers that are remembered while an arena is laid out.
  TG_EMBEDDED_MAX_ENDS = 192
};

/// The ops of an expression over the symbols of a function: words in postfix
/// order, the op in the low 3 bits. TG_EMBEDDED_SYMBOL has the symbol's number
/// above them; the word after TG_EMBEDDED_CONSTANT is the number itself.
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

/// The relation of the two numbers of a check.
enum { TG_EMBEDDED_EQUAL, TG_EMBEDDED_AT_MOST, TG_EMBEDDED_AT_LEAST };

/// Two expressions and what must hold between them.
typedef struct tg_embedded_relation_t {
  uint32_t found, expected; ///< the first words of the expressions
  uint32_t kind;
  uint32_t reserved;
} tg_embedded_relation_t;

/// A buffer in the arena whose offset is not known before the call: the first
/// multiple of the alignment that is at least `least` and all ends that it lies
/// above.
typedef struct tg_embedded_buffer_t {
  int64_t least;
  uint32_t bytes; ///< the first word of the expression
  /// Numbers of ends: below_ends[first_below .. first_below + below_count).
  uint32_t first_below, below_count;
  uint32_t end; ///< the number under which its own end is remembered
} tg_embedded_buffer_t;

/// The bases of slots, by number. Behind those with a name come the symbols,
/// the inputs, the outputs, the constants, the buffers, the registers, the
/// functions of the host and the numbers. Registers change while a function
/// runs: trips of loops, and where what belongs to a trip lies; buffers do
/// where two are exchanged.
enum {
  TG_EMBEDDED_BASE_ZERO,
  TG_EMBEDDED_BASE_SLAB,
  TG_EMBEDDED_BASE_PACKED, ///< behind the header
  TG_EMBEDDED_BASE_ARENA,
  TG_EMBEDDED_BASE_SYMBOLS
};

/// A pointer or a number: base + offset.
typedef struct tg_embedded_slot_t {
  uint32_t base;
  uint32_t reserved;
  int64_t offset;
} tg_embedded_slot_t;

/// Kinds of steps, with their slots. Those that are among tg_function_t.steps
/// come first.
enum {
  TG_EMBEDDED_LAUNCH, ///< the pointers and symbols of the kernel's task
  TG_EMBEDDED_COPY,   ///< source, target, bytes
  TG_EMBEDDED_HOST,   ///< the function of the host or 0, the pointers of inputs
                      ///< and outputs, the dims of all of these
  TG_EMBEDDED_CHECK,  ///< data, bound: arguments of tg_embedded_check_all;
                      ///< `target` is 1 if checks share the cell
  TG_EMBEDDED_CLEAR,  ///< none: makes the whole slab 0
  TG_EMBEDDED_REQUIRE, ///< none: the relation `number` must hold
  TG_EMBEDDED_LIMIT,   ///< trips, the most: fails where they are equal
  /// A pointer to an i64: it becomes symbol `target`. Fails unless it is from 0
  /// to what relation `number` expects.
  TG_EMBEDDED_MEASURE,
  /// Steps that choose the next one, and change the base `number`.
  TG_EMBEDDED_LOOP,    ///< first, end: sets the base; to `target` if equal
  TG_EMBEDDED_NEXT,    ///< change, end: adds; to `target` unless at the end
  TG_EMBEDDED_BRANCH,  ///< a flag: to `target` unless it is set
  TG_EMBEDDED_JUMP,    ///< none: to `target`
  TG_EMBEDDED_ADDRESS, ///< a, b, c: the base becomes a + b * c
  TG_EMBEDDED_SWAP     ///< exchanges the bases of two slots
};

/// The cost index of steps that tg_function_t.steps does not have.
#define TG_EMBEDDED_UNTIMED UINT32_MAX

/// One step of a body.
typedef struct tg_embedded_step_t {
  uint32_t kind;
  uint32_t number; ///< of the kernel, check, host step, relation or base
  uint32_t first_slot, slot_count;
  uint32_t target;            ///< the step after this one, or a symbol, by kind
  uint32_t variables_changed; ///< 1 if a variable is written by now
  uint32_t timed;             ///< its number in tg_function_t.steps
  uint32_t repeats; ///< 1 in a loop or branch: runs any number of times
} tg_embedded_step_t;

/// The cost of a step of tg_function_t.steps: the first words of expressions.
typedef struct tg_embedded_cost_t {
  uint32_t flops, traffic;
} tg_embedded_cost_t;

/// The action of a host step.
enum { TG_EMBEDDED_HOST_CALL, TG_EMBEDDED_HOST_PRINT, TG_EMBEDDED_HOST_ASSERT };

/// An array that a host step reads or writes.
typedef struct tg_embedded_host_value_t {
  tg_dtype_t dtype;
  uint32_t rank;
} tg_embedded_host_value_t;

/// A step that turns to the host.
typedef struct tg_embedded_host_step_t {
  uint32_t action;
  int32_t location;
  const char *text; ///< name of a function, label, message
  const tg_embedded_host_value_t *values; ///< inputs, then outputs
  uint32_t input_count, output_count;
  /// The first word of the bytes that a call needs beside its arrays: its
  /// outputs with what guards them.
  uint32_t staging;
  uint32_t reserved;
} tg_embedded_host_step_t;

/// A function of a model.
typedef struct tg_embedded_program_t {
  const int64_t *expressions;
  /// The first words of the computed symbols: the most that they can be, where
  /// a run finds them.
  const uint32_t *computed;
  /// As many as entry checks of the function; those that loops and branches
  /// require come last.
  const tg_embedded_relation_t *relations;
  const tg_embedded_buffer_t *buffers;
  const uint32_t *below_ends;
  const void *const *constants;
  const uint32_t *numbers; ///< the first words of numbers that slots need
  const tg_embedded_slot_t *slots;
  const tg_embedded_step_t *steps;
  const tg_embedded_check_t *const *checks;
  /// The end of all buffers whose offsets are constants.
  int64_t arena_bytes;
  /// From the workspace to the arena: the error cell, the bases, the task.
  int64_t header_bytes;
  uint32_t flops, traffic; ///< the first words
  uint32_t buffer_count, constant_count, number_count, step_count;
  /// All bases together.
  uint32_t base_count;
  uint32_t alignment;              ///< tg_model_t.alignment
  const tg_embedded_cost_t *costs; ///< of tg_function_t.step_count steps
  const tg_embedded_host_step_t *const *host_steps;
  uint32_t host_step_count;
  uint32_t register_count;
  /// As `computed`, when a run has found them; null where it finds none.
  const uint32_t *exact;
  /// Numbers from this one on follow from what runs find.
  uint32_t first_found_number;
  uint32_t reserved;
} tg_embedded_program_t;

/// A kernel of a level.
typedef struct tg_embedded_kernel_t {
  tg_body_fn *body;
  int64_t (*tiles)(const void *task);
  /// 1 if one more tile, the combining stage, runs behind the loop, on the
  /// caller's thread.
  uint32_t has_combining_stage;
  uint32_t reserved;
} tg_embedded_kernel_t;

/// The lesser of two numbers: the first words of their expressions.
typedef struct tg_embedded_least_t {
  uint32_t needed, most;
} tg_embedded_least_t;

/// Memory that a launch needs beside its buffers, in bytes: what all tiles
/// share, and the scratch memory of each worker behind it.
typedef struct tg_embedded_scratch_t {
  tg_embedded_least_t shared, per_worker;
} tg_embedded_scratch_t;

/// The data of a function for one level.
typedef struct tg_embedded_level_t {
  const tg_embedded_kernel_t *kernels;
  const int64_t *expressions;
  const tg_embedded_scratch_t *scratch;
  uint32_t scratch_count;
  uint32_t reserved;
} tg_embedded_level_t;

/// A variable that `pack` writes in another layout.
typedef struct tg_embedded_pack_t {
  uint64_t source; ///< from the start of the slab
  uint64_t target; ///< from the end of the packed block's header
  uint32_t kernel;
  uint32_t reserved;
} tg_embedded_pack_t;

/// sizes, costs, body and pack of compiled functions.
tg_embedded_sizes_fn tg_embedded_program_sizes;
tg_costs_fn tg_embedded_program_costs;
tg_embedded_body_fn tg_embedded_program_body;
tg_embedded_pack_fn tg_embedded_program_pack;

/// Bytes before and behind each output that a function of the host fills: what
/// it writes there is found when it returns.
enum { TG_EMBEDDED_GUARD_BYTES = 64 };

/// Runs a host step whose slots are in `task`, with room for its tensors
/// behind them and its `staging` bytes at `scratch`.
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
TG_STATIC_ASSERT(sizeof(tg_embedded_program_t) == 168);
TG_STATIC_ASSERT(sizeof(tg_embedded_scratch_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_pack_t) == 24);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSTEPS_H
