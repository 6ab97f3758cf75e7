// Tests that errors in losses and optimizers carry the user's line.
#include "../Errors.h"

#include <cmath>

using namespace tg;

namespace {
TEST_F(Error, ofLengthsAndLabelsOfOtherRanks) {
  EXPECT_ERROR(takeAlongAxis(x, k), "expected indices of rank 2, found [n]");
  EXPECT_ERROR(gatherNd(x, k), "expected indices [..., k] with k in [1, 2]");
  EXPECT_ERROR(gatherNd(x, reduceSum(k)), "expected indices [..., k]");
  EXPECT_ERROR(diagPart(y), "expected square matrices [..., n, n], found "
                            "[4, 5]");
  EXPECT_ERROR(bandPart(k, 0, 0), "expected matrices [..., m, n], found [n]");
  EXPECT_ERROR(inTopK(x, x, 1), "expected class numbers for rows [n, 3], of "
                                "shape [n], found [n, 3]");
  EXPECT_ERROR(shuffle(reduceSum(x)), "expected an axis");
  EXPECT_ERROR(diag(reduceSum(x)), "expected an axis");
  EXPECT_ERROR(categorical(k), "expected logits to be float, found i32 [n]");
  EXPECT_ERROR(inTopK(x, k, -2), "expected at least 0 classes, found -2");
  EXPECT_ERROR(sequenceMask(x, x), "expected lengths [n] of integers");
  EXPECT_ERROR(sequenceMask(cast(k, f32), x),
               "expected lengths [n] of integers of sequences [n, t, ...], "
               "found f32 [n] and [n, 3]");
  EXPECT_ERROR(accuracy(x, reduceSum(x)), "expected class numbers for rows");
}

TEST_F(Error, ofLossesOfOtherShapesThanTheTargets) {
  Tensor row = reduceSum(x, {.axes = {1}});
  Tensor column = expandDims(row, 1);
  const char *sentence =
      "expected a target of the prediction's shape [n, 1], found [n]";
  EXPECT_ERROR(meanSquaredError(column, row), sentence);
  EXPECT_ERROR(meanAbsoluteError(column, row), sentence);
  EXPECT_ERROR(huberLoss(column, row), sentence);
  EXPECT_ERROR(binaryCrossEntropy(column, row), sentence);
  EXPECT_ERROR(hingeLoss(column, row), sentence);
  EXPECT_ERROR(sigmoidCrossEntropy(column, row), sentence);
  EXPECT_ERROR(meanSquaredError(column, reduceSum(x)), "found []");
  EXPECT_ERROR(meanSquaredError(x, column),
               "expected a target of the prediction's shape [n, 3], found "
               "[n, 1]");
  EXPECT_ERROR(accuracy(x, column), "shape [n, 3], found [n, 1]");
  EXPECT_ERROR(errorRate(x, column), "shape [n, 3], found [n, 1]");
  EXPECT_ERROR(softmaxCrossEntropy(x, k == k), "[C3]");
  EXPECT_ERROR(softmaxCrossEntropy(y, x), "[C3]");
  EXPECT_ERROR(accuracy(y, argMax(y, 0)),
               "expected class numbers for rows [4, 5], of shape [4], found "
               "[5]");
  EXPECT_ERROR(inTopK(y, argMax(y, 0), 1), "of shape [4], found [5]");
  EXPECT_ERROR(binaryF1(x, x), "expected one-hot rows [n, 2], found [n, 3]");
  Tensor pair = slice(x, {{0, 0}, {-1, 2}});
  EXPECT_ERROR(binaryRecall(pair, x), "shape [n, 2], found [n, 3]");
}

TEST_F(Error, ofLossesOfOtherElementsThanTheTargets) {
  Tensor row = reduceSum(x, {.axes = {1}});
  const std::string sentence =
      ": expected targets of the predictions' element type f32, found i32 [n]";
  EXPECT_ERROR(meanSquaredError(row, k), "meanSquaredError" + sentence);
  EXPECT_ERROR(meanAbsoluteError(row, k), "meanAbsoluteError" + sentence);
  EXPECT_ERROR(huberLoss(row, k), "huberLoss" + sentence);
  EXPECT_ERROR(binaryCrossEntropy(row, k), "binaryCrossEntropy" + sentence);
  EXPECT_ERROR(hingeLoss(row, k), "hingeLoss" + sentence);
  EXPECT_ERROR(sigmoidCrossEntropy(row, k), "sigmoidCrossEntropy" + sentence);
}

TEST_F(Error, ofLossesOfImages) {
  Tensor row = reduceSum(x, {.axes = {1}});
  EXPECT_ERROR(imageF1(row, row), "expected images [n, ...], found [n]");
  EXPECT_ERROR(imagePrecision(x, y), "expected a target of the prediction's "
                                     "shape [n, 3], found [4, 5]");
  EXPECT_ERROR(meanDiceLoss(x, x), "expected images [n, ..., c], found [n, 3]");
  EXPECT_ERROR(generalizedDiceLoss(x, x), "found [n, 3]");
  EXPECT_ERROR(intersectionOverUnion(x, 1.0), "expected a tensor");
}

TEST_F(Error, ofWeightedLosses) {
  Tensor row = reduceSum(x, {.axes = {1}});
  EXPECT_ERROR(weightedAccuracy(row, row),
               "expected examples [n, ..., k] with k known, found [n]");
  EXPECT_ERROR(weightedAccuracy(x, x, {.classes = {1, 2}}),
               "expected a weight for each of 3 classes, found 2");
  EXPECT_ERROR(weightedMeanAbsoluteError(x, x, {.examples = x}),
               "expected weights [n] of examples [n, 3], found [n, 3]");
  EXPECT_ERROR(weightedMeanAbsoluteError(y, y, {.examples = y[{0}]}),
               "expected weights [n] of examples [4, 5], found [5]");
  EXPECT_ERROR(weightedMeanAbsoluteError(x, x, {.normalizes = true}),
               "expected weights of examples to normalize by, found none");
  EXPECT_ERROR(weightedFocalCrossEntropy(x, x, {.gamma = -1}),
               "expected a gamma of at least 0, found -1");
  EXPECT_ERROR(weightedSigmoidCrossEntropy(x, x, {.positives = {1}}),
               "expected a weight for each of 3 classes, found 1");
  EXPECT_ERROR(
      weightedDiceLoss(x, x, {.weights = {.normalizes = true}, .sums = true}),
      "expected a sum or a normalized mean, found both");
  EXPECT_ERROR(binaryAccuracy(x, y), "found [4, 5]");
}

TEST_F(Error, ofLossesOfPairs) {
  EXPECT_ERROR(tripletLoss(k, k), "expected embeddings [n, d], found [n]");
  EXPECT_ERROR(tripletLoss(x, x), "expected class numbers for rows [n, 3], of "
                                  "shape [n], found [n, 3]");
  EXPECT_ERROR(tripletLoss(x, k, {.penalized = x}),
               "expected penalized classes [m], found [n, 3]");
  EXPECT_ERROR(histogramLoss(x, k, {.bins = -3}),
               "expected at least 1 bin, found -3");
}

TEST_F(Error, ofLossesThatAreNoScalar) {
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(SGD().minimize(x * w),
               "expected a loss that is a scalar of floats, found [n, 3]");
  EXPECT_ERROR(gradientsOf(argMax(w), {w}),
               "found integers or booleans of shape []");
}

TEST_F(Error, ofOptionsOfOptimizers) {
  Variable w = program.variable("w", f32, {3}, zeros());
  Tensor loss = reduceSum(w * w);
  EXPECT_ERROR(SGD({.learningRate = NAN}).minimize(loss),
               "expected a learning rate of at least 0, found NaN");
  EXPECT_ERROR(Adam({.learningRate = -0.1}).minimize(loss),
               "expected a learning rate of at least 0, found -0.1");
  Schedule pair([&](Tensor step) { return stack({step, step}); });
  EXPECT_ERROR(SGD({.learningRate = pair}).minimize(loss),
               "a learning-rate schedule that returns a scalar, found [2]");
  EXPECT_ERROR(l1Regularizer(-1), "a regularizer of at least 0, found -1");
  EXPECT_ERROR(l2Regularizer(NAN), "of a regularizer of at least 0, found nan");
  EXPECT_ERROR(maxNorm(-1), "a greatest norm of at least 0, found -1");
  EXPECT_ERROR(SGD({.learningRate = w}).minimize(loss),
               "expected a learning rate that is a scalar, found [3]");
  EXPECT_ERROR(Momentum({.momentum = 5}).minimize(loss),
               "expected momentum in [0, 1), found 5");
  EXPECT_ERROR(Adam({.beta2 = 1}).minimize(loss),
               "expected beta2 in [0, 1), found 1");
  EXPECT_ERROR(Adam({.weightDecay = -1}).minimize(loss),
               "expected weightDecay of at least 0, found -1");
  EXPECT_ERROR(RMSProp({.decay = NAN}).minimize(loss),
               "expected decay in [0, 1), found ");
  EXPECT_ERROR(Adagrad({.initialAccumulator = -1}).minimize(loss),
               "expected initialAccumulator of at least 0, found -1");
  EXPECT_ERROR(Ftrl({.l2 = -1}).minimize(loss),
               "expected l2 of at least 0, found -1");
  EXPECT_ERROR(SGD().minimize(loss, {.clipByGlobalNorm = 0}),
               "expected a norm above 0 to clip to, found 0");
  EXPECT_ERROR(ExponentialMovingAverage({.decay = 2}).update({w}),
               "expected decay in [0, 1), found 2");
}

TEST_F(Error, ofGradientsThatWouldBeBroadcast) {
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(SGD().apply({{w, program.ones({1})}}),
               "expected a gradient of 'w', [3], found [1]");
  EXPECT_ERROR(Lamb().apply({{w, program.ones({})}}),
               "expected a gradient of 'w', [3], found []");
}

TEST_F(Error, ofALossWithoutVariables) {
  EXPECT_ERROR(SGD().minimize(reduceSum(x)),
               "expected a loss that depends on trainable variables");
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(SGD().minimize(x * w), "expected a loss that is a scalar");
}

} // namespace
