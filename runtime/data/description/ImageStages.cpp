//===- ImageStages.cpp - changes of images --------------------------------===//
#include "Stages.h"
#include "runtime/data/images/Windows.h"
#include "tg/data/augment.hpp"
#include "tg/data/images.hpp"

using namespace tg::data;

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

/// Throws DataError unless a feature can be an image.
static void expectImage(const FeatureType &type) {
  const bool isPixel =
      (type.dtype.code == TG_DTYPE_FLOAT && type.dtype.bits == 32) ||
      (type.dtype.code == TG_DTYPE_UINT && type.dtype.bits == 8);
  if (type.shape.size() != 3 || !isPixel)
    throw DataError("expected an image, f32 or ui8 [height, width, channels], "
                    "found " +
                    type.text());
}

/// Returns an image of the same type and shape.
static FeatureType unchanged(FeatureType type) {
  expectImage(type);
  return type;
}

static std::function<FeatureType(FeatureType)> sized(ImageSize size) {
  return [size](FeatureType type) {
    expectImage(type);
    type.shape[0] = size.height;
    type.shape[1] = size.width;
    return type;
  };
}

static ImageSize toSize(const Json &value, const std::string &path) {
  const std::vector<int64_t> extents = toExtents(value, path);
  constexpr int64_t limit = 1 << 24;
  if (extents.size() != 2 || extents[0] < 1 || extents[1] < 1 ||
      extents[0] > limit / extents[1])
    throw DataError(path +
                    ": expected [height, width] of at least 1 and at most "
                    "2^24 pixels, found " +
                    textOf(value));
  return {extents[0], extents[1]};
}

/// Returns a change that only moves pixels, and so is the same for elements of
/// any type.
static Change
moving(std::function<Feature(const Feature &image, Random &random)> apply,
       std::function<FeatureType(FeatureType type)> typeOf) {
  return {apply, std::move(typeOf), apply};
}

/// Makes the parameters of a stage an object: a value that is none becomes the
/// value of the stage's main parameter.
static Json asObject(const Json &value, const char *parameter) {
  return value.is_object() ? value : Json{{parameter, value}};
}

static std::array<double, 2> toPair(const Json &value,
                                    const std::string &path) {
  const std::vector<double> numbers = toNumbers(value, path);
  if (numbers.size() != 2)
    throw DataError(path + ": expected two numbers, found " + textOf(value));
  return {numbers[0], numbers[1]};
}

static std::vector<float> toFloats(const Json &value, const std::string &path) {
  const std::vector<double> numbers = toNumbers(value, path);
  return {numbers.begin(), numbers.end()};
}

/// Returns the enumerator with the name that a key has.
template <typename Enum>
static Enum choice(Object &object, const std::string &key,
                   std::initializer_list<std::pair<const char *, Enum>> all) {
  const std::string text = object.text(key, all.begin()->first);
  std::string names;
  for (const auto &[name, value] : all) {
    if (text == name)
      return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  object.fail(key, "one of " + names, text);
}

static Interpolation interpolationOf(Object &object) {
  return choice<Interpolation>(object, "interpolation",
                               {{"bilinear", Interpolation::Bilinear},
                                {"nearest", Interpolation::Nearest}});
}

static Fill fillOf(Object &object) {
  Fill fill;
  fill.mode = choice<FillMode>(object, "fill",
                               {{"nearest", FillMode::Nearest},
                                {"constant", FillMode::Constant},
                                {"reflect", FillMode::Reflect},
                                {"wrap", FillMode::Wrap}});
  fill.value = static_cast<float>(object.number("value", 0));
  return fill;
}

//===----------------------------------------------------------------------===//
// Sizes and windows
//===----------------------------------------------------------------------===//

static Change makeResize(const Json &value, const std::string &path) {
  const Json described = asObject(value, "size");
  Object object(described, path);
  const ImageSize size = toSize(object.require("size"), path);
  const Interpolation interpolation = interpolationOf(object);
  object.expectNoOthers();
  return {[=](const Feature &image, Random &) {
            return resize(image, size, interpolation);
          },
          sized(size),
          [=](const Feature &image, Random &) {
            const std::vector<int64_t> &shape = image.shape();
            return resizedFloats(image, {0, 0, shape[0], shape[1]}, size,
                                 interpolation);
          }};
}

static Change makeCrop(const Json &value, const std::string &path) {
  const std::vector<int64_t> all = toExtents(value, path);
  if (all.size() != 4 || all[0] < 0 || all[1] < 0 || all[2] < 1 || all[3] < 1)
    throw DataError(path + ": expected [top, left, height, width], found " +
                    textOf(value));
  const ImageWindow window{all[0], all[1], all[2], all[3]};
  return moving(
      [=](const Feature &image, Random &) { return crop(image, window); },
      sized({window.height, window.width}));
}

static Change makeCenterCrop(const Json &value, const std::string &path) {
  const ImageSize size = toSize(value, path);
  return moving(
      [=](const Feature &image, Random &) { return centerCrop(image, size); },
      sized(size));
}

static Change makeRandomCrop(const Json &value, const std::string &path) {
  const Json described = asObject(value, "size");
  Object object(described, path);
  RandomCropOptions options;
  options.size = toSize(object.require("size"), path);
  options.padding = static_cast<int64_t>(object.whole("padding", 0));
  object.expectNoOthers();
  return moving(
      [=](const Feature &image, Random &random) {
        return randomCrop(image, options, random);
      },
      sized(options.size));
}

static Change makeRandomResizedCrop(const Json &value,
                                    const std::string &path) {
  const Json described = asObject(value, "size");
  Object object(described, path);
  RandomResizedCropOptions options;
  options.size = toSize(object.require("size"), path);
  if (const Json *scale = object.find("scale"))
    options.scale = toPair(*scale, memberPath(path, "scale"));
  if (const Json *ratio = object.find("ratio"))
    options.ratio = toPair(*ratio, memberPath(path, "ratio"));
  options.interpolation = interpolationOf(object);
  object.expectNoOthers();
  return {[=](const Feature &image, Random &random) {
            return randomResizedCrop(image, options, random);
          },
          sized(options.size),
          [=](const Feature &image, Random &random) {
            const std::vector<int64_t> &shape = image.shape();
            return resizedFloats(
                image, randomWindow({shape[0], shape[1]}, options, random),
                options.size, options.interpolation);
          },
          [=](std::span<const std::byte> image, Random &random) {
            return decodeRandomResizedFloats(image, options, random);
          }};
}

//===----------------------------------------------------------------------===//
// Flips and affine maps
//===----------------------------------------------------------------------===//

static Change makeFlip(const Json &value, const std::string &path) {
  const Json described = asObject(value, "direction");
  Object object(described, path);
  object.require("direction");
  const bool isVertical = choice<bool>(
      object, "direction", {{"horizontal", false}, {"vertical", true}});
  const double probability = object.number("probability", 0.5);
  object.expectNoOthers();
  return moving(
      [=](const Feature &image, Random &random) {
        return isVertical ? randomFlipVertically(image, random, probability)
                          : randomFlipHorizontally(image, random, probability);
      },
      unchanged);
}

/// Makes a change by a random angle.
template <Feature (*turn)(const Feature &image, double degrees, Random &random,
                          const Fill &fill)>
static Change makeTurn(const Json &value, const std::string &path) {
  const Json described = asObject(value, "degrees");
  Object object(described, path);
  object.require("degrees");
  const double degrees = object.number("degrees", 0);
  const Fill fill = fillOf(object);
  object.expectNoOthers();
  return {[=](const Feature &image, Random &random) {
            return turn(image, degrees, random, fill);
          },
          unchanged};
}

static Change makeShift(const Json &value, const std::string &path) {
  const Json described = asObject(value, "parts");
  Object object(described, path);
  const std::array<double, 2> parts = toPair(object.require("parts"), path);
  const Fill fill = fillOf(object);
  object.expectNoOthers();
  return {[=](const Feature &image, Random &random) {
            return randomShift(image, parts[0], parts[1], random, fill);
          },
          unchanged};
}

static Change makeZoom(const Json &value, const std::string &path) {
  const Json described = asObject(value, "range");
  Object object(described, path);
  const std::array<double, 2> range = toPair(object.require("range"), path);
  const Fill fill = fillOf(object);
  object.expectNoOthers();
  return {[=](const Feature &image, Random &random) {
            return randomZoom(image, range[0], range[1], random, fill);
          },
          unchanged};
}

//===----------------------------------------------------------------------===//
// Colors
//===----------------------------------------------------------------------===//

/// Returns the same shape with elements f32.
static FeatureType asFloats(FeatureType type) {
  type.dtype = {TG_DTYPE_FLOAT, 32, 1};
  return type;
}

static Change makeNormalize(const Json &value, const std::string &path) {
  Object object(value, path);
  const std::vector<float> mean =
      toFloats(object.require("mean"), memberPath(path, "mean"));
  const std::vector<float> deviation =
      toFloats(object.require("std"), memberPath(path, "std"));
  object.expectNoOthers();
  const auto apply = [=](const Feature &image, Random &) {
    return normalize(image, mean, deviation);
  };
  return {apply,
          [](FeatureType type) {
            expectImage(type);
            return asFloats(std::move(type));
          },
          apply};
}

static Change makeChannelShift(const Json &value, const std::string &path) {
  const auto intensity = static_cast<float>(toNumber(value, path));
  return {[=](const Feature &image, Random &random) {
            return randomChannelShift(image, intensity, random);
          },
          unchanged};
}

static Change makeContrast(const Json &value, const std::string &path) {
  Object object(value, path);
  ContrastOptions options;
  options.scale = static_cast<float>(object.number("scale", options.scale));
  options.minDivisor =
      static_cast<float>(object.number("min_divisor", options.minDivisor));
  object.expectNoOthers();
  return {[=](const Feature &image, Random &) {
            return globalContrastNormalize(image, options);
          },
          asFloats};
}

std::span<const ChangeKind> tg::data::imageChanges() {
  static constexpr ChangeKind kinds[] = {
      {"center_crop", makeCenterCrop},
      {"channel_shift", makeChannelShift},
      {"contrast_normalize", makeContrast},
      {"crop", makeCrop},
      {"flip", makeFlip},
      {"normalize", makeNormalize},
      {"random_crop", makeRandomCrop},
      {"random_resized_crop", makeRandomResizedCrop},
      {"resize", makeResize},
      {"rotate", makeTurn<randomRotation>},
      {"shear", makeTurn<randomShear>},
      {"shift", makeShift},
      {"zoom", makeZoom},
  };
  return kinds;
}
