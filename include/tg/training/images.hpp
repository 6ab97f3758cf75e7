/// Labelled images in memory, and readers for MNIST and CIFAR. Needs the
/// library tg::Data, whose data sets (data/labelled_images.hpp) have the same
/// images without reading all of them.
#ifndef TG_TRAINING_IMAGES_HPP
#define TG_TRAINING_IMAGES_HPP

#include "../data/labelled_images.hpp"
#include "batches.hpp"

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

/// Reads all examples of a data set of "image", f32 [height, width, channels],
/// and "label", i32 []. Throws data::DataError, as do the functions below.
inline LabelledImages readImages(const data::Dataset &data) {
  const std::vector<data::NamedFeature> arrays = data::readArrays(data);
  const std::vector<int64_t> &shape = arrays.at(0).array.shape();
  const auto pixels = arrays.at(0).array.values<float>();
  const auto labels = arrays.at(1).array.values<int32_t>();
  const auto extent = [&](size_t axis) {
    return static_cast<size_t>(shape.at(axis));
  };
  return {extent(1),
          extent(2),
          extent(3),
          {pixels.begin(), pixels.end()},
          {labels.begin(), labels.end()}};
}

/// Reads images [count, height, width] and their labels, which are below
/// `classes`, from the files of MNIST, plain or compressed.
inline LabelledImages readMnist(const std::string &imagePath,
                                const std::string &labelPath,
                                size_t classes = 10) {
  data::MnistOptions options;
  options.classes = classes;
  return readImages(data::openMnist(imagePath, labelPath, options));
}

/// Reads files of the binary version of CIFAR-10, such as data_batch_1.bin, as
/// images [count, 32, 32, 3].
inline LabelledImages readCifar10(std::span<const std::string> paths) {
  return readImages(data::openCifar10({paths.begin(), paths.end()}));
}

/// The choice between the two labels of CIFAR-100.
enum class CifarLabel { fine, coarse };

/// Reads files of the binary version of CIFAR-100, train.bin and test.bin, with
/// the 100 fine labels or the 20 coarse ones.
inline LabelledImages readCifar100(std::span<const std::string> paths,
                                   CifarLabel label = CifarLabel::fine) {
  data::CifarOptions options;
  options.isCoarse = label == CifarLabel::coarse;
  return readImages(data::openCifar100({paths.begin(), paths.end()}, options));
}

} // namespace tg

#endif // TG_TRAINING_IMAGES_HPP
