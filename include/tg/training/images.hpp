/// Labelled images, and what their readers share.
#ifndef TG_TRAINING_IMAGES_HPP
#define TG_TRAINING_IMAGES_HPP

#include "batches.hpp"

#include <filesystem>
#include <fstream>

namespace tg {

/// Images [count, height, width, channels] of 0 to 1, and a label for each.
struct LabelledImages {
  size_t height = 0, width = 0, channels = 0;
  std::vector<float> pixels;
  std::vector<int32_t> labels;

  size_t size() const { return labels.size(); }
  size_t imageSize() const { return height * width * channels; }
  Rows<float> images() const { return {pixels, imageSize()}; }
};

/// A row of `classes` numbers for each label, 1 at its place and 0 elsewhere.
inline std::vector<float> makeOneHot(std::span<const int32_t> labels,
                                     size_t classes) {
  std::vector<float> rows(labels.size() * classes);
  for (size_t i = 0; i < labels.size(); ++i) {
    const int32_t label = labels[i];
    if (label < 0 || static_cast<size_t>(label) >= classes)
      throw std::invalid_argument("expected labels below " +
                                  std::to_string(classes) + ", found " +
                                  std::to_string(label));
    rows[i * classes + static_cast<size_t>(label)] = 1;
  }
  return rows;
}

namespace detail {

/// A file that is read from begin to end; its errors name it.
class DataFile {
public:
  explicit DataFile(const std::string &name) : path(name) {
    // A pipe would keep us waiting, and of a directory there is no size.
    std::error_code error;
    const std::filesystem::file_status status =
        std::filesystem::status(name, error);
    if (exists(status) && !is_regular_file(status))
      fail("is no regular file, expected one");
    stream.open(name, std::ios::binary);
    if (!stream.seekg(0, std::ios::end) || stream.tellg() < 0)
      fail("cannot be read");
    bytes = static_cast<uint64_t>(stream.tellg());
    stream.seekg(0);
  }

  uint64_t size() const { return bytes; }
  [[noreturn]] void fail(const std::string &what) const {
    throw std::runtime_error("'" + path + "' " + what);
  }
  /// The next `count` bytes, which the file is known to have.
  void read(uint8_t *target, size_t count) {
    if (!stream.read(reinterpret_cast<char *>(target),
                     static_cast<std::streamsize>(count)))
      fail("cannot be read");
  }
  /// The next byte read is the one at `offset`, which the file is known to
  /// have.
  void seek(uint64_t offset) {
    stream.seekg(static_cast<std::streamoff>(offset));
  }

private:
  std::string path;
  std::ifstream stream;
  uint64_t bytes = 0;
};

} // namespace detail
} // namespace tg

#endif // TG_TRAINING_IMAGES_HPP
