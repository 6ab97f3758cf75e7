/// Labelled images, and shared parts of their readers.
#ifndef TG_TRAINING_IMAGES_HPP
#define TG_TRAINING_IMAGES_HPP

#include "batches.hpp"

#include <filesystem>
#include <fstream>

namespace tg {

/// Images [count, height, width, channels] with values in [0, 1], and their
/// labels.
struct LabelledImages {
  size_t height = 0, width = 0, channels = 0;
  std::vector<float> pixels;
  std::vector<int32_t> labels;

  size_t size() const { return labels.size(); }
  size_t imageSize() const { return height * width * channels; }
  Rows<float> images() const { return {pixels, imageSize()}; }
};

/// Returns a one-hot row of `classes` numbers per label. Throws
/// std::invalid_argument for a label outside [0, classes).
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

/// A file that is read sequentially. Error messages contain its name.
class DataFile {
public:
  explicit DataFile(const std::string &name) : path(name) {
    // Opening a pipe could block, and a directory has no size.
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
  /// Reads the next `count` bytes, which must exist.
  void read(uint8_t *target, size_t count) {
    if (!stream.read(reinterpret_cast<char *>(target),
                     static_cast<std::streamsize>(count)))
      fail("cannot be read");
  }
  /// Moves the read position to `offset`, which must be inside the file.
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
