//===- Jpeg.cpp - decodes JPEG images -------------------------------------===//
#include "Codecs.h"
#include "JpegHeader.h"
#include "Windows.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <jpeglib.h>

using namespace tg::data;

/// The maximum number of times that the maximum size of an image is decoded:
/// each scan takes time for the whole image, even if it has hardly any bytes.
static constexpr uint64_t maxWork = 16;
static constexpr uint64_t maxScans = 500;

/// The number of columns that are decoded on each side of a window. Colors are
/// interpolated from those of the nearest two columns.
static constexpr int64_t marginColumns = 8;

namespace {

/// A JPEG image in memory. libjpeg jumps out of a read at its first fault or
/// warning, so the functions that call it own nothing.
class JpegReader {
public:
  JpegReader(std::span<const std::byte> bytes, const ImageShape &shape);
  ~JpegReader() { jpeg_destroy_decompress(&state); }
  JpegReader(const JpegReader &) = delete;
  JpegReader &operator=(const JpegReader &) = delete;

  /// Decodes the pixels of a window.
  Feature read(const ImageWindow &window);

private:
  bool tryStart();
  bool tryRead(const ImageWindow &window, JSAMPROW pixels, JSAMPROW row);
  /// Reads a row of the window, whose columns begin at `left` among those that
  /// are decoded.
  void readRow(JSAMPROW pixels, size_t rowBytes, JSAMPROW row, size_t left);
  [[noreturn]] void fail() const;

  static void onError(j_common_ptr state);
  static void onMessage(j_common_ptr state, int level);
  static void onOutput(j_common_ptr) {}

  std::span<const std::byte> bytes;
  ImageShape shape;
  jpeg_decompress_struct state = {};
  jpeg_error_mgr errors = {};
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX] = "";
};

} // namespace

JpegReader::JpegReader(std::span<const std::byte> bytes,
                       const ImageShape &shape)
    : bytes(bytes), shape(shape) {
  state.err = jpeg_std_error(&errors);
  state.client_data = this;
  errors.error_exit = onError;
  errors.emit_message = onMessage;
  errors.output_message = onOutput;
}

void JpegReader::onError(j_common_ptr state) {
  auto &reader = *static_cast<JpegReader *>(state->client_data);
  reader.errors.format_message(state, reader.message);
  std::longjmp(reader.jump, 1);
}

void JpegReader::onMessage(j_common_ptr state, int level) {
  if (level < 0)
    onError(state);
}

void JpegReader::fail() const {
  throw DataError("cannot decode a JPEG image of " +
                  std::to_string(bytes.size()) + " bytes: " + message);
}

bool JpegReader::tryStart() {
  if (setjmp(jump))
    return false;
  jpeg_create_decompress(&state);
  jpeg_mem_src(&state, reinterpret_cast<const unsigned char *>(bytes.data()),
               bytes.size());
  jpeg_read_header(&state, TRUE);
  state.out_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&state);
  return true;
}

void JpegReader::readRow(JSAMPROW pixels, size_t rowBytes, JSAMPROW row,
                         size_t left) {
  if (rowBytes == state.output_width * static_cast<size_t>(shape.channels)) {
    jpeg_read_scanlines(&state, &pixels, 1);
    return;
  }
  jpeg_read_scanlines(&state, &row, 1);
  std::memcpy(pixels, row + left, rowBytes);
}

bool JpegReader::tryRead(const ImageWindow &window, JSAMPROW pixels,
                         JSAMPROW row) {
  if (setjmp(jump))
    return false;
  auto first = static_cast<JDIMENSION>(
      std::max<int64_t>(window.left - marginColumns, 0));
  auto columns = static_cast<JDIMENSION>(
      std::min(window.left + window.width + marginColumns, shape.width) -
      first);
  if (columns < state.output_width)
    jpeg_crop_scanline(&state, &first, &columns);
  if (window.top > 0)
    jpeg_skip_scanlines(&state, static_cast<JDIMENSION>(window.top));
  const size_t rowBytes = window.width * shape.channels;
  for (int64_t i = 0; i < window.height; ++i)
    readRow(pixels + rowBytes * i, rowBytes, row,
            (window.left - first) * shape.channels);
  // Check the end of the image.
  if (window.top + window.height == shape.height)
    jpeg_finish_decompress(&state);
  return true;
}

Feature JpegReader::read(const ImageWindow &window) {
  Feature image(u8Type, {window.height, window.width, shape.channels});
  std::vector<uint8_t> row(shape.width * shape.channels);
  if (!tryStart())
    fail();
  if (state.output_height != shape.height || state.output_width != shape.width)
    throw DataError("expected a JPEG image of " + std::to_string(shape.height) +
                    " x " + std::to_string(shape.width) + " pixels, found " +
                    std::to_string(state.output_height) + " x " +
                    std::to_string(state.output_width));
  if (!tryRead(window, image.values<uint8_t>().data(), row.data()))
    fail();
  return image;
}

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
  if (header.scans > maxScans ||
      work > static_cast<unsigned __int128>(maxBytes) * maxWork)
    throw DataError("expected a JPEG image that needs less work, found " +
                    std::to_string(header.scans) + " scans of " +
                    std::to_string(header.shape.height) + " rows of " +
                    std::to_string(header.shape.width) + " pixels");
}

/// Reads the segments of an image, which may be decoded.
static JpegHeader readBounded(std::span<const std::byte> bytes,
                              const DecodeOptions &options) {
  if (!isJpeg(bytes))
    throw DataError("expected a JPEG image, found " +
                    std::to_string(bytes.size()) +
                    " bytes that do not begin with ff d8 ff");
  const JpegHeader header = readJpegHeader(bytes, /*readsAll=*/true);
  expectBounded(header, maxBytesOf(bytes, options));
  return header;
}

Feature tg::data::decodeJpeg(std::span<const std::byte> bytes,
                             const DecodeOptions &options) {
  const ImageShape shape = readBounded(bytes, options).shape;
  return JpegReader(bytes, shape).read({0, 0, shape.height, shape.width});
}

Feature tg::data::decodeCrop(std::span<const std::byte> bytes,
                             const ImageWindow &window,
                             const DecodeOptions &options) {
  if (!isJpeg(bytes))
    return crop(decodeImage(bytes, options), window);
  const ImageShape shape = readBounded(bytes, options).shape;
  expectInside(shape, window);
  if (window.height == 0 || window.width == 0)
    return {u8Type, {window.height, window.width, shape.channels}};
  return JpegReader(bytes, shape).read(window);
}
