//===- LinearTest.cpp - linear layers -------------------------------------===//
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

TEST(LinearTest, TakesAnyRank) {
  Answer<float> cube = apply(
      Linear(threeByTwo()), {{1, 1, 1, 1, 0, -1, 0, 0, 0, 0, 0, 1}, {2, 2, 3}});
  EXPECT_EQ(cube.shape, (std::vector<int64_t>{2, 2, 2}));
  expectNear(cube.elements,
             {9.5f, 11.5f, -3.5f, -4.5f, 0.5f, -0.5f, 5.5f, 5.5f});
  Program program("test");
  Tensor x = program.input("x", f32, {3});
  program.function(
      "run", {.inputs = {x}, .outputs = {{"y", Linear(threeByTwo())(x)}}});
  Context context = makeContext(program);
  const Outputs &row = context.run("run", {{"x", std::vector<float>{1, 1, 1}}});
  EXPECT_EQ(row.shape("y").size(), 1u);
  expectNear(std::vector<float>(row.values<float>("y").begin(),
                                row.values<float>("y").end()),
             {9.5f, 11.5f});
}

TEST(LinearTest, AppliesAnActivation) {
  LinearOptions options = threeByTwo();
  options.activation = relu;
  expectNear(apply(Linear(options), {{1, 1, 1, 1, 0, -1}, {2, 3}}).elements,
             {9.5f, 11.5f, 0, 0});
  Linear layer({.units = 2, .activation = tanh});
  EXPECT_EQ(apply(layer, {{1, 1, 1}, {1, 3}}).elements.size(), 2u);
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
  Tensor number = program.input("number", f32, {});
  Linear layer({.units = 2});
  EXPECT_EQ(errorOf([&] { Linear({.units = 2}).trainFprop(number); }),
            "'Linear_1': expected an input [..., d], found a scalar");
  layer.trainFprop(x);
  EXPECT_EQ(errorOf([&] { layer.trainFprop(wide); }),
            "'Linear_2': expected an input that fits 'test/Linear_2/weight' "
            "[3, 2], made "
            "for another input; this one needs [4, 2]");
  EXPECT_EQ(errorOf([&] { Linear({.units = 2, .inputs = 4}).trainFprop(x); }),
            "'Linear_3': expected an input [..., 4], found [n, 3]");
  EXPECT_EQ(program.parameterCount(), 8);
}

//===-- Sparse ------------------------------------------------------------===//

namespace {
/// A sparse layer of 3 inputs and 2 units with 3 rows, or with the rows of a
/// label.
struct Sparse {
  Program program{"test"};
  Tensor places = program.input("places", i32, {dim("k"), 2});
  Tensor values = program.input("values", f32, {dim("k")});
  SparseLinear layer;

  explicit Sparse(Extent rows = 3)
      : layer({.units = 2,
               .inputs = 3,
               .rows = rows,
               .weightInitializer = tg::values({1, 2, 3, 4, 5, 6}),
               .biasInitializer = tg::values({0.5, -0.5})}) {}

  std::vector<float> run(std::vector<int32_t> places,
                         std::vector<float> elements) {
    Tensor output = layer.trainFprop(this->places, values);
    Tensor loss = reduceSum(output * output) * 0.5;
    program.function("train",
                     {.inputs = {this->places, values},
                      .outputs = {{"y", output}},
                      .updates = SGD({.learningRate = 1.0}).minimize(loss)});
    Context context = makeContext(program);
    std::span<const float> y =
        context.run("train", {{"places", places}, {"values", elements}})
            .values<float>("y");
    trained = context.get<float>("test/SparseLinear_1/weight");
    return {y.begin(), y.end()};
  }

  std::vector<float> trained;
};
} // namespace

TEST(SparseLinearTest, MultipliesTheElementsThatAreThere) {
  Sparse sparse;
  // Rows 0 10 0, an empty row, and 1 0 3; the last element is given in two
  // parts.
  std::vector<float> y = sparse.run({0, 1, 2, 2, 2, 0, 2, 2}, {10, 1, 1, 2});
  expectNear(y, {30.5f, 39.5f, 0.5f, -0.5f, 16.5f, 19.5f});
  // weight - xᵀ · y; row 1 of the weights has most of the gradient.
  expectNear(sparse.trained,
             {1 - 16.5f, 2 - 19.5f, 3 - 305, 4 - 395, 5 - 49.5f, 6 - 58.5f});
}

TEST(SparseLinearTest, TakesTheRowsOfAnotherInput) {
  Program program("test");
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor places = program.input("places", i64, {dim("k"), 2});
  Tensor values = program.input("values", f32, {dim("k")});
  Tensor y = SparseLinear({.units = 2, .inputs = 3})(places, values);
  program.function("run",
                   {.inputs = {label, places, values}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  const Outputs &found =
      context.run("run", {{"label", std::vector<int32_t>{0, 0, 0, 0}},
                          {"places", std::vector<int64_t>{3, 2}},
                          {"values", std::vector<float>{1}}});
  EXPECT_EQ(found.shape("y")[0], 4);
  EXPECT_NE(found.values<float>("y")[6], 0);
}

TEST(SparseLinearTest, RefusesPlacesOutside) {
  EXPECT_THROW(Sparse().run({3, 0}, {1}), RuntimeError);
  EXPECT_THROW(Sparse().run({0, 3}, {1}), RuntimeError);
  EXPECT_EQ(errorOf([] { SparseLinear({.units = 2}); }),
            "expected at least 1 unit and 1 input, found 2 and 0");
  Sparse sparse;
  EXPECT_EQ(errorOf([&] { sparse.layer.trainFprop(sparse.values); }),
            "'SparseLinear_1': expected indices [k, 2] and values [k] of a "
            "sparse input, found 1 "
            "inputs");
  EXPECT_EQ(
      errorOf([&] { sparse.layer.trainFprop(sparse.values, sparse.values); }),
      "'SparseLinear_1': expected indices [k, 2] and values [k] of a sparse "
      "input, found [k] and "
      "[k]");
}
