//===- JpegHeader.cpp - the segments of a JPEG image ----------------------===//
#include "JpegHeader.h"

#include <cstring>

using namespace tg::data;

namespace {

/// The second bytes of markers (ISO/IEC 10918-1, table B.1).
enum Marker : unsigned {
  startOfFrame0 = 0xc0,
  huffmanTables = 0xc4,
  extension = 0xc8,
  arithmeticTables = 0xcc,
  startOfFrame15 = 0xcf,
  restart0 = 0xd0,
  restart7 = 0xd7,
  startOfImage = 0xd8,
  endOfImage = 0xd9,
  startOfScan = 0xda,
};

class JpegSegments {
public:
  explicit JpegSegments(std::span<const std::byte> bytes) : bytes(bytes) {}

  JpegHeader read(bool readsAll);

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw DataError("cannot decode a JPEG image of " +
                    std::to_string(bytes.size()) + " bytes at byte " +
                    std::to_string(offset) + ": " + what);
  }
  unsigned byteAt(size_t place) const {
    return std::to_integer<unsigned>(bytes[place]);
  }
  unsigned wordAt(size_t place) const {
    return byteAt(place) << 8 | byteAt(place + 1);
  }
  void expectBytes(size_t count) const {
    if (count > bytes.size() - offset)
      fail("the image ends too early");
  }
  /// Reads a marker, and the length of the segment that it begins.
  unsigned nextMarker();
  void readFrame(unsigned marker);
  void readScan();
  /// Moves behind the compressed data of a scan.
  void skipScanData();

  std::span<const std::byte> bytes;
  size_t offset = 2;
  /// The bytes of the current segment, without marker and length.
  size_t length = 0;
  JpegHeader header;
};

} // namespace

static bool isStandalone(unsigned marker) {
  return marker == 0x01 || (marker >= restart0 && marker <= endOfImage);
}

static bool isFrame(unsigned marker) {
  return marker >= startOfFrame0 && marker <= startOfFrame15 &&
         marker != huffmanTables && marker != extension &&
         marker != arithmeticTables;
}

unsigned JpegSegments::nextMarker() {
  expectBytes(2);
  if (byteAt(offset) != 0xff)
    fail("expected a marker, found the byte " + std::to_string(byteAt(offset)));
  while (offset < bytes.size() && byteAt(offset) == 0xff)
    ++offset;
  expectBytes(1);
  const unsigned marker = byteAt(offset++);
  length = 0;
  if (isStandalone(marker))
    return marker;
  expectBytes(2);
  length = wordAt(offset);
  expectBytes(length);
  if (length < 2)
    fail("expected a segment of at least 2 bytes, found " +
         std::to_string(length));
  offset += 2;
  length -= 2;
  return marker;
}

void JpegSegments::readFrame(unsigned marker) {
  if (header.shape.channels)
    fail("expected one frame, found a second one");
  if (length < 6)
    fail("expected a frame header of at least 6 bytes, found " +
         std::to_string(length));
  header.shape = {wordAt(offset + 1), wordAt(offset + 3), byteAt(offset + 5),
                  byteAt(offset)};
  header.isProgressive = marker % 4 == 2;
  const ImageShape &shape = header.shape;
  if (shape.bits != 8)
    fail("expected 8 bits per component, found " + std::to_string(shape.bits));
  if (shape.channels == 4)
    fail("expected grey or RGB, found the 4 components of CMYK");
  if (shape.channels != 1 && shape.channels != 3)
    fail("expected 1 or 3 components, found " + std::to_string(shape.channels));
  if (shape.height == 0 || shape.width == 0)
    fail("expected at least one pixel, found " + std::to_string(shape.height) +
         " rows of " + std::to_string(shape.width));
}

void JpegSegments::readScan() {
  if (!header.shape.channels)
    fail("expected a frame before the first scan, found none");
  if (length < 1)
    fail("expected a scan header of at least 1 byte, found none");
  if (header.scans++ == 0)
    header.scanComponents = byteAt(offset);
}

void JpegSegments::skipScanData() {
  // In compressed data, 0 follows a byte of 255 that is no marker.
  while (offset < bytes.size()) {
    const void *found =
        std::memchr(bytes.data() + offset, 0xff, bytes.size() - offset);
    if (!found)
      break;
    offset = static_cast<const std::byte *>(found) - bytes.data();
    expectBytes(2);
    const unsigned marker = byteAt(offset + 1);
    if (marker == 0xff)
      ++offset;
    else if (marker == 0 || (marker >= restart0 && marker <= restart7))
      offset += 2;
    else
      return;
  }
  offset = bytes.size();
}

JpegHeader JpegSegments::read(bool readsAll) {
  while (true) {
    const unsigned marker = nextMarker();
    if (marker == endOfImage)
      break;
    if (marker == startOfImage)
      fail("expected one image, found the start of a second one");
    if (isFrame(marker))
      readFrame(marker);
    if (marker == startOfScan)
      readScan();
    offset += length;
    if (marker != startOfScan)
      continue;
    if (!readsAll)
      return header;
    skipScanData();
  }
  if (header.scans == 0)
    fail("expected a scan before the end of the image, found none");
  return header;
}

JpegHeader tg::data::readJpegHeader(std::span<const std::byte> bytes,
                                    bool readsAll) {
  return JpegSegments(bytes).read(readsAll);
}
