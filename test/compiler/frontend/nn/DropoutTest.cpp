//===- DropoutTest.cpp - the dropout layer --------------------------------===//
#include "OneLayer.h"

#include <algorithm>

using namespace tg;
using namespace tg::test;

static Given<float> ones(int64_t rows, int64_t columns) {
  return {std::vector<float>(rows * columns, 1.0f), {rows, columns}};
}

TEST(DropoutTest, TestsWithoutDrawing) {
  Answer<float> y = apply(Dropout({.rate = 0.9}), ones(4, 5));
  EXPECT_EQ(y.elements, ones(4, 5).elements);
}

TEST(DropoutTest, DropsAndScalesWhileTraining) {
  Answer<float> y = apply(Dropout({.rate = 0.25}), ones(100, 100), Mode::train);
  size_t dropped = std::count(y.elements.begin(), y.elements.end(), 0.0f);
  EXPECT_GT(dropped, 2200u);
  EXPECT_LT(dropped, 2800u);
  for (float element : y.elements)
    if (element != 0)
      ASSERT_NEAR(element, 1 / 0.75, 1e-6);
}

TEST(DropoutTest, DrawsOncePerRowOrColumn) {
  Answer<float> rows = apply(Dropout({.rate = 0.5, .noiseShape = {-1, 1}}),
                             ones(64, 8), Mode::train);
  Answer<float> columns = apply(Dropout({.rate = 0.5, .noiseShape = {1, -1}}),
                                ones(8, 64), Mode::train);
  size_t kept = 0;
  for (int64_t i = 0; i < 64; ++i) {
    kept += rows.elements[i * 8] != 0;
    for (int64_t j = 0; j < 8; ++j) {
      EXPECT_EQ(rows.elements[i * 8 + j], rows.elements[i * 8]);
      EXPECT_EQ(columns.elements[j * 64 + i], columns.elements[i]);
    }
  }
  EXPECT_GT(kept, 10u);
  EXPECT_LT(kept, 54u);
}

TEST(DropoutTest, TakesTheRateAsAnInput) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 10});
  Tensor rate = program.input("rate", f32, {});
  Tensor y = Dropout({.rate = rate}).trainFprop(x);
  program.function("run", {.inputs = {x, rate}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  std::vector<float> given(1000, 1.0f);
  auto dropped = [&](double rate) {
    std::span<const float> y =
        context.run("run", {{"x", given}, {"rate", rate}}).values<float>("y");
    return std::count(y.begin(), y.end(), 0.0f);
  };
  EXPECT_EQ(dropped(0), 0);
  EXPECT_GT(dropped(0.9), 800);
}
