/// Publishes weights to running readers, which neither lock nor wait.
///
/// A reader stores the current weights as its pin and reads the current weights
/// again. It uses them only if they are still the same. The publisher exchanges
/// the current weights first and reads the pins afterwards. All four accesses
/// are sequentially consistent. Therefore a reader whose pin the publisher did
/// not see sees the exchange, and retries.
#include "Context.h"
#include "runtime/messages/Error.h"

#include <new>

using namespace tg;

const Weights *tg::pinWeights(const tg_context_t &context) {
  const std::atomic<Weights *> &current = context.module->current;
  Weights *weights = current.load();
  for (;;) {
    context.pinned.store(weights);
    Weights *again = current.load();
    if (again == weights)
      return weights;
    weights = again;
  }
}

void tg::freeWeights(const tg_module_t &module, Weights *weights) {
  if (!weights)
    return;
  module.memory().release(weights->slab, module.publishedBytes);
  module.memory().release(weights->packed, module.model->packed_bytes);
  delete weights;
}

/// Returns true if a run has pinned the weights. The module's lock must be
/// held.
static bool isPinned(const tg_module_t &module, const Weights *weights) {
  for (const tg_context_t *context = module.contexts; context;
       context = context->next)
    if (context->pinned.load() == weights)
      return true;
  return false;
}

void tg::sweepWeights(tg_module_t &module) {
  for (Weights **link = &module.retired; *link;) {
    Weights *weights = *link;
    if (isPinned(module, weights)) {
      link = &weights->next;
      continue;
    }
    *link = weights->next;
    freeWeights(module, weights);
  }
}

/// Allocates memory for weights.
static tg_status_t allocateWeights(const tg_module_t &module, Weights &weights,
                                   tg_error_t *error) {
  const tg_model_t &model = *module.model;
  tg_status_t status = module.memory().allocate(
      module.publishedBytes, model.alignment, weights.slab, error);
  if (status == TG_OK && module.usesPacked)
    status = module.memory().allocate(model.packed_bytes, model.alignment,
                                      weights.packed, error);
  return status != TG_ERROR_MEMORY
             ? status
             : failNumber(error, status, 0,
                          static_cast<int64_t>(module.publishedBytes),
                          "no memory for weights to publish");
}

/// Copies and packs the source's variables.
static tg_status_t copyWeights(const tg_module_t &module,
                               const tg_context_t &source, Weights &weights,
                               tg_error_t *error) {
  const tg_model_t &model = *module.model;
  tg_status_t status = allocateWeights(module, weights, error);
  if (status == TG_OK && model.slab_bytes) {
    weights.slabHeader = *source.header();
    status = module.memory().copyWithin(weights.slab, source.slab(),
                                        module.publishedBytes, error);
  }
  if (status != TG_OK || !module.usesPacked)
    return status;
  tg_call_t call = {};
  call.struct_size = sizeof(call);
  call.slab = weights.slab;
  call.slab_bytes = module.publishedBytes;
  call.packed = weights.packed;
  call.packed_bytes = model.packed_bytes;
  call.parallel = source.parallelOrNull();
  call.error = error;
  tg_device_call_t onDevice;
  if (source.device) {
    onDevice = source.device->describe();
    onDevice.slab_header = &weights.slabHeader;
    onDevice.packed_header = &weights.packedHeader;
    call.device = &onDevice;
  }
  status = model.pack(&model, &call);
  if (status != TG_OK && source.device)
    source.device->settle();
  return status;
}

static tg_status_t publish(tg_module_t &module, const tg_context_t *source,
                           tg_error_t *error) {
  if (!source)
    return fail(error, TG_ERROR_NULL, "source is null");
  if (source->module != &module)
    return fail(error, TG_ERROR_SLAB,
                "the context belongs to another model, expected one of the "
                "model that publishes");
  VariablesUse use;
  tg_status_t status =
      use.beginReading(*source, module.model->slab_bytes, error);
  if (status != TG_OK)
    return status;
  Weights *weights = new (std::nothrow) Weights;
  if (!weights)
    return fail(error, TG_ERROR_MEMORY, "no memory for weights to publish");
  status = copyWeights(module, *source, *weights, error);
  if (status != TG_OK) {
    freeWeights(module, weights);
    return status;
  }
  std::lock_guard<std::mutex> guard(module.lock);
  if (Weights *old = module.current.exchange(weights)) {
    old->next = module.retired;
    module.retired = old;
  }
  sweepWeights(module);
  return TG_OK;
}

tg_status_t tg_module_publish(tg_module_t *module, const tg_context_t *source,
                              tg_error_t *error) {
  if (!module)
    return fail(error, TG_ERROR_NULL, "module is null");
  ErrorScope scope(module->hooks, error);
  return scope.finish(publish(*module, source, scope.get()));
}
