/// Images of shapes, and their files.
#ifndef TG_EXAMPLES_IMAGES_DRAWING_H
#define TG_EXAMPLES_IMAGES_DRAWING_H

#include <tg/data/images.hpp>
#include <tg/data/random.hpp>
#include <tg/data/tar.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <jpeglib.h> // needs cstdio

namespace images {

/// A place and an extent in pixels.
struct Place {
  double row, column, radius;
};

/// Returns true if a point is inside of a shape: a disc, a ring, a square or a
/// cross.
inline bool isInside(int shape, const Place &place, double row, double column) {
  const double r = std::abs(row - place.row) / place.radius;
  const double c = std::abs(column - place.column) / place.radius;
  const double distance = std::hypot(r, c), most = std::max(r, c);
  switch (shape) {
  case 0:
    return distance < 1;
  case 1:
    return distance < 1 && distance > 0.6;
  case 2:
    return most < 0.9;
  default:
    return most < 1 && std::min(r, c) < 0.3;
  }
}

/// Draws a shape with a noisy background, as an image of 40 to 56 rows and
/// columns.
inline tg::data::Feature draw(int shape, tg::data::Random &random) {
  const auto height = static_cast<int64_t>(40 + random.below(17));
  const auto width = static_cast<int64_t>(40 + random.below(17));
  const double radius = random.uniform(8, 12);
  const Place place = {
      random.uniform(radius + 6, static_cast<double>(height) - radius - 6),
      random.uniform(radius + 6, static_cast<double>(width) - radius - 6),
      radius};
  std::array<double, 3> back, front;
  for (size_t i = 0; i < 3; ++i) {
    back[i] = random.uniform(20, 120);
    front[i] = back[i] + random.uniform(60, 110);
  }
  tg::data::Feature image({TG_DTYPE_UINT, 8, 1}, {height, width, 3});
  uint8_t *next = image.values<uint8_t>().data();
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column) {
      const auto &color =
          isInside(shape, place, double(row), double(column)) ? front : back;
      for (double channel : color)
        *next++ = static_cast<uint8_t>(channel + random.uniform(-15, 15));
    }
  return image;
}

/// Encodes an image [height, width, 3] as JPEG.
inline std::vector<std::byte> encodeJpeg(tg::data::Feature image) {
  jpeg_compress_struct codec = {};
  jpeg_error_mgr errors;
  codec.err = jpeg_std_error(&errors); // memory is all that can fail
  jpeg_create_compress(&codec);
  unsigned char *bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &bytes, &size);
  codec.image_height = static_cast<JDIMENSION>(image.shape()[0]);
  codec.image_width = static_cast<JDIMENSION>(image.shape()[1]);
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, 90, TRUE);
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < codec.image_height) {
    JSAMPROW row = image.values<uint8_t>().data() +
                   size_t(codec.next_scanline) * codec.image_width * 3;
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  const auto *first = reinterpret_cast<const std::byte *>(bytes);
  std::vector<std::byte> encoded(first, first + size);
  jpeg_destroy_compress(&codec);
  std::free(bytes);
  return encoded;
}

/// Writes an archive of images and their classes: 00001.jpg and 00001.label.
inline void writeArchive(const std::string &path, uint64_t count,
                         uint64_t seed) {
  tg::data::TarWriter archive(path);
  for (uint64_t i = 0; i < count; ++i) {
    tg::data::Random random(seed, 0, i, 0);
    const auto shape = static_cast<int>(random.below(4));
    char name[32];
    std::snprintf(name, sizeof(name), "%05d", static_cast<int>(i));
    archive.write(name + std::string(".jpg"), encodeJpeg(draw(shape, random)));
    const std::string label = std::to_string(shape);
    archive.write(name + std::string(".label"),
                  std::as_bytes(std::span(label)));
  }
  archive.close();
}

} // namespace images

#endif // TG_EXAMPLES_IMAGES_DRAWING_H
