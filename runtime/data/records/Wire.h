/// The wire format of protobuf, read strictly.
#ifndef TG_RUNTIME_DATA_RECORDS_WIRE_H
#define TG_RUNTIME_DATA_RECORDS_WIRE_H

#include <cstdint>
#include <protozero/types.hpp>
#include <string>
#include <string_view>

namespace tg::data {

/// Reads a number of the wire format at `at`, which moves behind it. Throws
/// DataError if it does not end before `end` or has more than 10 bytes.
uint64_t readVarint(const char *&at, const char *end);

/// Returns the number of bytes before the first one that is not part of a
/// character of UTF-8, the encoding of strings.
size_t utf8Prefix(std::string_view text);

/// Reads the fields of a message in order. All functions throw DataError for a
/// malformed message. Unlike protozero's reader, it refuses keys and lengths of
/// more than 32 bits instead of reading their low bits.
class WireReader {
public:
  explicit WireReader(std::string_view message)
      : at(message.data()), end(message.data() + message.size()) {}

  /// Moves to the next field. Returns false at the end of the message. Refuses
  /// groups, which no message here has.
  bool next();
  uint32_t number() const { return field; }
  protozero::pbf_wire_type type() const { return wireType; }
  /// Returns the bytes of the field: those of a string, message or packed list,
  /// or an encoded number.
  std::string_view bytes() const { return contents; }
  /// Returns the bytes of a field that must be a string, message or packed
  /// list. `name` is in the message of a failure.
  std::string_view bytesOf(const char *name) const;
  /// Throws DataError for a field of an unexpected type.
  [[noreturn]] void failType(const char *name, const char *expected) const;

private:
  /// Returns the next bytes, after a check that the message has them.
  std::string_view take(uint64_t count);

  const char *at, *end;
  uint32_t field = 0;
  protozero::pbf_wire_type wireType = {};
  std::string_view contents;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_WIRE_H
