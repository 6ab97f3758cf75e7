/// The inputs and outputs of a run on a device: their memory on the device, and
/// the copies of those that lie in host memory.
///
/// A copy of such a tensor lies in the workspace, between arena and scratch
/// memory. The run copies small tensors through the host block, so that the
/// addresses of these copies are the same in each run with equal extents.
#include "DeviceArguments.h"

/// The maximum bytes of a tensor that is copied through the host block.
enum { STAGED_BYTES = 16 << 20 };

/// Returns argument `index` of a call: an input, or an output after them.
static const tg_tensor_t *argumentAt(const tg_call_t *call, uint32_t index) {
  return index < call->input_count ? &call->inputs[index]
                                   : &call->outputs[index - call->input_count];
}

/// Returns the number of arguments.
static uint32_t argumentCount(const tg_function_t *function) {
  return function->input_count + function->output_count;
}

/// Returns true if a function on a device copies a tensor through the
/// workspace, because the tensor lies in host memory.
static int isCopied(const tg_model_t *model, const tg_tensor_t *tensor) {
  return tensor->device.device_type != model->device_type;
}

/// Returns the bytes of argument `index`.
static uint64_t argumentBytes(const tg_function_t *function, uint32_t index,
                              const int64_t *symbols, int *overflowed) {
  const tg_value_t *value =
      index < function->input_count
          ? function->inputs[index]
          : function->outputs[index - function->input_count];
  int64_t bytes = value->dtype.bits / 8;
  int isEmpty = 0, isTooLarge = 0;
  for (uint32_t i = 0; i < value->rank; ++i) {
    const int64_t dim = tg_dim(value->dims[i], symbols);
    isEmpty |= dim == 0;
    isTooLarge |= __builtin_mul_overflow(bytes, dim, &bytes);
  }
  *overflowed |= isTooLarge && !isEmpty;
  return isEmpty ? 0 : (uint64_t)bytes;
}

/// Returns the bytes of a copy of a tensor: a multiple of the alignment.
static uint64_t alignedBytes(const tg_function_t *function, uint64_t bytes) {
  const uint64_t alignment = tg_embedded_impl(function)->model->alignment;
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Returns true if a function copies tensors of this size through the host
/// block. Functions that wait do not: the extents of their outputs may change.
static int isStaged(const tg_function_t *function, uint64_t bytes) {
  return bytes <= STAGED_BYTES &&
         !tg_embedded_waits(tg_embedded_impl(function)->program);
}

void tg_embedded_argument_sizes(const tg_function_t *function,
                                const int64_t *symbols, uint64_t *copies,
                                uint64_t *staged, int *overflowed) {
  *copies = *staged = 0;
  for (uint32_t i = 0; i < argumentCount(function); ++i) {
    const uint64_t bytes = argumentBytes(function, i, symbols, overflowed);
    const uint64_t aligned = alignedBytes(function, bytes);
    *overflowed |= __builtin_add_overflow(*copies, aligned, copies);
    if (isStaged(function, bytes))
      *staged += aligned;
  }
}

char *tg_embedded_put_arguments(const tg_embedded_run_t *run, char *copies) {
  const tg_embedded_function_t *impl = tg_embedded_impl(run->function);
  int ignored = 0;
  int64_t *base = tg_embedded_bases(run) + TG_EMBEDDED_BASE_SYMBOLS +
                  run->function->symbol_total;
  for (uint32_t i = 0; i < argumentCount(run->function); ++i) {
    const tg_tensor_t *tensor = argumentAt(run->call, i);
    const int isOnHost = isCopied(impl->model, tensor);
    *base++ = (int64_t)(isOnHost ? copies : tg_embedded_data(tensor));
    if (isOnHost)
      copies +=
          alignedBytes(run->function,
                       argumentBytes(run->function, i, run->symbols, &ignored));
  }
  const char *constants = run->call->device->constants;
  for (uint32_t i = 0; i < impl->program->constant_count; ++i)
    *base++ = (int64_t)constants + ((const char *)impl->program->constants[i] -
                                    (const char *)impl->model->constants);
  return copies;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// An argument in host memory, with its copy on the device. `staged` is its
/// copy in the host block, null if it has none.
typedef struct argument_t {
  void *host, *place, *staged;
  uint64_t bytes;
  int is_input;
} argument_t;

typedef tg_status_t visit_fn(tg_embedded_walk_t *walk,
                             const argument_t *argument);

/// Calls `visit` for the inputs or the outputs that lie in host memory, and
/// that are staged or not, until it fails.
static tg_status_t visitArguments(tg_embedded_walk_t *walk, int inputs,
                                  int staged, visit_fn *visit) {
  const tg_embedded_run_t *run = walk->run;
  const tg_function_t *function = run->function;
  const tg_embedded_function_t *impl = tg_embedded_impl(function);
  const int64_t *places = tg_embedded_bases(run) + TG_EMBEDDED_BASE_SYMBOLS +
                          function->symbol_total;
  char *next = run->block + impl->host_block_bytes;
  int ignored = 0;
  for (uint32_t i = 0; i < argumentCount(function); ++i) {
    const tg_tensor_t *tensor = argumentAt(run->call, i);
    const uint64_t bytes = argumentBytes(function, i, run->symbols, &ignored);
    const int isInBlock = isStaged(function, bytes);
    const argument_t argument = {tg_embedded_data(tensor), (void *)places[i],
                                 isInBlock ? next : 0, bytes,
                                 i < function->input_count};
    if (isInBlock)
      next += alignedBytes(function, bytes);
    if (!bytes || !isCopied(impl->model, tensor) ||
        argument.is_input != inputs || isInBlock != staged)
      continue;
    const tg_status_t status = visit(walk, &argument);
    if (status != TG_OK)
      return status;
  }
  return TG_OK;
}

/// Copies an input to the host block.
static tg_status_t stage(tg_embedded_walk_t *walk, const argument_t *argument) {
  (void)walk;
  __builtin_memcpy(argument->staged, argument->host, argument->bytes);
  return TG_OK;
}

/// Copies an output from the host block.
static tg_status_t unstage(tg_embedded_walk_t *walk,
                           const argument_t *argument) {
  (void)walk;
  __builtin_memcpy(argument->host, argument->staged, argument->bytes);
  return TG_OK;
}

/// Enqueues the copy of an argument to the device or from it.
static tg_status_t enqueueCopy(tg_embedded_walk_t *walk,
                               const argument_t *argument) {
  void *host = argument->staged ? argument->staged : argument->host;
  return argument->is_input
             ? tg_embedded_copy(walk, 0, argument->place, host, argument->bytes,
                                TG_COPY_TO_DEVICE)
             : tg_embedded_copy(walk, 0, host, argument->place, argument->bytes,
                                TG_COPY_FROM_DEVICE);
}

void tg_embedded_stage_inputs(tg_embedded_walk_t *walk) {
  (void)visitArguments(walk, /*inputs=*/1, /*staged=*/1, stage);
}

void tg_embedded_unstage_outputs(tg_embedded_walk_t *walk) {
  (void)visitArguments(walk, /*inputs=*/0, /*staged=*/1, unstage);
}

tg_status_t tg_embedded_copy_inputs(tg_embedded_walk_t *walk, int staged) {
  return visitArguments(walk, /*inputs=*/1, staged, enqueueCopy);
}

tg_status_t tg_embedded_copy_outputs(tg_embedded_walk_t *walk, int staged) {
  return visitArguments(walk, /*inputs=*/0, staged, enqueueCopy);
}
