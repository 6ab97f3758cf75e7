/// Runs functions: on a context's own variables or on published weights.
#include "Context.h"
#include "Error.h"
#include "Suggestion.h"

#include <cstring>
#include <ctime>

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

/// Packs the weights for a function again if the variables changed since.
static tg_status_t repack(tg_context_t &context, const tg_function_t &function,
                          tg_call_t &call) {
  if (!context.isInitialized())
    return fail(call.error, TG_ERROR_SLAB,
                "%s: the variables have no values yet: give a seed or load a "
                "checkpoint first",
                function.name);
  if (context.packedGeneration == context.header()->generation)
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
    const tg_status_t status = repack(context, function, call);
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

/// Nanoseconds, for profiles without a clock.
static uint64_t readClock(void *) {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(now.tv_nsec);
}

/// A run whose context and function are known to exist; profile may be null.
static tg_status_t run(tg_context_t &context, const tg_function_t &function,
                       const tg_tensor_t *inputs, uint32_t inputCount,
                       const tg_tensor_t *outputs, uint32_t outputCount,
                       const tg_profile_t *profile, tg_error_t *error) {
  tg_call_t call = prepareCall(context, error);
  const tg_host_t host = context.host.make(*context.module);
  if (TG_HAS(tg_function_t, &function, host_functions))
    call.host = &host; // older ones refuse it
  call.profile = profile;
  call.inputs = inputs;
  call.input_count = inputCount;
  call.outputs = outputs;
  call.output_count = outputCount;
  return context.isShared() ? runShared(context, function, call)
                            : runOwn(context, function, call);
}

/// The function of a number.
static tg_status_t findFunction(const tg_context_t &context, uint32_t index,
                                const tg_function_t *&function,
                                tg_error_t *error) {
  const tg_model_t &model = context.model();
  if (index >= model.function_count)
    return failNumber(error, TG_ERROR_NOT_FOUND, index, model.function_count,
                      "function %u, expected below %u", index,
                      model.function_count);
  function = model.functions[index];
  return TG_OK;
}

tg_status_t tg_context_run(tg_context_t *context, uint32_t function,
                           const tg_tensor_t *inputs, uint32_t input_count,
                           const tg_tensor_t *outputs, uint32_t output_count,
                           tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *found = nullptr;
  const tg_status_t status =
      findFunction(*context, function, found, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  return scope.finish(run(*context, *found, inputs, input_count, outputs,
                          output_count, /*profile=*/nullptr, scope.get()));
}

/// A copy of the host's profile with a clock; what the model checks is left to
/// it. Fails where the function is older than profiles.
static tg_status_t readProfile(const tg_function_t &function,
                               const tg_profile_t *given, tg_profile_t &profile,
                               tg_error_t *error) {
  if (!given)
    return fail(error, TG_ERROR_NULL, "profile is null");
  if (!isStructOk(given, sizeof(profile)))
    return fail(error, TG_ERROR_STRUCT, "profile has a wrong struct_size");
  if (!TG_HAS(tg_function_t, &function, step_count))
    return fail(error, TG_ERROR_NOT_FOUND,
                "%.128s: the library was compiled by a tgc without profiles",
                function.name);
  profile = *given;
  profile.struct_size = sizeof(profile);
  if (!profile.now)
    profile.now = readClock;
  return TG_OK;
}

tg_status_t
tg_context_run_profiled(tg_context_t *context, uint32_t function,
                        const tg_tensor_t *inputs, uint32_t input_count,
                        const tg_tensor_t *outputs, uint32_t output_count,
                        const tg_profile_t *profile, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *found = nullptr;
  tg_profile_t read;
  tg_status_t status = findFunction(*context, function, found, scope.get());
  if (status == TG_OK)
    status = readProfile(*found, profile, read, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  return scope.finish(run(*context, *found, inputs, input_count, outputs,
                          output_count, &read, scope.get()));
}

/// The given tensor of a name after as many others of that name; count if there
/// is none. A library may call an input and an output alike.
static uint32_t findTensor(const tg_named_tensor_t *tensors, uint32_t count,
                           const char *name, uint32_t others) {
  uint32_t i = 0;
  for (; i < count; ++i)
    if (std::strcmp(tensors[i].name, name) == 0 && others-- == 0)
      break;
  return i;
}

/// The name of input or output `index`, outputs behind inputs.
static const char *nameOf(const tg_function_t &function, uint32_t index) {
  return index < function.input_count
             ? function.inputs[index]->name
             : function.outputs[index - function.input_count]->name;
}

/// How many inputs and outputs below `end` have that name.
static uint32_t countNamed(const tg_function_t &function, uint32_t end,
                           const char *name) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < end; ++i)
    named += std::strcmp(nameOf(function, i), name) == 0;
  return named;
}

/// Fails for an input or output without tensor, and names the first tensor that
/// belongs to none.
static tg_status_t failMissing(const tg_function_t &function, const char *name,
                               const tg_named_tensor_t *tensors, uint32_t count,
                               tg_error_t *error) {
  const char *other = nullptr;
  for (uint32_t i = 0; i < count && !other; ++i)
    if (countNamed(function, count, tensors[i].name) == 0)
      other = tensors[i].name;
  return fail(error, TG_ERROR_NOT_FOUND,
              "%.80s: no tensor for '%.64s' was given%s%.64s%s", function.name,
              name, other ? ", found '" : "", other ? other : "",
              other ? "'" : "");
}

/// Copies the tensors of all inputs and outputs, in their order, to `into`.
static tg_status_t pickTensors(const tg_function_t &function,
                               const tg_named_tensor_t *tensors, uint32_t count,
                               tg_tensor_t *into, tg_error_t *error) {
  for (uint32_t v = 0; v < count; ++v) {
    const char *name = nameOf(function, v);
    const uint32_t i =
        findTensor(tensors, count, name, countNamed(function, v, name));
    if (i == count)
      return failMissing(function, name, tensors, count, error);
    into[v] = tensors[i].tensor;
  }
  return TG_OK;
}

/// Fails for a wrong number of tensors, and names the first that is too many:
/// one more than expected holds it, so no further one is read.
static tg_status_t failCount(const tg_function_t &function,
                             const tg_named_tensor_t *tensors, uint32_t count,
                             tg_error_t *error) {
  const uint32_t inputs = function.input_count, outputs = function.output_count;
  const uint32_t expected = inputs + outputs;
  const char *surplus = nullptr;
  for (uint32_t i = 0; i < count && i <= expected && !surplus; ++i) {
    const char *name = tensors[i].name;
    uint32_t before = 0;
    for (uint32_t j = 0; name && j < i; ++j)
      before += tensors[j].name && std::strcmp(tensors[j].name, name) == 0;
    if (name && before >= countNamed(function, expected, name))
      surplus = name;
  }
  return failNumber(
      error, TG_ERROR_COUNT, count, expected,
      "%.80s: %u tensors, expected %u inputs and %u outputs%s%.80s%s",
      function.name, count, inputs, outputs, surplus ? "; too many: '" : "",
      surplus ? surplus : "", surplus ? "'" : "");
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
    return fail(
        error, TG_ERROR_NOT_FOUND, "model '%.64s' has no function '%.128s'%s",
        model.name, name,
        suggestFrom(model.functions, model.function_count, name).describe());
  const tg_function_t &function = *model.functions[index];
  const uint32_t inputs = function.input_count, outputs = function.output_count;
  if (count != inputs + outputs)
    return failCount(function, tensors, count, error);
  for (uint32_t i = 0; i < count; ++i)
    if (!tensors[i].name)
      return fail(error, TG_ERROR_NULL, "%s: the name of tensor %u is null",
                  function.name, i);
  const tg_status_t status =
      pickTensors(function, tensors, count, context.tensors, error);
  if (status != TG_OK)
    return status;
  return run(context, function, context.tensors, inputs,
             context.tensors + inputs, outputs, /*profile=*/nullptr, error);
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
  tg_tensor_t input = {}; // of a library with trained values none is asked for
  input.data = &seed;
  input.device.device_type = TG_DEVICE_CPU;
  input.dtype = {TG_DTYPE_INT, 64, 1};
  return scope.finish(run(*context, *function, &input, function->input_count,
                          nullptr, 0, /*profile=*/nullptr, scope.get()));
}
