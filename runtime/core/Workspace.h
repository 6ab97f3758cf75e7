/// Workspaces, the memory in which functions compute.
#ifndef TG_RUNTIME_CORE_WORKSPACE_H
#define TG_RUNTIME_CORE_WORKSPACE_H

#include "SharedMemory.h"

#include <atomic>

/// The workspace of one context, or one that several contexts share.
struct tg_workspace_t {
  tg_hooks_t hooks = {};
  tg::SharedMemory sharedMemory{hooks}; // unused in one of a single context
  const tg::Memory *memory = nullptr;   // the kind of `data`
  uint64_t alignment = 0;
  char *data = nullptr;
  std::atomic<uint64_t> bytes = 0;
  std::atomic<uint32_t> contexts = 0;
  /// True while a call of one of several contexts uses the memory.
  std::atomic<bool> isUsed = false;

  ~tg_workspace_t();

  /// Begins a call of a context that shares the workspace. Returns false if
  /// another call uses it.
  bool begin() { return !isUsed.exchange(true, std::memory_order_acquire); }
  void end() { isUsed.store(false, std::memory_order_release); }

  /// Grows the memory to at least `needed` bytes; its contents are lost.
  tg_status_t grow(uint64_t needed, tg_error_t *error);
};

namespace tg {

/// Fails with TG_ERROR_BUSY because another call uses a workspace.
tg_status_t failWorkspaceBusy(tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_WORKSPACE_H
