/// Memory of which each lane of a warp has its own.
#ifndef TG_TEST_SIMULATOR_PTX_WARP_LANEMEMORY_H
#define TG_TEST_SIMULATOR_PTX_WARP_LANEMEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tg::ptx {

/// The number of lanes of a warp.
inline constexpr uint32_t warpSize = 32;

/// The bytes of all lanes: a lane has its bytes one behind the other.
class LaneMemory {
public:
  /// Makes room for a number of bytes of each lane. Bytes that exist stay.
  void reserve(size_t size) {
    if (size <= stride)
      return;
    size_t larger = size < 2 * stride ? 2 * stride : size;
    std::vector<uint8_t> moved(larger * warpSize);
    for (size_t lane = 0; stride != 0 && lane < warpSize; ++lane)
      std::memcpy(&moved[lane * larger], of(lane), stride);
    bytes = std::move(moved);
    stride = larger;
  }

  /// Returns the bytes of a lane.
  uint8_t *of(size_t lane) { return bytes.data() + lane * stride; }

private:
  std::vector<uint8_t> bytes;
  /// The bytes of each lane.
  size_t stride = 0;
};

} // namespace tg::ptx

#endif
