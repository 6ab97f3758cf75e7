//===- LossNetworks.cpp - networks of losses and metrics ------------------===//
#include "test/numeric/Networks.h"

using namespace tg;
using namespace tg::test;

/// Returns a network with metrics of two classes, sampled and one-hot labels.
static std::string measures() {
  Program program("measures");
  Tensor x = program.input("x", f32, {dim("batch"), 3});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor logits = Linear({.units = 2}).trainFprop(x);
  Tensor loss = reduceMean(
      sigmoidCrossEntropy(logits, OneHot({.classes = 2}).trainFprop(label)));
  Tensor sampled = OneSample().trainFprop(logits);
  Tensor yes = cast(concat({label >= 2, label < 2}, 0), i32);
  Tensor rows = oneHot(maximum(yes, 1 - yes), 2);
  program.function("train",
                   {.inputs = {x, label},
                    .outputs = {{"loss", loss},
                                {"sampled", sampled},
                                {"f1", binaryF1(rows, rows)},
                                {"precision", binaryPrecision(rows, rows)},
                                {"recall", binaryRecall(rows, rows)}},
                    .updates = SGD().minimize(loss)});
  return program.text();
}

/// Returns a network that segments small images with every image loss and every
/// weighted loss.
static std::string imageLosses() {
  Program program("imageLosses");
  Tensor x = program.input("x", f32, {dim("batch"), 4, 5, 2});
  Tensor classes = program.input("classes", i32, {dim("batch"), 4, 5});
  Tensor importance = program.input("importance", f32, {dim("batch")});
  Tensor target = oneHot(classes, 3);
  Conv2D convolution({.filters = 3, .padding = Padding::same});
  Tensor logits = convolution.trainFprop(x);
  Tensor likely = softmax(logits);
  LossWeights weights{.classes = {0.5, 1, 2},
                      .examples = square(importance),
                      .normalizes = true};
  Tensor loss =
      generalizedDiceLoss(likely, target) + meanDiceLoss(likely, target) +
      inverseDiceLoss(likely, target) +
      0.01 * weightedFocalCrossEntropy(logits, target, {weights, 2}) +
      weightedSigmoidCrossEntropy(logits, target, {.positives = {1, 2, 3}}) +
      weightedDiceLoss(logits, target, {.greatestInverseArea = 0.5}) +
      0.01 * weightedRootMeanSquaredError(logits, target, {weights}) +
      weightedMeanAbsoluteError(likely, target);
  program.function(
      "train",
      {.inputs = {x, classes, importance},
       .outputs = {{"loss", loss},
                   {"overlap", smoothIntersectionOverUnion(likely, target)}},
       .updates = SGD({.learningRate = 0.1}).minimize(loss)});
  program.function(
      "test",
      {.inputs = {x, classes, importance},
       .outputs = {{"precision", imagePrecision(likely, target)},
                   {"recall", imageRecall(likely, target)},
                   {"f1", imageF1(likely, target)},
                   {"accuracy", weightedAccuracy(logits, target, weights)},
                   {"binary_accuracy", binaryAccuracy(logits, target)},
                   {"overlap", intersectionOverUnion(likely, target, 0.4)}}});
  return program.text();
}

/// Returns a network that learns embeddings with contrastive losses.
static std::string pairLosses() {
  Program program("pairLosses");
  Tensor x = program.input("x", f32, {dim("batch"), 7});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor embedded =
      Sequential({Linear({.units = 5}), L2Normalize()}).trainFprop(x);
  TripletLoss triplets = tripletLoss(
      embedded, label,
      {.margin = 5,
       .penalized = program.constant(std::vector<double>{1}, i32, {1}),
       .penalty = 0.1});
  Tensor loss = triplets.loss + histogramLoss(embedded, label, {.bins = 10});
  program.function(
      "train", {.inputs = {x, label},
                .outputs = {{"loss", loss}, {"fraction", triplets.fraction}},
                .updates = SGD({.learningRate = 0.1}).minimize(loss)});
  return program.text();
}

void test::addLosses(std::vector<Network> &networks) {
  networks.push_back({"imageLosses", imageLosses, 3, 1e-4});
  networks.push_back({"measures", measures, 2});
  networks.push_back({"pairLosses", pairLosses, 3, 1e-4});
}
