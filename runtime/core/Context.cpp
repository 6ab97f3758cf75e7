/// Creates, grows and destroys contexts.
#include "Context.h"

#include "runtime/cpu/Pool.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

using namespace tg;

bool tg_context_t::isInitialized() const {
  if (!model().slab_bytes)
    return true;
  return slab && std::memcmp(header()->layout_id, model().layout_id,
                             sizeof(header()->layout_id)) == 0;
}

tg_status_t tg::requireIdle(const tg_context_t &context, tg_error_t *error) {
  if (context.isRunning)
    return fail(error, TG_ERROR_BUSY,
                "the context is used within a run of its own: expected to wait "
                "until the run returns, or another context");
  return TG_OK;
}

tg_status_t tg::requireOwnVariables(const tg_context_t &context,
                                    bool initialized, tg_error_t *error) {
  if (const tg_status_t status = requireIdle(context, error); status != TG_OK)
    return status;
  if (context.isShared())
    return fail(error, TG_ERROR_SLAB,
                "the context shares published weights, expected one with "
                "variables of its own");
  if (initialized && !context.isInitialized())
    return fail(error, TG_ERROR_SLAB,
                "the variables have no values yet: give a seed "
                "(tg_context_init), also where the library has weights, or "
                "load a checkpoint first");
  return TG_OK;
}

/// Frees the memory of a context, even of an incomplete one.
static void freeContext(tg_context_t *context) {
  const tg_module_t &module = *context->module;
  module.release(context->slab, module.model->slab_bytes);
  module.release(context->workspace, context->workspaceBytes);
  module.release(context->packed, module.model->packed_bytes);
  if (context->hasParallel)
    leavePool(context->parallel);
  delete[] context->symbols;
  delete[] context->tensors;
  delete context;
}

static tg_status_t readOptions(const tg_context_options_t *options,
                               tg_context_t &context, tg_error_t *error) {
  if (!options)
    return TG_OK;
  if (!isStructOk(options, sizeof(*options)) ||
      options->flags & ~uint32_t(TG_CONTEXT_SHARED))
    return fail(
        error, TG_ERROR_STRUCT,
        "context options have a wrong struct_size or an unknown bit set");
  context.flags = options->flags;
  if (!options->parallel)
    return TG_OK;
  const tg_parallel_t &parallel = *options->parallel;
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

/// Allocates a block. Null is not an error if there are no bytes.
static tg_status_t allocateBlock(const tg_module_t &module, uint64_t bytes,
                                 const char *what, char *&block,
                                 tg_error_t *error) {
  block = bytes ? static_cast<char *>(module.allocate(bytes)) : nullptr;
  if (block || !bytes)
    return TG_OK;
  return failNumber(error, TG_ERROR_MEMORY, 0, static_cast<int64_t>(bytes),
                    "no memory for %llu bytes of %s",
                    static_cast<unsigned long long>(bytes), what);
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
  if (!context.symbols || !context.tensors)
    return fail(error, TG_ERROR_MEMORY, "no memory for a context");
  if (context.isShared())
    return TG_OK;
  tg_status_t status = allocateBlock(*context.module, model.slab_bytes,
                                     "variables", context.slab, error);
  if (status == TG_OK && context.module->packs)
    status = allocateBlock(*context.module, model.packed_bytes,
                           "packed weights", context.packed, error);
  if (status == TG_OK && context.slab)
    std::memset(context.slab, 0, sizeof(tg_slab_header_t));
  return status;
}

/// Grows the workspace to at least `bytes` bytes; its contents are lost.
static tg_status_t growWorkspace(tg_context_t &context, uint64_t bytes,
                                 tg_error_t *error) {
  if (bytes <= context.workspaceBytes)
    return TG_OK;
  char *grown;
  const tg_status_t status =
      allocateBlock(*context.module, bytes, "workspace", grown, error);
  if (status != TG_OK)
    return status;
  context.module->release(context.workspace, context.workspaceBytes);
  context.workspace = grown;
  context.workspaceBytes = bytes;
  return TG_OK;
}

/// Grows the workspace for one function; `symbols` is as in tg_context_reserve.
static tg_status_t reserve(tg_context_t &context, uint32_t index,
                           const int64_t *symbols, tg_error_t *error) {
  const tg_function_t *function = context.model().functions[index];
  if (function->symbol_count && !symbols)
    return fail(error, TG_ERROR_NULL, "symbols is null");
  std::copy_n(symbols, function->symbol_count, context.symbols);
  tg_plan_t plan = {};
  plan.struct_size = sizeof(plan);
  plan.worker_count = context.hasParallel ? context.parallel.worker_count : 1;
  plan.symbols = context.symbols;
  tg_status_t status = function->plan(function, &plan, error);
  if (status != TG_OK)
    return status;
  return growWorkspace(context, plan.workspace_bytes, error);
}

/// Performs the steps of tg_context_create that can fail.
static tg_status_t prepare(tg_context_t &context,
                           const tg_context_options_t *options,
                           tg_error_t *error) {
  tg_status_t status = readOptions(options, context, error);
  if (status == TG_OK)
    status = allocate(context, error);
  const tg_model_t &model = context.model();
  // The workspace is never empty, so that a run which needs more fails with
  // TG_ERROR_SIZE.
  if (status == TG_OK)
    status = growWorkspace(context, model.alignment, error);
  for (uint32_t i = 0; status == TG_OK && i < model.function_count; ++i)
    if (model.functions[i]->symbol_count == 0)
      status = reserve(context, i, nullptr, error);
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
  if (const tg_status_t status = requireIdle(*context, scope.get());
      status != TG_OK)
    return scope.finish(status);
  const uint32_t count = context->model().function_count;
  if (function >= count)
    return scope.finish(failNumber(scope.get(), TG_ERROR_NOT_FOUND, function,
                                   count, "function %u, expected below %u",
                                   function, count));
  return scope.finish(reserve(*context, function, symbols, scope.get()));
}
