// Compares weighted losses with loops over their elements.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
/// Two examples of two positions with three classes.
const std::vector<int64_t> shape = {2, 2, 3};
constexpr size_t examples = 2, places = 2, classes = 3;
const Elements logits = {
    {0.3, -1.2, 0.7, 1.9, -0.4, 0.8, -0.6, 0.2, 1.1, 0.5, -1.5, 0.1}, shape};
const Elements oneHotRows = {{0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1}, shape};
const Elements exampleWeights = {{0.5, 3}, {2}};
const Numbers classWeights = {0.2, 1.5, 2};

double x(size_t n, size_t at, size_t k) {
  return logits.values[(n * places + at) * classes + k];
}
double t(size_t n, size_t at, size_t k) {
  return oneHotRows.values[(n * places + at) * classes + k];
}
double p(size_t n, size_t at, size_t k) {
  double sum = 0;
  for (size_t j = 0; j < classes; ++j)
    sum += std::exp(x(n, at, j));
  return std::exp(x(n, at, k)) / sum;
}
double sigmoidOf(double logit) { return 1 / (1 + std::exp(-logit)); }

/// The weights that apply.
struct Case {
  bool weighsClasses, weighsExamples, normalizes;

  double ofClass(size_t k) const { return weighsClasses ? classWeights[k] : 1; }
  double ofExample(size_t n) const {
    return weighsExamples ? exampleWeights.values[n] : 1;
  }
  LossWeights weights(const Tensor &examplesGiven) const {
    LossWeights made;
    if (weighsClasses)
      made.classes = classWeights;
    if (weighsExamples)
      made.examples = examplesGiven;
    made.normalizes = normalizes;
    return made;
  }
};

const Case cases[] = {{false, false, false},
                      {true, false, false},
                      {false, true, false},
                      {true, true, false},
                      {true, true, true}};

using Loss = std::function<Tensor(Tensor, Tensor, LossWeights)>;

/// Compares a loss with weighted and averaged terms of rows or of elements.
void expectMean(const Case &each, Loss loss,
                std::function<double(size_t, size_t, size_t)> term, bool ofRows,
                std::function<double(double)> then = {}) {
  double sum = 0, weight = 0;
  for (size_t n = 0; n < examples; ++n) {
    weight += each.ofExample(n);
    for (size_t at = 0; at < places; ++at)
      for (size_t k = 0; k < classes; ++k) {
        double class_ = ofRows ? t(n, at, k) : 1;
        sum += each.ofExample(n) * each.ofClass(k) * class_ * term(n, at, k);
      }
  }
  double count = examples * places * (ofRows ? 1 : classes);
  double mean = sum / (each.normalizes ? weight : count);
  expectNear(evaluate({logits, oneHotRows, exampleWeights},
                      [&](std::vector<Tensor> x) {
                        return loss(x[0], x[1], each.weights(x[2]));
                      }),
             {then ? then(mean) : mean});
}

TEST(WeightedLoss, focalCrossEntropy) {
  for (const Case &each : cases)
    for (double gamma : {0., 1., 2., 0.5})
      expectMean(
          each,
          [=](Tensor x, Tensor t, LossWeights weights) {
            return weightedFocalCrossEntropy(
                x, t, {.weights = weights, .gamma = gamma});
          },
          [=](size_t n, size_t at, size_t k) {
            return -std::log(p(n, at, k)) * std::pow(1 - p(n, at, k), gamma);
          },
          true);
}

TEST(WeightedLoss, sigmoidCrossEntropy) {
  for (const Case &each : cases)
    for (const Numbers &positives : {Numbers(), Numbers{2, 0.5, 1}})
      expectMean(
          each,
          [=](Tensor x, Tensor t, LossWeights weights) {
            return weightedSigmoidCrossEntropy(
                x, t, {.weights = weights, .positives = positives});
          },
          [=](size_t n, size_t at, size_t k) {
            double q = positives.empty() ? 1 : positives[k];
            double yes = sigmoidOf(x(n, at, k));
            return -q * t(n, at, k) * std::log(yes) -
                   (1 - t(n, at, k)) * std::log(1 - yes);
          },
          false);
}

TEST(WeightedLoss, errors) {
  for (const Case &each : cases) {
    for (bool appliesSoftmax : {true, false})
      expectMean(
          each,
          [=](Tensor x, Tensor t, LossWeights weights) {
            return weightedRootMeanSquaredError(
                x, t, {.weights = weights, .appliesSoftmax = appliesSoftmax});
          },
          [=](size_t n, size_t at, size_t k) {
            double found = appliesSoftmax ? p(n, at, k) : x(n, at, k);
            return std::pow(t(n, at, k) - found, 2);
          },
          false, [](double mean) { return std::sqrt(mean); });
    expectMean(
        each, weightedMeanAbsoluteError,
        [](size_t n, size_t at, size_t k) {
          return std::abs(t(n, at, k) - x(n, at, k));
        },
        false);
  }
}

TEST(WeightedLoss, accuracies) {
  for (const Case &each : cases) {
    expectMean(
        each, weightedAccuracy,
        [](size_t n, size_t at, size_t k) {
          double greatest = std::max({x(n, at, 0), x(n, at, 1), x(n, at, 2)});
          return x(n, at, k) == greatest;
        },
        true);
    for (double threshold : {0.5, 0.7})
      expectMean(
          each,
          [=](Tensor x, Tensor t, LossWeights weights) {
            return binaryAccuracy(x, t,
                                  {.weights = weights, .threshold = threshold});
          },
          [=](size_t n, size_t at, size_t k) {
            return (sigmoidOf(x(n, at, k)) > threshold) == (t(n, at, k) == 1);
          },
          false);
  }
}

/// Returns the Dice loss of one example, from its definition.
double dice(size_t n, const Case &each, const WeightedDiceOptions &options) {
  double above = 0, below = 0;
  for (size_t k = 0; k < classes; ++k) {
    double common = 0, sum = 0, area = 0;
    for (size_t at = 0; at < places; ++at) {
      double greatest = std::max({x(n, at, 0), x(n, at, 1), x(n, at, 2)});
      double found = options.hard ? x(n, at, k) == greatest
                                  : std::pow(p(n, at, k), options.power);
      common += t(n, at, k) * found;
      sum += t(n, at, k) + found;
      area += t(n, at, k);
    }
    double weight = each.ofClass(k);
    if (options.greatestInverseArea != 0)
      weight *= area == 0
                    ? 0
                    : std::min(1 / (area * area), options.greatestInverseArea);
    above += weight * common;
    below += weight * sum;
  }
  return 1 - 2 * above / below;
}

TEST(WeightedLoss, dice) {
  const WeightedDiceOptions variants[] = {{},
                                          {.hard = true},
                                          {.power = 2},
                                          {.greatestInverseArea = 1},
                                          {.greatestInverseArea = 0.3},
                                          {.sums = true}};
  for (const Case &each : cases)
    for (WeightedDiceOptions options : variants) {
      if (options.sums && each.normalizes)
        continue;
      double sum = 0, weight = 0;
      for (size_t n = 0; n < examples; ++n) {
        sum += each.ofExample(n) * dice(n, each, options);
        weight += each.ofExample(n);
      }
      double by = options.sums ? 1 : each.normalizes ? weight : examples;
      expectNear(evaluate({logits, oneHotRows, exampleWeights},
                          [&](std::vector<Tensor> x) {
                            options.weights = each.weights(x[2]);
                            return weightedDiceLoss(x[0], x[1], options);
                          }),
                 {sum / by});
    }
}

TEST(WeightedLoss, takesRowsWithoutPlaces) {
  Elements rows = {{2, -1, 0, 1}, {2, 2}}, wanted = {{0, 1, 0, 1}, {2, 2}, i32};
  auto lossOf = [&](std::function<Tensor(Tensor, Tensor)> loss) {
    return evaluate({rows, wanted},
                    [&](std::vector<Tensor> x) { return loss(x[0], x[1]); });
  };
  auto accuracyOf = [](Tensor x, Tensor t) { return weightedAccuracy(x, t); };
  expectNear(lossOf(accuracyOf), {0.5});
  auto diceOf = [](Tensor x, Tensor t) {
    return weightedDiceLoss(x, t, {.hard = true});
  };
  expectNear(lossOf(diceOf), {0.5});
}

TEST(WeightedLoss, ofNothing) {
  Elements none = {{0, 0}, {2}};
  Elements zeros = {Numbers(12, 0), shape};
  auto on = [&](const Elements &target, Loss loss) {
    return evaluate({logits, target, none}, [&](std::vector<Tensor> x) {
      return loss(x[0], x[1], {.examples = x[2], .normalizes = true});
    });
  };
  expectNear(on(oneHotRows, weightedMeanAbsoluteError), {0});
  expectNear(on(oneHotRows,
                [](Tensor x, Tensor t, LossWeights weights) {
                  return weightedFocalCrossEntropy(x, t, {weights, 2});
                }),
             {0});
  // No area has a weight, so nothing overlaps.
  expectNear(on(zeros,
                [](Tensor x, Tensor t, LossWeights) {
                  return weightedDiceLoss(x, t, {.greatestInverseArea = 1});
                }),
             {1});
  expectNear(on(logits,
                [](Tensor x, Tensor t, LossWeights) {
                  return weightedRootMeanSquaredError(
                      x, t, {.appliesSoftmax = false});
                }),
             {0});
}
} // namespace
