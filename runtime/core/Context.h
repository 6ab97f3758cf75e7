/// Contexts, the memory with which one thread at a time runs a model's
/// functions.
#ifndef TG_RUNTIME_CORE_CONTEXT_H
#define TG_RUNTIME_CORE_CONTEXT_H

#include "HostServices.h"
#include "Module.h"

struct tg_context_t {
  tg_module_t *module = nullptr;
  tg_context_t *next = nullptr; // in tg_module_t::contexts, under its lock
  uint32_t flags = 0;           // TG_CONTEXT_...
  bool hasParallel = false;
  tg_parallel_t parallel = {};
  char *slab = nullptr; // null in shared contexts and without variables
  char *workspace = nullptr;
  uint64_t workspaceBytes = 0;
  char *packed = nullptr;        // null when nothing is packed, or shared
  uint64_t packedGeneration = 0; // of the slab that `packed` was made from
  /// The weights that a running function reads; null otherwise.
  mutable std::atomic<tg::Weights *> pinned = nullptr;
  /// True while a function runs. Its prints and host functions may call the
  /// context again, also from other threads.
  std::atomic<bool> isRunning = false;
  int64_t seed = 0;               // of random numbers in functions
  int64_t calls = 0;              // calls that used it since it was set
  int64_t *symbols = nullptr;     // room for the symbols of any function
  tg_tensor_t *tensors = nullptr; // room for the tensors of any function
  tg::HostTable host;

  const tg_model_t &model() const { return *module->model; }
  bool isShared() const { return flags & TG_CONTEXT_SHARED; }
  tg_slab_header_t *header() const {
    return reinterpret_cast<tg_slab_header_t *>(slab);
  }
  const tg_parallel_t *parallelOrNull() const {
    return hasParallel ? &parallel : nullptr;
  }
  /// Returns true if the variables have values, also if there are no variables.
  /// Not for shared contexts.
  bool isInitialized() const;
};

namespace tg {

/// Pins the most recently published weights for the context, and returns them;
/// null if there are none. Neither locks nor waits for another thread.
const Weights *pinWeights(const tg_context_t &context);

/// Unpins the weights of the context.
inline void unpinWeights(const tg_context_t &context) {
  context.pinned.store(nullptr, std::memory_order_release);
}

/// Normalizes the elements of a boolean variable to 0 or 1 after a host wrote
/// it, since code that copies elements preserves their bytes.
void tidyTruths(const tg_variable_t &variable, char *slab);

/// Fails with TG_ERROR_BUSY while a function of the context runs.
tg_status_t requireIdle(const tg_context_t &context, tg_error_t *error);

/// Fails with TG_ERROR_BUSY or TG_ERROR_SLAB unless the context is idle and has
/// its own variables (and, if `initialized`, they have values).
tg_status_t requireOwnVariables(const tg_context_t &context, bool initialized,
                                tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_CONTEXT_H
