//===- PositionTest.cpp - positional encoding layers ----------------------===//
#include "OneLayer.h"

#include <cmath>

using namespace tg;
using namespace tg::test;

/// Runs a layer on sequences [n, t, 2] of ones, where t is static if `isKnown`.
static std::vector<float> run(Layer layer, int64_t steps, bool isKnown) {
  Program program("test");
  Tensor x =
      program.input("x", f32, {dim("n"), isKnown ? Extent(steps) : dim("t"), 2});
  Tensor y = layer->fprop({x}, Mode::test).front();
  program.function("run", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  std::vector<float> ones(size_t(2 * steps * 2), 1);
  std::span<const float> found =
      context.run("run", {{"x", Value(ones, {2, steps, 2})}})
          .values<float>("y");
  return {found.begin(), found.end()};
}

static PositionEmbedding threeSteps() {
  return PositionEmbedding(
      {.length = 3, .initializer = values({1, 2, 3, 4, 5, 6})});
}

TEST(PositionTest, AddsARowOfATableToEachStep) {
  for (bool isKnown : {true, false}) {
    expectNear(run(threeSteps(), 2, isKnown), {2, 3, 4, 5, 2, 3, 4, 5});
    expectNear(run(threeSteps(), 3, isKnown),
               {2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7});
  }
}

TEST(PositionTest, RefusesMoreStepsThanTheTableHas) {
  EXPECT_THROW(run(threeSteps(), 4, false), RuntimeError);
  EXPECT_THROW(run(threeSteps(), 4, true), GraphError);
}

TEST(PositionTest, LearnsTheRowsOfStepsThatThereAre) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), dim("t"), 2});
  Tensor loss = reduceSum(threeSteps().trainFprop(x));
  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.5}).minimize(loss)});
  Context context = makeContext(program);
  std::vector<float> ones(8, 1);
  context.run("train", {{"x", Value(ones, {2, 2, 2})}});
  expectNear(context.get<float>("test/PositionEmbedding_1/positions"),
             {0, 1, 2, 3, 5, 6});
}

TEST(PositionTest, MakesItsTableBeforeTheFirstCall) {
  Program program("test");
  DefaultGraph open = program.asDefault();
  PositionEmbedding layer = threeSteps();
  layer.build({2, 3, 2});
  EXPECT_EQ(toString(layer.variables().at(0).shape()), "[3, 2]");
}

TEST(PositionTest, AddsSinusoids) {
  std::vector<float> expected;
  for (int row = 0; row < 2; ++row)
    for (float step : {0.f, 1.f, 2.f}) {
      expected.push_back(1 + std::sin(step));
      expected.push_back(1 + std::cos(step));
    }
  for (bool isKnown : {true, false})
    expectNear(run(SinusoidalPositionEmbedding(), 3, isKnown), expected);
}

TEST(PositionTest, SaysWhatItNeeds) {
  EXPECT_EQ(errorOf([] { PositionEmbedding({}); }),
            "expected a length of at least 1, found 0");
  Program program("test");
  Tensor flat = program.input("x", f32, {dim("n"), 4});
  Tensor odd = program.input("odd", f32, {dim("n"), dim("t"), 3});
  EXPECT_EQ(
      errorOf([&] { PositionEmbedding({.length = 2}).trainFprop(flat); }),
      "'PositionEmbedding_1': expected float sequences [n, t, d] with d known, "
      "found f32 [n, 4]");
  EXPECT_EQ(errorOf([&] { SinusoidalPositionEmbedding().trainFprop(odd); }),
            "'SinusoidalPositionEmbedding_1': expected an even number of units, "
            "found 3");
}
