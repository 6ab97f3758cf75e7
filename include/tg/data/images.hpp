/// PNG and JPEG images: decoders, the shape of an image, and a PNG encoder.
#ifndef TG_DATA_IMAGES_HPP
#define TG_DATA_IMAGES_HPP

#include "feature.hpp"

#include <optional>

namespace tg::data {

/// The extents of an image as it is decoded.
struct ImageShape {
  int64_t height = 0, width = 0;
  /// 1 for grey, 2 for grey and alpha, 3 for RGB, 4 for RGB and alpha.
  int64_t channels = 0;
  /// The bits of an element: 8 or 16.
  int64_t bits = 8;

  bool operator==(const ImageShape &) const = default;
};

struct DecodeOptions {
  /// The maximum size of the decoded image in bytes, which is checked before
  /// any of it is allocated. A JPEG image of several scans, such as a
  /// progressive one, needs three times its size. Without it, images of 64 MiB
  /// are decoded, and larger ones up to 256 MiB if their size is at most 64
  /// times that of the file.
  std::optional<uint64_t> maxBytes = {};
};

/// Returns the shape of a PNG or JPEG image, of which it reads the header
/// alone. Throws DataError.
ImageShape imageShape(std::span<const std::byte> bytes);

/// Decodes an image, whose format follows from its first bytes.
Feature decodeImage(std::span<const std::byte> bytes,
                    const DecodeOptions &options = {});

/// Decodes a PNG image to elements u8 or u16 of shape [height, width,
/// channels].
///
/// The elements are those of the file. Palettes become RGB, transparent colors
/// become an alpha channel, and 1, 2 or 4 bits are scaled to 0 to 255. Gamma,
/// color profiles and all other chunks are ignored. Throws DataError for an
/// image that is cut short, has a wrong checksum, not as much data as its size
/// requires, more than 10^6 rows or columns, or any other fault.
Feature decodePng(std::span<const std::byte> bytes,
                  const DecodeOptions &options = {});

/// Decodes a JPEG image of 8 bits to elements u8 of shape [height, width, 1 or
/// 3], grey or RGB, as libjpeg-turbo does by default.
///
/// Orientation and color profiles are ignored. Throws DataError for CMYK, and
/// for an image that is cut short or gives a warning of libjpeg-turbo.
Feature decodeJpeg(std::span<const std::byte> bytes,
                   const DecodeOptions &options = {});

/// Returns an image of u8 or u16 as f32 between 0 and 1: the quotient of each
/// element and 255 or 65535. Returns elements f32 as they are.
Feature toFloat(const Feature &image);

/// Returns an image with 1 to 4 channels, as ImageShape says, of u8, u16 or f32
/// with other ones: grey is repeated for RGB, alpha is left out, and a new
/// alpha channel is opaque (255, 65535 or 1). Throws DataError for other
/// features and for grey from RGB.
Feature withChannels(const Feature &image, int64_t channels);

/// Encodes an image of u8 or u16 and shape [height, width, 1 to 4] as PNG.
/// Equal images give equal bytes with the same version of zlib. Throws
/// DataError for another type or shape.
std::vector<std::byte> encodePng(const Feature &image);

} // namespace tg::data

#endif // TG_DATA_IMAGES_HPP
