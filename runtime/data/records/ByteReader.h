/// Bytes of a file in order, decompressed if it is compressed.
#ifndef TG_RUNTIME_DATA_RECORDS_BYTEREADER_H
#define TG_RUNTIME_DATA_RECORDS_BYTEREADER_H

#include "RecordFormat.h"

#include <optional>

namespace tg::data {

/// A source of bytes.
class ByteInput {
public:
  virtual ~ByteInput() = default;

  /// Reads up to `count` bytes and returns their number, which is 0 only at the
  /// end. Throws DataError without the name of the file.
  virtual size_t read(std::byte *into, size_t count) = 0;
  /// Skips up to `count` bytes and returns their number, which may be 0: then
  /// they must be read.
  virtual uint64_t skip(uint64_t) { return 0; }
  /// Returns the number of bytes that follow, if it is known.
  virtual std::optional<uint64_t> left() const { return std::nullopt; }
};

/// Opens a file as compressionOf() says. Throws DataError.
std::unique_ptr<ByteInput> openBytes(const std::string &path);
/// Opens a file that is compressed, or one that is not.
std::unique_ptr<ByteInput> openBytes(const std::string &path,
                                     bool isCompressed);

/// Reads the records of a file in order, through a buffer.
class ByteReader {
public:
  ByteReader(const std::string &path, std::unique_ptr<ByteInput> input)
      : name(path), input(std::move(input)) {}
  ByteReader(const ByteReader &) = delete;
  ByteReader &operator=(const ByteReader &) = delete;

  /// Reads the header of the next record, after the data of the last one if it
  /// was not read. Returns false at the end of the file. Throws DataError, as
  /// do the functions below, and returns false after an error: nothing behind a
  /// wrong length is a record.
  bool nextHeader();
  /// The place and the length of the record whose header was read.
  const RecordPlace &place() const { return current; }
  uint64_t length() const { return bytes; }
  /// Reads the data of the record and passes it in parts: take(bytes, count).
  /// Checks its CRC afterwards; the next record can be read if it is wrong.
  template <typename Take> void readData(Take take) {
    uint32_t crc = 0;
    visitData([&](const std::byte *part, size_t count) {
      crc = crc32c(part, count, crc);
      take(part, count);
    });
    checkData(crc, footer, current);
  }
  /// Reads the data of the record without a check.
  void skipData() {
    visitData([](const std::byte *, size_t) {});
  }

private:
  static constexpr size_t bufferBytes = 256 << 10;

  /// Reads the data and the footer.
  template <typename Visit> void visitData(Visit visit) {
    state = State::broken;
    for (uint64_t left = bytes; left;) {
      const size_t count = some(left);
      visit(at(), count);
      used += count;
      left -= count;
    }
    endRecord();
  }

  const std::byte *at() const { return buffer.get() + used; }
  size_t available() const { return filled - used; }
  /// Appends bytes to the buffer until it has `count` of them or the input
  /// ends. Returns the number of available bytes.
  size_t require(size_t count);
  /// Returns how many of `left` bytes are available, at least one.
  size_t some(uint64_t left);
  /// Reads the footer.
  void endRecord();
  /// Throws DataError for the end of the file before the end of the record.
  [[noreturn]] void failEnd();

  const std::string name;
  std::unique_ptr<ByteInput> input;
  std::unique_ptr<std::byte[]> buffer =
      std::make_unique_for_overwrite<std::byte[]>(bufferBytes);
  size_t used = 0, filled = 0;
  RecordPlace current{name};
  uint64_t bytes = 0;
  std::byte footer[footerBytes];
  /// The progress: at the begin, after a header, after a record, or at the end
  /// or after an error.
  enum class State { begin, header, record, broken } state = State::begin;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_BYTEREADER_H
