/// The memory of a device.
#ifndef TG_TEST_SIMULATOR_DRIVER_HEAP_H
#define TG_TEST_SIMULATOR_DRIVER_HEAP_H

#include "test/simulator/ptx/Interpreter.h"

#include <cstdint>
#include <map>

namespace tg::simulator {

/// Device memory. The addresses that it hands out are reserved without access,
/// so a host that follows one crashes; the bytes are mapped a second time, at
/// addresses that only the simulator knows.
///
/// Allocations lie apart, and addresses come back only after all others, so
/// that kernels cannot leave their buffers unnoticed.
class Heap {
public:
  /// Reserves addresses for some bytes of memory. If it tracks writes, it knows
  /// of each byte if it was written.
  explicit Heap(uint64_t bytes, bool tracksWrites = false);
  ~Heap();
  Heap(const Heap &) = delete;
  Heap &operator=(const Heap &) = delete;

  /// Returns false if the system had no room for the reservation.
  bool isValid() const {
    return window && reserved && (written || !tracksWrites);
  }
  /// Allocates bytes, all of which are 0xff. Returns the address, or 0.
  uint64_t allocate(uint64_t bytes);
  /// Frees an allocation. Returns false if none begins at the address.
  bool release(uint64_t address);
  /// Returns the allocation that contains an address, or an empty region.
  ptx::Region find(uint64_t address) const;
  /// Returns the bytes of all allocations.
  uint64_t used() const { return usedBytes; }
  uint64_t total() const { return totalBytes; }

private:
  uint64_t findGap(uint64_t from, uint64_t to, uint64_t bytes) const;

  uint64_t totalBytes;
  uint64_t usedBytes = 0;
  /// The bytes of the reservation, a multiple of the memory.
  uint64_t span;
  /// The reservation, and the same bytes with access.
  uint8_t *reserved = nullptr;
  uint8_t *window = nullptr;
  bool tracksWrites;
  /// For each byte of the window 1 if it was written since it was allocated, or
  /// null.
  uint8_t *written = nullptr;
  /// The size of each allocation by its offset.
  std::map<uint64_t, uint64_t> live;
  /// The offset behind the last allocation.
  uint64_t cursor = 0;
};

} // namespace tg::simulator

#endif
