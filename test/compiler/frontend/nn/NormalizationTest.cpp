//===- NormalizationTest.cpp - normalization layers -----------------------===//
#include "OneLayer.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::test;

TEST(LRNTest, DividesByTheChannelsBeside) {
  Given<float> image = {{1, 2, 3, 4, 0, -1, 2, 2}, {1, 1, 2, 4}};
  std::vector<float> expected;
  for (int place : {0, 4})
    for (int channel = 0; channel < 4; ++channel) {
      double sum = 0;
      for (int beside = std::max(channel - 1, 0);
           beside <= std::min(channel + 1, 3); ++beside)
        sum += image.elements[place + beside] * image.elements[place + beside];
      expected.push_back(image.elements[place + channel] /
                         std::pow(2 + 0.5 * sum, 0.75));
    }
  expectNear(
      apply(LRN({.radius = 1, .bias = 2, .alpha = 0.5, .beta = 0.75}), image)
          .elements,
      expected);
  // The window covers all four channels.
  expectNear(apply(LRN(), {{1, 1, 1, 1}, {1, 4}}).elements,
             std::vector<float>(4, 1 / std::sqrt(5.0f)));
}

TEST(L2NormalizeTest, DividesByTheLength) {
  Answer<float> y = apply(L2Normalize(), {{3, 4, 0, 0}, {2, 2}});
  expectNear(y.elements, {0.6f, 0.8f, 0, 0});
}

//===----------------------------------------------------------------------===//
// Moments of examples
//===----------------------------------------------------------------------===//

// Two examples of two positions and four channels. The expected values below
// are from PyTorch 2 (nn.LayerNorm, nn.GroupNorm, nn.InstanceNorm1d,
// nn.RMSNorm), with the channels moved to the axis that each expects.
static const Given<float> examples = {
    {1, 2, 3, 6, 0, -1, 4, 2, 2, 2, 0, -4, 5, 1, 1, 3}, {2, 2, 4}};

TEST(LayerNormalizationTest, NormalizesTheLastAxisOrSeveral) {
  expectNear(apply(LayerNormalization(), examples).elements,
             {-1.069043f, -0.534522f, 0.0f, 1.603565f, -0.650944f, -1.171699f,
              1.432076f, 0.390566f, 0.816496f, 0.816496f, 0.0f, -1.632992f,
              1.507554f, -0.904532f, -0.904532f, 0.301511f});
  LayerNormalization both({.axes = {1, 2}});
  expectNear(apply(both, examples).elements,
             {-0.538815f, -0.059868f, 0.419079f, 1.855919f, -1.017762f,
              -1.496709f, 0.898026f, -0.059868f, 0.307793f, 0.307793f,
              -0.512989f, -2.154553f, 1.538966f, -0.102598f, -0.102598f,
              0.718184f});
  ASSERT_EQ(both.variables().size(), 2u);
  EXPECT_EQ(toString(both.variables()[0].shape()), "[2, 4]");
  EXPECT_EQ(both.variables()[1].name(), "test/LayerNormalization_1/beta");
}

TEST(GroupNormalizationTest, NormalizesNeighbouringChannels) {
  GroupNormalization layer({.groups = 2});
  expectNear(apply(layer, examples).elements,
             {0.447212f, 1.341635f, -0.507091f, 1.521274f, -0.447212f,
              -1.341635f, 0.16903f, -1.183213f, -0.333333f, -0.333333f, 0.0f,
              -1.568928f, 1.666663f, -0.999998f, 0.392232f, 1.176696f});
  EXPECT_EQ(toString(layer.variables()[0].shape()), "[4]");
  EXPECT_EQ(errorOf([] { apply(GroupNormalization(), examples); }),
            "'GroupNormalization_1': expected a number of groups that divides "
            "the number of channels "
            "(4), found 32");
}

TEST(InstanceNormalizationTest, NormalizesEachChannel) {
  expectNear(apply(InstanceNormalization({.center = false}), examples).elements,
             {0.99998f, 0.999998f, -0.99998f, 0.999999f, -0.99998f, -0.999998f,
              0.99998f, -0.999999f, -0.999998f, 0.99998f, -0.99998f, -1.0f,
              0.999998f, -0.99998f, 0.99998f, 1.0f});
  EXPECT_EQ(errorOf([] { apply(InstanceNormalization(), {{1, 2}, {1, 2}}); }),
            "'InstanceNormalization_1': expected an input [n, ..., c] with at "
            "least one spatial dimension, found [n, 2]");
}

TEST(RmsNormalizationTest, DividesByTheRootOfTheMeanSquare) {
  RmsNormalization layer;
  expectNear(apply(layer, examples).elements,
             {0.282843f, 0.565685f, 0.848528f, 1.697056f, 0.0f, -0.436436f,
              1.745743f, 0.872871f, 0.816497f, 0.816497f, 0.0f, -1.632993f,
              1.666667f, 0.333333f, 0.333333f, 1.0f});
  ASSERT_EQ(layer.variables().size(), 1u);
  EXPECT_EQ(layer.variables()[0].name(), "test/RmsNormalization_1/gamma");
}
