/// Memory from the hooks of a host, or from the C library.
#ifndef TG_RUNTIME_CORE_MEMORY_H
#define TG_RUNTIME_CORE_MEMORY_H

#include "tg/runtime.h"

namespace tg {

/// The alignment of memory that contexts of several modules share: a page,
/// since large variables begin at multiples of a page.
inline constexpr uint64_t sharedAlignment = 4096;

/// The multiple to which the size of a slab is rounded up: tg_model_t.alignment
/// in ABI 1.0.
inline constexpr uint64_t slabAlignment = 64;

/// Rounds up to a multiple of the alignment, at most to the largest multiple
/// that fits into 64 bits.
inline uint64_t roundUp(uint64_t bytes, uint64_t alignment) {
  const uint64_t largest = UINT64_MAX / alignment * alignment;
  return bytes > largest ? largest
                         : (bytes + alignment - 1) / alignment * alignment;
}

/// Checks the hooks of a host and copies them; null stands for no hooks.
tg_status_t readHooks(const tg_hooks_t *given, tg_hooks_t &hooks,
                      tg_error_t *error);

/// Allocates memory by the hooks or the C library. Returns null on failure.
/// `bytes` must be above 0.
void *allocate(const tg_hooks_t &hooks, uint64_t bytes, uint64_t alignment);

/// Frees memory of allocate(); null is allowed.
void release(const tg_hooks_t &hooks, void *memory, uint64_t bytes);

/// Allocates a block; null if `bytes` is 0. `contents` names the contents in
/// the error message.
tg_status_t allocateBlock(const tg_hooks_t &hooks, uint64_t bytes,
                          uint64_t alignment, const char *contents,
                          char *&block, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_MEMORY_H
