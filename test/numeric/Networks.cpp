//===- Networks.cpp - classifiers of all widths, and the list of networks -===//
#include "test/numeric/Networks.h"
#include "test/compiler/frontend/graph/PointsNetwork.h"

#include <memory>
#include <ostream>

using namespace tg;
using namespace tg::test;

void test::PrintTo(const Network &network, std::ostream *stream) {
  *stream << network.name;
}

std::vector<Network> test::makeNetworks() {
  std::vector<Network> networks;
  addExamples(networks);
  addClassifiers(networks);
  addMerges(networks);
  addLayers(networks);
  addLosses(networks);
  addSequences(networks);
  addRecurrent(networks);
  return networks;
}

/// Returns one of the optimizers, chosen by `number` modulo their count.
static std::unique_ptr<Optimizer> makeOptimizer(int number, Tensor rate) {
  switch (number % 8) {
  case 0:
    return std::make_unique<SGD>(SGDOptions{.learningRate = rate});
  case 1:
    return std::make_unique<Momentum>(MomentumOptions{.learningRate = rate});
  case 2:
    return std::make_unique<Momentum>(
        MomentumOptions{.learningRate = rate, .nesterov = true});
  case 3:
    return std::make_unique<Adam>(AdamOptions{.learningRate = rate});
  case 4:
    return std::make_unique<Adam>(
        AdamOptions{.learningRate = rate, .weightDecay = 0.1});
  case 5:
    return std::make_unique<RMSProp>(
        RMSPropOptions{.learningRate = rate, .momentum = 0.5});
  case 6:
    return std::make_unique<Ftrl>(
        FtrlOptions{.learningRate = rate, .l1 = 0.01, .l2 = 0.01});
  default:
    return std::make_unique<Adagrad>(AdagradOptions{.learningRate = rate});
  }
}

/// Returns an inputs-hidden-classes network with a step of one optimizer.
static std::string classifier(int64_t inputs, int64_t hidden, int64_t classes,
                              int optimizer, DType dtype = f32) {
  Program program("classifier");
  Tensor x = program.input("x", dtype, {dim("batch"), inputs});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor rate = program.input("rate", f32, {});
  StartNode start({x});
  HiddenNode body({start},
                  {Linear({.units = hidden}), Tanh(), Dropout({.rate = 0.2}),
                   Linear({.units = hidden}), Relu()});
  HiddenNode head({body}, {Linear({.units = classes})});
  Graph network({start}, {EndNode({head})});
  Tensor logits = network.trainFprop().front();
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function(
      "train",
      {.inputs = {x, label, rate},
       .outputs = {{"loss", loss}, {"accuracy", accuracy(logits, label)}},
       .updates = makeOptimizer(optimizer, rate)->minimize(loss)});
  Tensor tested = network.testFprop().front();
  program.function("test", {.inputs = {x},
                            .outputs = {{"probabilities", softmax(tested)},
                                        {"class", argMax(tested)}}});
  return program.text();
}

/// Returns the network that TrainTest trains.
static std::string points() {
  Program program("points");
  definePoints(program);
  return program.text();
}

/// Returns a network wide enough that its products are packed and tiled.
static std::string wide() {
  Program program("wide");
  Tensor x = program.input("x", f32, {dim("batch"), 300});
  Tensor y = program.input("y", f32, {dim("batch"), 17});
  StartNode start({x});
  HiddenNode body({start},
                  {Linear({.units = 600}), Relu(), Linear({.units = 260}),
                   BatchNormalization(), Relu(), Linear({.units = 17})});
  Graph network({start}, {EndNode({body})});
  Tensor loss = meanSquaredError(network.trainFprop().front(), y);
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}},
                    .updates = SGD({.learningRate = 0.01}).minimize(loss)});
  program.function(
      "test", {.inputs = {x}, .outputs = {{"y", network.testFprop().front()}}});
  return program.text();
}

/// Returns a network with batch normalization, clipping, penalties and weight
/// averages.
static std::string regularized(int64_t width) {
  Program program("regularized");
  Tensor x = program.input("x", f32, {dim("batch"), width});
  Tensor y = program.input("y", f32, {dim("batch"), 3});
  StartNode start({x});
  HiddenNode body({start}, {BatchNormalization(),
                            Linear({.units = width, .useBias = false}),
                            BatchNormalization({.momentum = 0.9}), Sigmoid(),
                            Linear({.units = 3})});
  Graph network({start}, {EndNode({body})});
  Tensor error = meanSquaredError(network.trainFprop().front(), y);
  // A penalty of |b| would amplify the rounding of a bias that stays near 0.
  std::vector<Variable> trained, weights;
  for (const Variable &variable : network.variables()) {
    if (variable.isTrainable())
      trained.push_back(variable);
    if (variable.rank() == 2)
      weights.push_back(variable);
  }
  Tensor loss = error + l1Penalty(weights, 0.001) + l2Penalty(trained, 0.01);
  ExponentialMovingAverage averages({.decay = 0.9});
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}, {"error", error}},
                    .updates = Momentum({.learningRate = 0.05})
                                   .minimize(loss, {.clipByGlobalNorm = 0.1}) +
                               averages.update(trained)});
  program.function("test",
                   {.inputs = {x},
                    .outputs = {{"y", network.testFprop().front()},
                                {"average", averages.average(trained[2])}}});
  return program.text();
}

void test::addClassifiers(std::vector<Network> &networks) {
  networks.push_back({"points", points});
  // Use each optimizer once.
  const int64_t widths[][2] = {{7, 7},   {7, 26},  {16, 16},  {16, 33},
                               {17, 17}, {17, 32}, {100, 29}, {5, 8}};
  int optimizer = 0;
  for (auto [inputs, hidden] : widths) {
    auto text = [inputs, hidden, number = optimizer++] {
      return classifier(inputs, hidden, 5, number);
    };
    networks.push_back(
        {"classifier" + std::to_string(inputs) + "to" + std::to_string(hidden),
         text, 5, 1e-4});
  }
  for (int64_t width : {7, 33})
    networks.push_back({"regularized" + std::to_string(width),
                        [=] { return regularized(width); }, 2, 1e-4});
  networks.push_back(
      {"classifierF64", [] { return classifier(17, 9, 4, 3, f64); }, 4});
  networks.push_back({"wide", wide, 2, 1e-4});
}
