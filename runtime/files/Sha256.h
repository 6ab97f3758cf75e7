/// SHA-256, the hash of model files and checkpoints.
#ifndef TG_RUNTIME_FILES_SHA256_H
#define TG_RUNTIME_FILES_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace tg {

using Digest = std::array<uint8_t, 32>;

/// Hashes bytes as they come. Any thread, one at a time; allocates nothing.
class Sha256 {
public:
  /// Appends bytes to what is hashed.
  void update(const void *data, size_t bytes);

  /// The hash of all that was appended. Afterwards the object is used up.
  Digest finish();

private:
  void compress(const uint8_t *block);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending; // the first `total % 64` bytes are used
  uint64_t total = 0;
};

/// The hash of one block of memory.
Digest sha256(const void *data, size_t bytes);

} // namespace tg

#endif // TG_RUNTIME_FILES_SHA256_H
