/// Readers for IDX files, the format of MNIST and similar data sets.
#ifndef TG_TRAINING_IDX_HPP
#define TG_TRAINING_IDX_HPP

#include "images.hpp"

#include <cstdio>

namespace tg {

/// The contents of an IDX file of bytes.
struct IdxArray {
  std::vector<size_t> dims;
  std::vector<uint8_t> elements;
};

/// Reads an IDX file of unsigned bytes. Throws std::runtime_error if the file
/// is not in this format or if its size does not match its header. Allocates at
/// most the size of the file.
inline IdxArray readIdx(const std::string &path) {
  detail::DataFile file(path);
  uint8_t magic[4] = {};
  if (file.size() < sizeof(magic))
    file.fail("has " + std::to_string(file.size()) +
              " bytes, expected an IDX file, which has more");
  file.read(magic, sizeof(magic));
  constexpr uint8_t unsignedByte = 8;
  if (magic[0] || magic[1] || magic[2] != unsignedByte || !magic[3]) {
    char found[16];
    std::snprintf(found, sizeof(found), "%02x%02x%02x%02x", magic[0], magic[1],
                  magic[2], magic[3]);
    file.fail(std::string("begins with ") + found +
              ", expected 000008 and the number of dimensions, as IDX files of "
              "unsigned bytes do");
  }
  const uint64_t header = sizeof(magic) + 4 * uint64_t(magic[3]);
  if (file.size() < header)
    file.fail("has " + std::to_string(file.size()) +
              " bytes, expected a header of " + std::to_string(header));
  const uint64_t dataBytes = file.size() - header;
  IdxArray array;
  std::string shape;
  uint64_t count = 1;
  bool fits = true;
  for (unsigned dim = 0; dim < magic[3]; ++dim) {
    uint8_t bytes[4];
    file.read(bytes, sizeof(bytes));
    const uint64_t extent = uint64_t(bytes[0]) << 24 |
                            uint64_t(bytes[1]) << 16 | uint64_t(bytes[2]) << 8 |
                            bytes[3];
    array.dims.push_back(static_cast<size_t>(extent));
    shape += (dim ? ", " : "") + std::to_string(extent);
    // Once the product exceeds the size of the file, its value is irrelevant.
    fits = fits && (extent == 0 || count <= dataBytes / extent);
    count *= fits ? extent : 1;
  }
  if (!fits || count != dataBytes)
    file.fail("has " + std::to_string(dataBytes) +
              " bytes behind its header, expected the elements of [" + shape +
              "]");
  array.elements.resize(static_cast<size_t>(count));
  file.read(array.elements.data(), array.elements.size());
  return array;
}

/// Reads images [count, height, width] and their labels, which are below
/// `classes`, from the files of MNIST. Throws std::runtime_error for invalid
/// files.
inline LabelledImages readMnist(const std::string &imagePath,
                                const std::string &labelPath,
                                size_t classes = 10) {
  const auto fail = [](const std::string &path, const std::string &what) {
    throw std::runtime_error("'" + path + "' " + what);
  };
  const IdxArray images = readIdx(imagePath);
  const IdxArray labels = readIdx(labelPath);
  if (images.dims.size() != 3)
    fail(imagePath, "has " + std::to_string(images.dims.size()) +
                        " dimensions, expected the 3 of images");
  if (labels.dims.size() != 1)
    fail(labelPath, "has " + std::to_string(labels.dims.size()) +
                        " dimensions, expected the one of labels");
  if (labels.dims[0] != images.dims[0])
    fail(labelPath, "has " + std::to_string(labels.dims[0]) +
                        " labels, expected one for each of the " +
                        std::to_string(images.dims[0]) + " images of '" +
                        imagePath + "'");
  LabelledImages result{images.dims[1], images.dims[2], 1, {}, {}};
  result.pixels.reserve(images.elements.size());
  for (uint8_t pixel : images.elements)
    result.pixels.push_back(static_cast<float>(pixel) / 255);
  for (uint8_t label : labels.elements) {
    if (label >= classes)
      fail(labelPath, "has the label " + std::to_string(label) +
                          ", expected labels below " + std::to_string(classes));
    result.labels.push_back(label);
  }
  return result;
}

} // namespace tg

#endif // TG_TRAINING_IDX_HPP
