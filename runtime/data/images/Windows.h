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

/// Returns the same image as resizedCrop(toFloat(image), window, size), without
/// a copy of the image of ui8 as f32.
Feature resizedFloats(const Feature &image, const ImageWindow &window,
                      ImageSize size, Interpolation interpolation);

/// Returns the same image as randomResizedCrop(toFloat(decodeImage(bytes))), in
/// the time of decodeCrop().
Feature decodeRandomResizedFloats(std::span<const std::byte> bytes,
                                  const RandomResizedCropOptions &options,
                                  Random &random);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_IMAGES_WINDOWS_H
