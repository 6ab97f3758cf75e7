// Tests the training of a graph on arrays in one call.
#include "../Errors.h"
#include "tg/graph/train_object.h"

#include <cmath>
#include <set>

using namespace tg;

namespace {
/// Fixture with y = x w, and 12 examples of y = 3 x.
class TrainObject : public testing::Test {
protected:
  TrainObject() {
    for (int i = 0; i < 12; ++i) {
      const auto value = static_cast<float>(i % 4 + 1);
      xs.push_back(value);
      ys.push_back(3 * value);
    }
  }
  std::vector<FullFeed> feeds() const {
    return {{x, Array(xs, {12})}, {y, Array(ys, {12})}};
  }

  Program graph{"g"};
  std::unique_ptr<DefaultGraph> building{new DefaultGraph(graph)};
  Tensor x = placeholder(f32, {dim("n")}, "x");
  Tensor y = placeholder(f32, {dim("n")}, "y");
  Variable w = variable({}, zeros(), {.name = "w"});
  Tensor cost = reduceMean(square(x * w - y));
  std::vector<float> xs, ys;
  SessionOptions quick{.optimization = 1, .kernelCache = ""};
};

TEST_F(TrainObject, trainsUntilTheCostNoLongerFalls) {
  Session session(quick);
  std::vector<int64_t> seen;
  const std::vector<EpochCosts> epochs =
      trainObject(session, feeds(), cost, cost, SGD({.learningRate = 0.05}),
                  {.epochLookBack = 2,
                   .percentDecrease = 0.5,
                   .maxEpoch = 40,
                   .batchSize = 4,
                   .onEpoch = [&](const EpochCosts &costs) {
                     seen.push_back(costs.epoch);
                   }});
  ASSERT_GT(epochs.size(), 3u);
  EXPECT_LT(epochs.size(), 41u);
  EXPECT_EQ(epochs.size(), seen.size());
  EXPECT_EQ(seen.back(), static_cast<int64_t>(seen.size()));
  EXPECT_LT(epochs.back().valid, epochs.front().valid);
  EXPECT_NEAR(session.value(w).scalar(), 3, 1e-3);
}

TEST_F(TrainObject, weighsCostsByExamples) {
  // Without steps, the costs are those of w = 0: means of y^2. The 10 examples
  // for training are batches of 4, 4 and 2, the 2 others one batch.
  Session session(quick);
  const std::vector<EpochCosts> epochs =
      trainObject(session, feeds(), cost, cost, SGD({.learningRate = 0.0}),
                  {.maxEpoch = 1, .batchSize = 4});
  ASSERT_EQ(epochs.size(), 1u);
  double train = 0;
  for (size_t i = 0; i < 10; ++i)
    train += ys[i] * ys[i] / 10;
  EXPECT_NEAR(epochs[0].train, train, 1e-4);
  EXPECT_NEAR(epochs[0].valid, (ys[10] * ys[10] + ys[11] * ys[11]) / 2, 1e-4);
}

TEST_F(TrainObject, runsUpdatesOfLayers) {
  BatchNormalization norm({.momentum = 0.5});
  Tensor column = reshape(x, {-1, 1});
  Tensor scaled = norm(column) * w;
  Tensor loss = reduceMean(square(scaled - reshape(y, {-1, 1})));
  Variable mean;
  for (const Variable &each : graph.variables())
    if (each.name().ends_with("mean"))
      mean = each;
  Session session(quick);
  trainObject(session, feeds(), loss, cost, SGD({.learningRate = 0.01}),
              {.maxEpoch = 1, .batchSize = 12});
  // The mean of the 10 first x is 2.3.
  EXPECT_NEAR(session.value(mean).values<float>()[0], 0.5 * 2.3, 1e-5);
}

TEST_F(TrainObject, drawsTheSameSplitForTheSameSeed) {
  const auto validOf = [&](bool isRandom, uint64_t seed) {
    Session session(quick);
    return trainObject(
               session, feeds(), cost, cost, SGD({.learningRate = 0.0}),
               {.maxEpoch = 1, .randomizesSplit = isRandom, .seed = seed})[0]
        .valid;
  };
  std::set<double> values;
  for (uint64_t seed = 0; seed < 6; ++seed)
    values.insert(validOf(true, seed));
  EXPECT_GT(values.size(), 1u);
  EXPECT_EQ(validOf(true, 3), validOf(true, 3));
}

TEST_F(TrainObject, reportsMistakesAtTheCall) {
  Session session(quick);
  const SGD sgd({.learningRate = 0.1});
  EXPECT_ERROR(trainObject(session, {}, cost, cost, sgd),
               "expected an array of examples or more, found none");
  EXPECT_ERROR(trainObject(session, feeds(), cost, cost, sgd, {.batchSize = 0}),
               "expected batches of 1 or more, found 0");
  EXPECT_ERROR(
      trainObject(session, feeds(), cost, cost, sgd, {.epochLookBack = -1}),
      "expected to look back 0 epochs or more in 1 or more, found -1 in 100");
  EXPECT_ERROR(
      trainObject(session, feeds(), cost, cost, sgd, {.percentDecrease = 1}),
      "expected minDecrease as a fraction");
  EXPECT_ERROR(trainObject(session, feeds(), cost, cost, sgd,
                           {.trainValidRatio = {1, 0}}),
               "found none for one of them");
  EXPECT_ERROR(
      trainObject(session, {{x, Array(Literal(1.0))}}, cost, cost, sgd),
      "found one without rows");
  const std::vector<FullFeed> uneven = {{x, Array(xs, {12})},
                                        {y, Array({1, 2, 3})}};
  EXPECT_ERROR(trainObject(session, uneven, cost, cost, sgd), "3");
}
} // namespace
