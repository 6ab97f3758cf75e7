//===- LinearTest.cpp - layers that multiply by a weight ------------------===//
#include "OneLayer.h"

using namespace tg;
using namespace tg::test;

static LinearOptions threeByTwo() {
  return {.units = 2,
          .weightInitializer = values({1, 2, 3, 4, 5, 6}),
          .biasInitializer = values({0.5, -0.5})};
}

TEST(LinearTest, MultipliesAndAdds) {
  Answer<float> y = apply(Linear(threeByTwo()), {{1, 1, 1, 1, 0, -1}, {2, 3}});
  EXPECT_EQ(y.shape, (std::vector<int64_t>{2, 2}));
  expectNear(y.elements, {9.5f, 11.5f, -3.5f, -4.5f});
}

TEST(LinearTest, GoesWithoutBias) {
  LinearOptions options = threeByTwo();
  options.useBias = false;
  Linear layer(options);
  expectNear(apply(layer, {{1, 1, 1}, {1, 3}}).elements, {9, 12});
  EXPECT_EQ(layer.variables().size(), 1u);
}

TEST(LinearTest, MasksOutputs) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  LinearMasked layer(
      {.linear = threeByTwo(), .mask = program.constant({0, 2}, f32, {2})});
  program.function("run",
                   {.inputs = {x}, .outputs = {{"y", layer.testFprop(x)}}});
  Context context = makeContext(program);
  std::vector<float> ones = {1, 1, 1};
  std::span<const float> y =
      context.run("run", {{"x", ones}}).values<float>("y");
  expectNear(std::vector<float>(y.begin(), y.end()), {0, 23});
}

TEST(LinearTest, SharesVariablesBetweenModesAndCopies) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Linear layer({.units = 2});
  layer.trainFprop(x);
  layer.testFprop(x);
  Linear(layer).testFprop(x);
  EXPECT_EQ(program.parameterCount(), 8);
  EXPECT_EQ(program.variables().front().name(), "test/Linear_1/weight");
}

TEST(LinearTest, UsesGivenVariables) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Linear first({.units = 2});
  first.trainFprop(x);
  Linear second({.units = 2,
                 .weight = first.variables()[0],
                 .bias = first.variables()[1]});
  second.trainFprop(x);
  EXPECT_EQ(program.parameterCount(), 8);
  ASSERT_EQ(second.variables().size(), 2u);
  EXPECT_EQ(second.variables()[0].name(), "test/Linear_1/weight");
}

TEST(LinearTest, RefusesOtherShapes) {
  EXPECT_EQ(errorOf([] { Linear({.units = 0}); }),
            "expected at least 1 unit, found 0");
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Tensor wide = program.input("wide", f32, {dim("n"), 4});
  Tensor cube = program.input("cube", f32, {dim("n"), 3, 3});
  Linear layer({.units = 2});
  EXPECT_EQ(errorOf([&] { Linear({.units = 2}).trainFprop(cube); }),
            "expected an input [n, d], found [?, 3, 3]");
  layer.trainFprop(x);
  EXPECT_EQ(errorOf([&] { layer.trainFprop(wide); }),
            "expected an input that fits 'test/Linear_2/weight' [3, 2], made "
            "for another input; this one needs [4, 2]");
  EXPECT_EQ(errorOf([&] { Linear({.units = 2, .inputs = 4}).trainFprop(x); }),
            "expected an input [n, 4], found [?, 3]");
  EXPECT_EQ(program.parameterCount(), 8);
}
