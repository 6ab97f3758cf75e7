//===- RandomImagesTest.cpp - changes with drawn parameters ---------------===//
#include "TestImages.h"

#include "tg/data/augment.hpp"

#include <cmath>
#include <functional>
#include <set>

using namespace tg::data;

static Feature image(int64_t height, int64_t width, int64_t channels) {
  Feature made({TG_DTYPE_UINT, 8, 1}, {height, width, channels});
  const auto pixels = picture(height, width, channels);
  std::copy(pixels.begin(), pixels.end(), made.values<uint8_t>().begin());
  return made;
}

TEST(RandomImage, FollowsFromTheRandomAlone) {
  using Change = std::function<Feature(const Feature &, Random &)>;
  const Change changes[] = {
      [](auto &image, Random &random) {
        return randomCrop(image, {.size = {16, 16}, .padding = 4}, random);
      },
      [](auto &image, Random &random) {
        return randomResizedCrop(image, {.size = {16, 16}}, random);
      },
      [](auto &image, Random &random) {
        return randomFlipHorizontally(image, random);
      },
      [](auto &image, Random &random) {
        return randomFlipVertically(image, random);
      },
      [](auto &image, Random &random) {
        return randomRotation(image, 30, random);
      },
      [](auto &image, Random &random) {
        return randomShift(image, 0.2, 0.2, random,
                           {.mode = FillMode::Reflect});
      },
      [](auto &image, Random &random) {
        return randomShear(image, 20, random, {.mode = FillMode::Wrap});
      },
      [](auto &image, Random &random) {
        return randomZoom(image, 0.5, 2, random, {.mode = FillMode::Constant});
      },
      [](auto &image, Random &random) {
        return randomChannelShift(image, 40, random);
      }};
  const Feature original = image(20, 24, 3);
  for (const Change &change : changes) {
    std::set<std::vector<uint8_t>> results;
    for (uint64_t example = 0; example < 20; ++example) {
      Random first(7, 0, example, 1), second(7, 0, example, 1);
      const auto result = valuesOf<uint8_t>(change(original, first));
      EXPECT_EQ(result, valuesOf<uint8_t>(change(original, second)));
      results.insert(result);
    }
    EXPECT_GE(results.size(), 2u);
  }
}

TEST(RandomImage, IsCroppedAtEachPlace) {
  const Feature row = image(1, 5, 1);
  std::set<std::vector<uint8_t>> results;
  for (uint64_t example = 0; example < 200; ++example) {
    Random random(1, 0, example, 0);
    const Feature cropped =
        randomCrop(row, {.size = {1, 6}, .padding = 1}, random);
    results.insert(valuesOf<uint8_t>(cropped));
  }
  const auto p = valuesOf<uint8_t>(row);
  const std::vector<uint8_t> zeros(6);
  EXPECT_EQ(results,
            (std::set<std::vector<uint8_t>>{{0, p[0], p[1], p[2], p[3], p[4]},
                                            {p[0], p[1], p[2], p[3], p[4], 0},
                                            zeros}));
  Random random(1, 0, 0, 0);
  EXPECT_EQ(errorOf([&] {
              randomCrop(row, {.size = {2, 2}}, random);
            }),
            "expected a crop of at most 1 x 5 pixels, found 2 x 2");
  EXPECT_THROW(randomCrop(row, {.size = {1, 1}, .padding = -1}, random),
               DataError);
  EXPECT_THROW(
      randomCrop(row, {.size = {1, 1}, .padding = INT64_MAX / 2}, random),
      DataError);
}

TEST(RandomImage, HasWindowsOfTheScalesAndRatios) {
  const ImageSize size = {300, 400};
  double least = 1, greatest = 0;
  for (uint64_t example = 0; example < 500; ++example) {
    Random random(3, 0, example, 0);
    const ImageWindow window = randomWindow(size, {}, random);
    EXPECT_GE(window.top, 0);
    EXPECT_GE(window.left, 0);
    EXPECT_LE(window.top + window.height, size.height);
    EXPECT_LE(window.left + window.width, size.width);
    const double scale = window.height * window.width / 120000.0;
    const double ratio = static_cast<double>(window.width) / window.height;
    EXPECT_GT(scale, 0.078);
    EXPECT_GT(ratio, 0.74);
    EXPECT_LT(ratio, 1.35);
    least = std::min(least, scale);
    greatest = std::max(greatest, scale);
  }
  EXPECT_LT(least, 0.12);
  EXPECT_GT(greatest, 0.85);
}

TEST(RandomImage, TakesTheCenterIfNoWindowFits) {
  Random random(3, 0, 0, 0);
  EXPECT_EQ(randomWindow({10, 1000}, {}, random),
            (ImageWindow{0, 493, 10, 13}));
  EXPECT_EQ(randomWindow({1000, 9}, {}, random), (ImageWindow{494, 0, 12, 9}));
  EXPECT_EQ(randomWindow({4, 4}, {.scale = {5, 6}}, random),
            (ImageWindow{0, 0, 4, 4}));
  EXPECT_THROW(randomWindow({0, 4}, {}, random), DataError);
  EXPECT_THROW(randomWindow({4, 4}, {.scale = {0, 1}}, random), DataError);
  EXPECT_THROW(randomWindow({4, 4}, {.ratio = {2, 1}}, random), DataError);
}

TEST(RandomImage, IsFlippedWithItsProbability) {
  const Feature original = image(2, 3, 1);
  int flips = 0;
  for (uint64_t example = 0; example < 1000; ++example) {
    Random random(5, 0, example, 0);
    const Feature result = randomFlipHorizontally(original, random);
    flips += valuesOf<uint8_t>(result) != valuesOf<uint8_t>(original);
    Random other(5, 0, example, 0);
    EXPECT_EQ(valuesOf<uint8_t>(randomFlipVertically(original, other, 0)),
              valuesOf<uint8_t>(original));
    EXPECT_EQ(valuesOf<uint8_t>(randomFlipVertically(original, other, 1)),
              valuesOf<uint8_t>(flipVertically(original)));
  }
  EXPECT_NEAR(flips, 500, 60);
  Random random(5, 0, 0, 0);
  EXPECT_THROW(randomFlipVertically(original, random, 1.5), DataError);
  EXPECT_THROW(randomZoom(original, 0, 1, random), DataError);
  EXPECT_THROW(randomRotation(original, NAN, random), DataError);
}
