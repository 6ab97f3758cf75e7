//===- Resize.cpp - images of other sizes ---------------------------------===//
#include "Elements.h"
#include "Windows.h"

#include <algorithm>

using namespace tg::data;

namespace {

/// The neighbours of a coordinate and their weights.
struct Taps {
  int64_t lower = 0, upper = 0;
  float lowerWeight = 1, upperWeight = 0;
  /// True if the coordinate is that of the lower neighbour.
  bool isExact = true;
};

/// A part of the rows or columns of an image.
struct Range {
  int64_t begin, extent;
};

} // namespace

/// The largest extent whose coordinates are computed without overflow.
static constexpr int64_t maxExtent = int64_t(1) << 30;

/// Returns the neighbours of the coordinates of `to` positions in a range:
/// ((2 p + 1) * extent - to) / (2 to), as tg.resize computes them.
static std::vector<Taps> findTaps(const Range &range, int64_t to,
                                  Interpolation interpolation) {
  std::vector<Taps> taps(to);
  const bool isLinear = interpolation == Interpolation::Bilinear;
  for (int64_t p = 0; p < to; ++p) {
    const int64_t scaled = (2 * p + 1) * range.extent - (isLinear ? to : 0);
    const int64_t numerator = std::max<int64_t>(scaled, 0);
    const int64_t last = range.extent - 1;
    const int64_t lower = std::min(numerator / (2 * to), last);
    const int64_t rest = numerator - lower * 2 * to;
    Taps &tap = taps[p];
    tap.lower = tap.upper = range.begin + lower;
    if (!isLinear || lower == last || rest == 0)
      continue;
    tap.upper = tap.lower + 1;
    tap.upperWeight = static_cast<float>(rest) / static_cast<float>(2 * to);
    tap.lowerWeight = 1 - tap.upperWeight;
    tap.isExact = false;
  }
  return taps;
}

/// Interpolates the columns of a row of floats. `width` is the number of floats
/// that are computed at once, at least the number of channels: both rows are
/// longer by the difference.
template <int width>
static void interpolateRow(const float *row, const std::vector<Taps> &columns,
                           int64_t channels, float *to) {
  for (const Taps &column : columns) {
    const float *lower = row + column.lower, *upper = row + column.upper;
    float pixel[width];
    for (int i = 0; i < width; ++i)
      pixel[i] = lower[i] * column.lowerWeight + upper[i] * column.upperWeight;
    if (column.isExact)
      std::copy_n(lower, width, pixel);
    std::copy_n(pixel, width, to);
    to += channels;
  }
}

/// Interpolates the columns of a row with any number of channels.
static void interpolateWideRow(const float *row,
                               const std::vector<Taps> &columns,
                               int64_t channels, float *to) {
  for (const Taps &column : columns) {
    const float *lower = row + column.lower, *upper = row + column.upper;
    for (int64_t i = 0; i < channels; ++i)
      *to++ = column.isExact ? lower[i]
                             : lower[i] * column.lowerWeight +
                                   upper[i] * column.upperWeight;
  }
}

namespace {

/// Returns the number of an element of an image, as that of an image of another
/// type: toFloat() divides elements ui8 of images of f32.
template <typename To, typename From> float numberOf(From element) {
  if constexpr (std::is_same_v<To, From>)
    return static_cast<float>(element);
  else
    return static_cast<float>(element) / 255;
}

/// Resizes a window of an image, in which each row is interpolated once. The
/// result has elements of another type if `To` differs.
template <typename From, typename To = From> class Resizer {
public:
  Resizer(const Feature &image, const ImageWindow &window, ImageSize size,
          Interpolation interpolation)
      : window(window), width(image.shape()[1]), channels(image.shape()[2]),
        from(image.values<From>().data()),
        made(std::is_same_v<To, float> ? f32Type : u8Type,
             {size.height, size.width, channels}),
        rows(findTaps({window.top, window.height}, size.height, interpolation)),
        columns(findTaps({0, window.width}, size.width, interpolation)) {
    for (Taps &column : columns) {
      column.lower *= channels;
      column.upper *= channels;
    }
  }

  Feature interpolate();
  Feature pick();

private:
  /// Returns an interpolated row of the image.
  const float *row(int64_t index);
  /// Returns the first element of a row of the window.
  const From *source(int64_t index) const {
    return from + (index * width + window.left) * channels;
  }

  ImageWindow window;
  int64_t width, channels;
  const From *from;
  Feature made;
  std::vector<Taps> rows, columns;
  /// A row of the window, as floats.
  std::vector<float> converted;
  /// The two rows that were interpolated last, and their indices.
  std::vector<float> kept[2];
  int64_t keptIndex[2] = {-1, -1};
};

} // namespace

/// The number of floats that a row is longer than its elements.
static constexpr size_t padding = 4;

template <typename From, typename To>
const float *Resizer<From, To>::row(int64_t index) {
  const int slot = index & 1;
  float *to = kept[slot].data();
  if (keptIndex[slot] == index)
    return to;
  keptIndex[slot] = index;
  const From *first = source(index);
  float *row = converted.data();
  for (int64_t i = 0, size = window.width * channels; i < size; ++i)
    row[i] = numberOf<To>(first[i]);
  if (channels == 1)
    interpolateRow<1>(row, columns, channels, to);
  else if (channels <= 4)
    interpolateRow<4>(row, columns, channels, to);
  else
    interpolateWideRow(row, columns, channels, to);
  return to;
}

template <typename From, typename To> Feature Resizer<From, To>::interpolate() {
  const size_t rowSize = columns.size() * channels;
  for (std::vector<float> &buffer : kept)
    buffer.resize(rowSize + padding);
  converted.resize(window.width * channels + padding);
  To *to = made.values<To>().data();
  for (const Taps &tap : rows) {
    const float *lower = row(tap.lower);
    if (tap.isExact) {
      for (size_t i = 0; i < rowSize; ++i)
        to[i] = rounded<To>(lower[i]);
    } else {
      const float *upper = row(tap.upper);
      for (size_t i = 0; i < rowSize; ++i)
        to[i] = rounded<To>(lower[i] * tap.lowerWeight +
                            upper[i] * tap.upperWeight);
    }
    to += rowSize;
  }
  return made;
}

template <typename From, typename To> Feature Resizer<From, To>::pick() {
  To *to = made.values<To>().data();
  for (const Taps &tap : rows)
    for (const Taps &column : columns)
      to = std::transform(source(tap.lower) + column.lower,
                          source(tap.lower) + column.lower + channels, to,
                          [](From element) {
                            if constexpr (std::is_same_v<To, From>)
                              return element;
                            else
                              return numberOf<To>(element);
                          });
  return made;
}

/// Throws DataError unless a window lies in an image and both sizes are not
/// empty.
static void expectSizes(const Feature &image, const ImageWindow &window,
                        ImageSize size) {
  expectInside(shapeOf(image), window);
  if (window.height < 1 || window.width < 1 || size.height < 1 ||
      size.width < 1 || std::max(window.height, window.width) > maxExtent ||
      std::max(size.height, size.width) > maxExtent)
    throw DataError("expected a size of 1 to 2^30 rows and columns, found " +
                    textOf(window) + " and " + std::to_string(size.height) +
                    " x " + std::to_string(size.width));
}

template <typename From, typename To>
static Feature resizeTo(const Feature &image, const ImageWindow &window,
                        ImageSize size, Interpolation interpolation) {
  expectSizes(image, window, size);
  Resizer<From, To> resizer(image, window, size, interpolation);
  return interpolation == Interpolation::Bilinear ? resizer.interpolate()
                                                  : resizer.pick();
}

Feature tg::data::resizedCrop(const Feature &image, const ImageWindow &window,
                              ImageSize size, Interpolation interpolation) {
  return visitImage(image, [&](auto zero) {
    using T = decltype(zero);
    return resizeTo<T, T>(image, window, size, interpolation);
  });
}

Feature tg::data::resizedFloats(const Feature &image, const ImageWindow &window,
                                ImageSize size, Interpolation interpolation) {
  if (isType(image, u8Type))
    return resizeTo<uint8_t, float>(image, window, size, interpolation);
  return resizedCrop(toFloat(image), window, size, interpolation);
}

Feature tg::data::resize(const Feature &image, ImageSize size,
                         Interpolation interpolation) {
  const ImageShape shape = shapeOf(image);
  return resizedCrop(image, {0, 0, shape.height, shape.width}, size,
                     interpolation);
}
