/// The layout of records in TFRecord files, and messages about them.
#ifndef TG_RUNTIME_DATA_RECORDS_RECORDFORMAT_H
#define TG_RUNTIME_DATA_RECORDS_RECORDFORMAT_H

#include "Crc32c.h"

#include "tg/data/records.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace tg::data {

static_assert(std::endian::native == std::endian::little,
              "the formats are read and written as little endian");

/// A record has a header (the u64 length of the data and its masked CRC), the
/// data, and the masked CRC of the data.
constexpr uint64_t headerBytes = 12, footerBytes = 4;
constexpr uint64_t frameBytes = headerBytes + footerBytes;

/// Returns a number at any address.
template <typename T> T loadNumber(const void *from) {
  T number;
  std::memcpy(&number, from, sizeof(T));
  return number;
}

/// Returns the header of a record of `length` bytes.
std::array<std::byte, headerBytes> headerOf(uint64_t length);

/// Returns the footer of a record of these bytes.
std::array<std::byte, footerBytes> footerOf(std::span<const std::byte> record);

/// The place of a record in a file.
struct RecordPlace {
  const std::string &path;
  uint64_t number = 0; // in its file
  uint64_t byte = 0;   // the first one of its header

  /// Returns "a.tfrecord: record 17 at byte 4242".
  std::string text() const;
  /// Throws DataError with the place and a message.
  [[noreturn]] void fail(const std::string &message) const;
};

/// Returns the length in a header. Throws DataError if its CRC is wrong.
uint64_t checkHeader(const std::byte *header, const RecordPlace &place);

/// Throws DataError if a record does not fit into the `left` bytes of the file
/// that follow the begin of its header.
void checkFits(uint64_t length, uint64_t left, const RecordPlace &place);

/// Throws DataError if a record is larger than the limit.
void checkLimit(uint64_t length, const TFRecordOptions &options,
                const RecordPlace &place);

/// Throws DataError if the CRC of the data is not the one that the footer
/// contains.
void checkData(uint32_t crc, const std::byte *footer, const RecordPlace &place);

/// Throws DataError for a file that ends within a header, of which `found`
/// bytes exist.
[[noreturn]] void failHeader(uint64_t found, const RecordPlace &place);

/// Returns the encoding of a file that begins with these bytes.
Compression detectCompression(const std::byte *bytes, size_t count);

/// Returns the one feature of sources of records.
const ExampleType &recordType();

/// Returns a record as a feature, a view of `memory`, of which the record is
/// the part from `begin`.
Feature recordFeature(std::shared_ptr<std::byte[]> memory, uint64_t begin,
                      uint64_t length);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_RECORDFORMAT_H
