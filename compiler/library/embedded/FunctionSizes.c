/// An interpreter of the tables that describe functions: expressions, sizes,
/// costs.
#include "FunctionSizes.h"

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static int64_t add(int64_t a, int64_t b, int *overflowed) {
  int64_t sum;
  *overflowed |= __builtin_add_overflow(a, b, &sum);
  return sum;
}

static int64_t multiply(int64_t a, int64_t b, int *overflowed) {
  int64_t product;
  *overflowed |= __builtin_mul_overflow(a, b, &product);
  return product;
}

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// Returns a op b. A divisor that is not positive counts as an overflow.
static int64_t combine(int64_t op, int64_t a, int64_t b, int *overflowed) {
  if (op == TG_EMBEDDED_ADD)
    return add(a, b, overflowed);
  if (op == TG_EMBEDDED_MULTIPLY)
    return multiply(a, b, overflowed);
  if (b <= 0) {
    *overflowed = 1;
    b = 1;
  }
  if (op == TG_EMBEDDED_FLOOR_DIVIDE)
    return floorDivide(a, b);
  if (op == TG_EMBEDDED_CEIL_DIVIDE)
    return a / b + (a % b > 0);
  return a % b < 0 ? a % b + b : a % b;
}

int64_t tg_embedded_evaluate(const int64_t *word, const int64_t *symbols,
                             int *overflowed) {
  int64_t stack[TG_EMBEDDED_MAX_DEPTH];
  int64_t *top = stack;
  for (;; ++word) {
    const int64_t op = *word & 7;
    if (op == TG_EMBEDDED_SYMBOL) {
      *top++ = symbols[*word >> 3];
    } else if (op == TG_EMBEDDED_CONSTANT) {
      *top++ = *++word;
    } else if (op == TG_EMBEDDED_END) {
      return top[-1];
    } else {
      --top;
      top[-1] = combine(op, top[-1], top[0], overflowed);
    }
  }
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t tg_embedded_lay_arena(const tg_embedded_program_t *program,
                              const int64_t *symbols, int64_t arena,
                              int64_t *bases, int *overflowed) {
  int64_t ends[TG_EMBEDDED_MAX_ENDS]; // ends[0] is the end of all buffers so
                                      // far
  ends[0] = program->arena_bytes;
  const int64_t alignment = program->alignment;
  for (uint32_t i = 0; i < program->buffer_count; ++i) {
    const tg_embedded_buffer_t *buffer = &program->buffers[i];
    int64_t offset = buffer->min_offset;
    for (uint32_t j = 0; j < buffer->below_count; ++j) {
      const int64_t end = ends[program->below_ends[buffer->first_below + j]];
      offset = end > offset ? end : offset;
    }
    if (bases)
      bases[i] = arena + offset;
    const int64_t bytes = tg_embedded_evaluate(
        program->expressions + buffer->bytes, symbols, overflowed);
    const int64_t end =
        add(add(offset, bytes, overflowed), alignment - 1, overflowed) &
        -alignment;
    ends[buffer->end] = end;
    ends[0] = end > ends[0] ? end : ends[0];
  }
  return ends[0];
}

static int64_t minimumOf(const tg_embedded_target_t *target,
                         const tg_embedded_minimum_t *minimum,
                         const int64_t *symbols, int *overflowed) {
  const int64_t needed = tg_embedded_evaluate(
      target->expressions + minimum->needed, symbols, overflowed);
  if (minimum->limit == minimum->needed)
    return needed;
  const int64_t limit = tg_embedded_evaluate(
      target->expressions + minimum->limit, symbols, overflowed);
  return limit < needed ? limit : needed;
}

/// Returns the maximum temporary memory of the launches.
static int64_t scratchBytes(const tg_embedded_target_t *target,
                            const int64_t *symbols, uint32_t workers,
                            int *overflowed) {
  int64_t largest = 0;
  for (uint32_t i = 0; i < target->scratch_count; ++i) {
    const tg_embedded_scratch_t *scratch = &target->scratch[i];
    const int64_t own =
        minimumOf(target, &scratch->per_worker, symbols, overflowed);
    const int64_t bytes =
        add(minimumOf(target, &scratch->partials, symbols, overflowed),
            multiply(own, workers, overflowed), overflowed);
    largest = bytes > largest ? bytes : largest;
  }
  return largest;
}

int64_t tg_embedded_staging_bytes(const tg_embedded_program_t *program,
                                  const int64_t *symbols, int *overflowed) {
  int64_t largest = 0;
  for (uint32_t i = 0; i < program->host_step_count; ++i) {
    const int64_t bytes = tg_embedded_evaluate(
        program->expressions + program->host_steps[i]->staging, symbols,
        overflowed);
    largest = bytes > largest ? bytes : largest;
  }
  return largest;
}

/// Returns a cost, or 2^64 - 1 if it overflows.
static uint64_t costOf(const tg_embedded_program_t *program,
                       uint32_t expression, const int64_t *symbols) {
  int overflowed = 0;
  const int64_t cost = tg_embedded_evaluate(program->expressions + expression,
                                            symbols, &overflowed);
  return overflowed ? ~(uint64_t)0 : (uint64_t)cost;
}

int tg_embedded_is_held(const tg_embedded_program_t *program,
                        const tg_embedded_relation_t *relation,
                        const int64_t *symbols, int64_t numbers[2],
                        int *overflowed) {
  numbers[0] = tg_embedded_evaluate(program->expressions + relation->found,
                                    symbols, overflowed);
  numbers[1] = tg_embedded_evaluate(program->expressions + relation->expected,
                                    symbols, overflowed);
  if (relation->kind == TG_EMBEDDED_AT_MOST)
    return numbers[0] <= numbers[1];
  if (relation->kind == TG_EMBEDDED_AT_LEAST)
    return numbers[0] >= numbers[1];
  return numbers[0] == numbers[1];
}

/// Returns the index of the first relation that does not hold, counted from 1;
/// 0 if all hold.
static int32_t failedRelation(const tg_embedded_function_t *impl,
                              const int64_t *symbols, int64_t numbers[2],
                              int *overflowed) {
  const tg_embedded_program_t *program = impl->program;
  for (uint32_t i = 0; i < impl->entry_check_count; ++i)
    if (!tg_embedded_is_held(program, &program->relations[i], symbols, numbers,
                             overflowed))
      return (int32_t)i + 1;
  return 0;
}

int32_t tg_embedded_program_sizes(const tg_function_t *function,
                                  int64_t *symbols, uint32_t workers,
                                  tg_plan_t *plan, int64_t found_expected[2]) {
  const tg_embedded_function_t *impl = function->impl;
  const tg_embedded_program_t *program = impl->program;
  int overflowed = 0;
  const uint32_t bound = function->symbol_count;
  for (uint32_t i = bound; i < function->symbol_total; ++i)
    symbols[i] = tg_embedded_evaluate(program->expressions +
                                          program->computed[i - bound],
                                      symbols, &overflowed);
  const int32_t failed =
      failedRelation(impl, symbols, found_expected, &overflowed);
  if (failed)
    return failed;
  for (uint32_t i = bound; i < function->symbol_total; ++i)
    overflowed |= symbols[i] < 0;
  const int64_t end =
      tg_embedded_lay_arena(program, symbols, 0, 0, &overflowed);
  int64_t scratch = scratchBytes(impl->target, symbols, workers, &overflowed);
  // On a device, the host block has the staging memory.
  const int64_t staging =
      impl->target->device
          ? 0
          : tg_embedded_staging_bytes(program, symbols, &overflowed);
  scratch = staging > scratch ? staging : scratch;
  plan->workspace_bytes = (uint64_t)add(
      add(end, program->header_bytes, &overflowed), scratch, &overflowed);
  plan->flops = costOf(program, program->flops, symbols);
  plan->traffic_bytes = costOf(program, program->traffic, symbols);
  return overflowed ? -1 : 0;
}

void tg_embedded_program_costs(const tg_function_t *function,
                               const int64_t *symbols, uint64_t *flops,
                               uint64_t *traffic_bytes) {
  const tg_embedded_function_t *impl = function->impl;
  const tg_embedded_program_t *program = impl->program;
  for (uint32_t i = 0; i < function->step_count; ++i) {
    flops[i] = costOf(program, program->costs[i].flops, symbols);
    traffic_bytes[i] = costOf(program, program->costs[i].traffic, symbols);
  }
}
