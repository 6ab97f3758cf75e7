//===- PngWriter.cpp - encodes PNG images ---------------------------------===//
#include "Pixels.h"

#include <bit>
#include <cstdio>
#include <png.h>

using namespace tg::data;

namespace {

/// A PNG image that is written to memory. libpng jumps out of a write at its
/// first fault, so the functions that call it own nothing.
class PngWriter {
public:
  PngWriter();
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
  PngWriter(const PngWriter &) = delete;
  PngWriter &operator=(const PngWriter &) = delete;

  std::vector<std::byte> write(const Feature &image);

private:
  bool tryWrite(const ImageShape &shape, const std::byte *pixels,
                size_t rowBytes);
  static void writeBytes(png_structp png, png_bytep from, size_t count);
  static void onError(png_structp png, png_const_charp text);
  static void onWarning(png_structp, png_const_charp) {}

  std::vector<std::byte> bytes;
  char message[160] = "";
  png_structp png = nullptr;
  png_infop info = nullptr;
};

} // namespace

PngWriter::PngWriter() {
  png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
  if (png)
    info = png_create_info_struct(png);
  if (!info) {
    png_destroy_write_struct(&png, nullptr);
    throw std::bad_alloc();
  }
}

void PngWriter::onError(png_structp png, png_const_charp text) {
  auto &writer = *static_cast<PngWriter *>(png_get_error_ptr(png));
  std::snprintf(writer.message, sizeof(writer.message), "%s", text);
  png_longjmp(png, 1);
}

void PngWriter::writeBytes(png_structp png, png_bytep from, size_t count) {
  auto &bytes = static_cast<PngWriter *>(png_get_io_ptr(png))->bytes;
  bool isWritten = true;
  try {
    const auto *first = reinterpret_cast<const std::byte *>(from);
    bytes.insert(bytes.end(), first, first + count);
  } catch (const std::bad_alloc &) {
    isWritten = false;
  }
  if (!isWritten)
    png_error(png, "not enough memory");
}

bool PngWriter::tryWrite(const ImageShape &shape, const std::byte *pixels,
                         size_t rowBytes) {
  constexpr int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                            PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(png)))
    return false;
  png_set_write_fn(png, this, writeBytes, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(shape.width),
               static_cast<png_uint_32>(shape.height),
               static_cast<int>(shape.bits), colors[shape.channels - 1],
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 6);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
  png_write_info(png, info);
  if constexpr (std::endian::native == std::endian::little)
    png_set_swap(png);
  for (int64_t row = 0; row < shape.height; ++row)
    png_write_row(png,
                  reinterpret_cast<png_const_bytep>(pixels + rowBytes * row));
  png_write_end(png, nullptr);
  return true;
}

std::vector<std::byte> PngWriter::write(const Feature &image) {
  const ImageShape shape = shapeOf(image);
  if (!tryWrite(shape, image.data(), image.byteCount() / shape.height))
    throw DataError("cannot encode an image " + textOf(image) +
                    " as PNG: " + message);
  return std::move(bytes);
}

std::vector<std::byte> tg::data::encodePng(const Feature &image) {
  const ImageShape shape = shapeOf(image);
  const bool hasType = isType(image, u8Type) || isType(image, u16Type);
  constexpr int64_t limit = PNG_USER_WIDTH_MAX;
  if (!hasType || shape.height < 1 || shape.height > limit || shape.width < 1 ||
      shape.width > limit || shape.channels < 1 || shape.channels > 4)
    throw DataError("expected an image of ui8 or ui16 with 1 to 4 channels and "
                    "1 to " +
                    std::to_string(limit) + " rows and columns, found " +
                    textOf(image));
  return PngWriter().write(image);
}
