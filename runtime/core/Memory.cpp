/// Memory of the host, from the hooks or the C library.
#include "Memory.h"

#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
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

tg_status_t HookMemory::allocate(uint64_t bytes, uint64_t alignment,
                                 void *&block, tg_error_t *) const {
  block = hooks.allocate ? hooks.allocate(hooks.user, bytes, alignment)
                         : allocateAligned(bytes, alignment);
  return block ? TG_OK : TG_ERROR_MEMORY;
}

void HookMemory::release(void *block, uint64_t bytes) const {
  if (!block)
    return;
  if (hooks.allocate)
    hooks.release(hooks.user, block, bytes);
  else
    std::free(block);
}

tg_status_t HostMemory::copyIn(void *to, const void *from, uint64_t bytes,
                               tg_error_t *) const {
  if (bytes)
    std::memcpy(to, from, bytes);
  return TG_OK;
}

tg_status_t HostMemory::copyOut(void *to, const void *from, uint64_t bytes,
                                tg_error_t *error) const {
  return HostMemory::copyIn(to, from, bytes, error);
}

tg_status_t HostMemory::copyWithin(void *to, const void *from, uint64_t bytes,
                                   tg_error_t *error) const {
  return HostMemory::copyIn(to, from, bytes, error);
}

tg_status_t HostMemory::fill(void *to, uint8_t value, uint64_t bytes,
                             tg_error_t *) const {
  if (bytes)
    std::memset(to, value, bytes);
  return TG_OK;
}

tg_status_t tg::allocateBlock(const Memory &memory, uint64_t bytes,
                              uint64_t alignment, const char *contents,
                              char *&block, tg_error_t *error) {
  block = nullptr;
  if (!bytes)
    return TG_OK;
  void *allocated;
  const tg_status_t status =
      memory.allocate(bytes, alignment, allocated, error);
  block = static_cast<char *>(allocated);
  if (status != TG_ERROR_MEMORY)
    return status;
  return failNumber(error, TG_ERROR_MEMORY, 0, static_cast<int64_t>(bytes),
                    "no memory for %llu bytes of %s",
                    static_cast<unsigned long long>(bytes), contents);
}
