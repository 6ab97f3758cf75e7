/// The checks of the memory blocks of a call: workspace, slab, packed weights.
#include "CallChecks.h"

tg_status_t tg_embedded_check_memory(const tg_embedded_subject_t *subject,
                                     const char *name, const void *memory,
                                     uint64_t bytes, uint64_t need) {
  if (!need)
    return TG_OK;
  if (!memory)
    return tg_embedded_reject(subject, TG_ERROR_NULL, -1, name, 0,
                              (int64_t)need, "%n is null, expected %e bytes");
  const uint64_t alignment = subject->model->alignment;
  if ((uintptr_t)memory % alignment)
    return tg_embedded_reject(subject, TG_ERROR_ALIGNMENT, -1, name,
                              (int64_t)((uintptr_t)memory % alignment),
                              (int64_t)alignment,
                              "%n is not aligned to %e bytes");
  if (bytes < need)
    return tg_embedded_reject(subject, TG_ERROR_SIZE, -1, name, (int64_t)bytes,
                              (int64_t)need,
                              "%n has %f bytes, expected at least %e");
  return TG_OK;
}

tg_status_t tg_embedded_check_slab(const tg_embedded_subject_t *subject) {
  const tg_slab_header_t *header = tg_embedded_slab_header(subject->call);
  if (__builtin_memcmp(header->layout_id, subject->model->layout_id,
                       sizeof(header->layout_id)) != 0)
    return tg_embedded_reject(
        subject, TG_ERROR_SLAB, -1, 0, 0, 0,
        "the variables have no values yet, or those of a model with another "
        "layout: initialize them with a seed, also if the library has weights, "
        "or load a checkpoint");
  return TG_OK;
}

tg_status_t tg_embedded_check_packed(const tg_embedded_subject_t *subject) {
  const tg_call_t *call = subject->call;
  if (!call->packed)
    return tg_embedded_reject(
        subject, TG_ERROR_PACKED, -1, 0, 0, 0,
        "packed is null, expected the block that pack filled");
  const tg_status_t status = tg_embedded_check_memory(
      subject, "packed", call->packed, call->packed_bytes,
      subject->model->packed_bytes);
  if (status != TG_OK)
    return status;
  const tg_embedded_packed_header_t *packed = tg_embedded_packed_header(call);
  const tg_slab_header_t *slab = tg_embedded_slab_header(call);
  if (packed->table != subject->model || packed->slab != call->slab ||
      packed->generation != slab->generation)
    return tg_embedded_reject(
        subject, TG_ERROR_PACKED, -1, 0, 0, 0,
        "the packed weights were not packed from the current content of this "
        "slab");
  return TG_OK;
}
