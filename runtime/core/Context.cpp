/// Creates, grows and destroys contexts.
#include "Context.h"

#include "Memory.h"
#include "runtime/cpu/Pool.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

using namespace tg;

bool tg_context_t::hasValues(uint64_t leading) const {
  if (variables)
    return variables->hasValues(leading);
  if (!model().slab_bytes)
    return true;
  return ownSlab && std::memcmp(header()->layout_id, model().layout_id,
                                sizeof(header()->layout_id)) == 0;
}

void tg_context_t::markSet() {
  std::memcpy(header()->layout_id, model().layout_id,
              sizeof(header()->layout_id));
  if (variables)
    variables->markSet(module->slabBytes);
}

tg_status_t tg::failRunning(tg_error_t *error) {
  return fail(error, TG_ERROR_BUSY,
              "the context is running a function: expected a call after the "
              "run, or another context");
}

tg_status_t tg::requireIdle(const tg_context_t &context, tg_error_t *error) {
  return context.isRunning ? failRunning(error) : TG_OK;
}

tg_status_t tg::findFunction(const tg_context_t &context, uint32_t index,
                             const tg_function_t *&function,
                             tg_error_t *error) {
  if (const tg_status_t status = requireIdle(context, error); status != TG_OK)
    return status;
  const tg_model_t &model = context.model();
  if (index >= model.function_count)
    return failNumber(error, TG_ERROR_NOT_FOUND, index, model.function_count,
                      "function %u, expected below %u", index,
                      model.function_count);
  function = model.functions[index];
  return TG_OK;
}

tg_status_t tg::failWithoutValues(const char *function, tg_error_t *error) {
  return fail(error, TG_ERROR_SLAB,
              "%s%sthe variables have no values yet: initialize them with a "
              "seed, also if the library has weights, or load a checkpoint",
              function ? function : "", function ? ": " : "");
}

tg_status_t VariablesUse::beginReading(const tg_context_t &context,
                                       uint64_t leading, tg_error_t *error) {
  const tg_status_t status = begin(context, leading, /*writes=*/false, error);
  return status != TG_OK || context.hasValues(leading)
             ? status
             : failWithoutValues(/*function=*/nullptr, error);
}

tg_status_t VariablesUse::beginWriting(const tg_context_t &context,
                                       uint64_t leading, tg_error_t *error) {
  return begin(context, leading, /*writes=*/true, error);
}

tg_status_t VariablesUse::begin(const tg_context_t &context, uint64_t leading,
                                bool toWrite, tg_error_t *error) {
  if (const tg_status_t status = requireIdle(context, error); status != TG_OK)
    return status;
  if (context.isShared())
    return fail(error, TG_ERROR_SLAB,
                "the context shares published weights, expected one with "
                "variables of its own");
  tg_variables_t *shared = context.variables;
  if (!shared || !leading)
    return TG_OK;
  if (const tg_status_t status = shared->reserve(leading, error);
      status != TG_OK)
    return status;
  if (!shared->begin(toWrite, context.model().layout_id))
    return failVariablesBusy(error);
  variables = shared;
  writes = toWrite;
  return TG_OK;
}

/// Frees the memory of a context, even of an incomplete one.
static void freeContext(tg_context_t *context) {
  destroyPending(*context);
  context->memory().release(context->ownSlab, context->module->slabBytes);
  detachPacked(*context);
  if (context->variables)
    --context->variables->contexts;
  --context->workspace->contexts;
  if (context->hasParallel)
    leavePool(context->parallel);
  delete[] context->symbols;
  delete[] context->tensors;
  delete context;
}

/// Returns the size of the version of tg_context_options_t that a host has.
static uint64_t knownOptionsBytes(const tg_context_options_t &given) {
  const uint64_t versions[] = {offsetof(tg_context_options_t, variables),
                               offsetof(tg_context_options_t, stream)};
  if (given.struct_size >= sizeof(given))
    return sizeof(given);
  return given.struct_size < versions[1] ? versions[0] : versions[1];
}

/// Copies the options of a host, which may be of an older version; null stands
/// for none.
static tg_status_t readOptions(const tg_context_options_t *given,
                               tg_context_options_t &options,
                               tg_error_t *error) {
  if (!given)
    return TG_OK;
  const uint64_t known = knownOptionsBytes(*given);
  if (!isStructOk(given, known) || given->flags & ~uint32_t(TG_CONTEXT_SHARED))
    return fail(
        error, TG_ERROR_STRUCT,
        "context options have a wrong struct_size or an unknown bit set");
  std::memcpy(&options, given, known);
  if (options.flags & TG_CONTEXT_SHARED && options.variables)
    return fail(error, TG_ERROR_STRUCT,
                "a context that shares published weights has variables, "
                "expected null");
  return TG_OK;
}

static tg_status_t setParallel(const tg_parallel_t &parallel,
                               tg_context_t &context, tg_error_t *error) {
  if (!isStructOk(&parallel, sizeof(parallel)) || !parallel.worker_count)
    return fail(error, TG_ERROR_STRUCT,
                "parallel has a wrong struct_size or no worker");
  if (!parallel.parallel_for)
    return fail(error, TG_ERROR_NULL, "parallel_for is null");
  context.parallel = parallel;
  context.parallel.struct_size = sizeof(parallel);
  context.hasParallel = true;
  enterPool(context.parallel);
  return TG_OK;
}

/// Checks that the shared memory of a context is that of its device, and that
/// only a context of a device has a stream.
static tg_status_t checkPlace(const tg_module_t &module,
                              const tg_context_options_t &options,
                              tg_error_t *error) {
  if (options.stream && !module.device)
    return fail(error, TG_ERROR_DEVICE,
                "found a stream, expected null for a context that computes on "
                "the CPU");
  tg_status_t status = TG_OK;
  if (options.variables)
    status =
        options.variables->memory.expectDeviceOf(module, "variables", error);
  return status == TG_OK && options.workspace
             ? options.workspace->sharedMemory.expectDeviceOf(
                   module, "workspace", error)
             : status;
}

static tg_status_t setOptions(const tg_context_options_t &options,
                              tg_context_t &context, tg_error_t *error) {
  context.flags = options.flags;
  if (options.workspace) {
    --context.workspace->contexts;
    context.workspace = options.workspace;
    ++context.workspace->contexts;
  }
  tg_status_t status = TG_OK;
  if (options.parallel)
    status = setParallel(*options.parallel, context, error);
  if (status == TG_OK && options.variables)
    status = attachVariables(context, *options.variables, error);
  return status;
}

/// Allocates all memory of a context but the workspace.
static tg_status_t allocate(tg_context_t &context, tg_error_t *error) {
  const tg_model_t &model = context.model();
  uint32_t symbols = 0, tensors = 0;
  for (uint32_t i = 0; i < model.function_count; ++i) {
    const tg_function_t *function = model.functions[i];
    symbols = std::max(symbols, function->symbol_total);
    tensors = std::max(tensors, function->input_count + function->output_count);
  }
  context.symbols = new (std::nothrow) int64_t[symbols + 1];
  context.tensors = new (std::nothrow) tg_tensor_t[tensors + 1];
  context.pending = createPending();
  if (!context.symbols || !context.tensors || !context.pending)
    return fail(error, TG_ERROR_MEMORY, "no memory for a context");
  if (context.isShared())
    return TG_OK;
  tg_status_t status = TG_OK;
  if (!context.variables)
    status =
        allocateBlock(context.memory(), context.module->slabBytes,
                      model.alignment, "variables", context.ownSlab, error);
  if (context.ownSlab)
    *context.header() = {};
  return status == TG_OK ? attachPacked(context, error) : status;
}

/// Grows the workspace to at least `bytes` bytes; its contents are lost.
static tg_status_t growWorkspace(tg_context_t &context, uint64_t bytes,
                                 tg_error_t *error) {
  tg_workspace_t &workspace = *context.workspace;
  if (!context.sharesWorkspace())
    return workspace.grow(bytes, error);
  if (bytes <= workspace.bytes)
    return TG_OK;
  if (!workspace.begin())
    return failWorkspaceBusy(error);
  const tg_status_t status = workspace.grow(bytes, error);
  workspace.end();
  return status;
}

/// Plans a call and grows the workspace for it.
static tg_status_t planCall(tg_context_t &context,
                            const tg_function_t &function, tg_plan_t &plan,
                            tg_error_t *error) {
  plan.worker_count = context.hasParallel ? context.parallel.worker_count : 1;
  tg_status_t status = function.plan(&function, &plan, error);
  if (status == TG_OK)
    status = growWorkspace(context, plan.workspace_bytes, error);
  return status == TG_OK && context.device
             ? context.device->reserveHostBlock(function, plan, error)
             : status;
}

/// Grows the workspace for one function; `symbols` is as in tg_context_reserve.
static tg_status_t reserve(tg_context_t &context, const tg_function_t &function,
                           const int64_t *symbols, tg_error_t *error) {
  if (function.symbol_count && !symbols)
    return fail(error, TG_ERROR_NULL, "symbols is null");
  std::copy_n(symbols, function.symbol_count, context.symbols);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.symbols = context.symbols;
  return planCall(context, function, plan, error);
}

/// Makes the part of a context that concerns the device of its module, if there
/// is one, over a stream of the host unless `stream` is null.
static tg_status_t enterDevice(tg_context_t &context, void *stream,
                               tg_error_t *error) {
  DeviceModule *device = context.module->device.get();
  if (!device)
    return TG_OK;
  context.device.reset(new (std::nothrow) DeviceContext(*device));
  return context.device
             ? context.device->open(stream, error)
             : fail(error, TG_ERROR_MEMORY, "no memory for a context");
}

/// Performs the steps of tg_context_create that can fail.
static tg_status_t prepare(tg_context_t &context,
                           const tg_context_options_t *given,
                           tg_error_t *error) {
  const tg_model_t &model = context.model();
  context.ownWorkspace.hooks = context.module->hooks;
  context.ownWorkspace.memory = &context.memory();
  context.ownWorkspace.alignment = model.alignment;
  ++context.ownWorkspace.contexts;
  tg_context_options_t options = {};
  tg_status_t status = readOptions(given, options, error);
  if (status == TG_OK)
    status = checkPlace(*context.module, options, error);
  if (status == TG_OK)
    status = enterDevice(context, options.stream, error);
  if (status == TG_OK)
    status = setOptions(options, context, error);
  if (status == TG_OK)
    status = allocate(context, error);
  // The workspace is never empty, so that a run which needs more fails with
  // TG_ERROR_SIZE.
  if (status == TG_OK)
    status = growWorkspace(context, model.alignment, error);
  // Other contexts of a shared workspace may run the functions.
  const bool isOwn = !context.sharesWorkspace();
  for (uint32_t i = 0; isOwn && status == TG_OK && i < model.function_count;
       ++i)
    if (model.functions[i]->symbol_count == 0)
      status = reserve(context, *model.functions[i], nullptr, error);
  if (status == TG_OK && context.device)
    status = context.device->reserveKeys(model, error);
  if (status == TG_OK && context.device)
    status = context.device->reserveHostBlocks(model, context.symbols, error);
  return status;
}

tg_status_t tg_context_create(tg_module_t *module,
                              const tg_context_options_t *options,
                              tg_context_t **context, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  *context = nullptr;
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  ErrorScope scope(module->hooks, error);
  tg_context_t *created = new (std::nothrow) tg_context_t;
  if (!created)
    return scope.finish(
        fail(scope.get(), TG_ERROR_MEMORY, "no memory for a context"));
  created->module = module;
  const tg_status_t status = prepare(*created, options, scope.get());
  if (status != TG_OK) {
    freeContext(created);
    return scope.finish(status);
  }
  std::lock_guard<std::mutex> guard(module->lock);
  created->next = module->contexts;
  module->contexts = created;
  *context = created;
  return TG_OK;
}

void tg_context_destroy(tg_context_t *context) {
  if (!context)
    return;
  {
    std::lock_guard<std::mutex> guard(context->module->lock);
    tg_context_t **link = &context->module->contexts;
    while (*link != context)
      link = &(*link)->next;
    *link = context->next;
  }
  freeContext(context);
}

tg_status_t tg_context_reserve(tg_context_t *context, uint32_t function,
                               const int64_t *symbols, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *found = nullptr;
  tg_status_t status = findFunction(*context, function, found, scope.get());
  if (status == TG_OK)
    status = reserve(*context, *found, symbols, scope.get());
  return scope.finish(status);
}

tg_status_t tg_context_plan(tg_context_t *context, uint32_t function,
                            tg_plan_t *plan, tg_error_t *error) {
  if (!context)
    return fail(error, TG_ERROR_NULL, "context is null");
  ErrorScope scope(context->module->hooks, error);
  const tg_function_t *found = nullptr;
  tg_status_t status = findFunction(*context, function, found, scope.get());
  if (status == TG_OK && !plan)
    status = fail(scope.get(), TG_ERROR_NULL, "plan is null");
  if (status == TG_OK)
    status = planCall(*context, *found, *plan, scope.get());
  return scope.finish(status);
}
