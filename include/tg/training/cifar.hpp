/// Readers for the binary files of CIFAR-10 and CIFAR-100.
#ifndef TG_TRAINING_CIFAR_HPP
#define TG_TRAINING_CIFAR_HPP

#include "images.hpp"

namespace tg {

/// The choice between the two labels of CIFAR-100.
enum class CifarLabel { fine, coarse };

namespace detail {

/// Appends the records of a file. A record has `labels` bytes of labels, of
/// which `chosen` is used, and 3 planes of 32x32 pixels.
inline void readCifar(const std::string &path, size_t labels, size_t chosen,
                      size_t classes, LabelledImages &images) {
  constexpr size_t side = 32, plane = side * side, channels = 3;
  const size_t record = labels + channels * plane;
  DataFile file(path);
  if (!file.size() || file.size() % record)
    file.fail("has " + std::to_string(file.size()) +
              " bytes, expected whole records of " + std::to_string(record) +
              " bytes, as the binary version has them");
  images.height = images.width = side;
  images.channels = channels;
  std::vector<uint8_t> bytes(record);
  for (uint64_t index = 0; index < file.size() / record; ++index) {
    file.read(bytes.data(), record);
    if (bytes[chosen] >= classes)
      file.fail("has the label " + std::to_string(bytes[chosen]) +
                " in record " + std::to_string(index) +
                ", expected labels below " + std::to_string(classes));
    images.labels.push_back(bytes[chosen]);
    for (size_t pixel = 0; pixel < plane; ++pixel)
      for (size_t channel = 0; channel < channels; ++channel)
        images.pixels.push_back(
            static_cast<float>(bytes[labels + channel * plane + pixel]) / 255);
  }
}

} // namespace detail

/// Reads files of the binary version of CIFAR-10, such as data_batch_1.bin, as
/// images [count, 32, 32, 3]. Throws std::runtime_error for an invalid file.
inline LabelledImages readCifar10(std::span<const std::string> paths) {
  LabelledImages images;
  for (const std::string &path : paths)
    detail::readCifar(path, 1, 0, 10, images);
  return images;
}

/// Reads files of the binary version of CIFAR-100, train.bin and test.bin, with
/// the 100 fine labels or the 20 coarse ones. Throws std::runtime_error for an
/// invalid file.
inline LabelledImages readCifar100(std::span<const std::string> paths,
                                   CifarLabel label = CifarLabel::fine) {
  const bool isFine = label == CifarLabel::fine;
  LabelledImages images;
  for (const std::string &path : paths)
    detail::readCifar(path, 2, isFine, isFine ? 100 : 20, images);
  return images;
}

} // namespace tg

#endif // TG_TRAINING_CIFAR_HPP
