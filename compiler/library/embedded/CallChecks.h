/// The individual checks of a call, which tg_embedded_run orders.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_CALLCHECKS_H
#define TG_COMPILER_LIBRARY_EMBEDDED_CALLCHECKS_H

#include "Embedded.h"
#include "ErrorText.h"

/// The call that is being checked. Every check returns TG_OK, or fills *error
/// and returns its code.
typedef struct tg_embedded_subject_t {
  const tg_model_t *model;
  const tg_function_t *function; ///< null for pack
  const char *name;              ///< the function, or "pack"
  const tg_call_t *call;
  tg_error_t *error;
  int64_t *symbols;                           ///< bound or computed so far
  uint64_t bound;                             ///< bit i: symbols[i] is valid
  uint64_t workspace_bytes, host_block_bytes; ///< required by the plan
} tg_embedded_subject_t;

/// Returns true if the size of a struct of the caller, its first field, is at
/// least `least` and at most 4096 bytes, and all bytes from `known` on are
/// zero. `least` is the size of the first version of the struct. Read fields
/// after it only if the struct has them: TG_HAS.
int tg_embedded_struct_ok(const void *object, uint64_t least, uint64_t known);

/// Returns the header of the slab of a call, in host memory.
static inline tg_slab_header_t *tg_embedded_slab_header(const tg_call_t *call) {
  return call->device ? call->device->slab_header : call->slab;
}

/// Returns the header of the packed block of a call, in host memory.
static inline tg_embedded_packed_header_t *
tg_embedded_packed_header(const tg_call_t *call) {
  return call->device ? call->device->packed_header : call->packed;
}

/// Writes an error about an argument (-1 for none) with two numbers, as
/// tg_embedded_fail does. Returns `status`.
tg_status_t tg_embedded_reject(const tg_embedded_subject_t *subject,
                               tg_status_t status, int32_t argument,
                               const char *name, int64_t found,
                               int64_t expected, const char *text);

/// Checks the call struct and its parallel, profile and host structs.
tg_status_t tg_embedded_check_call(tg_embedded_subject_t *subject);

/// Checks the device struct of a call, the tg_embedded_function_t.check_device
/// of functions that run on a device. tg_embedded_check_call calls it.
tg_status_t tg_embedded_check_device(const tg_embedded_subject_t *subject);

/// Checks the host struct of a call, which may be null, and that it has every
/// function that the run may call. tg_embedded_check_call calls it.
tg_status_t tg_embedded_check_host(const tg_embedded_subject_t *subject);

/// Checks symbols [first, last) against their ranges. `argument` and `name`
/// identify the tensor that binds the symbols; they are -1 and null in a plan.
tg_status_t tg_embedded_check_symbols(const tg_embedded_subject_t *subject,
                                      uint32_t first, uint32_t last,
                                      int32_t argument, const char *name);

/// Checks that an input or output fits in memory once all symbols are known.
tg_status_t tg_embedded_check_size(const tg_embedded_subject_t *subject,
                                   const tg_value_t *value, int32_t argument);

/// Checks one input or output, and binds the symbols that it mentions first.
tg_status_t tg_embedded_check_tensor(tg_embedded_subject_t *subject,
                                     const tg_value_t *value,
                                     const tg_tensor_t *tensor,
                                     int32_t argument);

/// Checks a memory block of the caller: not null, aligned, and at least `need`
/// bytes long.
tg_status_t tg_embedded_check_memory(const tg_embedded_subject_t *subject,
                                     const char *name, const void *memory,
                                     uint64_t bytes, uint64_t need);

/// Checks that written memory overlaps no other memory of the call.
tg_status_t tg_embedded_check_overlap(const tg_embedded_subject_t *subject);

/// Checks that a model with this layout initialized the slab.
tg_status_t tg_embedded_check_slab(const tg_embedded_subject_t *subject);

/// Checks that the packed weights were packed from the current slab.
tg_status_t tg_embedded_check_packed(const tg_embedded_subject_t *subject);

#endif // TG_COMPILER_LIBRARY_EMBEDDED_CALLCHECKS_H
