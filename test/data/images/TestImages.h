//===- TestImages.h - images in files of all kinds ------------------------===//
#ifndef TG_TEST_DATA_IMAGES_TESTIMAGES_H
#define TG_TEST_DATA_IMAGES_TESTIMAGES_H

#include "test/data/Errors.h"
#include "tg/data/images.hpp"

#include <csetjmp>
#include <cstring>
#include <gtest/gtest.h>
#include <png.h>
#include <turbojpeg.h>

using Bytes = std::vector<std::byte>;

/// A PNG image as a file stores it.
struct PngImage {
  int64_t height = 0, width = 0;
  int colorType = PNG_COLOR_TYPE_GRAY;
  int bits = 8;
  bool isInterlaced = false;
  /// The rows as stored: packed bits, 16 bits with the high byte first.
  std::vector<std::vector<uint8_t>> rows;
  std::vector<png_color> palette = {};
  /// The alpha values of the palette.
  std::vector<uint8_t> paletteAlpha = {};
  /// The transparent color.
  std::optional<png_color_16> transparent = {};
  double gamma = 0;

  Bytes encode() const;
};

inline Bytes PngImage::encode() const {
  Bytes bytes;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &bytes,
      [](png_structp png, png_bytep from, size_t count) {
        auto &bytes = *static_cast<Bytes *>(png_get_io_ptr(png));
        const auto *first = reinterpret_cast<std::byte *>(from);
        bytes.insert(bytes.end(), first, first + count);
      },
      nullptr);
  png_set_IHDR(png, info, width, height, bits, colorType,
               isInterlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!palette.empty())
    png_set_PLTE(png, info, palette.data(), palette.size());
  if (!paletteAlpha.empty() || transparent)
    png_set_tRNS(png, info, paletteAlpha.data(), paletteAlpha.size(),
                 transparent ? &*transparent : nullptr);
  if (gamma)
    png_set_gAMA(png, info, gamma);
  png_text text = {};
  text.compression = PNG_TEXT_COMPRESSION_zTXt;
  text.key = const_cast<char *>("Comment");
  text.text = const_cast<char *>("a picture");
  text.text_length = 9;
  png_set_text(png, info, &text, 1);
  png_write_info(png, info);
  std::vector<png_bytep> pointers;
  for (const std::vector<uint8_t> &row : rows)
    pointers.push_back(const_cast<png_bytep>(row.data()));
  png_write_image(png, pointers.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

/// Returns rows of bytes that follow from their place alone.
inline std::vector<std::vector<uint8_t>> patternRows(int64_t height,
                                                     size_t rowBytes) {
  std::vector<std::vector<uint8_t>> rows(height);
  for (int64_t row = 0; row < height; ++row)
    for (size_t i = 0; i < rowBytes; ++i)
      rows[row].push_back(static_cast<uint8_t>(row * 61 + i * 37 + row * i));
  return rows;
}

/// Encodes pixels of 1 or 3 channels as JPEG.
inline Bytes encodeJpeg(const std::vector<uint8_t> &pixels, int height,
                        int width, int format, int subsampling,
                        int quality = 90, int flags = 0) {
  tjhandle encoder = tjInitCompress();
  unsigned char *buffer = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(encoder, pixels.data(), width, 0, height, format,
                        &buffer, &size, subsampling, quality, flags),
            0);
  const auto *first = reinterpret_cast<std::byte *>(buffer);
  Bytes bytes(first, first + size);
  tjFree(buffer);
  tjDestroy(encoder);
  return bytes;
}

/// Returns a smooth picture with some texture.
inline std::vector<uint8_t> picture(int height, int width, int channels) {
  std::vector<uint8_t> pixels;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column)
      for (int channel = 0; channel < channels; ++channel)
        pixels.push_back(static_cast<uint8_t>(
            128 + 100 * ((row * 5 + column * 3) % 64 - 32) / 32 +
            (row * column + 40 * channel) % 23));
  return pixels;
}

template <typename T> std::vector<T> valuesOf(const tg::data::Feature &image) {
  auto values = image.values<T>();
  return {values.begin(), values.end()};
}

#endif // TG_TEST_DATA_IMAGES_TESTIMAGES_H
