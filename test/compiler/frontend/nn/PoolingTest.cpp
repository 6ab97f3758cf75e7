//===- PoolingTest.cpp - pooling and resizing layers ----------------------===//
#include "OneLayer.h"

#include <numeric>

using namespace tg;
using namespace tg::test;

namespace {
/// Returns the numbers 0, 1, 2, … in a shape.
Given<float> counting(std::vector<int64_t> shape) {
  Given<float> given{{}, std::move(shape)};
  int64_t count = 1;
  for (int64_t extent : given.shape)
    count *= extent;
  given.elements.resize(count);
  std::iota(given.elements.begin(), given.elements.end(), 0.0f);
  return given;
}

void expectAnswer(const Answer<float> &found, std::vector<int64_t> shape,
                  const std::vector<float> &elements) {
  EXPECT_EQ(found.shape, shape);
  expectNear(found.elements, elements);
}
} // namespace

TEST(PoolingTest, SlidesByOneUnlessToldOtherwise) {
  Given<float> image = counting({1, 3, 3, 1});
  expectAnswer(apply(MaxPooling(), image), {1, 2, 2, 1}, {4, 5, 7, 8});
  expectAnswer(apply(AvgPooling(), image), {1, 2, 2, 1}, {2, 3, 5, 6});
  expectAnswer(
      apply(MaxPooling({.strides = {2}, .padding = Padding::same}), image),
      {1, 2, 2, 1}, {4, 5, 7, 8});
  expectAnswer(
      apply(AvgPooling({.window = {3, 3}, .padding = {{1, 0}, {1, 0}}}), image),
      {1, 2, 2, 1}, {2, 2.5, 3.5, 4});
  expectAnswer(apply(AvgPooling({.window = {1, 2},
                                 .padding = {{0, 0}, {0, 1}},
                                 .countPadding = true}),
                     image),
               {1, 3, 3, 1}, {0.5, 1.5, 1, 3.5, 4.5, 2.5, 6.5, 7.5, 4});
  expectAnswer(apply(MaxPooling({.dilations = {2}}), image), {1, 1, 1, 1}, {8});
}

TEST(PoolingTest, TakesRowsAndVolumes) {
  expectAnswer(
      apply(MaxPooling({.window = {2}, .strides = {2}}), counting({1, 4, 2})),
      {1, 2, 2}, {2, 3, 6, 7});
  Given<float> volume = counting({1, 2, 2, 2, 1});
  expectAnswer(apply(MaxPooling3D(), volume), {1, 1, 1, 1, 1}, {7});
  expectAnswer(apply(AvgPooling3D(), volume), {1, 1, 1, 1, 1}, {3.5});
  expectAnswer(
      apply(AvgPooling3D({.window = {1, 1, 2}, .strides = {1, 1, 2}}), volume),
      {1, 2, 2, 1, 1}, {0.5, 2.5, 4.5, 6.5});
}

TEST(PoolingTest, TakesAllPlacesTogether) {
  Given<float> image = counting({2, 2, 2, 2});
  expectAnswer(apply(GlobalMaxPooling(), image), {2, 2}, {6, 7, 14, 15});
  expectAnswer(apply(GlobalAvgPooling(), image), {2, 2}, {3, 4, 11, 12});
  expectAnswer(apply(GlobalAvgPooling({.keepDims = true}), image), {2, 1, 1, 2},
               {3, 4, 11, 12});
  EXPECT_EQ(errorOf([&] {
              apply(GlobalAvgPooling(), counting({2, 2}));
            }),
            "'GlobalAvgPooling_1': expected an input [n, ..., c] with spatial "
            "dimensions, found "
            "[n, 2]");
}

TEST(PoolingTest, PutsValuesBackWhereTheyWere) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2, 4, 1});
  std::vector<Tensor> pooled =
      IndexedMaxPooling({.strides = {2}}).fprop({x}, Mode::train);
  Tensor back = MaxUnpooling({.strides = {2}, .sizes = {2, 4}})
                    .fprop(pooled, Mode::train)
                    .front();
  program.function("run", {.inputs = {x}, .outputs = {{"y", back}}});
  Context context = makeContext(program);
  std::vector<float> image = {1, 5, 2, 0, 3, 4, 7, 6};
  std::span<const float> y =
      context.run("run", {{"x", image}}).values<float>("y");
  expectNear(std::vector<float>(y.begin(), y.end()), {0, 5, 0, 0, 0, 0, 7, 0});
  EXPECT_EQ(errorOf([&] {
              MaxUnpooling({.sizes = {2, 4}}).fprop({x}, Mode::train);
            }),
            "'MaxUnpooling_2': expected values and indices, found 1 inputs");
}

TEST(PoolingTest, UnpoolsByAMatrix) {
  Given<float> image{{1, 2, 3, 4}, {1, 2, 1, 2}};
  expectAnswer(apply(FixedUnpooling(), image), {1, 4, 2, 2},
               {1, 2, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0});
  expectAnswer(
      apply(FixedUnpooling({.shape = {1, 3}, .matrix = {1, 0, -2}}), image),
      {1, 2, 3, 2}, {1, 2, 0, 0, -2, -4, 3, 4, 0, 0, -6, -8});
  EXPECT_EQ(
      errorOf([&] {
        apply(FixedUnpooling({.matrix = {1, 2}}), image);
      }),
      "'FixedUnpooling_1': expected a matrix of 2 times 2 factors, found 2");
}

TEST(PoolingTest, SamplesUpByEachConvention) {
  Given<float> row{{0, 4}, {1, 2, 1}};
  auto up = [&](ResizeMode mode, Coordinates coordinates) {
    return apply(UpSampling(
                     {.scale = {2}, .mode = mode, .coordinates = coordinates}),
                 row)
        .elements;
  };
  expectNear(up(ResizeMode::nearest, Coordinates::halfPixel), {0, 0, 4, 4});
  expectNear(up(ResizeMode::linear, Coordinates::halfPixel), {0, 1, 3, 4});
  expectNear(up(ResizeMode::linear, Coordinates::alignCorners),
             {0, 4.0f / 3, 8.0f / 3, 4});
  expectNear(up(ResizeMode::linear, Coordinates::asymmetric), {0, 2, 4, 4});
  EXPECT_EQ(errorOf([&] { apply(UpSampling(), row); }),
            "'UpSampling_1': expected a scale for each spatial dimension of "
            "[n, 2, 1], found 2");
  EXPECT_EQ(errorOf([&] { apply(UpSampling({.scale = {0}}), row); }),
            "'UpSampling_1': expected scales of at least 1, found 0");
}

TEST(PoolingTest, MovesBlocksToChannelsAndBack) {
  Given<float> image = counting({1, 2, 4, 1});
  Answer<float> deep = apply(SpaceToDepth(), image);
  expectAnswer(deep, {1, 1, 2, 4}, {0, 1, 4, 5, 2, 3, 6, 7});
  expectAnswer(apply(DepthToSpace({.block = 2}), deep), image.shape,
               image.elements);
  EXPECT_EQ(errorOf([&] { apply(SpaceToDepth({.block = 3}), image); }),
            "'SpaceToDepth_1': expected a block that divides dim 1 of [n, 2, "
            "4, 1], found 3");
  EXPECT_EQ(errorOf([&] { apply(DepthToSpace(), image); }),
            "'DepthToSpace_1': expected a block whose square divides the "
            "number of channels (1), "
            "found 2");
}

TEST(PoolingTest, NamesTheLayerAndWhatDoesNotFit) {
  Given<float> image = counting({1, 3, 3, 1});
  auto error = [&](Layer layer) {
    return errorOf([&] { apply(layer, image); });
  };
  EXPECT_NE(error(MaxPooling({.window = {0, 2}, .name = "halves"}))
                .find("expected window sizes of at least 1, found 0"),
            std::string::npos);
  EXPECT_NE(error(AvgPooling({.window = {4, 4}}))
                .find("expected input dim 1 to hold a window that spans 4 "
                      "elements, found 3 with pads"),
            std::string::npos);
  EXPECT_NE(
      error(MaxPooling3D()).find("expected window to have 2 entries, found 3"),
      std::string::npos);
}
