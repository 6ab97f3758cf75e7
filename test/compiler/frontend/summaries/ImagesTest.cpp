// Tests summaries of images: bytes, floats, labels, errors.
#include "../Errors.h"
#include "ParsedSummary.h"
#include "tg/tg.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tg;
using namespace tg::test;

namespace {
using Pixels = std::vector<int>;

/// Returns the values of a summary of eager mode.
std::map<std::string, ParsedValue> valuesOf(const SummaryOp &summary) {
  return parseSummary(summary.value());
}

/// Fixture with a program in eager mode.
class SummaryImages : public testing::Test {
protected:
  /// Returns the pixels of one image of floats [1, height, 2, channels].
  Pixels shown(const std::vector<float> &numbers, int64_t channels) {
    int64_t height = int64_t(numbers.size()) / 2 / channels;
    Tensor image = program.tensor(numbers, {1, height, 2, channels});
    return pixelsOf(valuesOf(summaryImage("x", image, 1)).at("x/image").image);
  }

  ExecutionScope eagerly{true};
  Program program{"look"};
};

TEST_F(SummaryImages, ofBytesStayAsTheyAre) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 4 * 2 * 3 * 3; ++i)
    bytes.push_back(uint8_t(7 * i));
  Tensor images = program.tensor(bytes, {4, 2, 3, 3});
  auto found = valuesOf(summaryImage("x", images));
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(found.at("x/image/2").image.shape(),
            (std::vector<int64_t>{2, 3, 3}));
  EXPECT_EQ(pixelsOf(found.at("x/image/2").image),
            Pixels(bytes.begin() + 36, bytes.begin() + 54));
  EXPECT_EQ(valuesOf(summaryImage("x", images, 9)).size(), 4u);
  EXPECT_EQ(valuesOf(summaryImage("x", images, 1)).count("x/image"), 1u);
}

// The rule of TensorFlow.
TEST_F(SummaryImages, ofFloatsAreScaled) {
  EXPECT_EQ(shown({0, 1, 2, 4}, 1), (Pixels{0, 63, 127, 255}));
  EXPECT_EQ(shown({-1, 0, 0.5, 0.25}, 1), (Pixels{1, 128, 191, 159}));
  EXPECT_EQ(shown({-1, 2}, 1), (Pixels{64, 255}));
  EXPECT_EQ(shown({0, 9e-7f}, 1), (Pixels{0, 0}));
  EXPECT_EQ(shown({-9e-7f, 0}, 1), (Pixels{128, 128}));
}

TEST_F(SummaryImages, showNumbersThatAreNotFiniteInRed) {
  EXPECT_EQ(shown({2, NAN, INFINITY, 1}, 1), (Pixels{255, 255, 255, 127}));
  EXPECT_EQ(shown({1, NAN, 9, 1, 0, 2}, 3), (Pixels{255, 0, 0, 127, 0, 255}));
  EXPECT_EQ(shown({-INFINITY, 1, 1, 1, 0, 0, 0, 0}, 4),
            (Pixels{255, 0, 0, 255, 0, 0, 0, 0}));
  EXPECT_EQ(shown({NAN, -NAN}, 1), (Pixels{255, 255}));
}

/// Returns the rows of a grey image as text: # for a pixel that is not 0.
std::string drawing(const data::Feature &image) {
  std::string text;
  for (int64_t y = 0; y < image.shape()[0]; ++y) {
    for (int64_t x = 0; x < image.shape()[1]; ++x)
      text +=
          image.values<uint8_t>()[size_t(y * image.shape()[1] + x)] ? '#' : '.';
    text += '\n';
  }
  return text;
}

TEST_F(SummaryImages, haveLabels) {
  Tensor images = program.zeros({2, 8, 12, 1});
  auto found = valuesOf(
      summaryLabeledImage("x", images, program.tensor<int64_t>({7, 42}, {2}),
                          {.maxOutputs = 2, .fontSize = 8}));
  EXPECT_EQ(drawing(found.at("x/image/0").image), "............\n"
                                                  "####........\n"
                                                  "...#........\n"
                                                  "..#.........\n"
                                                  "..#.........\n"
                                                  ".#..........\n"
                                                  ".#..........\n"
                                                  "............\n");
  EXPECT_EQ(drawing(found.at("x/image/1").image), "............\n"
                                                  "..#...##....\n"
                                                  ".##..#..#...\n"
                                                  "#.#.....#...\n"
                                                  "####...#....\n"
                                                  "..#...#.....\n"
                                                  "..#..####...\n"
                                                  "............\n");
}

TEST_F(SummaryImages, haveLabelsInAColor) {
  Tensor images = program.zeros({1, 20, 20, 3}, u8);
  auto found = valuesOf(summaryLabeledImage(
      "x", images, program.tensor<float>({0.5f}, {1}),
      {.maxOutputs = 1, .color = {.red = 1, .green = 2, .blue = 3}}));
  int covered = 0;
  Pixels pixels = pixelsOf(found.at("x/image").image);
  for (size_t i = 0; i < pixels.size(); i += 3)
    covered += pixels[i] == 1 && pixels[i + 1] == 2 && pixels[i + 2] == 3;
  EXPECT_EQ(covered, std::count(pixels.begin(), pixels.end(), 2));
  EXPECT_GT(covered, 10);
}

TEST_F(SummaryImages, areFlipped) {
  std::vector<uint8_t> rows;
  for (int i = 0; i < 40; ++i)
    rows.insert(rows.end(), 2, uint8_t(i));
  Tensor images = program.tensor(rows, {1, 40, 2, 1});
  auto found = valuesOf(
      summaryLabeledImage("x", images, program.tensor<int64_t>({1}, {1}),
                          {.maxOutputs = 1, .flipVertical = true}));
  Pixels pixels = pixelsOf(found.at("x/image").image);
  for (size_t i = 16 * 2; i < pixels.size(); ++i)
    EXPECT_EQ(pixels[i], int(39 - i / 2));
}

TEST(SummaryImage, ofASession) {
  Program graph("g");
  Tensor images = graph.input("images", f32, {dim("n"), 2, 2, 1});
  Tensor labels = graph.input("labels", i64, {dim("m")});
  SummaryOp summary = summaryLabeledImage("x", images, labels);
  SummaryOp first = summaryImage("first", graph.ones({5, 1, 1, 3}), 2);
  Session session(graph, {.optimization = 1, .kernelCache = ""});
  std::vector<float> pixels(4 * 4, 1);
  std::vector<int64_t> numbers(4, 1);
  auto run = [&](size_t n, size_t m) {
    return parseSummary(
        session.run(summary, {{images, FeedValue(std::span(pixels).first(4 * n),
                                                 {int64_t(n), 2, 2, 1})},
                              {labels, std::span(numbers).first(m)}}));
  };
  EXPECT_EQ(run(4, 4).size(), 3u);
  EXPECT_EQ(run(1, 1).size(), 1u);
  EXPECT_EQ(run(0, 0).size(), 0u);
  EXPECT_THROW(run(2, 1), GraphError);
  EXPECT_EQ(parseSummary(session.run(first)).size(), 2u);
}

using SummaryImageErrors = Error;

TEST_F(SummaryImageErrors, nameTheLineAndTheTensor) {
  Tensor images = program.input("images", f32, {4, 8, 8, 3});
  EXPECT_ERROR(summaryImage("x", y),
               "expected images [n, height, width, 1, 3 or 4] of u8 or floats "
               "for summary 'x', found f32 [4, 5]");
  EXPECT_ERROR(summaryImage("x", program.ones({1, 2, 2, 2})), "[1, 2, 2, 2]");
  EXPECT_ERROR(summaryImage("x", program.ones({1, 2, 2, 3}, i32)), "found i32");
  EXPECT_ERROR(summaryImage("x", images, 0),
               "expected at least 1 image for summary 'x', found 0");
  EXPECT_ERROR(summaryLabeledImage("x", images, y),
               "expected a number for each of the images [4, 8, 8, 3] as "
               "labels of summary 'x', found f32 [4, 5]");
  EXPECT_ERROR(summaryLabeledImage("x", images, k, {.fontSize = 200}),
               "expected a font size of 8 to 128 for summary 'x', found 200");
}
} // namespace
