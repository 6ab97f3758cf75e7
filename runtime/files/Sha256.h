/// SHA-256, the hash of model files and checkpoints.
#ifndef TG_RUNTIME_FILES_SHA256_H
#define TG_RUNTIME_FILES_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace tg {

using Digest = std::array<uint8_t, 32>;

/// Hashes bytes incrementally. Not thread-safe: an object may move between
/// threads, but calls must not overlap. Allocates nothing.
class Sha256 {
public:
  Sha256() = default;
  /// If `isPlain`, uses no instructions for SHA-256 of the CPU, with the same
  /// result.
  explicit Sha256(bool isPlain) : isPlain(isPlain) {}

  /// Appends bytes to the hashed data.
  void update(const void *data, size_t bytes);

  /// Returns the hash of all appended bytes. Afterwards the object must not be
  /// used.
  Digest finish();

private:
  void compressAll(const uint8_t *blocks, size_t count);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending; // the first `total % 64` bytes are used
  uint64_t total = 0;
  bool isPlain = false;
};

/// Returns the hash of one block of memory.
Digest sha256(const void *data, size_t bytes);

} // namespace tg

#endif // TG_RUNTIME_FILES_SHA256_H
