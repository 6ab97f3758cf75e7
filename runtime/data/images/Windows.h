//===- Windows.h - parts of images ----------------------------------------===//
#ifndef TG_RUNTIME_DATA_IMAGES_WINDOWS_H
#define TG_RUNTIME_DATA_IMAGES_WINDOWS_H

#include "Pixels.h"

#include "tg/data/augment.hpp"

namespace tg::data {

/// Returns a window for messages: "2 x 3 pixels at row 0, column 1".
std::string textOf(const ImageWindow &window);

/// Throws DataError if a window does not lie in an image.
void expectInside(const ImageShape &shape, const ImageWindow &window);

/// Returns the pixels of a window whose pixels outside of the image are 0.
/// Throws DataError if its extents are negative or the sums of its places
/// overflow.
Feature cropPadded(const Feature &image, const ImageWindow &window);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_IMAGES_WINDOWS_H
