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
