//===- Affine.cpp - rotates, shears, zooms and moves images ---------------===//
#include "Elements.h"

#include "tg/data/augment.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tg::data;

static double radiansOf(double degrees) {
  return degrees * (std::numbers::pi / 180);
}

AffineMap AffineMap::rotation(double degrees) {
  const double sine = std::sin(radiansOf(degrees));
  const double cosine = std::cos(radiansOf(degrees));
  return {{cosine, -sine, sine, cosine}, {}};
}

AffineMap AffineMap::shear(double degrees) {
  return {{1, -std::sin(radiansOf(degrees)), 0, std::cos(radiansOf(degrees))},
          {}};
}

AffineMap AffineMap::zoom(double rows, double columns) {
  return {{rows, 0, 0, columns}, {}};
}

AffineMap AffineMap::translation(double rows, double columns) {
  return {{1, 0, 0, 1}, {rows, columns}};
}

AffineMap AffineMap::after(const AffineMap &first) const {
  const auto &[a, b, c, d] = matrix;
  const auto &[e, f, g, h] = first.matrix;
  const auto &[row, column] = first.shift;
  return {{a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h},
          {a * row + b * column + shift[0], c * row + d * column + shift[1]}};
}

namespace {

/// The coordinates of an affine map relative to the first pixel.
struct Coordinates {
  Coordinates(const AffineMap &map, const ImageShape &shape)
      : matrix(map.matrix) {
    const double row = static_cast<double>(shape.height - 1) / 2;
    const double column = static_cast<double>(shape.width - 1) / 2;
    for (int axis : {0, 1})
      start[axis] = map.shift[axis] - matrix[2 * axis] * row -
                    matrix[2 * axis + 1] * column + (axis ? column : row);
  }
  double at(int axis, int64_t row, int64_t column) const {
    return matrix[2 * axis] * static_cast<double>(row) +
           matrix[2 * axis + 1] * static_cast<double>(column) + start[axis];
  }

  std::array<double, 4> matrix;
  std::array<double, 2> start;
};

} // namespace

/// Throws DataError if a coordinate is not a number or too large for an
/// integer. The largest ones are those of corners.
static void expectBounded(const Coordinates &coordinates,
                          const ImageShape &shape) {
  for (int64_t row : {int64_t(0), shape.height - 1})
    for (int64_t column : {int64_t(0), shape.width - 1})
      for (int axis : {0, 1}) {
        const double found = coordinates.at(axis, row, column);
        if (!(std::abs(found) < 0x1p40))
          throw DataError("expected an affine map to coordinates below 2^40, "
                          "found " +
                          std::to_string(found));
      }
}

/// Returns floor(u + 1/2).
static int64_t nearest(double u) {
  const double above = u + 0.5;
  const auto truncated = static_cast<int64_t>(above);
  return truncated - (above < static_cast<double>(truncated));
}

/// Returns the index in [0, extent) that continues an image at `index`, or -1
/// for the constant.
static int64_t continued(int64_t index, int64_t extent, FillMode mode) {
  if (index >= 0 && index < extent)
    return index;
  switch (mode) {
  case FillMode::Constant:
    return -1;
  case FillMode::Nearest:
    return index < 0 ? 0 : extent - 1;
  case FillMode::Wrap:
    index %= extent;
    return index < 0 ? index + extent : index;
  case FillMode::Reflect:
    index %= 2 * extent;
    index = index < 0 ? index + 2 * extent : index;
    return std::min(index, 2 * extent - 1 - index);
  }
  return -1;
}

template <typename T> static T constantOf(const Fill &fill) {
  return static_cast<T>(fill.value);
}

template <> uint8_t constantOf<uint8_t>(const Fill &fill) {
  if (!(fill.value >= 0 && fill.value <= 255) ||
      fill.value != std::floor(fill.value))
    throw DataError("expected a whole number from 0 to 255 to fill an image of "
                    "ui8, found " +
                    std::to_string(fill.value));
  return static_cast<uint8_t>(fill.value);
}

template <typename T>
static void transform(const Feature &image, const Coordinates &coordinates,
                      const Fill &fill, Feature &made) {
  const ImageShape shape = shapeOf(image);
  const T constant = constantOf<T>(fill);
  const T *from = image.values<T>().data();
  T *to = made.values<T>().data();
  for (int64_t row = 0; row < shape.height; ++row)
    for (int64_t column = 0; column < shape.width; ++column) {
      const int64_t sourceRow = continued(
          nearest(coordinates.at(0, row, column)), shape.height, fill.mode);
      const int64_t sourceColumn = continued(
          nearest(coordinates.at(1, row, column)), shape.width, fill.mode);
      if (sourceRow < 0 || sourceColumn < 0)
        to = std::fill_n(to, shape.channels, constant);
      else
        to = std::copy_n(from + (sourceRow * shape.width + sourceColumn) *
                                    shape.channels,
                         shape.channels, to);
    }
}

Feature tg::data::transformed(const Feature &image, const AffineMap &map,
                              const Fill &fill) {
  return visitImage(image, [&](auto zero) {
    Feature made(image.dtype(), image.shape());
    if (image.size() == 0)
      return made;
    const ImageShape shape = shapeOf(image);
    const Coordinates coordinates(map, shape);
    expectBounded(coordinates, shape);
    transform<decltype(zero)>(image, coordinates, fill, made);
    return made;
  });
}
