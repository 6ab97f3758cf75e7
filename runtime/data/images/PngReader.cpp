//===- PngReader.cpp - decodes PNG images ---------------------------------===//
#include "Codecs.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <png.h>

using namespace tg::data;

namespace {

/// A PNG image in memory. libpng jumps out of a read at its first fault, so
/// the functions that call it own nothing.
class PngReader {
public:
  explicit PngReader(std::span<const std::byte> bytes);
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader &) = delete;
  PngReader &operator=(const PngReader &) = delete;

  /// Reads what precedes the pixels. Throws DataError, as all functions.
  ImageShape readHeader();
  /// Reads the pixels and what follows them.
  void readPixels(Feature &image);

private:
  bool tryReadHeader(ImageShape &shape);
  /// Returns the palette and its alpha values, 4 bytes for each color.
  std::vector<uint8_t> readPalette() const;
  /// Replaces indices by colors.
  void expandPalette(std::span<const uint8_t> indices, Feature &image) const;
  void readRows(png_byte *pixels, size_t rowBytes, int64_t height);
  bool tryReadRows(png_byte *pixels, size_t rowBytes, int64_t height);
  /// Throws DataError with the first message of libpng.
  [[noreturn]] void fail() const;

  static void readBytes(png_structp png, png_bytep to, size_t count);
  static void onError(png_structp png, png_const_charp text);
  static void onWarning(png_structp png, png_const_charp text);
  void keep(const char *text);

  std::span<const std::byte> bytes;
  size_t offset = 0;
  char message[160] = "";
  int passes = 1;
  bool hasPalette = false;
  png_structp png = nullptr;
  png_infop info = nullptr;
};

} // namespace

PngReader::PngReader(std::span<const std::byte> bytes) : bytes(bytes) {
  png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
  if (png)
    info = png_create_info_struct(png);
  if (!info) {
    png_destroy_read_struct(&png, nullptr, nullptr);
    throw std::bad_alloc();
  }
}

void PngReader::keep(const char *text) {
  if (!message[0])
    std::snprintf(message, sizeof(message), "%s", text);
}

void PngReader::onError(png_structp png, png_const_charp text) {
  static_cast<PngReader *>(png_get_error_ptr(png))->keep(text);
  png_longjmp(png, 1);
}

void PngReader::onWarning(png_structp png, png_const_charp text) {
  static_cast<PngReader *>(png_get_error_ptr(png))->keep(text);
}

void PngReader::readBytes(png_structp png, png_bytep to, size_t count) {
  auto &reader = *static_cast<PngReader *>(png_get_io_ptr(png));
  if (count > reader.bytes.size() - reader.offset)
    png_error(png, "the image ends too early");
  std::memcpy(to, reader.bytes.data() + reader.offset, count);
  reader.offset += count;
}

void PngReader::fail() const {
  throw DataError("cannot decode a PNG image of " +
                  std::to_string(bytes.size()) + " bytes at byte " +
                  std::to_string(offset) + ": " + message);
}

bool PngReader::tryReadHeader(ImageShape &shape) {
  if (setjmp(png_jmpbuf(png)))
    return false;
  png_set_read_fn(png, this, readBytes);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_benign_errors(png, 0);
  // Ignore all chunks that do not change the pixels.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(png, info);
  // libpng gives indices beyond the palette a color of its own.
  hasPalette = png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE;
  const bool isOpaque = !png_get_valid(png, info, PNG_INFO_tRNS);
  if (hasPalette)
    png_set_packing(png);
  else
    png_set_expand(png);
  if constexpr (std::endian::native == std::endian::little)
    png_set_swap(png);
  passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  shape = {png_get_image_height(png, info), png_get_image_width(png, info),
           hasPalette ? 4 - isOpaque : png_get_channels(png, info),
           png_get_bit_depth(png, info)};
  return true;
}

ImageShape PngReader::readHeader() {
  ImageShape shape;
  if (!tryReadHeader(shape) || message[0])
    fail();
  return shape;
}

bool PngReader::tryReadRows(png_byte *pixels, size_t rowBytes, int64_t height) {
  if (setjmp(png_jmpbuf(png)))
    return false;
  for (int pass = 0; pass < passes; ++pass)
    for (int64_t row = 0; row < height; ++row)
      png_read_row(png, pixels + rowBytes * row, nullptr);
  png_read_end(png, nullptr);
  return true;
}

void PngReader::readRows(png_byte *pixels, size_t rowBytes, int64_t height) {
  if (!tryReadRows(pixels, rowBytes, height) || message[0])
    fail();
}

std::vector<uint8_t> PngReader::readPalette() const {
  png_colorp colors = nullptr;
  png_bytep alpha = nullptr;
  int count = 0, alphaCount = 0;
  png_get_PLTE(png, info, &colors, &count);
  png_get_tRNS(png, info, &alpha, &alphaCount, nullptr);
  std::vector<uint8_t> palette;
  for (int i = 0; i < count; ++i)
    palette.insert(palette.end(),
                   {colors[i].red, colors[i].green, colors[i].blue,
                    i < alphaCount ? alpha[i] : uint8_t(255)});
  return palette;
}

void PngReader::expandPalette(std::span<const uint8_t> indices,
                              Feature &image) const {
  const std::vector<uint8_t> palette = readPalette();
  const auto channels = static_cast<size_t>(image.shape()[2]);
  uint8_t *to = image.values<uint8_t>().data();
  for (const uint8_t index : indices) {
    if (index >= palette.size() / 4)
      throw DataError("expected a PNG image with a color for each index, found "
                      "index " +
                      std::to_string(index) + " and a palette of " +
                      std::to_string(palette.size() / 4) + " colors");
    to = std::copy_n(palette.data() + 4 * size_t(index), channels, to);
  }
}

void PngReader::readPixels(Feature &image) {
  const int64_t height = image.shape()[0], width = image.shape()[1];
  if (!hasPalette) {
    readRows(reinterpret_cast<png_byte *>(image.data()),
             image.byteCount() / height, height);
    return;
  }
  std::vector<uint8_t> indices(height * width);
  readRows(indices.data(), width, height);
  expandPalette(indices, image);
}

bool tg::data::isPng(std::span<const std::byte> bytes) {
  return bytes.size() >= 8 &&
         !png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8);
}

ImageShape tg::data::pngShape(std::span<const std::byte> bytes) {
  return PngReader(bytes).readHeader();
}

Feature tg::data::decodePng(std::span<const std::byte> bytes,
                            const DecodeOptions &options) {
  PngReader reader(bytes);
  const ImageShape shape = reader.readHeader();
  expectFits(shape, maxBytesOf(bytes, options));
  Feature image(shape.bits == 16 ? u16Type : u8Type,
                {shape.height, shape.width, shape.channels});
  reader.readPixels(image);
  return image;
}
