//===- LabelledImagesTest.cpp - MNIST and CIFAR, and whole arrays ---------===//
#include "tg/data/labelled_images.hpp"

#include "test/data/Files.h"
#include "test/data/Support.h"
#include "tg/data/augment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tg::data;
using testing::ElementsAre;

namespace {

class LabelledImages : public FilesTest {
protected:
  LabelledImages()
      : images(write("images", idxOf({2, 1, 3}, {0, 51, 255, 102, 0, 200}))),
        labels(write("labels", idxOf({2}, {7, 0}))) {}

  static std::string idxOf(std::vector<int> dims, std::vector<int> elements) {
    std::string file{0, 0, 8, static_cast<char>(dims.size())};
    for (int dim : dims)
      file += std::string{0, 0, 0, static_cast<char>(dim)};
    return file + std::string(elements.begin(), elements.end());
  }
  /// Returns a record with these labels, whose pixels have numbers of their
  /// channel and column.
  static std::string cifarOf(const std::string &stored) {
    std::string record = stored;
    for (int i = 0; i < 3072; ++i)
      record += static_cast<char>(i / 1024 * 80 + i % 32);
    return record;
  }

  std::string images, labels;
};

TEST_F(LabelledImages, Mnist) {
  const Dataset data = openMnist(images, labels);
  EXPECT_EQ(data.type()[0].text(), "f32 [1, 3, 1]");
  EXPECT_EQ(data.type()[1].text(), "i32 []");
  EXPECT_EQ(data.size(), 2u);
  const Example example = data.read(0, 0);
  EXPECT_THAT(example.features[0].values<float>(), ElementsAre(0, 0.2f, 1));
  EXPECT_EQ(example.features[1].values<int32_t>()[0], 7);
}

TEST_F(LabelledImages, MnistFlatBinaryAndOneHot) {
  MnistOptions options;
  options.isFlat = options.isOneHot = options.isBinary = true;
  const Dataset data = openMnist(images, labels, options);
  EXPECT_EQ(data.type()[0].text(), "f32 [3]");
  EXPECT_EQ(data.type()[1].text(), "f32 [10]");
  const Example example = data.read(0, 1);
  EXPECT_THAT(example.features[0].values<float>(), ElementsAre(0, 0, 1));
  EXPECT_THAT(example.features[1].values<float>(),
              ElementsAre(1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(LabelledImages, MnistRefusesFilesThatDoNotFit) {
  EXPECT_EQ(errorOf([&] { openMnist(labels, labels); }),
            labels + ": expected images ui8 [rows, height, width], found rows "
                     "of ui8 []");
  EXPECT_EQ(errorOf([&] { openMnist(images, images); }),
            images + ": expected labels ui8 [rows], found rows of ui8 [1, 3]");
  const std::string one = write("one", idxOf({1}, {3}));
  EXPECT_EQ(errorOf([&] { openMnist(images, one); }),
            one + ": expected a label for each of the 2 images of " + images +
                ", found 1");
  MnistOptions options;
  options.classes = 5;
  const Dataset data = openMnist(images, labels, options);
  EXPECT_THAT(errorOf([&] { data.read(0, 0); }),
              testing::EndsWith("expected labels below 5, found 7"));
}

TEST_F(LabelledImages, Cifar10) {
  const std::vector<std::string> paths = {
      write("1.bin", cifarOf("\x03") + cifarOf("\x09")),
      write("2.bin", cifarOf("\x01"))};
  const Dataset data = openCifar10(paths);
  EXPECT_EQ(data.size(), 3u);
  EXPECT_EQ(data.type()[0].text(), "f32 [32, 32, 3]");
  EXPECT_EQ(data.read(0, 1).features[1].values<int32_t>()[0], 9);
  const Feature image = data.read(0, 2).features[0];
  // Row 0, column 5.
  EXPECT_THAT(image.values<float>().subspan(15, 3),
              ElementsAre(5.0f / 255, 85.0f / 255, 165.0f / 255));
  CifarOptions options;
  options.normalizesContrast = options.isFlat = true;
  const Feature normalized = openCifar10(paths, options).read(0, 2).features[0];
  EXPECT_THAT(normalized.shape(), ElementsAre(3072));
  const Feature expected = globalContrastNormalize(image, {.scale = 55});
  EXPECT_TRUE(
      std::ranges::equal(normalized.values<float>(), expected.values<float>()));
  EXPECT_EQ(errorOf([&] { openCifar100(paths); }),
            paths[0] + ": expected records with 2 labels, found 1");
  EXPECT_EQ(errorOf([] { openCifar10({}); }),
            "expected files of CIFAR, found none");
  const Dataset wrong = openCifar10({write("w.bin", cifarOf("\x0a"))});
  EXPECT_EQ(errorOf([&] { wrong.read(0, 0); }),
            path("w.bin") + ": record 0 at byte 0: expected labels below 10, "
                            "found 10");
}

TEST_F(LabelledImages, Cifar100) {
  const std::vector<std::string> paths = {
      write("train.bin", cifarOf(std::string{19, 99}))};
  const auto labelOf = [&](const CifarOptions &options) {
    return openCifar100(paths, options)
        .read(0, 0)
        .features[1]
        .values<int32_t>()[0];
  };
  EXPECT_EQ(labelOf({}), 99);
  CifarOptions options;
  options.isCoarse = true;
  EXPECT_EQ(labelOf(options), 19);
  EXPECT_EQ(errorOf([&] { openCifar10(paths, options); }),
            "expected CIFAR-100 for coarse labels, found CIFAR-10");
}

TEST_F(LabelledImages, WhiteningIsFittedOnceAndApplied) {
  const Dataset data = openMnist(images, labels);
  const Whitening fitted = cachedWhitening(path("zca.npz"), data);
  // The second call reads the file.
  const Whitening loaded = cachedWhitening(path("zca.npz"), data.take(1));
  const Feature image = data.read(0, 0).features[0];
  const Feature one = fitted.apply(image), two = loaded.apply(image);
  EXPECT_TRUE(std::ranges::equal(one.values<float>(), two.values<float>()));
  EXPECT_EQ(
      errorOf([&] { cachedWhitening(path("other.npz"), data, "picture"); }),
      "expected a feature 'picture', found 'image'");

  const std::string small = write("small.bin", cifarOf("\x03"));
  Feature mean({TG_DTYPE_FLOAT, 64, 1}, {3072}),
      matrix({TG_DTYPE_FLOAT, 64, 1}, {3072, 3072});
  std::ranges::fill(mean.values<double>(), 0.25);
  std::ranges::fill(matrix.values<double>(), 0);
  matrix.values<double>()[0] = 2; // the first element of the first row
  CifarOptions options;
  options.whitening = std::make_shared<Whitening>(mean, matrix);
  const Feature white = openCifar10({small}, options).read(0, 0).features[0];
  EXPECT_THAT(white.values<float>().first(2), ElementsAre(-0.5f, 0));
}

TEST_F(LabelledImages, WholeArrays) {
  const Feature all = readIdx(images);
  EXPECT_THAT(all.shape(), ElementsAre(2, 1, 3));
  EXPECT_THAT(all.values<uint8_t>(), ElementsAre(0, 51, 255, 102, 0, 200));
  for (const Dataset &data : {numbers(5), streamed(5)}) {
    const std::vector<NamedFeature> arrays = readArrays(data);
    ASSERT_EQ(arrays.size(), 1u);
    EXPECT_EQ(arrays[0].name, "n");
    EXPECT_THAT(arrays[0].array.values<int64_t>(), ElementsAre(0, 1, 2, 3, 4));
  }
  EXPECT_THAT(readArrays(numbers(5).batch({.size = 2}))[0].array.shape(),
              ElementsAre(5));
  EXPECT_THAT(readArrays(streamed(0))[0].array.shape(), ElementsAre(0));
}

} // namespace
