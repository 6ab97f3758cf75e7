/// Runs functions: on a context's own variables or on published weights.
#include "FunctionRun.h"
#include "runtime/messages/Error.h"

#include <ctime>

using namespace tg;

tg_status_t tg::runFunction(tg_context_t &context,
                            const tg_function_t &function, RunTensors tensors,
                            RunObservers observers, tg_error_t *error) {
  return FunctionRun(context, function)
      .start(tensors, observers, /*deviceFlags=*/0, error);
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
  return scope.finish(runFunction(*context, *found,
                                  {inputs, input_count, outputs, output_count},
                                  /*observers=*/{}, scope.get()));
}

/// Returns the time in nanoseconds, for profiles without a clock.
static uint64_t readClock(void *) {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(now.tv_nsec);
}

/// Returns the time of the device of a context, for its profiles without a
/// clock.
static uint64_t readDeviceClock(void *context) {
  return static_cast<const tg_context_t *>(context)->device->now();
}

/// Copies the host's profile and adds a clock if it has none. Leaves to the
/// model the fields that it checks. Fails if the function is older than
/// profiles.
static tg_status_t readProfile(tg_context_t &context,
                               const tg_function_t &function,
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
  if (profile.now)
    return TG_OK;
  profile.now = context.device ? readDeviceClock : readClock;
  profile.user = &context;
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
    status = readProfile(*context, *found, profile, read, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  return scope.finish(runFunction(*context, *found,
                                  {inputs, input_count, outputs, output_count},
                                  {.profile = &read}, scope.get()));
}

/// Checks a receiver of results. Fails if the function cannot pass them on.
static tg_status_t checkTrace(const tg_function_t &function, bool isOnDevice,
                              const tg_trace_t *trace, tg_error_t *error) {
  if (!trace)
    return fail(error, TG_ERROR_NULL, "trace is null");
  if (!isStructOk(trace, sizeof(*trace)) || trace->flags)
    return fail(error, TG_ERROR_STRUCT,
                "trace has a wrong struct_size or flags");
  if (!trace->record)
    return fail(error, TG_ERROR_NULL, "record of trace is null");
  if (!(function.flags & TG_FUNCTION_TRACES))
    return fail(error, TG_ERROR_NOT_FOUND,
                isOnDevice ? "%.128s: results on a device cannot be traced"
                           : "%.128s: the library was compiled by a tgc "
                             "without traces",
                function.name);
  return TG_OK;
}

tg_status_t tg_context_run_traced(tg_context_t *context, uint32_t function,
                                  const tg_tensor_t *inputs,
                                  uint32_t input_count,
                                  const tg_tensor_t *outputs,
                                  uint32_t output_count,
                                  const tg_trace_t *trace, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *found = nullptr;
  tg_status_t status = findFunction(*context, function, found, scope.get());
  if (status == TG_OK)
    status = checkTrace(*found, deviceTypeOf(context->model()) != TG_DEVICE_CPU,
                        trace, scope.get());
  if (status != TG_OK)
    return scope.finish(status);
  return scope.finish(runFunction(*context, *found,
                                  {inputs, input_count, outputs, output_count},
                                  {.trace = trace}, scope.get()));
}

/// Returns the function with TG_FUNCTION_INITIALIZES, null if the model has
/// none.
static const tg_function_t *findInitializer(const tg_model_t &model) {
  for (uint32_t i = 0; i < model.function_count; ++i)
    if (model.functions[i]->flags & TG_FUNCTION_INITIALIZES)
      return model.functions[i];
  return nullptr;
}

/// Returns true if a function takes random samples from the seed of its
/// context.
static bool samplesFromContext(const tg_model_t &model) {
  for (uint32_t f = 0; f < model.function_count; ++f)
    for (uint32_t i = 0; i < model.functions[f]->input_count; ++i)
      if (isLeftToContext(*model.functions[f], i))
        return true;
  return false;
}

static void setSeed(tg_context_t &context, int64_t seed) {
  context.seed = seed;
  context.calls = 0;
}

static tg_status_t init(tg_context_t &context, int64_t seed,
                        tg_error_t *error) {
  if (const tg_status_t status = requireIdle(context, error); status != TG_OK)
    return status;
  const tg_model_t &model = context.model();
  const tg_function_t *function = findInitializer(model);
  if (!function && model.variable_count == 0 && samplesFromContext(model)) {
    setSeed(context, seed); // there is nothing else to initialize
    return TG_OK;
  }
  if (!function)
    return fail(error, TG_ERROR_NOT_FOUND,
                "model '%.128s' has no function that initializes", model.name);
  // The init of a library with trained values has no input.
  const tg_tensor_t input = scalarOf(seed);
  const tg_status_t status = runFunction(
      context, *function, {&input, function->input_count, nullptr, 0},
      /*observers=*/{}, error);
  if (status == TG_OK)
    setSeed(context, seed);
  return status;
}

tg_status_t tg_context_init(tg_context_t *context, int64_t seed,
                            tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  return scope.finish(init(*context, seed, scope.get()));
}

tg_status_t tg_context_set_seed(tg_context_t *context, int64_t seed,
                                tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_status_t status = requireIdle(*context, scope.get());
  if (status == TG_OK)
    setSeed(*context, seed);
  return scope.finish(status);
}
