// Tests the functions of the cookbooks in eager mode.
#include "../Errors.h"

#include "tg/tg.h"

#include <cmath>

using namespace tg;

namespace {
class Cookbook : public testing::Test {
protected:
  ExecutionScope scope{true};
  Program program{"cookbook"};
};

TEST_F(Cookbook, probabilitiesAndTheirEntropy) {
  Tensor equal = program.tensor<float>({2, 2, 2, 2, 2}, {1, 5});
  EXPECT_NEAR(entropy(equal).item(), std::log(5.0), 1e-6);
  Tensor sure = program.tensor<float>({1000, 0}, {2});
  EXPECT_EQ(entropy(sure).item(), 0);
  EXPECT_EQ(logProbFromLogits(sure).values<float>(),
            (std::vector<float>{0, -1000}));
}

TEST_F(Cookbook, rowsOfEachExample) {
  Tensor x =
      program.tensor<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {2, 3, 2});
  Tensor rows = program.tensor<int64_t>({2, 0, 1, 1}, {2, 2});
  EXPECT_EQ(batchGather(x, rows).values<float>(),
            (std::vector<float>{4, 5, 0, 1, 8, 9, 8, 9}));
  EXPECT_ERROR(batchGather(x, x), "expected a tensor [n, k, ...] and");
}

TEST_F(Cookbook, mergesWithoutTiling) {
  Tensor a = program.ones({5, 3, 5});
  Tensor b = program.ones({5, 1, 6});
  Tensor merged = merge({a, b}, 10);
  EXPECT_EQ(toString(merged.shape()), "[5, 3, 10]");
  std::vector<std::string> names;
  for (const Variable &variable : program.variables())
    names.push_back(variable.name());
  EXPECT_EQ(names, (std::vector<std::string>{
                       "merge/proj_0/kernel", "merge/proj_0/bias",
                       "merge/proj_1/kernel", "merge/proj_1/bias"}));
  EXPECT_EQ(toString(merge({a}, 4, {.name = "own"}).shape()), "[5, 3, 4]");
}

TEST_F(Cookbook, denseLayersOfAnyRank) {
  Tensor x = program.tensor<float>({1, 2, 3, 4, 5, 6}, {1, 3, 2});
  Tensor y = dense(
      x, 2, {.activation = relu, .weightInitializer = ones(), .name = "top"});
  EXPECT_EQ(y.values<float>(), (std::vector<float>{3, 3, 7, 7, 11, 11}));
  EXPECT_EQ(toString(dense(x, 4).shape()), "[1, 3, 4]");
  EXPECT_EQ(toString(dense(x[0][0], 4, {.useBias = false}).shape()), "[4]");
  std::vector<std::string> names;
  for (const Variable &variable : program.variables())
    if (variable.isTrainable())
      names.push_back(variable.name());
  EXPECT_EQ(names,
            (std::vector<std::string>{"top/kernel", "top/bias", "dense/kernel",
                                      "dense/bias", "dense_1/kernel"}));
  EXPECT_ERROR(dense(x, 2, {.name = "top"}), "expected a new name");
  {
    VariableScope again(program, "", {.reuse = Reuse::yes});
    (void)dense(x, 2, {.name = "top"});
    EXPECT_ERROR(dense(x, 3, {.name = "top"}), "found f32 [2, 2]");
  }
  EXPECT_ERROR(dense(x, 0), "at least one unit");
}

TEST_F(Cookbook, distancesOfGaussians) {
  Tensor mean = program.tensor<float>({0, 1, 0, 3}, {2, 2});
  Tensor spread =
      program.tensor<float>({0, 0, std::log(4.f), std::log(2.f)}, {2, 2});
  // The divergence from the standard normal distribution is (σ² - ln σ² + μ² -
  // 1) / 2 per element.
  std::vector<float> found = gaussianKl({mean, spread}).values<float>();
  EXPECT_NEAR(found[0], 0.5, 1e-6);
  EXPECT_NEAR(found[1], (3 - std::log(4.0)) / 2 + (10 - std::log(2.0)) / 2,
              1e-5);
  // The divergence from itself is 0; from a distribution with variance 4, the
  // squared distance has the weight 1 / 4.
  for (float none : gaussianKl({mean, spread}, {mean, spread}).values<float>())
    EXPECT_NEAR(none, 0, 1e-6);
  Tensor wide = gaussianKl({mean[0], spread[0]}, {0.0, std::log(4.0)});
  EXPECT_NEAR(wide.item(), 2 * (std::log(4.0) + 0.25 - 1) / 2 + 0.125, 1e-6);
  EXPECT_ERROR(gaussianKl({mean, 0.0}), "expected a tensor");
}

TEST_F(Cookbook, channelsThatMatter) {
  Tensor x =
      program.tensor<float>({1, -2, 3, 4, 5, 6, 7, 8, -9, 10, 1, 0}, {1, 3, 4});
  Tensor excited = squeezeAndExcite(x, {.ratio = 2});
  EXPECT_EQ(toString(excited.shape()), "[1, 3, 4]");
  std::vector<Variable> kernels = program.variables();
  EXPECT_EQ(kernels.at(0).name(), "squeeze_and_excite/dense/kernel");
  EXPECT_EQ(toString(kernels[0].shape()), "[4, 2]");
  EXPECT_EQ(kernels.at(1).name(), "squeeze_and_excite/dense_1/kernel");
  EXPECT_EQ(toString(kernels[1].shape()), "[2, 4]");
  (void)assign(kernels[0],
               program.tensor<float>({1, 0, 0, 1, 0, 0, 0, 0}, {4, 2}));
  (void)assign(kernels[1],
               program.tensor<float>({1, 0, 0, 0, 0, -1, 0, 0}, {2, 4}));
  // The mean of channel 0 is -1, which relu clamps; the mean of channel 1 is 14
  // / 3.
  std::vector<float> gates = {.5f, 1 / (1 + std::exp(14 / 3.f)), .5f, .5f};
  VariableScope again(program, "", {.reuse = Reuse::yes});
  std::vector<float> found =
      squeezeAndExcite(x, {.ratio = 2, .name = "squeeze_and_excite"})
          .values<float>();
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], x.values<float>()[i] * gates[i % 4], 1e-5) << i;
  EXPECT_ERROR(squeezeAndExcite(x, {.ratio = 5}), "a ratio of at most c");
  EXPECT_ERROR(squeezeAndExcite(x[0]), "expected an input [n, ..., c]");
}

TEST_F(Cookbook, normalizesBatches) {
  Tensor x = program.tensor<float>({1, 10, 3, 10, 5, 10, 7, 10}, {4, 2});
  std::vector<float> trained =
      batchNormalization(x, {.training = true}).values<float>();
  EXPECT_NEAR(trained[0], -3 / std::sqrt(5.001), 1e-5);
  EXPECT_EQ(trained[1], 0);
  std::vector<Variable> all = program.variables();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].name(), "batch_normalization/avg_mean");
  EXPECT_FALSE(all[2].isTrainable());
  auto average = [&](size_t i) { return all[i].values<float>()[0]; };
  EXPECT_NEAR(average(2), 0.4, 1e-6);           // 0.1 · 4
  EXPECT_NEAR(average(3), 0.9 + 0.1 * 5, 1e-6); // biased
  VariableScope again(program, "", {.reuse = Reuse::yes});
  (void)batchNormalization(
      x, {.training = true, .fused = true, .name = "batch_normalization"});
  EXPECT_NEAR(average(3), 0.9 * 1.4 + 0.1 * 20 / 3, 1e-5); // unbiased
  std::vector<float> tested =
      batchNormalization(x, {.name = "batch_normalization"}).values<float>();
  EXPECT_NEAR(tested[0], (1 - 0.76) / std::sqrt(average(3) + 0.001), 1e-5);
  EXPECT_ERROR(batchNormalization(x[0]), "an input of rank 2 or more");
}

TEST(CookbookGraph, normalizationMovesWithUpdateOps) {
  Program program("cookbook");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  Tensor y = batchNormalization(x, {.training = true});
  std::vector<Tensor> moved = program.collection("update_ops");
  ASSERT_EQ(moved.size(), 2u);
  Updates train;
  {
    ControlDependencies behind({moved.begin(), moved.end()});
    train = SGD({.learningRate = 0.1}).minimize(reduceSum(square(y - 1.0)));
  }
  Variable mean =
      variablesByName(program, "batch_normalization/avg_mean").front();
  Variable beta = variablesByName(program, "beta").front();
  Session session(program, {.optimization = 1, .kernelCache = ""});
  session.run(program.initializer());
  const std::vector<Feed> feeds = {{x, {{1.0, 2.0}, {3.0, 2.0}}}};
  session.run(y, feeds);
  EXPECT_EQ(session.value(mean).at(0), 0);
  session.run(train, feeds);
  EXPECT_NEAR(session.value(mean).at(0), 0.2, 1e-6);
  EXPECT_NEAR(session.value(beta).at(1), 0.4, 1e-6); // 0.1 · 2 · 2
}

TEST_F(Cookbook, beamSearchKeepsItsCopies) {
  const std::vector<double> transitions = {.1, .5, .3, .1, .2,  .2,  .5,  .1,
                                           .4, .1, .1, .4, .25, .25, .25, .25};
  Tensor logits = log(program.constant(transitions, f32, {4, 4}));
  auto step = [&](Tensor ids, Tensor state) {
    return std::pair(gather(logits, ids), state);
  };
  Tensor state = program.zeros({2, 1}); // two equal examples
  auto search = [&](int64_t width) {
    return rnnBeamSearch(step, state,
                         {.width = width, .length = 3, .begin = 0, .end = 3});
  };
  Beams two = search(2);
  EXPECT_EQ(two.tokens.values<int64_t>(),
            (std::vector<int64_t>{0, 1, 2, 0, 0, 1, 2, 3, //
                                  0, 1, 2, 0, 0, 1, 2, 3}));
  for (float score : two.scores.values<float>())
    EXPECT_NEAR(std::exp(score), 0.1, 1e-6);
  Beams four = search(4);
  EXPECT_EQ(four.tokens[0].values<int64_t>(),
            (std::vector<int64_t>{0, 2, 3, 0, 0, 2, 3, 1, //
                                  0, 2, 3, 2, 0, 2, 3, 3}));
  for (float score : four.scores.values<float>())
    EXPECT_NEAR(std::exp(score), 0.12, 1e-6);
}
} // namespace
