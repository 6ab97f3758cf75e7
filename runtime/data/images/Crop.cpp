//===- Crop.cpp - parts of images, and mirror images ----------------------===//
#include "Elements.h"
#include "Windows.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tg::data;

std::string tg::data::textOf(const ImageWindow &window) {
  return std::to_string(window.height) + " x " + std::to_string(window.width) +
         " pixels at row " + std::to_string(window.top) + ", column " +
         std::to_string(window.left);
}

void tg::data::expectInside(const ImageShape &shape,
                            const ImageWindow &window) {
  const auto &[height, width, channels, bits] = shape;
  if (window.top < 0 || window.left < 0 || window.height < 0 ||
      window.width < 0 || window.height > height || window.width > width ||
      window.top > height - window.height || window.left > width - window.width)
    throw DataError("expected a window in an image of " +
                    std::to_string(height) + " x " + std::to_string(width) +
                    " pixels, found " + textOf(window));
}

Feature tg::data::cropPadded(const Feature &image, const ImageWindow &window) {
  const auto &[height, width, channels, bits] = shapeOf(image);
  const size_t pixelBytes = channels * bits / 8;
  const size_t rowBytes = window.width * pixelBytes;
  Feature made(image.dtype(), {window.height, window.width, channels});
  // The columns of the window that lie in the image.
  const int64_t begin = std::clamp<int64_t>(-window.left, 0, window.width);
  const int64_t end = std::clamp(width - window.left, begin, window.width);
  std::byte *to = made.data();
  for (int64_t row = 0; row < window.height; ++row, to += rowBytes) {
    const int64_t source = window.top + row;
    if (source < 0 || source >= height || begin == end) {
      std::memset(to, 0, rowBytes);
      continue;
    }
    std::memset(to, 0, begin * pixelBytes);
    std::memcpy(to + begin * pixelBytes,
                image.data() +
                    (source * width + window.left + begin) * pixelBytes,
                (end - begin) * pixelBytes);
    std::memset(to + end * pixelBytes, 0, (window.width - end) * pixelBytes);
  }
  return made;
}

Feature tg::data::crop(const Feature &image, const ImageWindow &window) {
  return visitImage(image, [&](auto) {
    expectInside(shapeOf(image), window);
    return cropPadded(image, window);
  });
}

Feature tg::data::centerCrop(const Feature &image, ImageSize size) {
  const ImageShape shape = shapeOf(image);
  expectInside(shape, {0, 0, size.height, size.width});
  return crop(image, {(shape.height - size.height) / 2,
                      (shape.width - size.width) / 2, size.height, size.width});
}

/// Reverses the pixels of a row. Whole words are copied: each copy but the last
/// writes elements of the next pixel, too.
template <size_t pixelBytes>
static void reverseRow(const std::byte *from, std::byte *to, int64_t width) {
  constexpr size_t wordBytes = std::bit_ceil(pixelBytes);
  const std::byte *pixel = from + pixelBytes * width;
  for (int64_t column = 0; column < width; ++column, to += pixelBytes) {
    pixel -= pixelBytes;
    // The first pixel that is read and the last one that is written end the
    // row.
    const bool isInner = column > 0 && column + 1 < width;
    if (isInner)
      std::memcpy(to, pixel, wordBytes);
    else
      std::memcpy(to, pixel, pixelBytes);
  }
}

Feature tg::data::flipHorizontally(const Feature &image) {
  return visitImage(image, [&](auto) {
    Feature made(image.dtype(), image.shape());
    const auto &[height, width, channels, bits] = shapeOf(image);
    const size_t pixelBytes = channels * bits / 8;
    const size_t rowBytes = width * pixelBytes;
    for (int64_t row = 0; row < height; ++row) {
      const std::byte *from = image.data() + row * rowBytes;
      std::byte *to = made.data() + row * rowBytes;
      if (pixelBytes == 1)
        reverseRow<1>(from, to, width);
      else if (pixelBytes == 3)
        reverseRow<3>(from, to, width);
      else if (pixelBytes == 4)
        reverseRow<4>(from, to, width);
      else if (pixelBytes == 12)
        reverseRow<12>(from, to, width);
      else
        for (int64_t column = 0; column < width; ++column)
          std::memcpy(to + column * pixelBytes,
                      from + (width - 1 - column) * pixelBytes, pixelBytes);
    }
    return made;
  });
}

Feature tg::data::flipVertically(const Feature &image) {
  return visitImage(image, [&](auto) {
    Feature made(image.dtype(), image.shape());
    const ImageShape shape = shapeOf(image);
    const size_t rowBytes = shape.width * shape.channels * shape.bits / 8;
    for (int64_t row = 0; row < shape.height; ++row)
      std::memcpy(made.data() + row * rowBytes,
                  image.data() + (shape.height - 1 - row) * rowBytes, rowBytes);
    return made;
  });
}
