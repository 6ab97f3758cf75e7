/// Memory on huge pages.
#ifndef TG_TOOLS_COMMON_HUGEMEMORY_H
#define TG_TOOLS_COMMON_HUGEMEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace tg {

/// A block of zeroed memory, on huge pages if it is large enough.
class HugeMemory {
public:
  explicit HugeMemory(size_t bytes) : memory(allocate(bytes, 64)) {
    std::memset(memory, 0, bytes);
  }
  HugeMemory(HugeMemory &&other) noexcept
      : memory(std::exchange(other.memory, nullptr)) {}
  HugeMemory &operator=(HugeMemory &&) = delete;
  ~HugeMemory() { std::free(memory); }

  void *data() const { return memory; }

private:
  /// Returns memory for std::free; null on failure.
  static void *allocate(size_t bytes, size_t alignment) {
    constexpr size_t page = 2 << 20;
    if (bytes >= page)
      alignment = page;
    size_t size = (bytes + alignment) / alignment * alignment;
    void *memory = std::aligned_alloc(alignment, size);
    if (memory && bytes >= page)
      madvise(memory, size, MADV_HUGEPAGE);
    return memory;
  }

  void *memory;
};

} // namespace tg

#endif // TG_TOOLS_COMMON_HUGEMEMORY_H
