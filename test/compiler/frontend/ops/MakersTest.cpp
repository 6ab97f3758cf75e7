// Tests tensors that are created from a shape.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
/// A program with an input of two rows; the number of rows is a named extent.
struct Made {
  Program program{"p"};
  Tensor x = program.input("x", f32, {dim("n"), 3});

  /// Returns the elements of a tensor by running a function that outputs it.
  Elements value(const Tensor &tensor) {
    program.function("f", {.inputs = {x}, .outputs = {{"y", tensor}}});
    Evaluator evaluator(program.text());
    if (!program.variables().empty())
      evaluator.init(1);
    std::vector<Elements> outputs =
        evaluator.run("f", {{{-2, -1, 0, 1, 2, 3}, {2, 3}}});
    EXPECT_EQ(evaluator.error(), "");
    return outputs.empty() ? Elements() : outputs[0];
  }
};

/// Returns the value of the tensor that `function` creates in a program.
template <typename Function> Elements make(Function function) {
  Made made;
  return made.value(function(made.program));
}

using Dims = std::vector<int64_t>;

TEST(Makers, fillShapes) {
  Elements zeros = make([](Program &p) { return p.zeros({2, 2}); });
  EXPECT_EQ(zeros.values, Numbers(4, 0));
  EXPECT_EQ(make([](Program &p) { return p.ones({3}, i32); }).values,
            Numbers(3, 1));
  expectNear(make([](Program &p) {
               return p.fill({3, 3}, 23.9);
             }).values,
             Numbers(9, 23.9));
  Elements rows = make([](Program &p) { return p.fill({dim("n"), 2}, 7); });
  EXPECT_EQ(rows.values, Numbers(4, 7));
  EXPECT_EQ(rows.shape, (Dims{2, 2}));
  EXPECT_EQ(make([](Program &p) {
              return p.zeros({0, 2});
            }).shape,
            (Dims{0, 2}));
}

TEST(Makers, countInRanges) {
  auto range = [](auto... arguments) {
    return make([=](Program &p) { return p.range(arguments...); }).values;
  };
  EXPECT_EQ(range(4), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(range(dim("n"), f32), (Numbers{0, 1}));
  EXPECT_EQ(range(2, 5), (Numbers{2, 3, 4}));
  EXPECT_EQ(range(0, 10, 3), (Numbers{0, 3, 6, 9}));
  EXPECT_EQ(range(3, 0, -1, i32), (Numbers{3, 2, 1}));
  EXPECT_EQ(range(3, 3), (Numbers{}));
  // numpy.arange(0, 1, 0.1, dtype=float32): not a sum of rounded steps.
  Numbers tenths = range(0, 1, 0.1, f32);
  ASSERT_EQ(tenths.size(), 10u);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(tenths[i], float(i * 0.1));
}

TEST(Makers, standAtEqualDistances) {
  auto of = [](auto... arguments) {
    return make([=](Program &p) { return p.linspace(arguments...); }).values;
  };
  EXPECT_EQ(of(0, 1, 5), (Numbers{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(of(3, -3, 3, f64), (Numbers{3, 0, -3}));
  EXPECT_EQ(of(7, 9, 1), (Numbers{7}));
  EXPECT_EQ(of(7, 9, 0), (Numbers{}));
  // numpy.linspace: the last number is exact.
  Numbers thirds = of(0, 0.7, 8, f64);
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(thirds[i], i * (0.7 / 7));
  EXPECT_EQ(thirds[7], 0.7);
  Program program("p");
  EXPECT_THROW(program.linspace(0, 1, -1), GraphError);
  EXPECT_THROW(program.linspace(0, 1, 3, i32), GraphError);
}

TEST(Makers, haveOnesOnTheDiagonal) {
  EXPECT_EQ(make([](Program &p) { return p.eye(2); }).values,
            (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(make([](Program &p) { return p.eye(dim("n"), 3, i32); }).values,
            (Numbers{1, 0, 0, 0, 1, 0}));
}

TEST(Makers, giveShapes) {
  Made made;
  Elements shape = made.value(shapeOf(stack({made.x, made.x}, 2)));
  EXPECT_EQ(shape.values, (Numbers{2, 3, 2}));
  Made scalar;
  EXPECT_EQ(scalar.value(shapeOf(reduceSum(scalar.x))).shape, Dims{0});
}

/// Returns the mean and the variance of numbers.
std::pair<double, double> momentsOf(const Numbers &numbers) {
  double sum = 0, squares = 0;
  for (double number : numbers) {
    sum += number;
    squares += number * number;
  }
  double mean = sum / numbers.size();
  return {mean, squares / numbers.size() - mean * mean};
}

TEST(Makers, draw) {
  auto [mean, variance] = momentsOf(make([](Program &p) {
                                      return p.randomUniform({dim("n"), 2000});
                                    }).values);
  EXPECT_NEAR(mean, 0.5, 0.02);
  EXPECT_NEAR(variance, 1. / 12, 0.01);
  auto [low, spread] =
      momentsOf(make([](Program &p) {
                  return p.randomUniform({4000}, {.low = 2, .high = 6}, f64);
                }).values);
  EXPECT_NEAR(low, 4, 0.1);
  EXPECT_NEAR(spread, 16. / 12, 0.1);
  auto [center, width] =
      momentsOf(make([](Program &p) {
                  return p.randomNormal({4000}, {.mean = 3, .stddev = 2});
                }).values);
  EXPECT_NEAR(center, 3, 0.15);
  EXPECT_NEAR(width, 4, 0.4);
}

TEST(Makers, takeTheInputThatNamesTheExtent) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor ones = program.ones({dim("n")});
  try {
    program.function("f", {.outputs = {{"y", ones}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("expected input 'x' among the inputs"),
              std::string::npos)
        << error.message;
  }
  program.function("g", {.inputs = {x}, .outputs = {{"y", ones}}});
  EXPECT_NE(program.text().find("{tg.dims = [\"n\"], tg.name = \"y\"}"),
            std::string::npos)
      << program.text();
}
} // namespace
