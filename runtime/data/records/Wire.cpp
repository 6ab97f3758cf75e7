/// Reads fields of messages.
#include "Wire.h"

#include "tg/data/feature.hpp"

#include <limits>
#include <protozero/varint.hpp>

using namespace tg::data;
using protozero::pbf_wire_type;

uint64_t tg::data::readVarint(const char *&at, const char *end) {
  try {
    return protozero::decode_varint(&at, end);
  } catch (const protozero::varint_too_long_exception &) {
    throw DataError("expected a number of at most 10 bytes, found a longer "
                    "one");
  } catch (const protozero::end_of_buffer_exception &) {
    throw DataError("expected the end of a number, found the end of the "
                    "message");
  }
}

/// Returns the number of bytes of the character of UTF-8 at the begin of a
/// text, or 0 if it is none.
static size_t characterBytes(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return 1;
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  uint32_t code = lead & (0x7f >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  static constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool isSurrogate = code >= 0xd800 && code < 0xe000;
  return lead < 0xc0 || lead > 0xf4 || code < least[bytes] || isSurrogate ||
                 code > 0x10ffff
             ? 0
             : bytes;
}

size_t tg::data::utf8Prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t bytes = characterBytes(text.substr(at));
    if (!bytes)
      break;
    at += bytes;
  }
  return at;
}

std::string_view WireReader::take(uint64_t count) {
  const auto left = static_cast<uint64_t>(end - at);
  if (count > left)
    throw DataError("expected " + std::to_string(count) + " bytes of field " +
                    std::to_string(field) + ", found " + std::to_string(left) +
                    " to the end of the message");
  const std::string_view taken(at, static_cast<size_t>(count));
  at += count;
  return taken;
}

bool WireReader::next() {
  if (at == end)
    return false;
  const uint64_t key = readVarint(at, end);
  if (key > std::numeric_limits<uint32_t>::max() || key < 8)
    throw DataError("expected a field from 1 to 536870911, found " +
                    std::to_string(key >> 3));
  field = static_cast<uint32_t>(key >> 3);
  wireType = pbf_wire_type(key & 7);
  switch (wireType) {
  case pbf_wire_type::varint: {
    const char *first = at;
    readVarint(at, end);
    contents = {first, static_cast<size_t>(at - first)};
    return true;
  }
  case pbf_wire_type::fixed64:
    contents = take(8);
    return true;
  case pbf_wire_type::length_delimited:
    contents = take(readVarint(at, end));
    return true;
  case pbf_wire_type::fixed32:
    contents = take(4);
    return true;
  default:
    failType("an unknown field", "a wire type of 0, 1, 2 or 5");
  }
}

std::string_view WireReader::bytesOf(const char *name) const {
  if (wireType != pbf_wire_type::length_delimited)
    failType(name, "wire type 2");
  return contents;
}

void WireReader::failType(const char *name, const char *expected) const {
  throw DataError("expected " + std::string(expected) + " for field " +
                  std::to_string(field) + ", " + name + ", found wire type " +
                  std::to_string(static_cast<uint32_t>(wireType)));
}
