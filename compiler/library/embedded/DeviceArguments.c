/// The inputs and outputs of a run on a device: their memory on the device, and
/// the copies of those that lie in host memory.
///
/// A copy of such a tensor lies in the workspace, between arena and scratch
/// memory. The run copies small tensors through the host block, so that the
/// addresses of these copies are the same in each run with equal extents. Their
/// copies and the report of errors are one piece of memory, the exchange, both
/// on the device and in the host block: a run copies its end, from the report
/// on, to the device, and its beginning, up to the report, back.
#include "DeviceArguments.h"

/// The maximum bytes of a tensor that is copied through the host block.
enum { STAGED_BYTES = 16 << 20 };

/// The ways of a tensor between the host and a device.
typedef enum way_t {
  IN_PLACE, ///< none: it lies on the device
  STAGED,   ///< through the host block, all of them by one copy
  PINNED,   ///< directly, by a copy that is repeated with the run
  BESIDE    ///< directly, before or after what is repeated
} way_t;

/// An input of a run, or an output after them.
typedef struct argument_t {
  const tg_tensor_t *tensor;
  uint64_t bytes, aligned_bytes;
  int is_input;
  way_t way;
} argument_t;

/// Returns the number of arguments.
static uint32_t argumentCount(const tg_function_t *function) {
  return function->input_count + function->output_count;
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

/// Returns true if a function copies its arguments by operations that may be
/// repeated. Functions that wait do not: the extents of their outputs may
/// change.
static int repeatsCopies(const tg_function_t *function) {
  return !tg_embedded_waits(tg_embedded_impl(function)->program);
}

/// Returns the way of a tensor of `bytes` bytes.
static way_t wayOf(const tg_function_t *function, const tg_tensor_t *tensor,
                   uint64_t bytes) {
  const int32_t type = tensor->device.device_type;
  if (type == tg_embedded_impl(function)->model->device_type)
    return IN_PLACE;
  if (!repeatsCopies(function))
    return BESIDE;
  if (bytes <= STAGED_BYTES)
    return STAGED;
  return type == TG_DEVICE_CUDA_HOST ? PINNED : BESIDE;
}

/// Returns argument `index` of a run.
static argument_t argumentAt(const tg_embedded_run_t *run, uint32_t index) {
  const tg_function_t *function = run->function;
  const uint32_t inputs = function->input_count;
  int ignored = 0;
  argument_t argument;
  argument.is_input = index < inputs;
  argument.tensor = argument.is_input ? &run->call->inputs[index]
                                      : &run->call->outputs[index - inputs];
  argument.bytes = argumentBytes(function, index, run->symbols, &ignored);
  argument.aligned_bytes = alignedBytes(function, argument.bytes);
  argument.way = wayOf(function, argument.tensor, argument.bytes);
  return argument;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Returns the bytes of the report between staged outputs and staged inputs.
static uint64_t exchangedReportBytes(const tg_function_t *function) {
  return repeatsCopies(function)
             ? alignedBytes(function, tg_embedded_report_bytes(function))
             : 0;
}

void tg_embedded_argument_sizes(const tg_function_t *function,
                                const int64_t *symbols, uint64_t *copies,
                                uint64_t *staged, int *overflowed) {
  *copies = *staged = exchangedReportBytes(function);
  for (uint32_t i = 0; i < argumentCount(function); ++i) {
    const uint64_t bytes = argumentBytes(function, i, symbols, overflowed);
    const uint64_t aligned = alignedBytes(function, bytes);
    *overflowed |= __builtin_add_overflow(*copies, aligned, copies);
    if (bytes <= STAGED_BYTES && repeatsCopies(function))
      *staged += aligned;
  }
}

/// Returns the sum of the bytes of staged arguments: inputs or outputs.
static uint64_t stagedBytes(const tg_embedded_run_t *run, int inputs) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < argumentCount(run->function); ++i) {
    const argument_t argument = argumentAt(run, i);
    if (argument.way == STAGED && argument.is_input == inputs)
      sum += argument.aligned_bytes;
  }
  return sum;
}

/// Lays out the exchange, from `exchange` on: staged outputs, the report,
/// staged inputs. A function that waits has none.
static void layExchange(tg_embedded_walk_t *walk, char *exchange) {
  const tg_embedded_run_t *run = walk->run;
  const uint64_t block = tg_embedded_impl(run->function)->host_block_bytes;
  walk->exchange = exchange;
  walk->exchange_copy = run->block + block;
  if (repeatsCopies(run->function)) {
    const uint64_t outputs = stagedBytes(run, /*inputs=*/0);
    walk->report = exchange + outputs;
    walk->initial = walk->received = walk->exchange_copy + outputs;
  } else {
    walk->report = run->workspace;
    walk->initial =
        walk->exchange_copy - tg_embedded_report_bytes(run->function);
    walk->received = run->block;
  }
}

void tg_embedded_put_arguments(tg_embedded_walk_t *walk, char *copies) {
  const tg_embedded_run_t *run = walk->run;
  const tg_embedded_function_t *impl = tg_embedded_impl(run->function);
  layExchange(walk, copies);
  char *output = copies;
  char *input = repeatsCopies(run->function)
                    ? walk->report + exchangedReportBytes(run->function)
                    : copies;
  char *other = input + stagedBytes(run, /*inputs=*/1);
  int64_t *base = tg_embedded_bases(run) + TG_EMBEDDED_BASE_SYMBOLS +
                  run->function->symbol_total;
  for (uint32_t i = 0; i < argumentCount(run->function); ++i) {
    const argument_t argument = argumentAt(run, i);
    char **next = argument.way != STAGED ? &other
                  : argument.is_input    ? &input
                                         : &output;
    *base++ = (int64_t)(argument.way == IN_PLACE
                            ? (char *)tg_embedded_data(argument.tensor)
                            : *next);
    if (argument.way != IN_PLACE)
      *next += argument.aligned_bytes;
  }
  const char *constants = run->call->device->constants;
  for (uint32_t i = 0; i < impl->program->constant_count; ++i)
    *base++ = (int64_t)constants + ((const char *)impl->program->constants[i] -
                                    (const char *)impl->model->constants);
  walk->scratch = other;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Returns the copy on the device of argument `index`.
static char *placeOf(const tg_embedded_run_t *run, uint32_t index) {
  return (char *)tg_embedded_bases(
      run)[TG_EMBEDDED_BASE_SYMBOLS + run->function->symbol_total + index];
}

/// Copies the staged inputs to the host block, or the staged outputs from it.
static void stage(const tg_embedded_walk_t *walk, int inputs) {
  for (uint32_t i = 0; i < argumentCount(walk->run->function); ++i) {
    const argument_t argument = argumentAt(walk->run, i);
    if (argument.way != STAGED || argument.is_input != inputs ||
        !argument.bytes)
      continue;
    char *staged =
        walk->exchange_copy + (placeOf(walk->run, i) - walk->exchange);
    void *host = tg_embedded_data(argument.tensor);
    __builtin_memcpy(inputs ? (void *)staged : host,
                     inputs ? host : (void *)staged, argument.bytes);
  }
}

void tg_embedded_stage_inputs(const tg_embedded_walk_t *walk) {
  stage(walk, /*inputs=*/1);
}

void tg_embedded_unstage_outputs(const tg_embedded_walk_t *walk) {
  stage(walk, /*inputs=*/0);
}

/// Enqueues the copies of the inputs, or of the outputs, that go a way.
static tg_status_t copyArguments(tg_embedded_walk_t *walk, int inputs,
                                 way_t way) {
  tg_status_t status = TG_OK;
  for (uint32_t i = 0;
       status == TG_OK && i < argumentCount(walk->run->function); ++i) {
    const argument_t argument = argumentAt(walk->run, i);
    if (argument.way != way || argument.is_input != inputs)
      continue;
    void *host = tg_embedded_data(argument.tensor);
    void *place = placeOf(walk->run, i);
    status = inputs ? tg_embedded_copy(walk, 0, place, host, argument.bytes,
                                       TG_COPY_TO_DEVICE)
                    : tg_embedded_copy(walk, 0, host, place, argument.bytes,
                                       TG_COPY_FROM_DEVICE);
  }
  return status;
}

tg_status_t tg_embedded_begin_exchange(tg_embedded_walk_t *walk) {
  const uint64_t bytes = tg_embedded_report_bytes(walk->run->function);
  const uint64_t inputs = stagedBytes(walk->run, /*inputs=*/1);
  const tg_status_t status = tg_embedded_copy(
      walk, 0, walk->report, walk->initial,
      inputs ? exchangedReportBytes(walk->run->function) + inputs : bytes,
      TG_COPY_TO_DEVICE);
  return status == TG_OK ? copyArguments(walk, /*inputs=*/1, PINNED) : status;
}

tg_status_t tg_embedded_end_exchange(tg_embedded_walk_t *walk) {
  if (!repeatsCopies(walk->run->function))
    return tg_embedded_copy_report(walk, 0);
  const uint64_t outputs = (uint64_t)(walk->report - walk->exchange);
  const tg_status_t status =
      tg_embedded_copy(walk, 0, walk->exchange_copy, walk->exchange,
                       outputs + tg_embedded_report_bytes(walk->run->function),
                       TG_COPY_FROM_DEVICE);
  return status == TG_OK ? copyArguments(walk, /*inputs=*/0, PINNED) : status;
}

tg_status_t tg_embedded_copy_inputs(tg_embedded_walk_t *walk) {
  return copyArguments(walk, /*inputs=*/1, BESIDE);
}

tg_status_t tg_embedded_copy_outputs(tg_embedded_walk_t *walk) {
  return copyArguments(walk, /*inputs=*/0, BESIDE);
}
