//===- Jpeg.cpp - decodes JPEG images -------------------------------------===//
#include "Codecs.h"
#include "JpegHeader.h"

#include <algorithm>
#include <turbojpeg.h>

using namespace tg::data;

/// The maximum number of times that the maximum size of an image is decoded:
/// each scan takes time for the whole image, even if it has hardly any bytes.
static constexpr uint64_t maxWork = 16;

bool tg::data::isJpeg(std::span<const std::byte> bytes) {
  constexpr std::byte start[] = {std::byte(0xff), std::byte(0xd8),
                                 std::byte(0xff)};
  return bytes.size() >= 3 &&
         std::equal(std::begin(start), std::end(start), bytes.begin());
}

ImageShape tg::data::jpegShape(std::span<const std::byte> bytes) {
  return readJpegHeader(bytes, /*readsAll=*/false).shape;
}

/// Throws DataError if an image takes more memory or time than the options
/// permit.
static void expectBounded(const JpegHeader &header, uint64_t maxBytes) {
  expectFits(header.shape, maxBytes, header.needsCoefficients() ? 3 : 1);
  const auto work =
      static_cast<unsigned __int128>(header.shape.height * header.shape.width) *
      header.shape.channels * header.scans;
  if (work > static_cast<unsigned __int128>(maxBytes) * maxWork)
    throw DataError("expected a JPEG image that needs less work, found " +
                    std::to_string(header.scans) + " scans of " +
                    std::to_string(header.shape.height) + " rows of " +
                    std::to_string(header.shape.width) + " pixels");
}

Feature tg::data::decodeJpeg(std::span<const std::byte> bytes,
                             const DecodeOptions &options) {
  if (!isJpeg(bytes))
    throw DataError("expected a JPEG image, found " +
                    std::to_string(bytes.size()) +
                    " bytes that do not begin with ff d8 ff");
  const JpegHeader header = readJpegHeader(bytes, /*readsAll=*/true);
  expectBounded(header, options.maxBytes);
  const auto &[height, width, channels, bits] = header.shape;
  Feature image(u8Type, {height, width, channels});

  const std::unique_ptr<void, int (*)(void *)> decoder(tjInitDecompress(),
                                                       tjDestroy);
  if (!decoder)
    throw std::bad_alloc();
  if (tjDecompress2(
          decoder.get(), reinterpret_cast<const unsigned char *>(bytes.data()),
          bytes.size(), image.values<uint8_t>().data(), static_cast<int>(width),
          static_cast<int>(width * channels), static_cast<int>(height),
          channels == 1 ? TJPF_GRAY : TJPF_RGB,
          TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS))
    throw DataError("cannot decode a JPEG image of " +
                    std::to_string(bytes.size()) +
                    " bytes: " + tjGetErrorStr2(decoder.get()));
  return image;
}
