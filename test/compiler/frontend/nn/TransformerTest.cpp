//===- TransformerTest.cpp - transformer blocks ---------------------------===//
#include "OneLayer.h"

using namespace tg;
using namespace tg::test;

using Doubles = std::vector<double>;

/// Two examples of two rows of four numbers.
static const Doubles rows = {1, 2, 3, 6, 0, -1, 4, 2, 2, 2, 0, -4, 5, 1, 1, 3};

/// Returns the parameters, with weights transposed, that were used in PyTorch's
/// TransformerEncoderLayer(4, 2, 8, activation="gelu", batch_first=True).
static Doubles ramp(int64_t count, int64_t offset, double shift = 0) {
  Doubles numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(double((i * 7 + offset) % 11 - 5) / 10 + shift);
  return numbers;
}

namespace {
struct Parameter {
  std::string name;
  Doubles values;
};

/// A block with two heads in a program with a function of rows and lengths.
struct EncoderBlock {
  Program program{"test"};
  Tensor x = program.input("x", f64, {dim("n"), dim("t"), 4});
  Tensor lengths = program.input("lengths", i32, {dim("n")});
  std::vector<Parameter> parameters = {{"attention/query_weight", ramp(16, 0)},
                                       {"attention/key_weight", ramp(16, 3)},
                                       {"attention/value_weight", ramp(16, 5)},
                                       {"attention/query_bias", ramp(4, 1)},
                                       {"attention/key_bias", ramp(4, 2)},
                                       {"attention/value_bias", ramp(4, 4)},
                                       {"attention/output_weight", ramp(16, 6)},
                                       {"attention/output_bias", ramp(4, 7)},
                                       {"hidden/weight", ramp(32, 8)},
                                       {"hidden/bias", ramp(8, 9)},
                                       {"output/weight", ramp(32, 10)},
                                       {"output/bias", ramp(4, 0)},
                                       {"attention_norm/gamma", ramp(4, 1, 1)},
                                       {"attention_norm/beta", ramp(4, 2)},
                                       {"units_norm/gamma", ramp(4, 3, 1)},
                                       {"units_norm/beta", ramp(4, 4)}};
  Context context;

  explicit EncoderBlock(TransformerEncoderBlockOptions options,
                        bool masks = false)
      : context(make(std::move(options), masks)) {
    for (const Parameter &parameter : parameters)
      context.set(path(parameter), parameter.values);
  }
  Context make(TransformerEncoderBlockOptions options, bool masks) {
    options.heads = 2;
    options.units = 8;
    TransformerEncoderBlock block(options);
    std::vector<Tensor> inputs = {x};
    if (masks)
      inputs.push_back(lengths);
    Tensor y = block.fprop(inputs, Mode::test).front();
    Tensor loss = reduceSum(square(y));
    std::vector<Tensor> sources = {x};
    for (const Parameter &parameter : parameters)
      for (const Variable &variable : program.variables())
        if (variable.name() == path(parameter))
          sources.push_back(variable);
    std::vector<Tensor> gradients = gradientsOf(loss, sources);
    std::vector<Output> outputs = {
        {"y", y}, {"loss", loss}, {"gradient_x", gradients[0]}};
    for (size_t i = 1; i < gradients.size(); ++i)
      outputs.push_back({"gradient_" + std::to_string(i - 1), gradients[i]});
    program.function("run", {.inputs = {x, lengths}, .outputs = outputs});
    return makeContext(program);
  }
  static std::string path(const Parameter &parameter) {
    return "test/TransformerEncoderBlock_1/" + parameter.name;
  }
  const Outputs &run(const Doubles &given, int64_t n, int64_t t,
                     const std::vector<int32_t> &counts) {
    return context.run("run", {{"x", Value(given, {n, t, 4})},
                               {"lengths", Value(counts, {n})}});
  }
  Doubles output(const Doubles &given, int64_t n, int64_t t,
                 const std::vector<int32_t> &counts) {
    std::span<const double> y = run(given, n, t, counts).values<double>("y");
    return {y.begin(), y.end()};
  }
};
} // namespace

TEST(TransformerEncoderBlockTest, IsThatOfPyTorch) {
  expectNear(EncoderBlock({}).output(rows, 2, 2, {2, 2}),
             {0.866195, 1.528771, 3.571224, 7.031847, 0.05002, -1.496865,
              4.597013, 3.106512, 2.789501, 1.997907, 0.064865, -2.560805,
              5.077449, 0.665056, 2.050101, 3.967652},
             1e-6);
  expectNear(EncoderBlock({.normalizeFirst = false}).output(rows, 2, 2, {2, 2}),
             {-0.985169, -1.591453, 0.624469, 0.81375, -0.680698, -2.336988,
              1.480023, 0.350811, 0.903846, 0.560468, -0.904415, -0.870441,
              0.273021, -2.915329, 0.260038, 0.562554},
             1e-6);
  expectNear(EncoderBlock({.causal = true}).output(rows, 2, 2, {2, 2}),
             {0.542033, 1.898768, 3.123838, 6.721308, 0.05002, -1.496865,
              4.597013, 3.106512, 2.4852, 2.486529, -0.161304, -2.912899,
              5.077449, 0.665056, 2.050101, 3.967652},
             1e-6);
  // The src_key_padding_mask masks the second row of the second example.
  expectNear(EncoderBlock({}, true).output(rows, 2, 2, {2, 1}),
             {0.866195, 1.528771, 3.571224, 7.031847, 0.05002, -1.496865,
              4.597013, 3.106512, 2.4852, 2.486529, -0.161304, -2.912899,
              4.814657, 1.097676, 1.861179, 3.638957},
             1e-6);
}

TEST(TransformerEncoderBlockTest, GivesForEachLengthWhatItGivesAlone) {
  for (bool normalizeFirst : {true, false}) {
    EncoderBlock block({.normalizeFirst = normalizeFirst}, true);
    Doubles together = block.output(rows, 2, 2, {1, 2});
    Doubles first(rows.begin(), rows.begin() + 4);
    Doubles second(rows.begin() + 8, rows.end());
    expectNear(Doubles(together.begin(), together.begin() + 4),
               block.output(first, 1, 1, {1}), 1e-12);
    expectNear(Doubles(together.begin() + 8, together.end()),
               block.output(second, 1, 2, {2}), 1e-12);
  }
}

/// Compares the gradients of the rows and of every variable with central
/// differences.
TEST(TransformerEncoderBlockTest, HasTheGradientsOfDifferences) {
  constexpr double kStep = 1e-5;
  for (bool masks : {false, true}) {
    EncoderBlock block({.normalizeFirst = !masks}, masks);
    std::vector<int32_t> lengths = {2, 1};
    auto lossOf = [&](const Doubles &x) {
      return block.run(x, 2, 2, lengths).values<double>("loss")[0];
    };
    auto check = [&](const std::string &name, Doubles at, auto lossAt) {
      std::span<const double> found =
          block.run(rows, 2, 2, lengths).values<double>("gradient_" + name);
      Doubles gradient(found.begin(), found.end());
      ASSERT_EQ(gradient.size(), at.size());
      for (size_t i = 0; i < at.size(); ++i) {
        double value = at[i];
        at[i] = value + kStep;
        double above = lossAt(at);
        at[i] = value - kStep;
        double difference = (above - lossAt(at)) / (2 * kStep);
        at[i] = value;
        EXPECT_NEAR(gradient[i], difference,
                    1e-6 * std::max(1.0, std::abs(difference)))
            << name << ", element " << i;
      }
      lossAt(at);
    };
    check("x", rows, lossOf);
    for (size_t number = 0; number < block.parameters.size(); ++number)
      check(std::to_string(number), block.parameters[number].values,
            [&](const Doubles &values) {
              block.context.set(EncoderBlock::path(block.parameters[number]),
                                values);
              return lossOf(rows);
            });
  }
}

TEST(TransformerEncoderBlockTest, DropsWhileTrainingAlone) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 8, 4});
  TransformerEncoderBlock block({.heads = 2, .rate = 0.5});
  Tensor trained = block.trainFprop(x);
  Tensor tested = block.testFprop(x);
  // A training step that changes no variable but samples again.
  SGD still({.learningRate = 0.0});
  program.function("train", {.inputs = {x},
                             .outputs = {{"y", trained}},
                             .updates = still.minimize(reduceSum(trained))});
  program.function("test", {.inputs = {x}, .outputs = {{"y", tested}}});
  Context context = makeContext(program);
  std::vector<float> given;
  for (int i = 0; i < 64; ++i)
    given.push_back(float(i % 7) - 3);
  auto run = [&](const char *function) {
    std::span<const float> y =
        context.run(function, {{"x", Value(given, {2, 8, 4})}})
            .values<float>("y");
    return std::vector<float>(y.begin(), y.end());
  };
  std::vector<float> first = run("train");
  std::vector<float> second = run("train");
  std::vector<float> test = run("test");
  EXPECT_NE(first, second);
  EXPECT_NE(first, test);
  EXPECT_EQ(run("test"), test);
}

TEST(TransformerEncoderBlockTest, RefusesWhatDoesNotFit) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 3, 4});
  EXPECT_EQ(
      errorOf([&] { TransformerEncoderBlock({.heads = 0}); }),
      "expected at least 1 head and a head size of at least 0, found 0 and "
      "0");
  EXPECT_EQ(errorOf([&] { TransformerEncoderBlock({.units = -1}); }),
            "expected a number of units of at least 0, found -1");
  EXPECT_EQ(errorOf([&] { TransformerEncoderBlock({.rate = 1}); }),
            "expected a dropout rate in [0, 1), found 1.000000");
  EXPECT_EQ(errorOf([&] { Attention({.rate = -0.5}); }),
            "expected a dropout rate in [0, 1), found -0.500000");
  EXPECT_EQ(
      errorOf([&] { TransformerEncoderBlock({.name = "block"})(x, x, x); }),
      "'block': expected rows and a mask or lengths at most, found 3 "
      "inputs");
}
