/// Descriptions of failures that the embedded runtime writes to a tg_error_t.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_ERRORTEXT_H
#define TG_COMPILER_LIBRARY_EMBEDDED_ERRORTEXT_H

#include "Embedded.h"

/// The facts that a message may mention. The comment of a member names the
/// placeholder, such as %n, that stands for it in the text of a message. Set
/// argument, location and element to -1 if there is none.
typedef struct tg_embedded_fault_t {
  const tg_model_t *model; ///< owner of the location; may be null if location
                           ///< is -1
  const char *function;    ///< starts a message without location
  const char *name;        ///< %n
  const char *other;       ///< %o
  const char *detail;      ///< %w: the expected type, or the input that binds a
                           ///< symbol
  const char *kind;        ///< %k: "input" or "output"
  tg_status_t status;
  int32_t argument;
  int32_t location;
  uint32_t variables_changed;
  int64_t element;  ///< %i
  int64_t found;    ///< %f
  int64_t expected; ///< %e
  int64_t dim;      ///< %d
} tg_embedded_fault_t;

/// Writes *fault and its message to *error, unless `error` is null or its
/// `struct_size` is too small. Copies text and replaces the placeholders above.
/// A message that is too long is truncated at a character boundary. Returns
/// fault->status.
tg_status_t tg_embedded_fail(tg_error_t *error,
                             const tg_embedded_fault_t *fault,
                             const char *text);

/// Fails a run: sets model, function, argument and variables_changed of *fault,
/// and writes *fault to the call's error as tg_embedded_fail does. The caller
/// sets the other members.
tg_status_t tg_embedded_fail_run(const tg_embedded_run_t *run,
                                 tg_embedded_fault_t *fault,
                                 uint32_t variables_changed, const char *text);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_ERRORTEXT_H
