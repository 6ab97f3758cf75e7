#include "Heap.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tg::simulator;

/// The distance between allocations, and their alignment, as the driver has it.
static constexpr uint64_t gap = 4096;
static constexpr uint64_t alignment = 512;

/// Maps bytes that take memory only once they are used, or returns null.
static uint8_t *mapBytes(uint64_t bytes, int protection) {
  void *range = mmap(nullptr, bytes, protection,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range == MAP_FAILED ? nullptr : static_cast<uint8_t *>(range);
}

Heap::Heap(uint64_t bytes, bool tracksWrites)
    : totalBytes(bytes), span((4 * bytes / gap + 16) * gap),
      tracksWrites(tracksWrites) {
  reserved = mapBytes(span, PROT_NONE);
  if (tracksWrites)
    written = mapBytes(span, PROT_READ | PROT_WRITE);
  int file = memfd_create("device memory", MFD_CLOEXEC);
  if (file < 0)
    return;
  if (ftruncate(file, static_cast<off_t>(span)) == 0) {
    void *mapped = mmap(nullptr, span, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, file, 0);
    window = mapped == MAP_FAILED ? nullptr : static_cast<uint8_t *>(mapped);
  }
  close(file);
}

Heap::~Heap() {
  if (reserved)
    munmap(reserved, span);
  if (window)
    munmap(window, span);
  if (written)
    munmap(written, span);
}

uint64_t Heap::findGap(uint64_t from, uint64_t to, uint64_t bytes) const {
  // The first address is never handed out, so that 0 says there is no gap.
  uint64_t at = from < gap ? gap : from;
  for (auto next = live.lower_bound(at); at + bytes + gap <= to; ++next) {
    if (next == live.end() || at + bytes + gap <= next->first)
      return at;
    at = (next->first + next->second + gap + alignment - 1) / alignment *
         alignment;
  }
  return 0;
}

uint64_t Heap::allocate(uint64_t bytes) {
  if (bytes > totalBytes - usedBytes)
    return 0;
  uint64_t offset = findGap(cursor, span, bytes);
  if (offset == 0)
    offset = findGap(0, span, bytes);
  if (offset == 0)
    return 0;
  live[offset] = bytes;
  usedBytes += bytes;
  cursor = (offset + bytes + gap + alignment - 1) / alignment * alignment;
  std::memset(window + offset, 0xff, bytes);
  if (written)
    std::memset(written + offset, 0, bytes);
  return reinterpret_cast<uint64_t>(reserved) + offset;
}

bool Heap::release(uint64_t address) {
  auto found = live.find(address - reinterpret_cast<uint64_t>(reserved));
  if (found == live.end())
    return false;
  // Gives whole pages back to the system.
  uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t begin = (found->first + page - 1) / page * page;
  uint64_t end = (found->first + found->second) / page * page;
  if (begin < end)
    madvise(window + begin, end - begin, MADV_REMOVE);
  usedBytes -= found->second;
  live.erase(found);
  return true;
}

tg::ptx::Region Heap::find(uint64_t address) const {
  uint64_t base = reinterpret_cast<uint64_t>(reserved);
  auto next = live.upper_bound(address - base);
  if (address < base || next == live.begin())
    return {};
  auto [offset, bytes] = *--next;
  if (address - base - offset >= bytes)
    return {};
  return {base + offset, base + offset + bytes, window + offset,
          written ? written + offset : nullptr};
}
