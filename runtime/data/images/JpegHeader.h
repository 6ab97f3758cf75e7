//===- JpegHeader.h - the segments of a JPEG image ------------------------===//
#ifndef TG_RUNTIME_DATA_IMAGES_JPEGHEADER_H
#define TG_RUNTIME_DATA_IMAGES_JPEGHEADER_H

#include "Pixels.h"

namespace tg::data {

/// The parts of a JPEG image that bound the memory and time to decode it.
struct JpegHeader {
  ImageShape shape;
  bool isProgressive = false;
  /// The number of scans, and of components of the first one.
  uint64_t scans = 0;
  int64_t scanComponents = 0;

  /// Returns true if the decoder keeps all coefficients in memory.
  bool needsCoefficients() const {
    return isProgressive || scanComponents < shape.channels;
  }
};

/// Reads the segments of a JPEG image: all of them, or those before the first
/// scan. Throws DataError if a segment is cut short, there is no scan or no end
/// of the image, or if the image has not 8 bits or has CMYK colors.
JpegHeader readJpegHeader(std::span<const std::byte> bytes, bool readsAll);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_IMAGES_JPEGHEADER_H
