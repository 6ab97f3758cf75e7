//===- SequenceNetworks.cpp - positions, sparse rows, sequence labels -----===//
#include "test/numeric/Networks.h"

using namespace tg;
using namespace tg::test;

/// Returns a network that labels sequences of several lengths and encodes the
/// positions of their steps.
static std::string transcribe() {
  Program program("transcribe");
  Tensor x = program.input("x", f32, {dim("batch"), 7, 6});
  Tensor labels = program.input("labels", i32, {dim("batch"), 2});
  Tensor counts = program.input("counts", i32, {dim("batch")});
  Sequential network({PositionEmbedding({.length = 9}),
                      SinusoidalPositionEmbedding(),
                      Linear({.units = 8,
                              .activation = sinh,
                              .weightInitializer = orthogonal()}),
                      Linear({.units = 4,
                              .weightInitializer = lecunUniform()})});
  Tensor steps = 7 - counts;
  Tensor logits = network.trainFprop(x);
  Tensor loss = reduceMean(ctcLoss(logits, labels + 1, steps, counts));
  Lamb optimizer({.learningRate = 0.01});
  program.function("train",
                   {.inputs = {x, labels, counts},
                    .outputs = {{"loss", loss},
                                {"rate", optimizer.learningRate(program)}},
                    .updates = optimizer.minimize(loss)});
  Tensor tested = reverseSequence(network.testFprop(x), steps);
  program.function("test", {.inputs = {x, counts},
                            .outputs = {{"turned", tested},
                                        {"angles", acos(tanh(tested))},
                                        {"products", cumprod(tested)}}});
  return program.text();
}

/// Returns a network with sparse rows, given as elements and as ids, trained by
/// one optimizer.
static std::string sparseRows(const BaseOptimizer &optimizer) {
  Program program("sparseRows");
  Tensor x = program.input("x", f32, {dim("batch")});
  Tensor rows = program.input("rows", i32, {dim("batch")});
  Tensor columns = program.input("columns", i32, {dim("batch")});
  Variable weight = program.variable("weight", f32, {3, 4}, heUniform());
  Tensor places = stack({rows, columns}, -1);
  Tensor product =
      sparseTensorDenseMatmul({places, x, {3, 3}}, weight);
  Tensor found = embeddingLookupSparse(weight, {places, columns, {3, 3}},
                                       {.weights = square(x) + 0.5});
  Tensor loss = reduceMean(norm(atan(product) - found - 1.0, {.axes = {1}}));
  program.function("train", {.inputs = {x, rows, columns},
                             .outputs = {{"loss", loss}},
                             .updates = optimizer.minimize(loss)});
  return program.text();
}

void test::addSequences(std::vector<Network> &networks) {
  networks.push_back({"transcribe", transcribe, 3, 1e-4});
  networks.push_back({"sparseAdamW",
                      [] { return sparseRows(AdamW({.learningRate = 0.01})); },
                      3, 1e-4});
  networks.push_back(
      {"sparseAdadelta", [] { return sparseRows(Adadelta()); }, 3, 1e-4});
}
