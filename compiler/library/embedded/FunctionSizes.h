/// The expressions in the tables of a function, and what follows from them.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSIZES_H
#define TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSIZES_H

#include "FunctionSteps.h"

/// Evaluates the expression that begins at `word`. Sets `overflowed` if a
/// number overflows or a divisor is not positive.
int64_t tg_embedded_evaluate(const int64_t *word, const int64_t *symbols,
                             int *overflowed);

/// Returns the maximum staging memory of the host steps, in bytes.
int64_t tg_embedded_staging_bytes(const tg_embedded_program_t *program,
                                  const int64_t *symbols, int *overflowed);

/// Lays out the arena and returns its end. Writes the addresses of buffers to
/// `bases` unless it is null.
int64_t tg_embedded_lay_arena(const tg_embedded_program_t *program,
                              const int64_t *symbols, int64_t arena,
                              int64_t *bases, int *overflowed);

/// Returns the address of the elements of a tensor.
static inline char *tg_embedded_data(const tg_tensor_t *tensor) {
  return (char *)tensor->data + tensor->byte_offset;
}

/// Returns true if a relation holds; writes both numbers to `numbers`.
int tg_embedded_is_held(const tg_embedded_program_t *program,
                        const tg_embedded_relation_t *relation,
                        const int64_t *symbols, int64_t numbers[2],
                        int *overflowed);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_FUNCTIONSIZES_H
