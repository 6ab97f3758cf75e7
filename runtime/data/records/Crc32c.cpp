/// Computes CRC-32C with the instructions that this CPU has, by libisal.
#include "Crc32c.h"

#include <algorithm>
#include <isa-l/crc.h>

uint32_t tg::data::crc32c(const void *bytes, size_t count, uint32_t crc) {
  // The library takes the bytes as not constant, and their number as an int.
  // It leaves the inversions before and after to the caller.
  auto *at = static_cast<unsigned char *>(const_cast<void *>(bytes));
  crc = ~crc;
  while (count) {
    const size_t chunk = std::min<size_t>(count, 1 << 30);
    crc = crc32_iscsi(at, static_cast<int>(chunk), crc);
    at += chunk;
    count -= chunk;
  }
  return ~crc;
}
