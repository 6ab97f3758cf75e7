/// Allocates and frees memory by the hooks of a host.
#include "Memory.h"

#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

using namespace tg;

tg_status_t tg::readHooks(const tg_hooks_t *given, tg_hooks_t &hooks,
                          tg_error_t *error) {
  if (!given)
    return TG_OK;
  if (!isStructOk(given, sizeof(*given)) || given->flags ||
      !given->allocate != !given->release)
    return fail(error, TG_ERROR_STRUCT,
                "hooks have a wrong struct_size, an unknown bit set, or only "
                "one of allocate and release");
  hooks = *given;
  return TG_OK;
}

/// Allocates memory that std::free() releases. Returns null on failure. Large
/// blocks use huge pages if the system has them: steps access whole blocks, and
/// with small pages would spend much time on page faults and TLB misses.
static void *allocateAligned(uint64_t bytes, uint64_t alignment) {
  constexpr uint64_t hugePage = 2 << 20;
  if (bytes < 2 * hugePage)
    return std::aligned_alloc(alignment, bytes);
  if (bytes > UINT64_MAX - hugePage)
    return nullptr;
  const uint64_t size = (bytes + hugePage - 1) / hugePage * hugePage;
  void *memory = std::aligned_alloc(std::max(alignment, hugePage), size);
  if (memory)
    ::madvise(memory, size, MADV_HUGEPAGE); // may be refused
  return memory;
}

void *tg::allocate(const tg_hooks_t &hooks, uint64_t bytes,
                   uint64_t alignment) {
  if (hooks.allocate)
    return hooks.allocate(hooks.user, bytes, alignment);
  return allocateAligned(bytes, alignment);
}

void tg::release(const tg_hooks_t &hooks, void *memory, uint64_t bytes) {
  if (!memory)
    return;
  if (hooks.allocate)
    hooks.release(hooks.user, memory, bytes);
  else
    std::free(memory);
}

tg_status_t tg::allocateBlock(const tg_hooks_t &hooks, uint64_t bytes,
                              uint64_t alignment, const char *contents,
                              char *&block, tg_error_t *error) {
  block =
      bytes ? static_cast<char *>(allocate(hooks, bytes, alignment)) : nullptr;
  if (block || !bytes)
    return TG_OK;
  return failNumber(error, TG_ERROR_MEMORY, 0, static_cast<int64_t>(bytes),
                    "no memory for %llu bytes of %s",
                    static_cast<unsigned long long>(bytes), contents);
}
