/// Checks headers, lengths and checksums of records.
#include "RecordFormat.h"

#include <cstdio>

using namespace tg::data;

/// Stores a number at any address.
template <typename T> static void store(std::byte *into, T number) {
  std::memcpy(into, &number, sizeof(T));
}

std::array<std::byte, headerBytes> tg::data::headerOf(uint64_t length) {
  std::array<std::byte, headerBytes> header;
  store(header.data(), length);
  store(header.data() + 8, maskCrc(crc32c(header.data(), 8)));
  return header;
}

std::array<std::byte, footerBytes>
tg::data::footerOf(std::span<const std::byte> record) {
  std::array<std::byte, footerBytes> footer;
  store(footer.data(), maskCrc(crc32c(record.data(), record.size())));
  return footer;
}

std::string RecordPlace::text() const {
  return path + ": record " + std::to_string(number) + " at byte " +
         std::to_string(byte);
}

void RecordPlace::fail(const std::string &message) const {
  throw DataError(text() + ": " + message);
}

/// Returns a CRC as written in messages.
static std::string hex(uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof(text), "%08x", number);
  return text;
}

uint64_t tg::data::checkHeader(const std::byte *header,
                               const RecordPlace &place) {
  const uint32_t expected = maskCrc(crc32c(header, 8));
  const auto found = loadNumber<uint32_t>(header + 8);
  if (found == expected)
    return loadNumber<uint64_t>(header);
  std::string hint;
  if (place.byte == 0 && detectCompression(header, 12) != Compression::none)
    hint = ", as in a compressed file";
  place.fail("expected the checksum " + hex(expected) +
             " of the length, found " + hex(found) + hint);
}

void tg::data::checkFits(uint64_t length, uint64_t left,
                         const RecordPlace &place) {
  const uint64_t most = left < frameBytes ? 0 : left - frameBytes;
  if (left >= frameBytes && length <= most)
    return;
  place.fail("expected " + std::to_string(length) +
             " bytes and a checksum after the length, found " +
             std::to_string(left - headerBytes) +
             " bytes to the end of the file");
}

void tg::data::checkLimit(uint64_t length, const TFRecordOptions &options,
                          const RecordPlace &place) {
  if (length > options.maxRecordBytes)
    place.fail("expected at most " + std::to_string(options.maxRecordBytes) +
               " bytes, the limit of the reader, found " +
               std::to_string(length));
}

void tg::data::checkData(uint32_t crc, const std::byte *footer,
                         const RecordPlace &place) {
  const auto found = loadNumber<uint32_t>(footer);
  if (found != maskCrc(crc))
    place.fail("expected the checksum " + hex(maskCrc(crc)) +
               " of the data, found " + hex(found));
}

void tg::data::failHeader(uint64_t found, const RecordPlace &place) {
  place.fail("expected a header of " + std::to_string(headerBytes) +
             " bytes, found " + std::to_string(found) +
             " bytes to the end of the file");
}

Compression tg::data::detectCompression(const std::byte *bytes, size_t count) {
  if (count < 2)
    return Compression::none;
  // The length of a record can begin like a compressed file. Its CRC decides.
  if (count >= headerBytes &&
      loadNumber<uint32_t>(bytes + 8) == maskCrc(crc32c(bytes, 8)))
    return Compression::none;
  const auto first = static_cast<unsigned>(bytes[0]);
  const auto second = static_cast<unsigned>(bytes[1]);
  if (first == 0x1f && second == 0x8b)
    return Compression::gzip;
  // RFC 1950: the method deflate with a window of at most 32 KiB, and a check
  // of both bytes.
  const bool isZlib = (first & 0xf) == 8 && (first >> 4) <= 7 &&
                      (first << 8 | second) % 31 == 0;
  return isZlib ? Compression::zlib : Compression::none;
}

const ExampleType &tg::data::recordType() {
  static const ExampleType type = {
      {"record", {TG_DTYPE_UINT, 8, 1}, {FeatureType::anyExtent}}};
  return type;
}

Feature tg::data::recordFeature(std::shared_ptr<std::byte[]> memory,
                                uint64_t begin, uint64_t length) {
  const std::byte *first = memory.get() + begin;
  return Feature({TG_DTYPE_UINT, 8, 1}, {static_cast<int64_t>(length)},
                 std::move(memory), first);
}
