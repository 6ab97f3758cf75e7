/// A loaded model and its published weights.
#ifndef TG_RUNTIME_CORE_MODULE_H
#define TG_RUNTIME_CORE_MODULE_H

#include "Memory.h"
#include "runtime/device/DeviceModule.h"
#include "runtime/files/Files.h"
#include "runtime/messages/Error.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace tg {

/// Published weights: the part of the slab that read-only functions need, and
/// its packed form. Immutable once published.
struct Weights {
  Weights *next = nullptr; // in tg_module_t::retired
  void *slab = nullptr;
  void *packed = nullptr; // null when nothing is packed
  /// The headers of memory of a device; unused on the CPU, where they are the
  /// first bytes of the memory.
  mutable tg_slab_header_t slabHeader = {};
  mutable PackedHeader packedHeader = {};
};

} // namespace tg

struct tg_module_t {
  const tg_model_t *model = nullptr;
  tg_hooks_t hooks = {};
  tg::HookMemory hostMemory{hooks};
  std::unique_ptr<tg::DeviceModule> device; // null for the CPU
  tg::ShortPath path;          // of the loaded file; "" if there is none
  void *library = nullptr;     // of dlopen; null when adopted
  uint64_t slabBytes = 0;      // of all variables, after a header
  uint64_t publishedBytes = 0; // of Weights::slab
  bool usesPacked = false;     // read-only functions use packed weights

  std::mutex lock; // guards contexts and retired, serializes publishing
  tg_context_t *contexts = nullptr;
  std::atomic<tg::Weights *> current = nullptr;
  tg::Weights *retired = nullptr;

  /// Returns the kind of memory of variables, workspaces and packed weights.
  const tg::Memory &memory() const {
    return device ? device->memory() : hostMemory;
  }
  /// Writes one line to the host's log.
  void log(int32_t level, const char *message) const;
};

namespace tg {

/// Frees retired weights that no run has pinned, or all if the module has no
/// context. The module's lock must be held.
void sweepWeights(tg_module_t &module);

/// Frees one set of weights, even an incomplete one. Null is allowed.
void freeWeights(const tg_module_t &module, Weights *weights);

} // namespace tg

#endif // TG_RUNTIME_CORE_MODULE_H
