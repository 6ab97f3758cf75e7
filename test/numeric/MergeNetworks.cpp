//===- MergeNetworks.cpp - networks with several inputs and outputs -------===//
#include "examples/models/Models.h"
#include "test/numeric/Networks.h"

using namespace tg;
using namespace tg::test;

/// Returns a network of two equally wide branches, joined by every merge mode
/// that accepts two equal shapes.
static std::string joins(int64_t width) {
  Program program("joins");
  Tensor x = program.input("x", f32, {dim("batch"), width});
  Tensor y = program.input("y", f32, {dim("batch"), 2 * width});
  StartNode start({x});
  HiddenNode left({start}, {Linear({.units = width}), Elu()});
  HiddenNode right({start}, {Linear({.units = width}), Softsign()});
  HiddenNode sum({left, right}, Sum(), {Linear({.units = width})});
  HiddenNode mean({left, right, sum}, Mean());
  HiddenNode product({sum, mean}, Multiply());
  HiddenNode second({product, mean}, Select({.index = 1}));
  EndNode joined({product, second}, Concat());
  EndNode all({left, sum}, NoChange());
  Graph network({start}, {joined, all});
  std::vector<Tensor> outputs = network.trainFprop();
  Tensor loss = meanAbsoluteError(outputs[0], y) +
                reduceMean(square(outputs[1])) + l2Loss(outputs[2]);
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.01}).minimize(loss)});
  std::vector<Tensor> tested = network.testFprop();
  program.function("test", {.inputs = {x},
                            .outputs = {{"joined", tested[0]},
                                        {"left", tested[1]},
                                        {"sum", tested[2]}}});
  return program.text();
}

/// Returns a network with sequence lengths and masked softmaxes.
static std::string masks() {
  Program program("masks");
  Tensor x = program.input("x", f32, {dim("batch"), 9, 5});
  Tensor scores = program.input("scores", f32, {dim("batch"), 9});
  Tensor lengths = program.input("lengths", i32, {dim("batch")});
  Tensor chosen = program.constant({1, 0, 1, 1, 0, 1, 0, 0, 1}, f32, {9});
  StartNode sequence({x}), count({lengths}), score({scores}), mask({chosen});
  HiddenNode cut({sequence, count}, SequenceMask(),
                 {ReduceSum({.axes = {1}}), Linear({.units = 9})});
  HiddenNode sum({cut, score}, Sum(), {Linear({.units = 9})});
  EndNode first({sum, count}, MaskSoftmax());
  EndNode some({sum, mask}, SelectedMaskSoftmax());
  Graph network({sequence, count, score, mask}, {first, some});
  std::vector<Tensor> outputs = network.trainFprop();
  Tensor loss = binaryCrossEntropy(outputs[0], outputs[1]);
  program.function("train",
                   {.inputs = {x, scores, lengths},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.003}).minimize(loss)});
  std::vector<Tensor> tested = network.testFprop();
  program.function("test",
                   {.inputs = {x, scores, lengths},
                    .outputs = {{"first", tested[0]}, {"some", tested[1]}}});
  return program.text();
}

/// Returns a network with a nested model; both inputs pass the same layers.
static std::string shared() {
  Program program("shared");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  Tensor y = program.input("y", f32, {dim("batch"), 8});
  Layer tower = ::models::Inner(15);
  Layer highway = ::models::Highway(relu);
  StartNode s1({x}), s2({y});
  HiddenNode h1({s1}, {tower, highway}), h2({s2}, {tower, highway});
  HiddenNode both({h1, h2}, Concat(), {Linear({.units = 1})});
  Graph network({s1, s2}, {EndNode({both})});
  Tensor target = reduceSum(x * y, {.axes = {1}, .keepDims = true});
  Tensor loss = meanSquaredError(network.trainFprop().front(), target);
  program.function(
      "train", {.inputs = {x, y},
                .outputs = {{"loss", loss}},
                .updates = RMSProp({.learningRate = 0.001}).minimize(loss)});
  program.function("test",
                   {.inputs = {x, y},
                    .outputs = {{"product", network.testFprop().front()}}});
  return program.text();
}

void test::addMerges(std::vector<Network> &networks) {
  for (int64_t width : {7, 16})
    networks.push_back(
        {"joins" + std::to_string(width), [=] { return joins(width); }});
  networks.push_back({"masks", masks, 10, 1e-4});
  networks.push_back({"shared", shared, 2, 1e-4});
}
