/// An access of the lanes of a warp, as counts and checks see it.
#ifndef TG_TEST_SIMULATOR_PTX_OBSERVE_REQUEST_H
#define TG_TEST_SIMULATOR_PTX_OBSERVE_REQUEST_H

#include "test/simulator/ptx/Program.h"
#include "test/simulator/ptx/warp/LaneMemory.h"

namespace tg::ptx {

/// An address of the device for each lane.
using Addresses = std::array<uint64_t, warpSize>;

/// The ways of an access.
enum class AccessKind : uint8_t { Read, Write, Update };

/// An access of lanes to one space. Addresses in shared memory are offsets.
struct Request {
  Space space = Space::Global;
  AccessKind kind = AccessKind::Read;
  /// The lanes that access memory, and the bytes of each.
  uint32_t mask = 0;
  uint32_t bytes = 0;
  const Addresses &addresses;
  /// Bit i is set if the lanes use byte i of what they read.
  uint32_t used = UINT32_MAX;

  /// Returns true if lanes read and use a byte that nothing has written.
  bool usesUnwritten(const uint8_t *written) const {
    for (uint32_t i = 0; i < bytes; ++i)
      if (written[i] == 0 && (used >> i & 1))
        return kind != AccessKind::Write;
    return false;
  }
};

} // namespace tg::ptx

#endif
