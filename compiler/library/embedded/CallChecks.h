/// The single checks of a call, in pieces that tg_embedded_run puts in order.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_CALLCHECKS_H
#define TG_COMPILER_LIBRARY_EMBEDDED_CALLCHECKS_H

#include "Embedded.h"
#include "ErrorText.h"

/// The call that is being checked. Every check answers TG_OK, or fills *error
/// and answers its code.
typedef struct tg_embedded_subject_t {
  const tg_model_t *model;
  const tg_function_t *function; ///< null for pack
  const char *name;              ///< of the function, or "pack"
  const tg_call_t *call;
  tg_error_t *error;
  int64_t *symbols;         ///< as far as bound or computed
  uint64_t bound;           ///< bit i: symbols[i] is valid
  uint64_t workspace_bytes; ///< of the plan
} tg_embedded_subject_t;

/// Returns true if a struct of the host has the known fields, and zero behind
/// them.
int tg_embedded_struct_ok(const void *object, uint64_t known);

/// Fails with an argument (-1: none) and two numbers; see tg_embedded_fail.
tg_status_t tg_embedded_reject(const tg_embedded_subject_t *subject,
                               tg_status_t status, int32_t argument,
                               const char *name, int64_t found,
                               int64_t expected, const char *text);

/// The call struct itself, its parallel, profile and host.
tg_status_t tg_embedded_check_call(tg_embedded_subject_t *subject);

/// The host of a call, which may be null, and that it has every function that
/// the run may call. Part of the former.
tg_status_t tg_embedded_check_host(const tg_embedded_subject_t *subject);

/// Symbols [first, last) against their ranges. argument and name are those of
/// the tensor that binds them; -1 and null in a plan.
tg_status_t tg_embedded_check_symbols(const tg_embedded_subject_t *subject,
                                      uint32_t first, uint32_t last,
                                      int32_t argument, const char *name);

/// That an input or output fits in memory under the symbols, all of them known.
tg_status_t tg_embedded_check_size(const tg_embedded_subject_t *subject,
                                   const tg_value_t *value, int32_t argument);

/// One input or output; binds the symbols that it mentions first.
tg_status_t tg_embedded_check_tensor(tg_embedded_subject_t *subject,
                                     const tg_value_t *value,
                                     const tg_tensor_t *tensor,
                                     int32_t argument);

/// A block that the caller owns: not null, aligned, of `need` bytes at least.
tg_status_t tg_embedded_check_memory(const tg_embedded_subject_t *subject,
                                     const char *name, const void *memory,
                                     uint64_t bytes, uint64_t need);

/// That written memory overlaps nothing.
tg_status_t tg_embedded_check_overlap(const tg_embedded_subject_t *subject);

/// That the slab was initialized, by a model of this layout.
tg_status_t tg_embedded_check_slab(const tg_embedded_subject_t *subject);

/// That the packed weights are those of the slab as it is now.
tg_status_t tg_embedded_check_packed(const tg_embedded_subject_t *subject);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_CALLCHECKS_H
