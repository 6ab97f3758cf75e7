/// Pictures as PNG files.
#ifndef TG_EXAMPLES_SEGMENTATION_PNG_H
#define TG_EXAMPLES_SEGMENTATION_PNG_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <png.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace segmentation {

/// A picture of red, green and blue pixels.
class Picture {
public:
  Picture(size_t columns, size_t rows)
      : width(columns), bytes(columns * rows * 3, 255) {}

  /// Sets a pixel to a colour, clamped to [0, 1].
  void set(size_t x, size_t y, const std::array<float, 3> &colour) {
    for (size_t channel = 0; channel < 3; ++channel)
      bytes[(y * width + x) * 3 + channel] = static_cast<uint8_t>(
          255 * std::clamp(colour[channel], 0.f, 1.f) + 0.5f);
  }

  /// Throws if the file cannot be written.
  void write(const std::string &path) const {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(bytes.size() / 3 / width);
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, path.c_str(), 0, bytes.data(), 0,
                                 nullptr))
      throw std::runtime_error("'" + path +
                               "' cannot be written: " + image.message);
  }

private:
  size_t width;
  std::vector<uint8_t> bytes;
};

} // namespace segmentation

#endif // TG_EXAMPLES_SEGMENTATION_PNG_H
