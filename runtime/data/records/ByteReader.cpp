/// Reads records in order from any input of bytes.
#include "ByteReader.h"

#include <algorithm>

using namespace tg::data;

size_t ByteReader::require(size_t count) {
  if (available() >= count)
    return available();
  std::memmove(buffer.get(), at(), available());
  filled = available();
  used = 0;
  try {
    while (filled < count) {
      const size_t read =
          input->read(buffer.get() + filled, bufferBytes - filled);
      if (!read)
        break;
      filled += read;
    }
  } catch (const DataError &error) {
    current.fail(error.what());
  }
  return filled;
}

size_t ByteReader::some(uint64_t left) {
  if (!require(1))
    failEnd();
  return static_cast<size_t>(std::min<uint64_t>(left, available()));
}

bool ByteReader::nextHeader() {
  if (state == State::header)
    skipData();
  if (state == State::broken)
    return false;
  if (state == State::record) {
    ++current.number;
    current.byte += frameBytes + bytes;
  }
  state = State::broken;
  bytes = 0;
  const size_t found = require(headerBytes);
  if (!found)
    return false;
  if (found < headerBytes)
    failHeader(found, current);
  bytes = checkHeader(at(), current);
  if (const std::optional<uint64_t> left = input->left())
    checkFits(bytes, *left + available(), current);
  used += headerBytes;
  state = State::header;
  return true;
}

void ByteReader::endRecord() {
  if (require(footerBytes) < footerBytes)
    failEnd();
  std::memcpy(footer, at(), footerBytes);
  used += footerBytes;
  state = State::record;
}

void ByteReader::failEnd() {
  current.fail("expected " + std::to_string(bytes) +
               " bytes and a checksum after the length, found the end of the "
               "file");
}
