//===- Images.cpp - images of any format ----------------------------------===//
#include "Codecs.h"

#include <algorithm>

using namespace tg::data;

[[noreturn]] static void failFormat(std::span<const std::byte> bytes) {
  std::string start;
  for (std::byte byte : bytes.first(std::min<size_t>(bytes.size(), 4))) {
    constexpr const char *digits = "0123456789abcdef";
    const auto number = std::to_integer<unsigned>(byte);
    start += {' ', digits[number / 16], digits[number % 16]};
  }
  throw DataError("expected a PNG or JPEG image, found " +
                  std::to_string(bytes.size()) + " bytes" +
                  (start.empty() ? "" : " that begin with" + start));
}

uint64_t tg::data::maxBytesOf(std::span<const std::byte> bytes,
                              const DecodeOptions &options) {
  constexpr uint64_t least = uint64_t(64) << 20, most = uint64_t(256) << 20;
  return options.maxBytes.value_or(
      std::clamp<uint64_t>(64 * bytes.size(), least, most));
}

ImageShape tg::data::imageShape(std::span<const std::byte> bytes) {
  if (isPng(bytes))
    return pngShape(bytes);
  if (isJpeg(bytes))
    return jpegShape(bytes);
  failFormat(bytes);
}

Feature tg::data::decodeImage(std::span<const std::byte> bytes,
                              const DecodeOptions &options) {
  if (isPng(bytes))
    return decodePng(bytes, options);
  if (isJpeg(bytes))
    return decodeJpeg(bytes, options);
  failFormat(bytes);
}

template <typename T>
static Feature divided(const Feature &image, float divisor) {
  Feature made(f32Type, image.shape());
  const T *from = image.values<T>().data();
  float *to = made.values<float>().data();
  for (size_t i = 0, size = image.size(); i < size; ++i)
    to[i] = static_cast<float>(from[i]) / divisor;
  return made;
}

Feature tg::data::toFloat(const Feature &image) {
  if (isType(image, f32Type))
    return image;
  if (isType(image, u8Type))
    return divided<uint8_t>(image, 255);
  if (isType(image, u16Type))
    return divided<uint16_t>(image, 65535);
  throw DataError("expected elements f32, ui8 or ui16, found " + textOf(image));
}
