/// Prepares the call of a function, makes it, and records its result.
#include "FunctionRun.h"

#include "runtime/messages/Error.h"

#include <cstring>

using namespace tg;

FunctionRun::FunctionRun(tg_context_t &context, const tg_function_t &function)
    : context(context), function(function),
      isAlone(!context.isRunning.exchange(true, std::memory_order_acq_rel)) {}

FunctionRun::~FunctionRun() {
  if (!isAlone)
    return;
  if (hasVariables)
    context.variables->end(writes());
  if (hasWorkspace)
    context.workspace->end();
  context.isRunning.store(false, std::memory_order_release);
}

tg_status_t FunctionRun::begin(tg_error_t *error) {
  if (!isAlone)
    return failRunning(error);
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

void FunctionRun::recordInit(tg_status_t status) {
  if (!hasVariables || !(function.flags & TG_FUNCTION_INITIALIZES))
    return;
  const tg_model_t &model = context.model();
  if (status == TG_OK)
    context.variables->markSet(function.slab_bytes);
  else if (std::memcmp(context.header()->layout_id, model.layout_id,
                       sizeof(model.layout_id)) != 0)
    context.variables->valuedBytes = 0; // it failed after its first write
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Prepares the fields of the call that do not depend on the weights.
void FunctionRun::prepareCall(const RunTensors &tensors,
                              const RunObservers &observers,
                              tg_error_t *error) {
  call.struct_size = sizeof(call);
  call.workspace = context.workspace->data;
  call.workspace_bytes = context.workspace->bytes;
  call.parallel = context.parallelOrNull();
  call.error = error;
  host = context.host.make(*context.module);
  if (TG_HAS(tg_function_t, &function, host_functions))
    call.host = &host; // older functions refuse it
  call.profile = observers.profile;
  call.trace = observers.trace;
  call.inputs = tensors.inputs;
  call.input_count = tensors.inputCount;
  call.outputs = tensors.outputs;
  call.output_count = tensors.outputCount;
  if (!context.device)
    return;
  device = context.device->describe();
  call.device = &device;
}

/// Sets the variables. `header` is theirs if they lie on a device.
void FunctionRun::setSlab(void *slab, uint64_t bytes,
                          tg_slab_header_t *header) {
  call.slab = slab;
  call.slab_bytes = bytes;
  if (call.device)
    device.slab_header = slab ? header : nullptr;
}

/// Sets the packed weights, which may be null, and their header.
void FunctionRun::setPacked(void *packed, uint64_t bytes,
                            PackedHeader &header) {
  call.packed = packed;
  call.packed_bytes = packed ? bytes : 0;
  if (call.device)
    device.packed_header = packed ? &header : nullptr;
}

tg_status_t FunctionRun::runCall() {
  if (!context.device)
    return function.run(&function, &call);
  device.flags = flags; // not those of the packing before
  return context.device->run(function, call);
}

tg_status_t FunctionRun::runOwn() {
  if (function.slab_bytes)
    setSlab(context.slab(), context.slabBytes(), context.header());
  if (function.flags & TG_FUNCTION_USES_PACKED && context.packed) {
    setPacked(context.packed->data, context.model().packed_bytes,
              context.packed->header);
    const tg_status_t status = repack(context, function, call);
    if (status != TG_OK)
      return status;
  }
  return runCall();
}

tg_status_t FunctionRun::runShared() {
  if (writes())
    return fail(call.error, TG_ERROR_SLAB,
                "%s: writes variables, and the context shares published "
                "weights",
                function.name);
  const Weights *weights = pinWeights(context); // until the run has ended
  if (!weights && function.slab_bytes)
    return fail(call.error, TG_ERROR_SLAB,
                "%s: the context shares published weights, and none were "
                "published yet: publish those of another context",
                function.name);
  if (weights) {
    setSlab(weights->slab, context.module->publishedBytes,
            &weights->slabHeader);
    setPacked(weights->packed, context.model().packed_bytes,
              weights->packedHeader);
  }
  return runCall();
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

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

tg_status_t FunctionRun::start(RunTensors tensors, RunObservers observers,
                               uint32_t deviceFlags, tg_error_t *error) {
  if (const tg_status_t status = begin(error); status != TG_OK)
    return status;
  isCounted = completeInputs(context, function, tensors);
  prepareCall(tensors, observers, error);
  flags = deviceFlags;
  const tg_status_t status = context.isShared() ? runShared() : runOwn();
  const bool isPending = call.device && deviceFlags & TG_DEVICE_ASYNC;
  if (status != TG_OK || !isPending)
    end(status);
  return suggestReserve(call, function, status, error);
}

tg_status_t FunctionRun::finish(tg_error_t *error) {
  if (!call.device)
    return TG_OK;
  flags = TG_DEVICE_FINISH;
  call.error = error;
  const tg_status_t status = runCall();
  end(status);
  return status;
}

void FunctionRun::abandon() {
  if (call.device) // others have ended
    end(TG_ERROR_BUSY);
}

void FunctionRun::end(tg_status_t status) {
  if (status != TG_OK && context.device)
    context.device->settle();
  if (context.isShared())
    unpinWeights(context);
  recordInit(status);
  if (status == TG_OK && isCounted)
    context.calls = static_cast<int64_t>(uint64_t(context.calls) + 1);
}
