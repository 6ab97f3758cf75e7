/// The embedded runtime's descriptions of failures in the caller's tg_error_t.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_ERRORTEXT_H
#define TG_COMPILER_LIBRARY_EMBEDDED_ERRORTEXT_H

#include "Embedded.h"

/// All that a message may mention. Set argument, location and element to -1
/// where there is none.
typedef struct tg_embedded_fault_t {
  const tg_model_t *model; ///< for the location; may be null if location is -1
  const char *function;    ///< starts a message without location
  const char *name;        ///< %n
  const char *other;       ///< %o
  const char *wanted;      ///< %w
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

/// Writes *fault and its message to *error, which may be null or too short to
/// be written. text is copied but for the placeholders above; the message is
/// cut at a character when it is too long. Returns fault->status.
tg_status_t tg_embedded_fail(tg_error_t *error,
                             const tg_embedded_fault_t *fault,
                             const char *text);

/// Fails a run: completes the fault, which needs no model, function, argument
/// and variables_changed, and writes it as above to the call's error.
tg_status_t tg_embedded_fail_run(const tg_embedded_run_t *run,
                                 tg_embedded_fault_t *fault,
                                 uint32_t variables_changed, const char *text);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_ERRORTEXT_H
