//===- Pixels.h - checked types and shapes of images ----------------------===//
#ifndef TG_RUNTIME_DATA_IMAGES_PIXELS_H
#define TG_RUNTIME_DATA_IMAGES_PIXELS_H

#include "tg/data/images.hpp"

#include <string>

namespace tg::data {

constexpr tg_dtype_t u8Type = {TG_DTYPE_UINT, 8, 1};
constexpr tg_dtype_t u16Type = {TG_DTYPE_UINT, 16, 1};
constexpr tg_dtype_t f32Type = {TG_DTYPE_FLOAT, 32, 1};

inline bool isType(const Feature &feature, tg_dtype_t dtype) {
  return feature.dtype().code == dtype.code &&
         feature.dtype().bits == dtype.bits && feature.dtype().lanes == 1;
}

/// Returns the type of a feature for messages: "ui8 [2, 2, 3]".
inline std::string textOf(const Feature &feature) {
  return FeatureType{"", feature.dtype(), feature.shape()}.text();
}

/// Returns the extents of an image with elements of any type. Throws DataError
/// if it has no three dimensions.
inline ImageShape shapeOf(const Feature &image) {
  if (image.shape().size() != 3)
    throw DataError("expected an image [height, width, channels], found " +
                    textOf(image));
  return {image.shape()[0], image.shape()[1], image.shape()[2],
          image.dtype().bits};
}

/// Throws DataError if an image of a shape needs more than `maxBytes` bytes,
/// each `copies` times.
inline void expectFits(const ImageShape &shape, uint64_t maxBytes,
                       uint64_t copies = 1) {
  // Extents are less than 2^31, and channels at most 4.
  const auto bytes = static_cast<unsigned __int128>(shape.height * shape.width);
  if (bytes * static_cast<uint64_t>(shape.channels * shape.bits / 8) * copies >
      maxBytes)
    throw DataError("expected an image of at most " +
                    std::to_string(maxBytes / copies) + " bytes, found " +
                    std::to_string(shape.height) + " rows of " +
                    std::to_string(shape.width) + " pixels of " +
                    std::to_string(shape.channels * shape.bits / 8) + " bytes");
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_IMAGES_PIXELS_H
