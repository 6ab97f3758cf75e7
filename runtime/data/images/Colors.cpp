//===- Colors.cpp - normalizes images and shifts their channels -----------===//
#include "Elements.h"

#include "tg/data/augment.hpp"

#include <algorithm>
#include <cmath>

using namespace tg::data;

/// The number of pixels that one run of a vectorized loop computes.
static constexpr int64_t blockPixels = 64;

/// Returns the value of each channel for the elements of a block of pixels.
/// Throws DataError if there is neither one value nor one for each channel.
static std::vector<float> repeated(std::span<const float> values,
                                   int64_t channels, const char *name) {
  if (values.size() != 1 && values.size() != static_cast<size_t>(channels))
    throw DataError("expected 1 or " + std::to_string(channels) + " " + name +
                    ", found " + std::to_string(values.size()));
  std::vector<float> block(blockPixels * channels);
  for (size_t i = 0; i < block.size(); ++i)
    block[i] = values[values.size() == 1 ? 0 : i % channels];
  return block;
}

/// Calls a function with ranges [begin, end) of elements, which begin at a
/// multiple of a block.
template <typename Function>
static void visitBlocks(size_t size, size_t block, Function function) {
  for (size_t begin = 0; begin < size; begin += block)
    function(begin, std::min(begin + block, size));
}

template <typename T>
static Feature normalized(const Feature &image, const std::vector<float> &means,
                          const std::vector<float> &deviations) {
  Feature made(f32Type, image.shape());
  const T *from = image.values<T>().data();
  float *to = made.values<float>().data();
  const float unit = std::is_same_v<T, float> ? 1 : 255;
  visitBlocks(image.size(), means.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      auto value = static_cast<float>(from[i]);
      if constexpr (!std::is_same_v<T, float>)
        value /= unit;
      to[i] = (value - means[i - begin]) / deviations[i - begin];
    }
  });
  return made;
}

Feature tg::data::normalize(const Feature &image, std::span<const float> mean,
                            std::span<const float> deviation) {
  return visitImage(image, [&](auto zero) {
    const int64_t channels = image.shape()[2];
    for (float value : deviation)
      if (!(value > 0))
        throw DataError("expected deviations above 0, found " +
                        std::to_string(value));
    return normalized<decltype(zero)>(
        image, repeated(mean, channels, "means"),
        repeated(deviation, channels, "deviations"));
  });
}

Feature tg::data::channelShift(const Feature &image,
                               std::span<const float> shifts) {
  return visitImage(image, [&](auto zero) {
    using T = decltype(zero);
    Feature made(image.dtype(), image.shape());
    const auto from = image.values<T>();
    T *to = made.values<T>().data();
    const std::vector<float> block =
        repeated(shifts, image.shape()[2], "shifts of channels");
    if (from.empty())
      return made;
    const auto [least, greatest] =
        std::minmax_element(from.begin(), from.end());
    const auto low = static_cast<float>(*least);
    const auto high = static_cast<float>(*greatest);
    visitBlocks(from.size(), block.size(), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const float sum = static_cast<float>(from[i]) + block[i - begin];
        to[i] = rounded<T>(std::min(std::max(sum, low), high));
      }
    });
    return made;
  });
}

template <typename T>
static Feature contrastNormalized(const Feature &image,
                                  const ContrastOptions &options) {
  Feature made(f32Type, image.shape());
  const auto from = image.values<T>();
  float *to = made.values<float>().data();
  double sum = 0, squares = 0;
  for (T value : from)
    sum += static_cast<double>(value);
  const double mean = from.empty() ? 0 : sum / static_cast<double>(from.size());
  for (T value : from)
    squares += (static_cast<double>(value) - mean) *
               (static_cast<double>(value) - mean);
  const double norm = std::sqrt(squares) / options.scale;
  const double divisor = norm < options.minDivisor ? 1 : norm;
  for (T value : from)
    *to++ = static_cast<float>((static_cast<double>(value) - mean) / divisor);
  return made;
}

Feature tg::data::globalContrastNormalize(const Feature &image,
                                          const ContrastOptions &options) {
  if (!(options.scale > 0 && options.minDivisor >= 0))
    throw DataError("expected a scale above 0 and a divisor of at least 0, "
                    "found " +
                    std::to_string(options.scale) + " and " +
                    std::to_string(options.minDivisor));
  if (isType(image, f32Type))
    return contrastNormalized<float>(image, options);
  if (isType(image, u8Type))
    return contrastNormalized<uint8_t>(image, options);
  throw DataError("expected elements f32 or ui8, found " + textOf(image));
}
