/// Runs functions: on a context's own variables or on published weights.
#include "Run.h"
#include "runtime/messages/Error.h"
#include "runtime/messages/Suggestion.h"

#include <cstring>
#include <ctime>

using namespace tg;

namespace {

/// A call, and the part of it that concerns the device, if there is one.
struct RunCall {
  tg_call_t call = {};
  tg_device_call_t device;

  /// Sets the variables. `header` is theirs if they lie on a device.
  void setSlab(void *slab, uint64_t bytes, tg_slab_header_t *header) {
    call.slab = slab;
    call.slab_bytes = bytes;
    if (call.device)
      device.slab_header = slab ? header : nullptr;
  }
  /// Sets the packed weights, which may be null, and their header.
  void setPacked(void *packed, uint64_t bytes, PackedHeader &header) {
    call.packed = packed;
    call.packed_bytes = packed ? bytes : 0;
    if (call.device)
      device.packed_header = packed ? &header : nullptr;
  }
};

} // namespace

/// Prepares the fields of a call that do not depend on the weights.
static void prepareCall(const tg_context_t &context, RunCall &run,
                        tg_error_t *error) {
  tg_call_t &call = run.call;
  call.struct_size = sizeof(call);
  call.workspace = context.workspace->data;
  call.workspace_bytes = context.workspace->bytes;
  call.parallel = context.parallelOrNull();
  call.error = error;
  if (!context.device)
    return;
  run.device = context.device->describe();
  call.device = &run.device;
}

static tg_status_t runOwn(tg_context_t &context, const tg_function_t &function,
                          RunCall &run) {
  if (function.slab_bytes)
    run.setSlab(context.slab(), context.slabBytes(), context.header());
  if (function.flags & TG_FUNCTION_USES_PACKED && context.packed) {
    run.setPacked(context.packed->data, context.model().packed_bytes,
                  context.packed->header);
    const tg_status_t status = repack(context, function, run.call);
    if (status != TG_OK)
      return status;
  }
  return function.run(&function, &run.call);
}

static tg_status_t runShared(tg_context_t &context,
                             const tg_function_t &function, RunCall &run) {
  if (function.flags & TG_FUNCTION_WRITES_VARIABLES)
    return fail(run.call.error, TG_ERROR_SLAB,
                "%s: writes variables, and the context shares published "
                "weights",
                function.name);
  const Weights *weights = pinWeights(context); // until the run has ended
  if (!weights && function.slab_bytes)
    return fail(run.call.error, TG_ERROR_SLAB, "%s: no weights were published",
                function.name);
  if (weights) {
    run.setSlab(weights->slab, context.module->publishedBytes,
                &weights->slabHeader);
    run.setPacked(weights->packed, context.model().packed_bytes,
                  weights->packedHeader);
  }
  return function.run(&function, &run.call);
}

/// Adds the call that grows the memory of a context to the message of a refused
/// workspace or host block. Returns the status.
static tg_status_t suggestReserve(const tg_call_t &call,
                                  const tg_function_t &function,
                                  tg_status_t status, tg_error_t *error) {
  const bool isMemoryError = status == TG_ERROR_SIZE || status == TG_ERROR_NULL;
  const bool hasError = error && error->struct_size >= sizeof(tg_error_t);
  if (!isMemoryError || !hasError || error->argument != -1 || !error->expected)
    return status;
  const bool isBlock =
      call.device && std::strstr(error->message, ": host_block of device ");
  if (!isBlock && !std::strstr(error->message, ": workspace "))
    return status;
  const int64_t found = error->found, expected = error->expected;
  if (found != static_cast<int64_t>(isBlock ? call.device->host_block_bytes
                                            : call.workspace_bytes))
    return status;
  return failNumber(
      error, status, found, expected,
      "%.128s: %s has %lld bytes, expected at least %lld: "
      "call tg_context_reserve first",
      function.name, isBlock ? "host_block of device" : "workspace",
      static_cast<long long>(found), static_cast<long long>(expected));
}

/// Returns the time in nanoseconds, for profiles without a clock.
static uint64_t readClock(void *) {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(now.tv_nsec);
}

namespace {

/// A run of a function: marks the context as running, and excludes other
/// contexts from memory that they share with it.
class RunScope {
public:
  RunScope(tg_context_t &context, const tg_function_t &function)
      : context(context), function(function) {
    context.isRunning.store(true, std::memory_order_release);
  }
  ~RunScope();
  RunScope(const RunScope &) = delete;

  /// Fails with TG_ERROR_BUSY if another context uses the memory.
  tg_status_t begin(tg_error_t *error);
  /// Records whether a run that ended has initialized the shared variables.
  void recordInit(tg_status_t status);

private:
  bool writes() const { return function.flags & TG_FUNCTION_WRITES_VARIABLES; }

  tg_context_t &context;
  const tg_function_t &function;
  bool hasWorkspace = false;
  bool hasVariables = false;
};

RunScope::~RunScope() {
  if (hasVariables)
    context.variables->end(writes());
  if (hasWorkspace)
    context.workspace->end();
  context.isRunning.store(false, std::memory_order_release);
}

tg_status_t RunScope::begin(tg_error_t *error) {
  if (context.sharesWorkspace()) {
    if (!context.workspace->begin())
      return failWorkspaceBusy(error);
    hasWorkspace = true;
  }
  if (!context.variables || !function.slab_bytes)
    return TG_OK;
  if (!context.variables->begin(writes(), context.model().layout_id))
    return failVariablesBusy(error);
  hasVariables = true;
  return function.flags & TG_FUNCTION_INITIALIZES ||
                 context.variables->hasValues(function.slab_bytes)
             ? TG_OK
             : failWithoutValues(function.name, error);
}

void RunScope::recordInit(tg_status_t status) {
  if (!hasVariables || !(function.flags & TG_FUNCTION_INITIALIZES))
    return;
  const tg_model_t &model = context.model();
  if (status == TG_OK)
    context.variables->markSet(function.slab_bytes);
  else if (std::memcmp(context.header()->layout_id, model.layout_id,
                       sizeof(model.layout_id)) != 0)
    context.variables->valuedBytes = 0; // it failed after its first write
}

} // namespace

tg_status_t tg::runFunction(tg_context_t &context,
                            const tg_function_t &function, RunTensors tensors,
                            RunObservers observers, tg_error_t *error) {
  RunScope running(context, function);
  if (const tg_status_t status = running.begin(error); status != TG_OK)
    return status;
  RunCall run;
  prepareCall(context, run, error);
  tg_call_t &call = run.call;
  const tg_host_t host = context.host.make(*context.module);
  if (TG_HAS(tg_function_t, &function, host_functions))
    call.host = &host; // older functions refuse it
  call.profile = observers.profile;
  call.trace = observers.trace;
  const bool isCounted = completeInputs(context, function, tensors);
  call.inputs = tensors.inputs;
  call.input_count = tensors.inputCount;
  call.outputs = tensors.outputs;
  call.output_count = tensors.outputCount;
  const tg_status_t status = context.isShared()
                                 ? runShared(context, function, run)
                                 : runOwn(context, function, run);
  if (context.device)
    context.device->settle(status);
  if (context.isShared())
    unpinWeights(context);
  running.recordInit(status);
  if (status == TG_OK && isCounted)
    context.calls = static_cast<int64_t>(uint64_t(context.calls) + 1);
  return suggestReserve(call, function, status, error);
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
