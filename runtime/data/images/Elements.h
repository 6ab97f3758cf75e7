//===- Elements.h - elements of images that are changed -------------------===//
#ifndef TG_RUNTIME_DATA_IMAGES_ELEMENTS_H
#define TG_RUNTIME_DATA_IMAGES_ELEMENTS_H

#include "Pixels.h"

#include <bit>

namespace tg::data {

/// Calls a function with a value of the element type of an image, f32 or u8.
/// Throws DataError for other features.
template <typename Function>
auto visitImage(const Feature &image, Function function) {
  if (image.shape().size() == 3) {
    if (isType(image, f32Type))
      return function(float());
    if (isType(image, u8Type))
      return function(uint8_t());
  }
  throw DataError("expected an image f32 or ui8 [height, width, channels], "
                  "found " +
                  textOf(image));
}

/// Converts a result to the type of an element. A number from 0 to 255 becomes
/// the nearest integer, ties to even.
template <typename T> T rounded(float value);
template <> inline float rounded<float>(float value) { return value; }
template <> inline uint8_t rounded<uint8_t>(float value) {
  // The sum has units of 1 in its last place.
  return static_cast<uint8_t>(std::bit_cast<uint32_t>(value + 0x1p23f));
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_IMAGES_ELEMENTS_H
