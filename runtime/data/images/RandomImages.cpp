//===- RandomImages.cpp - draws the parameters of changes of images -------===//
#include "Codecs.h"
#include "Elements.h"
#include "Windows.h"

#include <algorithm>
#include <cmath>

using namespace tg::data;

/// Returns a number in [0, end), drawn for any `end` of at least 1.
static int64_t drawBelow(int64_t end, Random &random) {
  return static_cast<int64_t>(random.below(static_cast<uint64_t>(end)));
}

Feature tg::data::randomCrop(const Feature &image,
                             const RandomCropOptions &options, Random &random) {
  return visitImage(image, [&](auto) {
    const ImageShape shape = shapeOf(image);
    const auto &[height, width] = options.size;
    constexpr int64_t limit = int64_t(1) << 30;
    if (options.padding < 0 || options.padding > limit)
      throw DataError("expected a padding from 0 to 2^30, found " +
                      std::to_string(options.padding));
    const int64_t rows = shape.height + 2 * options.padding;
    const int64_t columns = shape.width + 2 * options.padding;
    if (height < 1 || width < 1 || height > rows || width > columns)
      throw DataError("expected a crop of at most " + std::to_string(rows) +
                      " x " + std::to_string(columns) + " pixels, found " +
                      std::to_string(height) + " x " + std::to_string(width));
    const int64_t top = drawBelow(rows - height + 1, random);
    const int64_t left = drawBelow(columns - width + 1, random);
    return cropPadded(
        image, {top - options.padding, left - options.padding, height, width});
  });
}

/// Throws DataError if a range is not one of positive numbers.
static void expectRange(const std::array<double, 2> &range, const char *name) {
  if (!(range[0] > 0 && range[0] <= range[1] && std::isfinite(range[1])))
    throw DataError(std::string("expected a range of positive ") + name +
                    ", found " + std::to_string(range[0]) + " to " +
                    std::to_string(range[1]));
}

/// Returns the largest window in the center whose ratio is in a range.
static ImageWindow centerWindow(ImageSize image,
                                const std::array<double, 2> &ratio) {
  const auto height = static_cast<double>(image.height);
  const auto width = static_cast<double>(image.width);
  ImageWindow window = {0, 0, image.height, image.width};
  // Extents are at least 1.
  if (width / height < ratio[0])
    window.height =
        std::max<int64_t>(static_cast<int64_t>(width / ratio[0] + 0.5), 1);
  else if (width / height > ratio[1])
    window.width =
        std::max<int64_t>(static_cast<int64_t>(height * ratio[1] + 0.5), 1);
  window.top = (image.height - window.height) / 2;
  window.left = (image.width - window.width) / 2;
  return window;
}

ImageWindow tg::data::randomWindow(ImageSize image,
                                   const RandomResizedCropOptions &options,
                                   Random &random) {
  constexpr int64_t limit = int64_t(1) << 30;
  if (image.height < 1 || image.width < 1 || image.height > limit ||
      image.width > limit)
    throw DataError("expected an image of 1 to 2^30 rows and columns, found " +
                    std::to_string(image.height) + " x " +
                    std::to_string(image.width));
  expectRange(options.scale, "scales");
  expectRange(options.ratio, "ratios");
  const auto area =
      static_cast<double>(image.height) * static_cast<double>(image.width);
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double part =
        area * random.uniform(options.scale[0], options.scale[1]);
    const double ratio = std::exp(
        random.uniform(std::log(options.ratio[0]), std::log(options.ratio[1])));
    const double width = std::floor(std::sqrt(part * ratio) + 0.5);
    const double height = std::floor(std::sqrt(part / ratio) + 0.5);
    if (!(width >= 1 && height >= 1 &&
          width <= static_cast<double>(image.width) &&
          height <= static_cast<double>(image.height)))
      continue;
    ImageWindow window = {0, 0, static_cast<int64_t>(height),
                          static_cast<int64_t>(width)};
    window.top = drawBelow(image.height - window.height + 1, random);
    window.left = drawBelow(image.width - window.width + 1, random);
    return window;
  }
  return centerWindow(image, options.ratio);
}

Feature tg::data::randomResizedCrop(const Feature &image,
                                    const RandomResizedCropOptions &options,
                                    Random &random) {
  const ImageShape shape = shapeOf(image);
  return resizedCrop(image,
                     randomWindow({shape.height, shape.width}, options, random),
                     options.size, options.interpolation);
}

Feature tg::data::decodeRandomResizedCrop(
    std::span<const std::byte> bytes, const RandomResizedCropOptions &options,
    Random &random, const DecodeOptions &decodeOptions) {
  const ImageShape shape = imageShape(bytes);
  const ImageWindow window =
      randomWindow({shape.height, shape.width}, options, random);
  return resize(decodeCrop(bytes, window, decodeOptions), options.size,
                options.interpolation);
}

Feature
tg::data::decodeRandomResizedFloats(std::span<const std::byte> bytes,
                                    const RandomResizedCropOptions &options,
                                    Random &random) {
  const ImageShape shape = imageShape(bytes);
  const ImageWindow window =
      randomWindow({shape.height, shape.width}, options, random);
  if (!isJpeg(bytes))
    return resizedFloats(decodeImage(bytes), window, options.size,
                         options.interpolation);
  return resizedFloats(decodeCrop(bytes, window),
                       {0, 0, window.height, window.width}, options.size,
                       options.interpolation);
}

/// Returns true with a probability. Throws DataError if it is none.
static bool happens(double probability, Random &random) {
  if (!(probability >= 0 && probability <= 1))
    throw DataError("expected a probability from 0 to 1, found " +
                    std::to_string(probability));
  return random.uniform() < probability;
}

Feature tg::data::randomFlipHorizontally(const Feature &image, Random &random,
                                         double probability) {
  return happens(probability, random) ? flipHorizontally(image) : image;
}

Feature tg::data::randomFlipVertically(const Feature &image, Random &random,
                                       double probability) {
  return happens(probability, random) ? flipVertically(image) : image;
}

Feature tg::data::randomRotation(const Feature &image, double degrees,
                                 Random &random, const Fill &fill) {
  return transformed(
      image, AffineMap::rotation(random.uniform(-degrees, degrees)), fill);
}

Feature tg::data::randomShift(const Feature &image, double rows, double columns,
                              Random &random, const Fill &fill) {
  const ImageShape shape = shapeOf(image);
  const double down =
      random.uniform(-rows, rows) * static_cast<double>(shape.height);
  const double right =
      random.uniform(-columns, columns) * static_cast<double>(shape.width);
  return transformed(image, AffineMap::translation(down, right), fill);
}

Feature tg::data::randomShear(const Feature &image, double degrees,
                              Random &random, const Fill &fill) {
  return transformed(image, AffineMap::shear(random.uniform(-degrees, degrees)),
                     fill);
}

Feature tg::data::randomZoom(const Feature &image, double low, double high,
                             Random &random, const Fill &fill) {
  expectRange({low, high}, "factors");
  const double rows = random.uniform(low, high);
  const double columns = random.uniform(low, high);
  return transformed(image, AffineMap::zoom(rows, columns), fill);
}

Feature tg::data::randomChannelShift(const Feature &image, float intensity,
                                     Random &random) {
  std::vector<float> shifts(shapeOf(image).channels);
  for (float &shift : shifts)
    shift = static_cast<float>(random.uniform(-intensity, intensity));
  return channelShift(image, shifts);
}
