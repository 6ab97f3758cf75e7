/// Copies variables in and out of contexts.
#include "Variables.h"

#include "Context.h"
#include "runtime/messages/Error.h"

#include "tg/dtypes.h"

#include <algorithm>
#include <cstring>

using namespace tg;

void tg::normalizeBooleans(const tg_variable_t &variable, char *slab) {
  if (variable.dtype.code != TG_DTYPE_BOOL)
    return;
  char *booleans = slab + variable.offset;
  for (uint64_t i = 0; i < variable.bytes; ++i)
    booleans[i] = booleans[i] != 0;
}

tg_status_t tg::checkTensor(const tg_variable_t &variable,
                            const tg_tensor_t *tensor, tg_error_t *error) {
  const char *name = variable.name;
  if (!tensor)
    return fail(error, TG_ERROR_NULL, "value of '%.200s' is null", name);
  if (std::memcmp(&tensor->dtype, &variable.dtype, sizeof(tg_dtype_t)) != 0)
    return fail(error, TG_ERROR_DTYPE,
                "'%.128s' has element type %s, expected %s", name,
                tg_dtype_name(tensor->dtype), tg_dtype_name(variable.dtype));
  if (tensor->ndim < 0 || uint32_t(tensor->ndim) != variable.rank)
    return failNumber(error, TG_ERROR_RANK, tensor->ndim, variable.rank,
                      "'%.128s' has rank %d, expected %u", name, tensor->ndim,
                      variable.rank);
  if (tensor->device.device_type != TG_DEVICE_CPU &&
      tensor->device.device_type != TG_DEVICE_CUDA_HOST)
    return failNumber(error, TG_ERROR_DEVICE, tensor->device.device_type,
                      TG_DEVICE_CPU,
                      "'%.128s' is on device type %d, expected "
                      "%d",
                      name, tensor->device.device_type, TG_DEVICE_CPU);
  if (variable.rank && !tensor->shape)
    return fail(error, TG_ERROR_NULL, "shape of '%.200s' is null", name);
  int64_t stride = 1;
  for (uint32_t i = variable.rank; i-- > 0;) {
    const int64_t found = tensor->shape[i], expected = variable.dims[i];
    if (found != expected)
      return failNumber(error, TG_ERROR_DIM, found, expected,
                        "'%.128s' has a dimension %lld, expected %lld", name,
                        static_cast<long long>(found),
                        static_cast<long long>(expected));
    if (tensor->strides && found > 1 && variable.bytes &&
        tensor->strides[i] != stride)
      return failNumber(error, TG_ERROR_STRIDES, tensor->strides[i], stride,
                        "'%.128s' has a stride %lld, expected %lld", name,
                        static_cast<long long>(tensor->strides[i]),
                        static_cast<long long>(stride));
    stride *= expected;
  }
  if (variable.bytes && !tensor->data)
    return fail(error, TG_ERROR_NULL, "data of '%.200s' is null", name);
  uint64_t begin, end;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(tensor->data),
                             tensor->byte_offset, &begin) ||
      __builtin_add_overflow(begin, variable.bytes, &end))
    return fail(error, TG_ERROR_SIZE,
                "'%.200s' reaches beyond the end of memory", name);
  return TG_OK;
}

/// Checks an index and a value, for both getting and setting a variable.
static tg_status_t checkAccess(const tg_context_t &context, uint32_t index,
                               const tg_tensor_t *value, tg_error_t *error) {
  const uint32_t count = context.model().variable_count;
  if (index >= count)
    return failNumber(error, TG_ERROR_NOT_FOUND, index, count,
                      "variable %u, expected below %u", index, count);
  return checkTensor(*context.model().variables[index], value, error);
}

/// Copies a variable of a slab to the host.
static tg_status_t readVariable(const tg_context_t &context,
                                const tg_variable_t &variable, const void *slab,
                                char *into, tg_error_t *error) {
  return context.memory().copyOut(
      into, static_cast<const char *>(slab) + variable.offset, variable.bytes,
      error);
}

/// Reads a variable of the published weights.
static tg_status_t getShared(const tg_context_t &context,
                             const tg_variable_t &variable, char *into,
                             tg_error_t *error) {
  const bool isPublished =
      variable.offset + variable.bytes <= context.module->publishedBytes;
  const Weights *weights = isPublished ? pinWeights(context) : nullptr;
  const tg_status_t status =
      weights ? readVariable(context, variable, weights->slab, into, error)
              : fail(error, TG_ERROR_SLAB, "'%.200s' was not published",
                     variable.name);
  unpinWeights(context);
  return status;
}

static tg_status_t getVariable(const tg_context_t &context, uint32_t index,
                               const tg_tensor_t *value, tg_error_t *error) {
  tg_status_t status = requireIdle(context, error);
  if (status == TG_OK)
    status = checkAccess(context, index, value, error);
  if (status != TG_OK)
    return status;
  const tg_variable_t &variable = *context.model().variables[index];
  if (context.isShared())
    return getShared(context, variable, dataOf(*value), error);
  VariablesUse use;
  status = use.beginReading(context, endOf(variable), error);
  return status == TG_OK ? readVariable(context, variable, context.slab(),
                                        dataOf(*value), error)
                         : status;
}

tg_status_t tg_context_get_variable(const tg_context_t *context,
                                    uint32_t variable, const tg_tensor_t *value,
                                    tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(getVariable(*context, variable, value, scope.get()));
}

tg_status_t tg::writeVariable(const Memory &memory,
                              const tg_variable_t &variable, const char *value,
                              char *slab, tg_error_t *error) {
  char *into = slab + variable.offset;
  if (variable.dtype.code != TG_DTYPE_BOOL)
    return memory.copyIn(into, value, variable.bytes, error);
  char piece[4096];
  tg_status_t status = TG_OK;
  for (uint64_t at = 0; status == TG_OK && at < variable.bytes;) {
    const uint64_t count =
        std::min<uint64_t>(variable.bytes - at, sizeof(piece));
    for (uint64_t i = 0; i < count; ++i)
      piece[i] = value[at + i] != 0;
    status = memory.copyIn(into + at, piece, count, error);
    at += count;
  }
  return status;
}

/// Sets the variables of a context that have no values to 0, before one of
/// them is set.
static tg_status_t setOthersToZero(tg_context_t &context, tg_error_t *error) {
  const uint64_t bytes = context.module->slabBytes;
  constexpr size_t header = sizeof(tg_slab_header_t);
  if (context.variables)
    return context.variables->setOthersToZero(bytes, error);
  if (!context.hasValues(bytes))
    return context.memory().fill(context.ownSlab + header, 0, bytes - header,
                                 error);
  return TG_OK;
}

/// Notes that a call wrote variables, or a part of them if it failed. Returns
/// the status of the call.
static tg_status_t recordChange(tg_context_t &context, tg_status_t status,
                                tg_error_t *error) {
  ++context.header()->generation;
  if (status != TG_OK && error && error->struct_size >= sizeof(*error))
    error->variables_changed = 1;
  return status;
}

static tg_status_t setVariable(tg_context_t &context, uint32_t index,
                               const tg_tensor_t *value, tg_error_t *error) {
  VariablesUse use;
  tg_status_t status =
      use.beginWriting(context, context.module->slabBytes, error);
  if (status == TG_OK)
    status = checkAccess(context, index, value, error);
  if (status != TG_OK)
    return status;
  status = setOthersToZero(context, error);
  if (status == TG_OK)
    status = writeVariable(context.memory(), *context.model().variables[index],
                           dataOf(*value), context.slab(), error);
  if (status == TG_OK)
    context.markSet();
  return recordChange(context, status, error);
}

tg_status_t tg_context_set_variable(tg_context_t *context, uint32_t variable,
                                    const tg_tensor_t *value,
                                    tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(setVariable(*context, variable, value, scope.get()));
}

tg_status_t tg::checkBlockSize(const tg_model_t &model, const void *block,
                               uint64_t bytes, tg_error_t *error) {
  const uint64_t expected = model.slab_bytes;
  if (!block && expected)
    return fail(error, TG_ERROR_NULL, "block is null");
  if (bytes != expected)
    return failNumber(error, TG_ERROR_SIZE, static_cast<int64_t>(bytes),
                      static_cast<int64_t>(expected),
                      "the block has %llu bytes, expected %llu",
                      static_cast<unsigned long long>(bytes),
                      static_cast<unsigned long long>(expected));
  return TG_OK;
}

tg_status_t tg::checkBlock(const tg_model_t &model, const void *block,
                           uint64_t bytes, tg_error_t *error) {
  const tg_status_t status = checkBlockSize(model, block, bytes, error);
  if (status != TG_OK || !bytes)
    return status;
  tg_slab_header_t header;
  std::memcpy(&header, block, sizeof(header));
  if (std::memcmp(header.layout_id, model.layout_id,
                  sizeof(header.layout_id)) != 0)
    return fail(error, TG_ERROR_SLAB,
                "the block holds no variables of this model: expected one that "
                "was exported from it");
  return TG_OK;
}

tg_status_t tg_context_export_variables(const tg_context_t *context,
                                        void *block, uint64_t bytes,
                                        tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  VariablesUse use;
  tg_status_t status =
      use.beginReading(*context, context->model().slab_bytes, scope.get());
  if (status == TG_OK)
    status = checkBlockSize(context->model(), block, bytes, scope.get());
  if (status == TG_OK && bytes) {
    constexpr size_t header = sizeof(tg_slab_header_t);
    std::memcpy(block, context->header(), header);
    status = context->memory().copyOut(static_cast<char *>(block) + header,
                                       context->slab() + header, bytes - header,
                                       scope.get());
  }
  return scope.finish(status);
}

/// Copies a block of all variables into a context.
static tg_status_t import(tg_context_t &context, const void *block,
                          uint64_t bytes, tg_error_t *error) {
  const tg_model_t &model = context.model();
  VariablesUse use;
  tg_status_t status = use.beginWriting(context, model.slab_bytes, error);
  if (status == TG_OK)
    status = checkBlock(model, block, bytes, error);
  if (status != TG_OK || !bytes)
    return status;
  tg_slab_header_t theirs;
  std::memcpy(&theirs, block, sizeof(theirs));
  const char *from = static_cast<const char *>(block);
  status = context.memory().copyIn(context.slab() + sizeof(theirs),
                                   from + sizeof(theirs),
                                   bytes - sizeof(theirs), error);
  for (uint32_t i = 0; status == TG_OK && i < model.variable_count; ++i)
    if (model.variables[i]->dtype.code == TG_DTYPE_BOOL &&
        endOf(*model.variables[i]) <= bytes)
      status = writeVariable(context.memory(), *model.variables[i],
                             from + model.variables[i]->offset, context.slab(),
                             error);
  if (status == TG_OK)
    context.markSet();
  // Newer than both generations, so that no packed weights match it.
  tg_slab_header_t &ours = *context.header();
  ours.generation = std::max(theirs.generation, ours.generation);
  return recordChange(context, status, error);
}

tg_status_t tg_context_import_variables(tg_context_t *context,
                                        const void *block, uint64_t bytes,
                                        tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(import(*context, block, bytes, scope.get()));
}
