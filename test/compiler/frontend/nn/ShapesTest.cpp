//===- ShapesTest.cpp - layers that move, reduce, cast and call -----------===//
#include "OneLayer.h"

#include <cmath>

using namespace tg;
using namespace tg::test;

using Dims = std::vector<int64_t>;

static const Given<float> sixNumbers = {{1, 2, 3, 4, 5, 6}, {2, 3}};

TEST(ShapesTest, Transposes) {
  Answer<float> y = apply(Transpose({1, 0}), sixNumbers);
  EXPECT_EQ(y.shape, (Dims{3, 2}));
  expectNear(y.elements, {1, 4, 2, 5, 3, 6});
}

TEST(ShapesTest, Reverses) {
  expectNear(apply(Reverse({1}), sixNumbers).elements, {3, 2, 1, 6, 5, 4});
}

TEST(ShapesTest, FlattensAndReshapes) {
  Given<float> cube = {{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}};
  EXPECT_EQ(apply(Flatten(), cube).shape, (Dims{2, 4}));
  Answer<float> y = apply(Reshape({-1, 2}), cube);
  EXPECT_EQ(y.shape, (Dims{4, 2}));
  EXPECT_EQ(y.elements, cube.elements);
}

TEST(ShapesTest, SqueezesAndExpands) {
  Given<float> thin = {{1, 2, 3}, {3, 1, 1}};
  EXPECT_EQ(apply(Squeeze({1}), thin).shape, (Dims{3, 1}));
  EXPECT_EQ(apply(Squeeze({1, 2}), thin).shape, (Dims{3}));
  EXPECT_EQ(apply(ExpandDims(), sixNumbers).shape, (Dims{2, 3, 1}));
  EXPECT_EQ(apply(ExpandDims({.axis = 1}), sixNumbers).shape, (Dims{2, 1, 3}));
}

TEST(ShapesTest, SetsAndChecksShapes) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), dim("d")});
  Tensor y = SetShape({0, 3}).testFprop(x);
  EXPECT_FALSE(y.shape()[0].isKnown());
  EXPECT_EQ(y.dim(1), 3);
  program.function("run", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  EXPECT_NO_THROW(context.run(
      "run", {{"x", Value(sixNumbers.elements, sixNumbers.shape)}}));
  EXPECT_THROW(context.run("run", {{"x", Value(sixNumbers.elements, {3, 2})}}),
               RuntimeError);
}

TEST(ReductionsTest, ReducesAlongAxes) {
  expectNear(apply(ReduceSum(), sixNumbers).elements, {21});
  expectNear(apply(ReduceSum({.axes = {0}}), sixNumbers).elements, {5, 7, 9});
  Answer<float> kept =
      apply(ReduceMax({.axes = {-1}, .keepDims = true}), sixNumbers);
  EXPECT_EQ(kept.shape, (Dims{2, 1}));
  expectNear(kept.elements, {3, 6});
  expectNear(apply(ReduceMean({.axes = {1}}), sixNumbers).elements, {2, 5});
}

TEST(CastsTest, ConvertsElements) {
  Answer<int32_t> whole =
      apply<int32_t>(ToInt32(), Given<float>{{1.75f, -1.75f}, {2}});
  EXPECT_EQ(whole.elements, (std::vector<int32_t>{1, -1}));
  Answer<float> real = apply(ToFloat(), Given<int32_t>{{3, -4}, {2}});
  expectNear(real.elements, {3, -4});
}

TEST(ShapesTest, PadsImagesWithZeros) {
  Answer<float> y = apply(ZeroPad({.height = {1, 0}, .width = {0, 2}}),
                          {{1, 2, 3, 4}, {1, 2, 2, 1}});
  EXPECT_EQ(y.shape, (Dims{1, 3, 4, 1}));
  expectNear(y.elements, {0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0});
  EXPECT_EQ(apply(ZeroPad(), {{1, 2}, {1, 1, 2, 1}}).elements,
            (std::vector<float>{1, 2}));
  EXPECT_EQ(errorOf([] { apply(ZeroPad(), sixNumbers); }),
            "'ZeroPad_1': expected images [n, h, w, c], found [n, 3]");
}

TEST(LambdaTest, CallsTheFunction) {
  Lambda layer([](Tensor x) { return x * x + 1.0; });
  expectNear(apply(layer, sixNumbers).elements, {2, 5, 10, 17, 26, 37});
}

TEST(LambdaTest, TakesFunctionsThatNumbersHaveToo) {
  for (Lambda layer : {Lambda(exp), Lambda(tanh), Lambda(relu)})
    EXPECT_EQ(apply(layer, {{0}, {1}}).shape, (std::vector<int64_t>{1}));
  expectNear(apply(Lambda(exp), {{0, 1}, {2}}).elements,
             {1, float(std::exp(1.0))});
}
