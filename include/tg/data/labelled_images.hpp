/// MNIST and CIFAR as data sets for training.
#ifndef TG_DATA_LABELLED_IMAGES_HPP
#define TG_DATA_LABELLED_IMAGES_HPP

#include "arrays.hpp"
#include "whitening.hpp"

namespace tg::data {

struct LabelledImageOptions {
  /// Images have shape [pixels] instead of [height, width, channels].
  bool isFlat = false;
  /// Labels are one-hot rows, f32 [classes], instead of i32 [].
  bool isOneHot = false;
};

struct MnistOptions : LabelledImageOptions {
  /// Pixels above 1/2 become 1, and others 0.
  bool isBinary = false;
  uint64_t classes = 10;
};

struct CifarOptions : LabelledImageOptions {
  /// Subtracts the mean of each image, and divides it by its norm, times 55.
  bool normalizesContrast = false;
  /// Whitens each image with this map, after the contrast.
  std::shared_ptr<const Whitening> whitening = {};
  /// Takes the 20 coarse labels of CIFAR-100.
  bool isCoarse = false;
};

/// Opens images and their labels, the IDX files of MNIST, plain or compressed.
/// The features are "image", f32 between 0 and 1, and "label". Throws
/// DataError, as do the functions below. A label that is not less than the
/// number of classes is refused when it is read.
Dataset openMnist(const std::string &images, const std::string &labels,
                  const MnistOptions &options = {});
/// Opens files of the binary version of CIFAR-10 or CIFAR-100, one after the
/// other. The features are "image", f32 [32, 32, 3] between 0 and 1 before the
/// contrast, and "label".
Dataset openCifar10(const std::vector<std::string> &paths,
                    const CifarOptions &options = {});
Dataset openCifar100(const std::vector<std::string> &paths,
                     const CifarOptions &options = {});

/// Loads a whitening from a .npz file, or fits it to a feature of a data set
/// and saves it there.
Whitening cachedWhitening(const std::string &path, const Dataset &data,
                          const std::string &feature = "image",
                          double bias = 0.1);

} // namespace tg::data

#endif // TG_DATA_LABELLED_IMAGES_HPP
