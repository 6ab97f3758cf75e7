//===- Channels.cpp - images with other channels --------------------------===//
#include "Pixels.h"

#include <algorithm>

using namespace tg::data;

template <typename T>
static Feature convert(const Feature &image, int64_t channels, T opaque) {
  const int64_t stored = image.shape()[2];
  const bool hasAlpha = stored % 2 == 0, isGrey = stored <= 2;
  Feature made(image.dtype(), {image.shape()[0], image.shape()[1], channels});
  const int64_t colors = channels - (channels % 2 == 0);
  T *to = made.values<T>().data();
  const std::span<const T> elements = image.values<T>();
  for (auto pixel = elements.begin(); pixel != elements.end();
       pixel += stored) {
    for (int64_t color = 0; color < colors; ++color)
      *to++ = pixel[isGrey ? 0 : color];
    if (colors != channels)
      *to++ = hasAlpha ? pixel[stored - 1] : opaque;
  }
  return made;
}

Feature tg::data::withChannels(const Feature &image, int64_t channels) {
  const int64_t stored = shapeOf(image).channels;
  if (stored < 1 || stored > 4 || channels < 1 || channels > 4 ||
      (stored > 2 && channels <= 2))
    throw DataError("expected grey or RGB from grey, or RGB from RGB, found " +
                    std::to_string(channels) + " channels from " +
                    textOf(image));
  if (channels == stored)
    return image;
  if (isType(image, u8Type))
    return convert<uint8_t>(image, channels, 255);
  if (isType(image, u16Type))
    return convert<uint16_t>(image, channels, 65535);
  if (isType(image, f32Type))
    return convert<float>(image, channels, 1);
  throw DataError("expected elements f32, ui8 or ui16, found " + textOf(image));
}
