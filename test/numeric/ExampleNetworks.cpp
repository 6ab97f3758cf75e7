//===- ExampleNetworks.cpp - what the examples compile --------------------===//
#include "test/numeric/Networks.h"

#include <fstream>
#include <sstream>

using namespace tg;
using namespace tg::test;

/// A program of examples/mlir.
static std::string readExample(const std::string &name) {
  std::ifstream file(TG_EXAMPLES "/mlir/" + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// examples/digits.
static std::string digits() {
  Program program("digits");
  Tensor image = program.input("image", f32, {dim("batch"), 64});
  Tensor label = program.input("label", i32, {dim("batch")});
  Tensor rate = program.input("learning_rate", f32, {});
  StartNode start({image});
  HiddenNode body({start},
                  {Dropout({.rate = 0.1}),
                   Linear({.units = 128, .weightInitializer = heNormal()}),
                   Relu(), Dropout({.rate = 0.2}),
                   Linear({.units = 64, .weightInitializer = heNormal()}),
                   Relu(), Dropout({.rate = 0.2}),
                   Linear({.units = 10, .weightInitializer = heNormal()})});
  Graph network({start}, {EndNode({body})});
  Tensor logits = network.trainFprop().front();
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function(
      "train",
      {.inputs = {image, label, rate},
       .outputs = {{"loss", loss}, {"accuracy", accuracy(logits, label)}},
       .updates = Adam({.learningRate = rate}).minimize(loss)});
  program.function(
      "test",
      {.inputs = {image},
       .outputs = {{"probabilities", softmax(network.testFprop().front())}}});
  return program.text();
}

/// examples/graph.
static std::string graph() {
  Program program("graph");
  Tensor y1 = program.input("y1", f32, {dim("batch"), 50});
  Tensor y2 = program.input("y2", f32, {dim("batch"), 100});
  StartNode s1({y1}), s2({y2});
  HiddenNode h1({s1, s2}, Concat(), {Linear({.units = 100}), Relu()});
  HiddenNode h2({s2}, {Linear({.units = 100}), Relu()});
  HiddenNode h3({h1, h2}, Sum(), {Linear({.units = 50}), Relu()});
  EndNode e1({h3}, Sum()), e2({h2}, Sum());
  std::vector<Tensor> outputs = Graph({s1, s2}, {e1, e2}).trainFprop();
  Tensor loss =
      meanSquaredError(y1, outputs[0]) + meanSquaredError(y2, outputs[1]);
  program.function("train",
                   {.inputs = {y1, y2},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});
  program.function(
      "test", {.inputs = {y2},
               .outputs = {{"y2", Graph({s2}, {e2}).testFprop().front()}}});
  return program.text();
}

/// examples/hierarchical_softmax.
static std::string hierarchicalSoftmax() {
  Program program("hierarchical_softmax");
  Tensor x = program.input("x", f32, {dim("batch"), 50});
  Tensor y = program.input("y", f32, {dim("batch"), 100});
  StartNode start({x});
  HiddenNode h1({start}, {Linear({.units = 100}), Softmax()});
  HiddenNode h2({h1}, {Linear({.units = 100}), Softmax()});
  HiddenNode h3({h2}, {Linear({.units = 100}), Softmax()});
  EndNode e1({h1}, Sum()), e2({h1, h2}, Sum()), e3({h1, h2, h3}, Sum());
  Graph network({start}, {e1, e2, e3});
  std::vector<Tensor> outputs = network.trainFprop();
  Tensor loss = meanSquaredError(y, outputs[0]) +
                meanSquaredError(y, outputs[1]) +
                meanSquaredError(y, outputs[2]);
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});
  std::vector<Tensor> tested = network.testFprop();
  program.function("test", {.inputs = {x},
                            .outputs = {{"level1", tested[0]},
                                        {"level2", tested[1]},
                                        {"level3", tested[2]}}});
  return program.text();
}

/// examples/transfer.
static std::string transfer() {
  Program program("transfer");
  Tensor x1 = program.input("x1", f32, {dim("batch"), 50});
  Tensor x2 = program.input("x2", f32, {dim("batch"), 100});
  Tensor y = program.input("y", f32, {dim("batch"), 100});
  StartNode s1({x1}), s2({x2});
  HiddenNode h1({s1}, {Linear({.units = 200}), Relu()});
  HiddenNode h2({s2}, {Linear({.units = 200}), Relu()});
  HiddenNode h3({h1, h2}, Sum(), {Linear({.units = 100}), Softmax()});
  EndNode end({h3});
  Tensor output = Graph({s1, s2}, {end}).trainFprop().front();
  Tensor loss = binaryEntropy(y, output);
  program.function("train",
                   {.inputs = {x1, x2, y},
                    .outputs = {{"loss", loss}, {"y", output}},
                    .updates = Adam({.learningRate = 0.001}).minimize(loss)});
  program.function(
      "test1", {.inputs = {x1},
                .outputs = {{"y", Graph({s1}, {end}).testFprop().front()}}});
  program.function(
      "test2", {.inputs = {x2},
                .outputs = {{"y", Graph({s2}, {end}).testFprop().front()}}});
  return program.text();
}

/// examples/curve_fit.
static std::string curveFit() {
  Program program("curve_fit");
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor y = program.input("y", f32, {dim("n")});
  Variable w = program.variable("w", f32, {3, 1}, glorotUniform());
  Tensor column = reshape(x, {-1, 1});
  Tensor features = concat({square(column), column, onesLike(column)}, 1);
  Tensor fitted = reshape(matmul(features, w), {-1});
  Tensor loss = l2Loss(fitted - y) + 0.1 * l2Loss(w);
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.1}).minimize(loss)});
  program.function("test", {.inputs = {x}, .outputs = {{"y", fitted}}});
  return program.text();
}

void test::addExamples(std::vector<Network> &networks) {
  for (const char *name : {"mlp", "curve_fit", "two_starts"})
    networks.push_back({name, [=] { return readExample(name); }, 10, 1e-4});
  networks.push_back({"digits", digits, 10, 1e-4});
  networks.push_back({"graph", graph, 2, 1e-4});
  networks.push_back({"hierarchicalSoftmax", hierarchicalSoftmax, 2, 1e-4});
  networks.push_back({"transfer", transfer, 2, 1e-4});
  networks.push_back({"curveFit", curveFit, 2, 1e-4});
}
