/// Model files as bytes: reading, sealing with a trailer, damaging.
#ifndef TG_TEST_RUNTIME_SUPPORT_MODELFILE_H
#define TG_TEST_RUNTIME_SUPPORT_MODELFILE_H

#include "tg/abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tg::test {

using Bytes = std::vector<uint8_t>;

/// A whole file; empty if it cannot be read.
Bytes readFile(const std::string &path);

/// Writes a whole file; false if that fails.
bool writeFile(const std::string &path, const Bytes &bytes);

/// The fields of a trailer beside sizes and hashes.
struct TrailerFields {
  uint32_t abiVersion = TG_ABI_VERSION;
  uint32_t machine = 62;
  uint32_t targets = 0x1c;
  uint8_t modelId[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  uint8_t layoutId[16] = {16, 15, 14, 13, 12, 11, 10, 9,
                          8,  7,  6,  5,  4,  3,  2,  1};
  std::string symbol = TG_MODEL_SYMBOL;
};

/// A payload with a trailer behind it.
Bytes seal(Bytes payload, const TrailerFields &fields = {});

/// The trailer of a sealed file; `bytes` must hold one.
tg_trailer_t trailerOf(const Bytes &bytes);

/// Puts a changed trailer back, with its own hash made right.
void replaceTrailer(Bytes &bytes, tg_trailer_t trailer);

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_MODELFILE_H
