/// Reads, seals and corrupts model files.
#ifndef TG_TEST_RUNTIME_SUPPORT_MODELFILE_H
#define TG_TEST_RUNTIME_SUPPORT_MODELFILE_H

#include "tg/abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tg::test {

using Bytes = std::vector<uint8_t>;

/// Returns the contents of a file, or nothing if it cannot be read.
Bytes readFile(const std::string &path);

/// Inverts bits of one byte of a file in place, without a new file for each of
/// many changes.
bool changeByte(const std::string &path, size_t at, uint8_t mask);

/// Writes a file. Returns false on failure.
bool writeFile(const std::string &path, const Bytes &bytes);

/// The fields of a trailer other than sizes and hashes.
struct TrailerFields {
  uint32_t abiVersion = TG_ABI_VERSION;
  uint32_t machine = 62;
  uint32_t targets = 0x1c;
  uint8_t modelId[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  uint8_t layoutId[16] = {16, 15, 14, 13, 12, 11, 10, 9,
                          8,  7,  6,  5,  4,  3,  2,  1};
  std::string symbol = TG_MODEL_SYMBOL;
};

/// Appends a trailer to the payload.
Bytes seal(Bytes payload, const TrailerFields &fields = {});

/// Returns the trailer of a sealed file. `bytes` must have one.
tg_trailer_t trailerOf(const Bytes &bytes);

/// Replaces the trailer and recomputes its own hash.
void replaceTrailer(Bytes &bytes, tg_trailer_t trailer);

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_MODELFILE_H
