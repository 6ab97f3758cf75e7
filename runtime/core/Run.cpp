/// Runs functions: on a context's own variables or on published weights.
#include "Context.h"
#include "Error.h"

#include <cstring>

using namespace tg;

/// A call with all that does not depend on the weights.
static tg_call_t prepareCall(const tg_context_t &context, tg_error_t *error) {
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.workspace = context.workspace;
  call.workspace_bytes = context.workspaceBytes;
  call.parallel = context.parallelOrNull();
  call.error = error;
  return call;
}

/// Packs the weights again if the variables changed since.
static tg_status_t repack(tg_context_t &context, tg_call_t &call) {
  if (context.isInitialized() &&
      context.packedGeneration == context.header()->generation)
    return TG_OK;
  context.packedGeneration = 0;
  const tg_model_t &model = context.model();
  const tg_status_t status = model.pack(&model, &call);
  if (status == TG_OK)
    context.packedGeneration = context.header()->generation;
  return status;
}

static tg_status_t runOwn(tg_context_t &context, const tg_function_t &function,
                          tg_call_t &call) {
  call.slab = context.slab;
  call.slab_bytes = context.model().slab_bytes;
  call.packed = context.packed;
  call.packed_bytes = context.packed ? context.model().packed_bytes : 0;
  if (function.flags & TG_FUNCTION_USES_PACKED) {
    const tg_status_t status = repack(context, call);
    if (status != TG_OK)
      return status;
  }
  return function.run(&function, &call);
}

static tg_status_t runShared(tg_context_t &context,
                             const tg_function_t &function, tg_call_t &call) {
  if (function.flags & TG_FUNCTION_WRITES_VARIABLES)
    return fail(call.error, TG_ERROR_SLAB,
                "%s: writes variables, and the context shares published "
                "weights",
                function.name);
  const Weights *weights = pinWeights(context);
  if (!weights && function.slab_bytes) {
    unpinWeights(context);
    return fail(call.error, TG_ERROR_SLAB, "%s: no weights were published",
                function.name);
  }
  if (weights) {
    call.slab = weights->slab;
    call.slab_bytes = context.module->sharedBytes;
    call.packed = weights->packed;
    call.packed_bytes = weights->packed ? context.model().packed_bytes : 0;
  }
  const tg_status_t status = function.run(&function, &call);
  unpinWeights(context);
  return status;
}

/// A run whose context and function are known to exist.
static tg_status_t run(tg_context_t &context, const tg_function_t &function,
                       const tg_tensor_t *inputs, uint32_t inputCount,
                       const tg_tensor_t *outputs, uint32_t outputCount,
                       tg_error_t *error) {
  tg_call_t call = prepareCall(context, error);
  call.inputs = inputs;
  call.input_count = inputCount;
  call.outputs = outputs;
  call.output_count = outputCount;
  return context.isShared() ? runShared(context, function, call)
                            : runOwn(context, function, call);
}

tg_status_t tg_context_run(tg_context_t *context, uint32_t function,
                           const tg_tensor_t *inputs, uint32_t input_count,
                           const tg_tensor_t *outputs, uint32_t output_count,
                           tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_model_t &model = context->model();
  if (function >= model.function_count)
    return scope.finish(failNumber(
        scope.get(), TG_ERROR_NOT_FOUND, function, model.function_count,
        "function %u, expected below %u", function, model.function_count));
  return scope.finish(run(*context, *model.functions[function], inputs,
                          input_count, outputs, output_count, scope.get()));
}

/// Copies the tensors of the given values, in their order, to `into`.
static tg_status_t pickTensors(const tg_function_t &function,
                               const tg_value_t *const *values,
                               uint32_t valueCount,
                               const tg_named_tensor_t *tensors, uint32_t count,
                               tg_tensor_t *into, tg_error_t *error) {
  for (uint32_t v = 0; v < valueCount; ++v) {
    const char *name = values[v]->name;
    uint32_t i = 0;
    while (i < count && std::strcmp(tensors[i].name, name) != 0)
      ++i;
    if (i == count)
      return fail(error, TG_ERROR_NOT_FOUND,
                  "%.100s: no tensor for '%.100s' was given", function.name,
                  name);
    into[v] = tensors[i].tensor;
  }
  return TG_OK;
}

static tg_status_t runNamed(tg_context_t &context, const char *name,
                            const tg_named_tensor_t *tensors, uint32_t count,
                            tg_error_t *error) {
  if (!name || (count && !tensors))
    return fail(error, TG_ERROR_NULL, "function or tensors is null");
  const tg_model_t &model = context.model();
  uint32_t index = 0;
  while (index < model.function_count &&
         std::strcmp(model.functions[index]->name, name) != 0)
    ++index;
  if (index == model.function_count)
    return fail(error, TG_ERROR_NOT_FOUND,
                "model '%.64s' has no function '%.128s'", model.name, name);
  const tg_function_t &function = *model.functions[index];
  const uint32_t inputs = function.input_count, outputs = function.output_count;
  for (uint32_t i = 0; i < count; ++i)
    if (!tensors[i].name)
      return fail(error, TG_ERROR_NULL, "%s: the name of tensor %u is null",
                  function.name, i);
  if (count != inputs + outputs)
    return failNumber(error, TG_ERROR_COUNT, count, inputs + outputs,
                      "%s: %u tensors, expected %u inputs and %u outputs",
                      function.name, count, inputs, outputs);
  tg_status_t status = pickTensors(function, function.inputs, inputs, tensors,
                                   count, context.tensors, error);
  if (status == TG_OK)
    status = pickTensors(function, function.outputs, outputs, tensors, count,
                         context.tensors + inputs, error);
  if (status != TG_OK)
    return status;
  return run(context, function, context.tensors, inputs,
             context.tensors + inputs, outputs, error);
}

tg_status_t tg_context_run_named(tg_context_t *context, const char *function,
                                 const tg_named_tensor_t *tensors,
                                 uint32_t count, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(
      runNamed(*context, function, tensors, count, scope.get()));
}

/// The function with TG_FUNCTION_INITIALIZES; null if the model has none.
static const tg_function_t *findInitializer(const tg_model_t &model) {
  for (uint32_t i = 0; i < model.function_count; ++i)
    if (model.functions[i]->flags & TG_FUNCTION_INITIALIZES)
      return model.functions[i];
  return nullptr;
}

tg_status_t tg_context_init(tg_context_t *context, int64_t seed,
                            tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *function = findInitializer(context->model());
  if (!function)
    return scope.finish(fail(scope.get(), TG_ERROR_NOT_FOUND,
                             "model '%.128s' has no function that initializes",
                             context->model().name));
  tg_tensor_t input = {};
  input.data = &seed;
  input.device.device_type = TG_DEVICE_CPU;
  input.dtype = {TG_DTYPE_INT, 64, 1};
  return scope.finish(run(*context, *function, &input, function->input_count,
                          nullptr, 0, scope.get()));
}
