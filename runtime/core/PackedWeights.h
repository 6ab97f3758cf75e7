/// Weights in the layout that kernels read, packed again after changes.
#ifndef TG_RUNTIME_CORE_PACKEDWEIGHTS_H
#define TG_RUNTIME_CORE_PACKEDWEIGHTS_H

#include "runtime/device/DeviceModule.h"

#include <atomic>
#include <mutex>

namespace tg {

/// The packed weights of one module and one set of variables. The contexts of
/// the module that share the variables share them.
struct PackedWeights {
  explicit PackedWeights(const tg_module_t &module) : module(module) {}
  ~PackedWeights();

  const tg_module_t &module;
  char *data = nullptr;
  PackedHeader header = {}; // of memory of a device; unused on the CPU
  /// The generation of the variables that `data` was made from; 0: none.
  std::atomic<uint64_t> generation = 0;
  std::mutex lock;       // held while a context packs, if several share them
  uint32_t contexts = 0; // the users, under tg_variables_t::lock
  PackedWeights *next = nullptr; // in tg_variables_t::packed
};

/// Attaches packed weights to a context if a function of its module reads them.
tg_status_t attachPacked(tg_context_t &context, tg_error_t *error);

/// Detaches the packed weights, if any, from a context, and frees them if no
/// other context uses them.
void detachPacked(tg_context_t &context);

/// Packs the weights for a function again if the variables changed since the
/// last time.
tg_status_t repack(tg_context_t &context, const tg_function_t &function,
                   tg_call_t &call);

} // namespace tg

#endif // TG_RUNTIME_CORE_PACKEDWEIGHTS_H
