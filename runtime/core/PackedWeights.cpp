/// Creates, shares and updates packed weights.
#include "Context.h"
#include "Memory.h"
#include "runtime/messages/Error.h"

#include <memory>
#include <new>

using namespace tg;

PackedWeights::~PackedWeights() {
  module.memory().release(data, module.model->packed_bytes);
}

static tg_status_t create(const tg_module_t &module, PackedWeights *&packed,
                          tg_error_t *error) {
  std::unique_ptr<PackedWeights> created(new (std::nothrow)
                                             PackedWeights(module));
  if (!created)
    return fail(error, TG_ERROR_MEMORY, "no memory for packed weights");
  const tg_model_t &model = *module.model;
  const tg_status_t status =
      allocateBlock(module.memory(), model.packed_bytes, model.alignment,
                    "packed weights", created->data, error);
  packed = status == TG_OK ? created.release() : nullptr;
  return status;
}

tg_status_t tg::attachPacked(tg_context_t &context, tg_error_t *error) {
  const tg_module_t &module = *context.module;
  if (!module.usesPacked)
    return TG_OK;
  tg_variables_t *variables = context.variables;
  if (!variables)
    return create(module, context.packed, error);
  std::lock_guard<std::mutex> guard(variables->lock);
  PackedWeights *packed = variables->packed;
  while (packed && &packed->module != &module)
    packed = packed->next;
  if (!packed) {
    const tg_status_t status = create(module, packed, error);
    if (status != TG_OK)
      return status;
    packed->next = variables->packed;
    variables->packed = packed;
  }
  ++packed->contexts;
  context.packed = packed;
  return TG_OK;
}

void tg::detachPacked(tg_context_t &context) {
  PackedWeights *packed = context.packed;
  if (!packed)
    return;
  if (tg_variables_t *variables = context.variables) {
    std::lock_guard<std::mutex> guard(variables->lock);
    if (--packed->contexts)
      return;
    PackedWeights **link = &variables->packed;
    while (*link != packed)
      link = &(*link)->next;
    *link = packed->next;
  }
  delete packed;
}

tg_status_t tg::repack(tg_context_t &context, const tg_function_t &function,
                       tg_call_t &call) {
  if (!context.hasValues(function.slab_bytes))
    return failWithoutValues(function.name, call.error);
  PackedWeights &packed = *context.packed;
  const uint64_t generation = context.header()->generation;
  if (packed.generation == generation)
    return TG_OK;
  // Variables do not change while contexts read them. These weights are older
  // than the variables, so no other context reads them now; it may only try to
  // pack them at the same time.
  std::unique_lock<std::mutex> guard(packed.lock, std::defer_lock);
  if (context.variables)
    guard.lock();
  if (packed.generation == generation)
    return TG_OK;
  packed.generation = 0;
  const tg_model_t &model = context.model();
  const tg_status_t status = model.pack(&model, &call);
  if (status == TG_OK)
    packed.generation = generation;
  return status;
}
