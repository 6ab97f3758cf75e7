/// Directories of images, one for each class.
#ifndef TG_DATA_IMAGE_DIRECTORY_HPP
#define TG_DATA_IMAGE_DIRECTORY_HPP

#include "dataset.hpp"

namespace tg::data {

/// Returns the names of the classes of a directory: its directories, in the
/// order of the bytes of their names. Throws DataError.
std::vector<std::string> imageClasses(const std::string &path);

/// Opens the images DIRECTORY/CLASS/FILE of all classes, in the order of the
/// bytes of their paths. Files end with .png, .jpg or .jpeg, in small or
/// capital letters; others are skipped. The features are "image", f32 [height,
/// width, channels] between 0 and 1, and "label", i32 [], the number of the
/// class. An extent of `shape` that is FeatureType::anyExtent may differ
/// between images; others are checked. Throws DataError.
Dataset openImageDirectory(const std::string &path,
                           std::vector<int64_t> shape = {-1, -1, -1});

} // namespace tg::data

#endif // TG_DATA_IMAGE_DIRECTORY_HPP
