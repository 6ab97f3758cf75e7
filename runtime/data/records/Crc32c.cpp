/// Computes CRC-32C with the instructions that this CPU has.
#include "Crc32c.h"

#include <algorithm>
#include <cstring>
#include <isa-l/crc.h>

#ifdef __x86_64__
/// Returns the CRC, inverted before and after, of few bytes. It has less to set
/// up than libisal, which is faster for many.
__attribute__((target("sse4.2"))) static uint32_t
crcOfFew(const unsigned char *at, size_t count, uint32_t crc) {
  uint64_t state = crc;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof(bytes));
    state = __builtin_ia32_crc32di(state, bytes);
  }
  crc = static_cast<uint32_t>(state);
  for (; count; ++at, --count)
    crc = __builtin_ia32_crc32qi(crc, *at);
  return crc;
}

/// The size from which libisal is faster.
static constexpr size_t manyBytes = 160;

static bool hasInstruction() {
  static const bool has = __builtin_cpu_supports("sse4.2");
  return has;
}
#endif

uint32_t tg::data::crc32c(const void *bytes, size_t count, uint32_t crc) {
  // The library takes the bytes as not constant, and their number as an int.
  // It leaves the inversions before and after to the caller.
  auto *at = static_cast<unsigned char *>(const_cast<void *>(bytes));
  crc = ~crc;
#ifdef __x86_64__
  if (count < manyBytes && hasInstruction())
    return ~crcOfFew(at, count, crc);
#endif
  while (count) {
    const size_t chunk = std::min<size_t>(count, 1 << 30);
    crc = crc32_iscsi(at, static_cast<int>(chunk), crc);
    at += chunk;
    count -= chunk;
  }
  return ~crc;
}
