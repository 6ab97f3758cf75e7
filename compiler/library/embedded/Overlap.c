/// The check that memory which a call writes overlaps no other memory of the
/// call.
#include "CallChecks.h"

/// The number of regions that are cached for the inner loop; later ones are
/// recomputed, so that the stack does not grow with the number of tensors. The
/// regions of a call are ordered: outputs, workspace, slab, packed, inputs.
enum { CACHED_REGIONS = 32 };

typedef struct region_t {
  uint64_t begin;
  uint64_t end;
} region_t;

/// Returns the memory of a tensor that was checked.
static region_t tensorRegion(const tg_value_t *value,
                             const tg_tensor_t *tensor) {
  uint64_t bytes = value->dtype.bits / 8;
  for (uint32_t i = 0; i < value->rank; ++i)
    bytes *= (uint64_t)tensor->shape[i];
  const uint64_t begin = (uintptr_t)tensor->data + tensor->byte_offset;
  return (region_t){begin, begin + bytes};
}

/// Returns the memory of a block of the caller.
static region_t blockRegion(const void *memory, uint64_t bytes) {
  return (region_t){(uintptr_t)memory, (uintptr_t)memory + bytes};
}

/// Returns region `index` of the call. Empty regions overlap nothing.
static region_t regionAt(const tg_embedded_subject_t *subject, uint32_t index) {
  const tg_function_t *function = subject->function;
  const tg_call_t *call = subject->call;
  const uint32_t outputs = function->output_count;
  if (index < outputs)
    return tensorRegion(function->outputs[index], &call->outputs[index]);
  if (index == outputs)
    return blockRegion(call->workspace, subject->workspace_bytes);
  if (index == outputs + 1)
    return blockRegion(call->slab, function->slab_bytes);
  if (index == outputs + 2)
    return blockRegion(call->packed, function->flags & TG_FUNCTION_USES_PACKED
                                         ? subject->model->packed_bytes
                                         : 0);
  index -= outputs + 3;
  return tensorRegion(function->inputs[index], &call->inputs[index]);
}

/// Returns the name of region `index` in messages, and sets *argument to the
/// index of its tensor among the arguments, or to -1 if it is a block.
static const char *regionName(const tg_function_t *function, uint32_t index,
                              int32_t *argument) {
  const uint32_t outputs = function->output_count;
  *argument = -1;
  if (index < outputs) {
    *argument = (int32_t)(function->input_count + index);
    return function->outputs[index]->name;
  }
  if (index >= outputs + 3) {
    *argument = (int32_t)(index - outputs - 3);
    return function->inputs[*argument]->name;
  }
  static const char names[3][12] = {"workspace", "slab", "packed"};
  return names[index - outputs];
}

/// Rejects a call in which regions a < b overlap.
static tg_status_t rejectOverlap(const tg_embedded_subject_t *subject,
                                 uint32_t a, uint32_t b) {
  int32_t first, second;
  const char *name = regionName(subject->function, a, &first);
  const char *other = regionName(subject->function, b, &second);
  const tg_embedded_fault_t fault = {
      .function = subject->name,
      .name = name,
      .other = other,
      .status = TG_ERROR_OVERLAP,
      .argument = first >= 0 ? first : second,
      .location = -1,
      .element = -1,
  };
  return tg_embedded_fail(subject->error, &fault,
                          "'%n' overlaps '%o', expected memory of its own");
}

tg_status_t tg_embedded_check_overlap(const tg_embedded_subject_t *subject) {
  const tg_function_t *function = subject->function;
  const uint32_t count = function->output_count + 3 + function->input_count;
  const uint32_t written =
      function->output_count + 1 +
      (function->flags & TG_FUNCTION_WRITES_VARIABLES ? 1 : 0);
  region_t cached[CACHED_REGIONS];
  for (uint32_t i = 0; i < count && i < CACHED_REGIONS; ++i)
    cached[i] = regionAt(subject, i);
  for (uint32_t i = 0; i < written; ++i) {
    const region_t a = i < CACHED_REGIONS ? cached[i] : regionAt(subject, i);
    if (a.begin == a.end)
      continue;
    for (uint32_t j = i + 1; j < count; ++j) {
      const region_t b = j < CACHED_REGIONS ? cached[j] : regionAt(subject, j);
      if (b.begin != b.end && a.begin < b.end && b.begin < a.end)
        return rejectOverlap(subject, i, j);
    }
  }
  return TG_OK;
}
