/// The memory with which one thread at a time runs a model's functions.
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
  /// The weights that a running function reads, while it does.
  mutable std::atomic<tg::Weights *> pinned = nullptr;
  /// Set while a function runs, whose prints and host functions may get here
  /// again, also from other threads.
  std::atomic<bool> isRunning = false;
  int64_t seed = 0;               // of the functions that draw
  int64_t calls = 0;              // of such functions since the seed was set
  int64_t *symbols = nullptr;     // room for those of any function
  tg_tensor_t *tensors = nullptr; // room for those of any function
  tg::HostTable host;

  const tg_model_t &model() const { return *module->model; }
  bool isShared() const { return flags & TG_CONTEXT_SHARED; }
  tg_slab_header_t *header() const {
    return reinterpret_cast<tg_slab_header_t *>(slab);
  }
  const tg_parallel_t *parallelOrNull() const {
    return hasParallel ? &parallel : nullptr;
  }
  /// Returns true if the variables, which may be none, have values. Not for
  /// shared contexts.
  bool isInitialized() const;
};

namespace tg {

/// Pins the weights that were published last for the context; null if none.
/// Neither locks nor waits for another thread.
const Weights *pinWeights(const tg_context_t &context);

/// Lets them go.
inline void unpinWeights(const tg_context_t &context) {
  context.pinned.store(nullptr, std::memory_order_release);
}

/// Makes the truths of a variable 0 or 1 after a host wrote it: what copies
/// them gives back what it finds.
void tidyTruths(const tg_variable_t &variable, char *slab);

/// TG_ERROR_BUSY while a function of the context runs.
tg_status_t requireIdle(const tg_context_t &context, tg_error_t *error);

/// TG_ERROR_BUSY, TG_ERROR_SLAB unless the context is idle and has variables of
/// its own (and, if asked, with values).
tg_status_t requireOwnVariables(const tg_context_t &context, bool initialized,
                                tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_CONTEXT_H
