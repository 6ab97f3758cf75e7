/// What a function does, as data: the tables that the compiler makes of a
/// function and that Program.c runs. They hold numbers alone, and exist once
/// for all levels; what depends on the level stands in tg_embedded_level_t.
#ifndef TG_COMPILER_CODEGEN_LIBRARY_EMBEDDED_PROGRAM_H
#define TG_COMPILER_CODEGEN_LIBRARY_EMBEDDED_PROGRAM_H

#include "Embedded.h"

enum {
  /// What a launch puts behind the slots of its task: scratch memory, the error
  /// cell, the number of workers.
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

/// What must hold between the two numbers of a relation.
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
/// the inputs, the outputs, the constants, the buffers and the numbers.
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

/// Kinds of steps, with their slots.
enum {
  TG_EMBEDDED_LAUNCH, ///< the pointers and symbols of the kernel's task
  TG_EMBEDDED_COPY,   ///< source, target, bytes
  TG_EMBEDDED_CHECK   ///< data, bound: arguments of tg_embedded_check
};

/// What a body does next. Its slots follow those of the step before.
typedef struct tg_embedded_step_t {
  uint32_t kind;
  uint32_t number; ///< of the kernel, or of the check
  uint32_t slot_count;
  uint32_t variables_changed; ///< 1 if a variable is written by now
} tg_embedded_step_t;

/// What a step of tg_function_t.steps costs: the first words of expressions.
typedef struct tg_embedded_cost_t {
  uint32_t flops, traffic;
} tg_embedded_cost_t;

/// A function of a model.
typedef struct tg_embedded_program_t {
  const int64_t *expressions;
  const uint32_t *computed; ///< the first words of the computed symbols
  const tg_embedded_relation_t *relations; ///< as many as entry checks
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
  uint32_t alignment; ///< tg_model_t.alignment
  const tg_embedded_cost_t *costs; ///< of tg_function_t.step_count steps
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

/// What a function has on each level.
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

TG_STATIC_ASSERT(sizeof(tg_embedded_relation_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_buffer_t) == 24);
TG_STATIC_ASSERT(sizeof(tg_embedded_slot_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_step_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_cost_t) == 8);
TG_STATIC_ASSERT(sizeof(tg_embedded_program_t) == 136);
TG_STATIC_ASSERT(sizeof(tg_embedded_scratch_t) == 16);
TG_STATIC_ASSERT(sizeof(tg_embedded_pack_t) == 24);

#endif // TG_COMPILER_CODEGEN_LIBRARY_EMBEDDED_PROGRAM_H
