/// Changes of images: resize, crop, flip, affine maps, colors, and mixup.
///
/// Images are features [height, width, channels] of f32 or u8. Each function
/// returns a new image of the same element type, unless it says otherwise, and
/// throws DataError for other images and for parameters out of range. The
/// functions that begin with `random` draw their parameters from a Random:
/// equal states of it give equal images.
#ifndef TG_DATA_AUGMENT_HPP
#define TG_DATA_AUGMENT_HPP

#include "images.hpp"
#include "random.hpp"

#include <array>

namespace tg::data {

struct ImageSize {
  int64_t height = 0, width = 0;
  bool operator==(const ImageSize &) const = default;
};

/// A rectangle of pixels in an image.
struct ImageWindow {
  int64_t top = 0, left = 0, height = 0, width = 0;
  bool operator==(const ImageWindow &) const = default;
};

enum class Interpolation { Nearest, Bilinear };

/// Resizes an image. Row or column p of n has the coordinate u = (p + 1/2) * s
/// / n - 1/2 among the s of the image. `Nearest` takes the pixel floor(u +
/// 1/2). `Bilinear` interpolates between the two neighbours of u, along rows,
/// then between rows, in f32; u outside of [0, s - 1] is clamped to its ends.
/// These are the values of the op tg.resize with "half_pixel". Elements u8 are
/// rounded to the nearest number, ties to even.
Feature resize(const Feature &image, ImageSize size,
               Interpolation interpolation = Interpolation::Bilinear);

/// Returns the pixels in a window, which lies in the image.
Feature crop(const Feature &image, const ImageWindow &window);
/// Returns the same image as crop(decodeImage(bytes), window). It takes less
/// time for JPEG images, of which the pixels around the window are not decoded:
/// faults in the data of the rows below it may be overlooked.
Feature decodeCrop(std::span<const std::byte> bytes, const ImageWindow &window,
                   const DecodeOptions &options = {});
/// Returns the window in the center. An odd margin is wider at the bottom and
/// on the right.
Feature centerCrop(const Feature &image, ImageSize size);
/// Returns the same image as resize(crop(image, window), size).
Feature resizedCrop(const Feature &image, const ImageWindow &window,
                    ImageSize size,
                    Interpolation interpolation = Interpolation::Bilinear);
/// Swaps left and right.
Feature flipHorizontally(const Feature &image);
/// Swaps top and bottom.
Feature flipVertically(const Feature &image);

/// The values outside of an image, for a row a b c d:
///
///   Nearest   a a a a | a b c d | d d d d
///   Constant  k k k k | a b c d | k k k k
///   Reflect   d c b a | a b c d | d c b a
///   Wrap      a b c d | a b c d | a b c d
enum class FillMode { Nearest, Constant, Reflect, Wrap };

struct Fill {
  FillMode mode = FillMode::Nearest;
  /// The value k of `Constant`; a whole number from 0 to 255 for u8.
  float value = 0;
};

/// A map from the pixels of a result to those of an image, relative to the
/// center ((height - 1) / 2, (width - 1) / 2) of both:
/// (r, c) -> (matrix[0] * r + matrix[1] * c + shift[0],
///            matrix[2] * r + matrix[3] * c + shift[1]).
struct AffineMap {
  std::array<double, 4> matrix = {1, 0, 0, 1};
  std::array<double, 2> shift = {0, 0};

  /// Rotates the image clockwise.
  static AffineMap rotation(double degrees);
  /// Shears the image: (r, c) -> (r - sin(degrees) * c, cos(degrees) * c).
  static AffineMap shear(double degrees);
  /// Divides the size of what the image shows by these factors.
  static AffineMap zoom(double rows, double columns);
  /// Moves the image up and to the left by numbers of pixels.
  static AffineMap translation(double rows, double columns);
  /// Returns the map that applies this map to the result of another one.
  AffineMap after(const AffineMap &first) const;
};

/// Takes for each pixel of the result the pixel of the image that is nearest to
/// its mapped place: coordinate u takes floor(u + 1/2), which `fill` continues
/// outside of the image.
Feature transformed(const Feature &image, const AffineMap &map,
                    const Fill &fill = {});

/// Returns an image of f32: (x - mean) / deviation for each channel. Elements
/// u8 are divided by 255 first. A single mean or deviation is that of all
/// channels.
Feature normalize(const Feature &image, std::span<const float> mean,
                  std::span<const float> deviation);
/// Adds a number to each channel. The sums are clamped to the minimum and the
/// maximum of the image; those of u8 are rounded, ties to even.
Feature channelShift(const Feature &image, std::span<const float> shifts);

struct ContrastOptions {
  float scale = 1;
  /// The smallest norm that is divided by. Others count as 1.
  float minDivisor = 1e-8f;
};
/// Subtracts the mean of all elements of a feature of any shape, and divides
/// the differences by their Euclidean norm / scale. Returns f32.
Feature globalContrastNormalize(const Feature &image,
                                const ContrastOptions &options = {});

/// Returns weight * first + (1 - weight) * second of features of f32 of equal
/// shapes, such as images or one-hot labels.
Feature mixup(const Feature &first, const Feature &second, float weight);
/// Draws the weight of mixup, from the distribution Beta(alpha, alpha).
float mixupWeight(double alpha, Random &random);

struct RandomCropOptions {
  ImageSize size = {};
  /// The number of rows and columns of zeros on each side of the image.
  int64_t padding = 0;
};
/// Crops a window. All places have the same probability.
Feature randomCrop(const Feature &image, const RandomCropOptions &options,
                   Random &random);

struct RandomResizedCropOptions {
  ImageSize size = {224, 224};
  /// The least and the greatest area of the window, as a part of the image, and
  /// quotient of its width and height.
  std::array<double, 2> scale = {0.08, 1}, ratio = {0.75, 4.0 / 3};
  Interpolation interpolation = Interpolation::Bilinear;
};
/// Draws a window with a uniform area and a uniform logarithm of its ratio. If
/// ten of them do not fit into the image, the window lies in the center and is
/// as large as the ratios permit.
ImageWindow randomWindow(ImageSize image,
                         const RandomResizedCropOptions &options,
                         Random &random);
/// Resizes such a window.
Feature randomResizedCrop(const Feature &image,
                          const RandomResizedCropOptions &options,
                          Random &random);
/// Returns the same image as randomResizedCrop(decodeImage(bytes)), in the time
/// of decodeCrop().
Feature decodeRandomResizedCrop(std::span<const std::byte> bytes,
                                const RandomResizedCropOptions &options,
                                Random &random,
                                const DecodeOptions &decodeOptions = {});
/// Swaps left and right with a probability.
Feature randomFlipHorizontally(const Feature &image, Random &random,
                               double probability = 0.5);
Feature randomFlipVertically(const Feature &image, Random &random,
                             double probability = 0.5);
/// Rotates by an angle in [-degrees, degrees).
Feature randomRotation(const Feature &image, double degrees, Random &random,
                       const Fill &fill = {});
/// Moves by up to these parts of the height and width, in both directions.
Feature randomShift(const Feature &image, double rows, double columns,
                    Random &random, const Fill &fill = {});
/// Shears by an angle in [-degrees, degrees).
Feature randomShear(const Feature &image, double degrees, Random &random,
                    const Fill &fill = {});
/// Zooms by two factors between `low` and `high`: one for the rows, one for the
/// columns.
Feature randomZoom(const Feature &image, double low, double high,
                   Random &random, const Fill &fill = {});
/// Shifts each channel by a number in [-intensity, intensity).
Feature randomChannelShift(const Feature &image, float intensity,
                           Random &random);

} // namespace tg::data

#endif // TG_DATA_AUGMENT_HPP
