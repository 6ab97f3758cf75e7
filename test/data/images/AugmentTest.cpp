//===- AugmentTest.cpp - crops, flips, affine maps and colors -------------===//
#include "TestImages.h"

#include "tg/data/augment.hpp"

#include <cmath>

using namespace tg::data;

using Shape = std::vector<int64_t>;

static constexpr tg_dtype_t u8 = {TG_DTYPE_UINT, 8, 1};
static constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};

template <typename T>
static Feature make(tg_dtype_t type, Shape shape,
                    const std::vector<T> &values) {
  Feature made(type, std::move(shape));
  EXPECT_EQ(made.size(), values.size());
  std::copy(values.begin(), values.end(), made.values<T>().begin());
  return made;
}
static Feature makeU8(Shape shape, const std::vector<uint8_t> &values) {
  return make(u8, std::move(shape), values);
}
static Feature makeF32(Shape shape, const std::vector<float> &values) {
  return make(f32, std::move(shape), values);
}
static std::vector<float> floats(const Feature &image) {
  return valuesOf<float>(image);
}
static std::vector<uint8_t> bytesOf(const Feature &image) {
  return valuesOf<uint8_t>(image);
}

TEST(Resize, DoublesAndHalvesARow) {
  const Feature row = makeF32({1, 2, 1}, {0, 4});
  // Coordinates -1/4, 1/4, 3/4, 5/4.
  EXPECT_EQ(floats(resize(row, {1, 4})), (std::vector<float>{0, 1, 3, 4}));
  EXPECT_EQ(floats(resize(row, {1, 4}, Interpolation::Nearest)),
            (std::vector<float>{0, 0, 4, 4}));
  // Coordinates 1/2, 5/2.
  const Feature longer = makeF32({1, 4, 1}, {0, 1, 3, 4});
  EXPECT_EQ(floats(resize(longer, {1, 2})), (std::vector<float>{0.5, 3.5}));
  EXPECT_EQ(floats(resize(longer, {1, 2}, Interpolation::Nearest)),
            (std::vector<float>{1, 4}));
}

TEST(Resize, InterpolatesBothAxesOfEachChannel) {
  const Feature image = makeF32({2, 2, 2}, {0, 10, 4, 20, 8, 30, 12, 50});
  const Feature resized = resize(image, {1, 1});
  EXPECT_EQ(resized.shape(), (Shape{1, 1, 2}));
  EXPECT_EQ(floats(resized), (std::vector<float>{6, 27.5}));
  // Coordinates 0 and 1 on both axes are exact, even beside an infinity.
  const float inf = INFINITY;
  const Feature same = makeF32({2, 2, 1}, {-0.0f, inf, 1, -inf});
  EXPECT_EQ(floats(resize(same, {2, 2})), floats(same));
  EXPECT_TRUE(std::signbit(floats(resize(same, {2, 2}))[0]));
}

TEST(Resize, RoundsElementsOfOneByte) {
  // Sums 0.5, 1.5, 2.5 are ties, which become even.
  for (auto [second, expected] : {std::pair{1, 0}, {3, 2}, {5, 2}, {255, 128}})
    EXPECT_EQ(bytesOf(resize(makeU8({1, 2, 1}, {0, uint8_t(second)}), {1, 1})),
              std::vector<uint8_t>{uint8_t(expected)});
}

/// Resizes by the definition in double precision.
static double expectedAt(const Feature &image, ImageSize size, int64_t row,
                         int64_t column, int64_t channel) {
  const Shape &shape = image.shape();
  auto find = [](int64_t p, int64_t from, int64_t to) {
    const double u = (p + 0.5) * static_cast<double>(from) / to - 0.5;
    return std::clamp(u, 0.0, from - 1.0);
  };
  const double u = find(row, shape[0], size.height);
  const double v = find(column, shape[1], size.width);
  double sum = 0;
  for (int64_t r : {int64_t(u), int64_t(u) + 1})
    for (int64_t c : {int64_t(v), int64_t(v) + 1}) {
      const double weight = (1 - std::abs(u - r)) * (1 - std::abs(v - c));
      if (weight > 1e-12)
        sum += weight *
               image.values<uint8_t>()[(r * shape[1] + c) * shape[2] + channel];
    }
  return sum;
}

TEST(Resize, FollowsTheDefinitionForAnySize) {
  for (int64_t channels : {1, 2, 3, 4}) {
    const Feature image = makeU8({7, 11, channels}, picture(7, 11, channels));
    for (ImageSize size : {ImageSize{7, 11}, {3, 5}, {13, 11}, {20, 23}}) {
      const Feature resized = resize(image, size);
      ASSERT_EQ(resized.shape(), (Shape{size.height, size.width, channels}));
      size_t i = 0;
      for (int64_t row = 0; row < size.height; ++row)
        for (int64_t column = 0; column < size.width; ++column)
          for (int64_t channel = 0; channel < channels; ++channel)
            ASSERT_NEAR(resized.values<uint8_t>()[i++],
                        expectedAt(image, size, row, column, channel), 0.501);
    }
    const ImageWindow window = {2, 3, 4, 7};
    for (auto interpolation : {Interpolation::Nearest, Interpolation::Bilinear})
      EXPECT_EQ(bytesOf(resizedCrop(image, window, {5, 6}, interpolation)),
                bytesOf(resize(crop(image, window), {5, 6}, interpolation)));
  }
}

TEST(Resize, RefusesWhatItCannotDo) {
  const Feature image = makeU8({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_THROW(resize(image, {0, 3}), DataError);
  EXPECT_THROW(resize(image, {2, -1}), DataError);
  EXPECT_THROW(resize(image, {INT64_MAX, INT64_MAX}), DataError);
  EXPECT_THROW(resize(Feature(u8, {0, 3, 1}), {2, 2}), DataError);
  EXPECT_EQ(errorOf([] {
              resize(Feature(f32, {2, 3}), {2, 2});
            }),
            "expected an image [height, width, channels], found f32 [2, 3]");
  EXPECT_EQ(errorOf([] {
              resize(Feature({TG_DTYPE_INT, 32, 1}, {2, 3, 1}), {2, 2});
            }),
            "expected an image f32 or ui8 [height, width, channels], found i32 "
            "[2, 3, 1]");
}

TEST(Crop, TakesAWindow) {
  const Feature image =
      makeU8({3, 4, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(bytesOf(crop(image, {1, 2, 2, 2})),
            (std::vector<uint8_t>{6, 7, 10, 11}));
  EXPECT_EQ(bytesOf(centerCrop(image, {1, 2})), (std::vector<uint8_t>{5, 6}));
  EXPECT_EQ(bytesOf(centerCrop(image, {2, 1})), (std::vector<uint8_t>{1, 5}));
  EXPECT_EQ(floats(crop(toFloat(makeU8({1, 2, 1}, {255, 0})), {0, 1, 1, 1})),
            std::vector<float>{0});
  for (ImageWindow window : {ImageWindow{-1, 0, 2, 2},
                             {0, 3, 2, 2},
                             {2, 0, 2, 2},
                             {0, 0, 4, 1},
                             {0, INT64_MAX, 1, INT64_MAX},
                             {0, 0, -1, 1}})
    EXPECT_THROW(crop(image, window), DataError);
  EXPECT_EQ(errorOf([&] {
              crop(image, {2, 1, 2, 3});
            }),
            "expected a window in an image of 3 x 4 pixels, found 2 x 3 pixels "
            "at row 2, column 1");
  EXPECT_THROW(centerCrop(image, {4, 1}), DataError);
  EXPECT_THROW(centerCrop(image, {INT64_MIN, 1}), DataError);
}

TEST(Flip, SwapsPixelsButNotChannels) {
  const Feature image =
      makeU8({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(bytesOf(flipHorizontally(image)),
            (std::vector<uint8_t>{4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9}));
  EXPECT_EQ(bytesOf(flipVertically(image)),
            (std::vector<uint8_t>{7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(floats(flipHorizontally(makeF32({1, 3, 1}, {1, 2, 3}))),
            (std::vector<float>{3, 2, 1}));
  EXPECT_EQ(bytesOf(flipHorizontally(makeU8({1, 2, 2}, {1, 2, 3, 4}))),
            (std::vector<uint8_t>{3, 4, 1, 2}));
}

TEST(Transformed, ContinuesRowsByEachMode) {
  const Feature row = makeU8({1, 4, 1}, {1, 2, 3, 4});
  auto moved = [&](double columns, FillMode mode) {
    return bytesOf(transformed(row, AffineMap::translation(0, columns),
                               {.mode = mode, .value = 9}));
  };
  using Row = std::vector<uint8_t>;
  // Columns 2 to 5, -3 to 0, 5 to 8 and -10 to -7.
  EXPECT_EQ(moved(2, FillMode::Nearest), (Row{3, 4, 4, 4}));
  EXPECT_EQ(moved(-3, FillMode::Nearest), (Row{1, 1, 1, 1}));
  EXPECT_EQ(moved(2, FillMode::Constant), (Row{3, 4, 9, 9}));
  EXPECT_EQ(moved(-3, FillMode::Constant), (Row{9, 9, 9, 1}));
  EXPECT_EQ(moved(2, FillMode::Reflect), (Row{3, 4, 4, 3}));
  EXPECT_EQ(moved(-3, FillMode::Reflect), (Row{3, 2, 1, 1}));
  EXPECT_EQ(moved(5, FillMode::Reflect), (Row{3, 2, 1, 1}));
  EXPECT_EQ(moved(-10, FillMode::Reflect), (Row{2, 1, 1, 2}));
  EXPECT_EQ(moved(2, FillMode::Wrap), (Row{3, 4, 1, 2}));
  EXPECT_EQ(moved(-3, FillMode::Wrap), (Row{2, 3, 4, 1}));
  EXPECT_EQ(moved(5, FillMode::Wrap), (Row{2, 3, 4, 1}));
  EXPECT_EQ(moved(-10, FillMode::Wrap), (Row{3, 4, 1, 2}));
  // Halves go to the right.
  EXPECT_EQ(moved(0.5, FillMode::Nearest), (Row{2, 3, 4, 4}));
  EXPECT_EQ(moved(0.49, FillMode::Nearest), (Row{1, 2, 3, 4}));
}

TEST(Transformed, RotatesClockwise) {
  const Feature image = makeU8({3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  auto rotated = [&](double degrees) {
    return bytesOf(transformed(image, AffineMap::rotation(degrees)));
  };
  EXPECT_EQ(rotated(90), (std::vector<uint8_t>{7, 4, 1, 8, 5, 2, 9, 6, 3}));
  EXPECT_EQ(rotated(180), (std::vector<uint8_t>{9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(rotated(-90), (std::vector<uint8_t>{3, 6, 9, 2, 5, 8, 1, 4, 7}));
  EXPECT_EQ(rotated(0), bytesOf(image));
  // Twice 45 degrees is 90 degrees.
  const AffineMap half = AffineMap::rotation(45);
  EXPECT_EQ(bytesOf(transformed(image, half.after(half))), rotated(90));
}

TEST(Transformed, ZoomsAndShears) {
  const Feature image = makeF32({3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(floats(transformed(image, AffineMap::zoom(2, 1),
                               {.mode = FillMode::Constant, .value = 0.5f})),
            (std::vector<float>{.5, .5, .5, 4, 5, 6, .5, .5, .5}));
  EXPECT_EQ(floats(transformed(image, AffineMap::zoom(1, 0.1))),
            (std::vector<float>{2, 2, 2, 5, 5, 5, 8, 8, 8}));
  // sin(90 degrees) = 1, cos(90 degrees) = 0: the column is the middle one, the
  // row is that of the result minus the column.
  EXPECT_EQ(floats(transformed(image, AffineMap::shear(90))),
            (std::vector<float>{5, 2, 2, 8, 5, 2, 8, 8, 5}));
  // First up by a row, then the map of another center.
  const AffineMap both =
      AffineMap::zoom(2, 1).after(AffineMap::translation(1, 0));
  EXPECT_EQ(both.shift, (std::array<double, 2>{2, 0}));
}

TEST(Transformed, RefusesMapsAndConstantsOutOfRange) {
  const Feature image = makeU8({2, 2, 1}, {1, 2, 3, 4});
  EXPECT_THROW(transformed(image, AffineMap::zoom(1e300, 1)), DataError);
  EXPECT_THROW(transformed(image, AffineMap::zoom(NAN, 1)), DataError);
  EXPECT_THROW(transformed(image, AffineMap::translation(0, INFINITY)),
               DataError);
  for (float value : {-1.0f, 256.0f, 0.5f, NAN})
    EXPECT_THROW(transformed(image, {}, {FillMode::Constant, value}),
                 DataError);
  EXPECT_EQ(transformed(Feature(u8, {0, 2, 1}), {}).size(), 0u);
}

TEST(Colors, AreNormalized) {
  const Feature image = makeU8({1, 2, 2}, {0, 255, 51, 0});
  EXPECT_EQ(
      floats(normalize(image, std::array{0.5f, 0.25f}, std::array{0.5f, 2.0f})),
      (std::vector<float>{-1, 0.375, (51 / 255.0f - 0.5f) / 0.5f, -0.125}));
  const Feature values = toFloat(image);
  const std::array mean = {0.4f}, deviation = {0.3f};
  EXPECT_EQ(floats(normalize(values, mean, deviation)),
            floats(normalize(image, mean, deviation)));
  // More pixels than a block.
  std::vector<float> many(3 * 1000);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<float>(i);
  const auto normalized = floats(normalize(makeF32({10, 100, 3}, many),
                                           std::array{1.0f, 2.0f, 3.0f},
                                           std::array{2.0f, 4.0f, 8.0f}));
  for (size_t i = 0; i < many.size(); ++i)
    ASSERT_EQ(normalized[i], (i - (i % 3 + 1.0f)) / (2 << i % 3));
  EXPECT_EQ(errorOf([&] {
              normalize(image, std::array{1.f, 1.f, 1.f}, mean);
            }),
            "expected 1 or 2 means, found 3");
  EXPECT_THROW(normalize(image, mean, std::array{0.0f}), DataError);
  EXPECT_THROW(normalize(image, mean, std::array{NAN}), DataError);
}

TEST(Colors, AreShiftedWithinTheirRange) {
  const Feature image = makeF32({1, 2, 2}, {0, 0.5, 1, 0.25});
  EXPECT_EQ(floats(channelShift(image, std::array{0.25f, -0.375f})),
            (std::vector<float>{0.25, 0.125, 1, 0}));
  EXPECT_EQ(
      bytesOf(channelShift(makeU8({1, 3, 1}, {10, 11, 20}), std::array{1.5f})),
      (std::vector<uint8_t>{12, 12, 20}));
}

TEST(Colors, HaveNormalizedContrast) {
  // Mean 5, differences -3, -1, 1, 3, norm sqrt(20).
  const auto contrast = floats(
      globalContrastNormalize(makeU8({2, 2, 1}, {2, 4, 6, 8}), {.scale = 55}));
  for (int i = 0; i < 4; ++i)
    EXPECT_FLOAT_EQ(contrast[i], (2 * i - 3) * 55 / std::sqrt(20.0f));
  EXPECT_EQ(floats(globalContrastNormalize(makeF32({2}, {7, 7}))),
            (std::vector<float>{0, 0}));
  EXPECT_EQ(
      floats(globalContrastNormalize(makeF32({2}, {6, 8}), {.minDivisor = 2})),
      (std::vector<float>{-1, 1}));
  EXPECT_THROW(globalContrastNormalize(makeF32({1}, {1}), {.scale = 0}),
               DataError);
}

TEST(Mixup, AddsWeightedExamples) {
  const Feature first = makeF32({3}, {1, 0, 0});
  const Feature second = makeF32({3}, {0, 0, 1});
  EXPECT_EQ(floats(mixup(first, second, 0.75f)),
            (std::vector<float>{0.75, 0, 0.25}));
  EXPECT_THROW(mixup(first, makeF32({2}, {1, 2}), 0.5f), DataError);
  EXPECT_THROW(mixup(first, second, 1.5f), DataError);
  EXPECT_THROW(mixup(first, second, NAN), DataError);
  EXPECT_THROW(mixup(makeU8({1}, {1}), makeU8({1}, {1}), 0.5f), DataError);
}

TEST(Mixup, DrawsWeightsOfABetaDistribution) {
  for (double alpha : {0.2, 1.0, 4.0}) {
    Random random(1, 2, 3, 4);
    const int count = 20000;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      const double weight = mixupWeight(alpha, random);
      ASSERT_TRUE(weight >= 0 && weight <= 1);
      sum += weight;
      squares += (weight - 0.5) * (weight - 0.5);
    }
    // The variance of Beta(a, a) is 1 / (4 (2 a + 1)).
    EXPECT_NEAR(sum / count, 0.5, 0.015);
    EXPECT_NEAR(squares / count, 1 / (4 * (2 * alpha + 1)), 0.005);
  }
  Random random(1, 2, 3, 4);
  EXPECT_THROW(mixupWeight(0, random), DataError);
  for (int i = 0; i < 100; ++i) {
    const float weight = mixupWeight(1e-6, random);
    EXPECT_TRUE(weight >= 0 && weight <= 1);
  }
}
