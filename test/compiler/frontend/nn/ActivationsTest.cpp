//===- ActivationsTest.cpp - elementwise layers ---------------------------===//
#include "OneLayer.h"

#include <cmath>

using namespace tg;
using namespace tg::test;

static const std::vector<float> points = {-8, -2, -0.5, 0, 0.25, 1, 3, 9};

/// Compares all activations in one compiled program.
TEST(ActivationsTest, ComputesEachFunction) {
  struct Row {
    const char *name;
    Layer layer;
    double (*function)(double);
  };
  const Row rows[] = {
      {"relu", Relu(), [](double x) { return std::max(x, 0.0); }},
      {"relu6", Relu6(),
       [](double x) { return std::min(std::max(x, 0.0), 6.0); }},
      {"leaky", LeakyRelu(), [](double x) { return std::max(x, 0.2 * x); }},
      {"leaky3", LeakyRelu({.slope = 0.3}),
       [](double x) { return std::max(x, 0.3 * x); }},
      {"elu", Elu(), [](double x) { return x > 0 ? x : std::expm1(x); }},
      {"softplus", Softplus(),
       [](double x) { return std::log1p(std::exp(x)); }},
      {"softsign", Softsign(), [](double x) { return x / (1 + std::abs(x)); }},
      {"gelu", Gelu(),
       [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2))); }},
      {"silu", Silu(), [](double x) { return x / (1 + std::exp(-x)); }},
      {"tanh", Tanh(), [](double x) { return std::tanh(x); }},
      {"sigmoid", Sigmoid(), [](double x) { return 1 / (1 + std::exp(-x)); }},
  };
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  std::vector<Output> outputs;
  for (const Row &row : rows)
    outputs.push_back({row.name, row.layer->fprop({x}, Mode::train).front()});
  program.function("run", {.inputs = {x}, .outputs = outputs});
  Context context = makeContext(program);
  const Outputs &found = context.run("run", {{"x", points}});
  for (const Row &row : rows)
    for (size_t i = 0; i < points.size(); ++i)
      EXPECT_NEAR(found.values<float>(row.name)[i], row.function(points[i]),
                  1e-5)
          << row.name << " of " << points[i];
  EXPECT_EQ(program.variables().size(), 0u);
}

TEST(ActivationsTest, SoftmaxDistributesRows) {
  Answer<float> y = apply(Softmax(), {{0, 0, 1000, 0, 1, 2}, {2, 3}});
  double sum = 1 + std::exp(1.0) + std::exp(2.0);
  expectNear(y.elements, {0, 0, 1, float(1 / sum), float(std::exp(1.0) / sum),
                          float(std::exp(2.0) / sum)});
}

TEST(ActivationsTest, MaxoutTakesTheGreatestPiece) {
  Answer<float> y = apply(Maxout(), {{1, 2, 3, 0, -5, -4, 7, 8}, {2, 4}});
  EXPECT_EQ(y.shape, (std::vector<int64_t>{2, 2}));
  expectNear(y.elements, {2, 3, -4, 8});
  EXPECT_EQ(errorOf([] {
              Program program("p");
              Maxout({.pieces = 3})
                  .trainFprop(program.input("x", f32, {dim("n"), 4}));
            }),
            "'Maxout_1': expected a number of pieces that divides the last "
            "extent (4), "
            "found 3");
}

TEST(ActivationsTest, PreluHasTrainedSlopes) {
  expectNear(apply(Prelu(), {{-4, 0, 2}, {3}}).elements, {-1, 0, 2});
  Prelu each({.slope = 0.5, .perChannel = true});
  expectNear(apply(each, {{-4, 6, -2, -8}, {2, 2}}).elements, {-2, 6, -1, -4});
  EXPECT_EQ(each.variables().front().size(), 2);
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  Prelu layer({.perChannel = true});
  Tensor loss = reduceSum(layer(x));
  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.5}).minimize(loss)});
  Context context = makeContext(program);
  context.run("train", {{"x", std::vector<float>{-4, 6, -2, -8}}});
  expectNear(context.get<float>("test/Prelu_1/slope"), {3.25f, 4.25f});
}
