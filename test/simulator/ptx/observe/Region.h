/// Memory of a device.
#ifndef TG_TEST_SIMULATOR_PTX_OBSERVE_REGION_H
#define TG_TEST_SIMULATOR_PTX_OBSERVE_REGION_H

#include <cstdint>
#include <cstring>

namespace tg::ptx {

/// Memory that kernels may access: the addresses [begin, end), which lie at
/// `bytes` in the host's memory.
struct Region {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint8_t *bytes = nullptr;
  /// For each byte 1 if it was written, or null if that is not known.
  uint8_t *written = nullptr;

  /// Notes that bytes of the region were written.
  void markWritten(uint64_t address, uint64_t count) const {
    if (written)
      std::memset(written + (address - begin), 1, count);
  }
};

} // namespace tg::ptx

#endif
