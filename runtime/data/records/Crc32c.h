/// CRC-32C, the checksum of TFRecord files.
#ifndef TG_RUNTIME_DATA_RECORDS_CRC32C_H
#define TG_RUNTIME_DATA_RECORDS_CRC32C_H

#include <cstddef>
#include <cstdint>

namespace tg::data {

/// Returns the CRC-32C (Castagnoli) of the bytes that `crc` covers, followed by
/// these bytes. The CRC of no bytes is 0.
uint32_t crc32c(const void *bytes, size_t count, uint32_t crc = 0);

/// Returns the form of a CRC in TFRecord files, where it may be part of data
/// that has a CRC itself.
constexpr uint32_t maskCrc(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8;
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_CRC32C_H
