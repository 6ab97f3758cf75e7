/// Tests the layer stacks of the cookbook and their scopes in eager mode.
#include "../Errors.h"

#include "tg/graph/variable_scope.h"
#include "tg/nn/cookbook.h"

#include <algorithm>

using namespace tg;
using Floats = std::vector<float>;

namespace {
class CookbookLayers : public testing::Test {
protected:
  ExecutionScope scope{true};
  Program program{"cookbook"};

  /// Returns the names and shapes of the variables.
  std::string variables() const {
    std::string text;
    for (const Variable &variable : program.variables())
      if (variable.isTrainable())
        text += variable.name() + " " + toString(variable.shape()) + "\n";
    return text;
  }
};

TEST_F(CookbookLayers, placesBetweenTensors) {
  Tensor a = program.tensor<float>({0, 10}, {2});
  Tensor b = program.tensor<float>({4, 20}, {2});
  EXPECT_EQ(lerp(a, b, 0.25).values<float>(), (Floats{1, 12.5}));
  EXPECT_EQ(lerp(0.0, b, program.tensor<float>({1, 0.5}, {2})).values<float>(),
            (Floats{4, 10}));
}

TEST_F(CookbookLayers, copiesToAShape) {
  Tensor like = program.zeros({2, 1, 4});
  Tensor pair = program.tensor<float>({1, 2}, {2});
  EXPECT_EQ(tileLike(pair, like).values<float>(),
            (Floats{1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(toString(tileLike(program.ones({1, 1, 4}), like).shape()),
            "[2, 1, 4]");
  EXPECT_EQ(tileLike(program.tensor<float>({7}, {}), pair).values<float>(),
            (Floats{7, 7}));
  EXPECT_ERROR(
      tileLike(program.ones({3}), like),
      "expected extents that divide the extents of [2, 1, 4], found [3]");
  EXPECT_ERROR(tileLike(like, pair), "found [2, 1, 4]");
}

TEST_F(CookbookLayers, denseOnesBehindEachOther) {
  Tensor x = program.tensor<float>({-1, 2}, {1, 2});
  Tensor y = denseLayers(x, {2, 1}, {.weightInitializer = ones()});
  EXPECT_EQ(y.values<float>(), (Floats{2}));
  EXPECT_EQ(variables(), "dense_layers/dense/kernel [2, 2]\n"
                         "dense_layers/dense/bias [2]\n"
                         "dense_layers/dense_1/kernel [2, 1]\n"
                         "dense_layers/dense_1/bias [1]\n");
  // relu clamps negative values, except on a linear top layer.
  DenseLayersOptions options = {.weightInitializer = Initializer(-1.0)};
  EXPECT_EQ(denseLayers(x, {1}, options).values<float>(), (Floats{0}));
  options.linearTopLayer = true;
  EXPECT_EQ(denseLayers(x, {1}, options).values<float>(), (Floats{-1}));
  VariableScope again(program, "", {.reuse = Reuse::yes});
  Tensor same = denseLayers(x, {2, 1}, {.name = "dense_layers"});
  EXPECT_EQ(same.values<float>(), (Floats{2}));
}

TEST_F(CookbookLayers, dropsWhileTrainingAlone) {
  Tensor x = program.ones({1, 1000});
  DenseLayersOptions options = {
      .rate = 0.5, .weightInitializer = ones(), .name = "top"};
  EXPECT_EQ(denseLayers(x, {1}, options).item(), 1000);
  VariableScope again(program, "", {.reuse = Reuse::yes});
  options.training = true;
  double found = denseLayers(x, {1}, options).item();
  EXPECT_NEAR(found, 1000, 200);
  EXPECT_NE(found, 1000);
}

TEST_F(CookbookLayers, convolutionsBehindEachOther) {
  Tensor image = program.ones({1, 8, 8, 2});
  Tensor y = convLayers(image, {4, 3}, {.kernels = {3, 1}, .pools = {2}});
  EXPECT_EQ(toString(y.shape()), "[1, 2, 2, 3]");
  EXPECT_EQ(variables(), "conv_layers/conv/kernel [3, 3, 2, 4]\n"
                         "conv_layers/conv/bias [4]\n"
                         "conv_layers/conv_1/kernel [1, 1, 4, 3]\n"
                         "conv_layers/conv_1/bias [3]\n");
  Tensor row = program.tensor<float>({1, 2, 3, 4, 5}, {1, 5, 1});
  Tensor sums = convLayers(
      row, {1}, {.padding = Padding::valid, .weightInitializer = ones()});
  EXPECT_EQ(sums.values<float>(), (Floats{6, 9, 12}));
  EXPECT_EQ(toString(convLayers(program.ones({1, 4, 4, 4, 1}), {2, 2},
                                {.strides = {2, 1}, .pools = {1, 2}})
                         .shape()),
            "[1, 1, 1, 1, 2]");
}

TEST_F(CookbookLayers, refusesListsThatDoNotFit) {
  Tensor image = program.ones({1, 8, 8, 2});
  EXPECT_ERROR(convLayers(image, {4, 3, 2}, {.kernels = {3, 1}}),
               "expected .kernels of 1 or more, one for each of 3 layers or "
               "one for all, found [3, 1]");
  EXPECT_ERROR(convLayers(image, {4}, {.pools = {0}}), ".pools of 1 or more");
  EXPECT_ERROR(convLayers(image, {0}), "expected at least 1 filter, found 0");
  EXPECT_ERROR(convLayers(image[0][0], {4}),
               "expected an input of rank 3 to 5");
  EXPECT_ERROR(denseLayers(image, {0}), "at least one unit");
}

TEST_F(CookbookLayers, kernelsAsAPicture) {
  // Three kernels of 1 x 2: 0 1, 2 3 and 4 2.
  Tensor kernel = program.tensor<float>({0, 2, 4, 1, 3, 2}, {1, 2, 1, 3});
  Tensor grid = kernelsOnGrid(kernel, {.columns = 2});
  EXPECT_EQ(toString(grid.shape()), "[1, 6, 8, 1]");
  Floats shades = grid.values<float>();
  auto row = [&](size_t y) {
    return Floats(shades.begin() + 8 * y, shades.begin() + 8 * (y + 1));
  };
  const Floats black(8);
  EXPECT_EQ(row(0), black);
  EXPECT_EQ(row(1), (Floats{0, 0, 0.25f, 0, 0, 0.5f, 0.75f, 0}));
  EXPECT_EQ(row(2), black);
  EXPECT_EQ(row(4), (Floats{0, 1, 0.5f, 0, 0, 0, 0, 0}));
  EXPECT_EQ(
      toString(
          kernelsOnGrid(program.ones({3, 3, 3, 10}), {.border = 0}).shape()),
      "[1, 9, 12, 3]");
  Floats flat = kernelsOnGrid(program.ones({1, 1, 1, 1})).values<float>();
  EXPECT_TRUE(std::all_of(flat.begin(), flat.end(),
                          [](float shade) { return shade == 0; }));
  EXPECT_ERROR(kernelsOnGrid(program.ones({3, 3})), "found [3, 3], 0 and 1");
}
} // namespace
