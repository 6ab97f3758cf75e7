/// A loaded model and the weights that were published for it.
#ifndef TG_RUNTIME_CORE_MODULE_H
#define TG_RUNTIME_CORE_MODULE_H

#include "runtime/files/Files.h"
#include "runtime/messages/Error.h"

#include <atomic>
#include <mutex>

namespace tg {

/// Published weights: what read-only functions need of the slab, and their
/// packed form. Immutable once published.
struct Weights {
  Weights *next = nullptr; // in tg_module_t::retired
  void *slab = nullptr;
  void *packed = nullptr; // null when nothing is packed
};

} // namespace tg

struct tg_module_t {
  const tg_model_t *model = nullptr;
  tg_hooks_t hooks = {};
  tg::ShortPath path;       // of the file it was loaded from; "" if from none
  void *library = nullptr;  // of dlopen; null when adopted
  uint64_t sharedBytes = 0; // of Weights::slab
  bool packs = false;       // whether read-only functions use packed weights

  std::mutex lock; // contexts, retired, and taking turns in publishing
  tg_context_t *contexts = nullptr;
  std::atomic<tg::Weights *> current = nullptr;
  tg::Weights *retired = nullptr;

  /// Memory of the host's hook or of the C library; null on failure. bytes > 0.
  void *allocate(uint64_t bytes) const;
  /// Null is allowed.
  void release(void *memory, uint64_t bytes) const;
  /// One line for the host's log.
  void log(int32_t level, const char *message) const;
};

namespace tg {

/// Frees retired weights that no run has pinned; all if the module has no
/// context. The module's lock is held.
void sweepWeights(tg_module_t &module);

/// Frees one set of weights, complete or not; null is allowed.
void freeWeights(const tg_module_t &module, Weights *weights);

} // namespace tg

#endif // TG_RUNTIME_CORE_MODULE_H
