// What cookbooks have, in eager mode.
#include "Errors.h"

#include "tg/cookbook.h"

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
  Tensor a = program.ones({5, 3, 5}), b = program.ones({5, 1, 6});
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

TEST_F(Cookbook, beamSearchKeepsItsCopies) {
  const std::vector<double> transitions = {.1, .5, .3, .1, .2,  .2,  .5,  .1,
                                           .4, .1, .1, .4, .25, .25, .25, .25};
  Tensor logits = log(program.constant(transitions, f32, {4, 4}));
  auto step = [&](Tensor state, Tensor ids) {
    return std::pair(state, gather(logits, ids));
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
