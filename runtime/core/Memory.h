/// Kinds of memory: of the host, or of a device.
#ifndef TG_RUNTIME_CORE_MEMORY_H
#define TG_RUNTIME_CORE_MEMORY_H

#include "tg/runtime.h"

#include <algorithm>

namespace tg {

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

/// A kind of memory, in which variables, workspaces and packed weights lie.
/// Each function returns after its operation is complete. Any thread.
class Memory {
public:
  virtual ~Memory() = default;

  /// Returns true if the host may access the memory itself.
  virtual bool isHost() const = 0;

  /// Allocates a block of more than 0 bytes. On failure `block` is null. Fails
  /// with TG_ERROR_MEMORY, which the caller describes, or with a status that
  /// *error describes.
  virtual tg_status_t allocate(uint64_t bytes, uint64_t alignment, void *&block,
                               tg_error_t *error) const = 0;
  /// Frees a block; null is allowed.
  virtual void release(void *block, uint64_t bytes) const = 0;

  /// Copies from the host to this memory. Like the functions below, accepts 0
  /// bytes, and fails with a status of class 4.
  virtual tg_status_t copyIn(void *to, const void *from, uint64_t bytes,
                             tg_error_t *error) const = 0;
  /// Copies from this memory to the host.
  virtual tg_status_t copyOut(void *to, const void *from, uint64_t bytes,
                              tg_error_t *error) const = 0;
  /// Copies between two blocks of this memory.
  virtual tg_status_t copyWithin(void *to, const void *from, uint64_t bytes,
                                 tg_error_t *error) const = 0;
  /// Sets all bytes to a value.
  virtual tg_status_t fill(void *to, uint8_t value, uint64_t bytes,
                           tg_error_t *error) const = 0;
};

/// Memory that the host accesses itself. Copies cannot fail.
class HostMemory : public Memory {
public:
  bool isHost() const final { return true; }
  tg_status_t copyIn(void *to, const void *from, uint64_t bytes,
                     tg_error_t *error) const final;
  tg_status_t copyOut(void *to, const void *from, uint64_t bytes,
                      tg_error_t *error) const final;
  tg_status_t copyWithin(void *to, const void *from, uint64_t bytes,
                         tg_error_t *error) const final;
  tg_status_t fill(void *to, uint8_t value, uint64_t bytes,
                   tg_error_t *error) const final;
};

/// Memory from the hooks of a host, or from the C library.
class HookMemory final : public HostMemory {
public:
  /// `hooks` must outlive the object.
  explicit HookMemory(const tg_hooks_t &hooks) : hooks(hooks) {}

  tg_status_t allocate(uint64_t bytes, uint64_t alignment, void *&block,
                       tg_error_t *error) const override;
  void release(void *block, uint64_t bytes) const override;

private:
  const tg_hooks_t &hooks;
};

/// Allocates a block; null if `bytes` is 0. `contents` names the contents in
/// the error message.
tg_status_t allocateBlock(const Memory &memory, uint64_t bytes,
                          uint64_t alignment, const char *contents,
                          char *&block, tg_error_t *error);

/// Calls visit(data, count) for the bytes of a block, from first to last, until
/// a call does not return TG_OK. Passes host memory in place and as a whole,
/// other memory in pieces through a buffer on the stack.
template <typename Visit>
tg_status_t visitPieces(const Memory &memory, const char *block, uint64_t bytes,
                        tg_error_t *error, Visit visit) {
  if (memory.isHost())
    return visit(block, bytes);
  alignas(64) char piece[32768];
  tg_status_t status = TG_OK;
  for (uint64_t at = 0; status == TG_OK && at < bytes;) {
    const uint64_t count = std::min<uint64_t>(bytes - at, sizeof(piece));
    status = memory.copyOut(piece, block + at, count, error);
    if (status == TG_OK)
      status = visit(piece, count);
    at += count;
  }
  return status;
}

} // namespace tg

#endif // TG_RUNTIME_CORE_MEMORY_H
