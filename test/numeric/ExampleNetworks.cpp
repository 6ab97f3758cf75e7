//===- ExampleNetworks.cpp - networks of the examples ---------------------===//
#include "examples/char_lm/Network.h"
#include "examples/cifar10/Networks.h"
#include "examples/configured/Network.h"
#include "examples/curve_fit/Model.h"
#include "examples/digits/Network.h"
#include "examples/digits_cnn/Network.h"
#include "examples/eager_graph/Network.h"
#include "examples/graph/Network.h"
#include "examples/hierarchical_softmax/Network.h"
#include "examples/images/Network.h"
#include "examples/mnist_convnet/Model.h"
#include "examples/segmentation/Network.h"
#include "examples/transfer/Network.h"
#include "examples/translate/Network.h"
#include "test/numeric/Networks.h"

#include <fstream>
#include <sstream>

using namespace tg;
using namespace tg::test;

/// Reads a program of examples/mlir.
static std::string readExample(const std::string &name) {
  std::ifstream file(TG_EXAMPLES "/mlir/" + name + ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the text of a program that an example defines.
static std::string textOf(const char *name, void (*define)(Program &)) {
  Program program(name);
  define(program);
  return program.text();
}

/// Defines the training of the graph example and one of its paths.
static void defineGraph(Program &program) {
  graph::Network network(program);
  graph::defineTraining(program, network);
  Graph path({network.s2}, {network.e2});
  program.function("test",
                   {.inputs = {network.y2},
                    .outputs = {{"prediction", path.testFprop().front()}}});
}

/// Returns an image network with smaller images than in the example. Adam
/// normalizes gradients, so a bias without effect, for example before a
/// normalization, moves by up to its learning rate in each of four steps, with
/// the sign of the rounding error.
static Network small(const char *name, Sequential (*make)(int64_t),
                     int64_t channels) {
  return {name,
          [=] {
            Program program(name);
            cifar10::defineTraining(program, make(10), f32, {8, 8, channels});
            return program.text();
          },
          10, 1e-2};
}

static void defineSegmentation(Program &program) {
  segmentation::defineNetwork(program, 8);
}

static void defineConfigured(Program &program) {
  configured::defineNetwork(
      program, {.model = "convnet",
                .modelOptions = {{"filters", {2, 3}}, {"units", {4}}},
                .warmUp = 2,
                .restart = 2});
}

/// Defines a small network of the example, with random crops and dropout.
static void defineMnistConvnet(Program &program) {
  auto params = mnist_convnet::defaultParams();
  params.parse("filters=[2,3],units=[4],crop_margin=2");
  Tensor image = program.input("image", f32, {dim("batch"), 8, 8, 1});
  Tensor label = program.input("label", i32, {dim("batch")});
  auto network = makeTemplate(program, "network", [&](bool training) {
    return mnist_convnet::convnet(image, training, params);
  });
  Tensor loss = meanSoftmaxCrossEntropy(network(true), label);
  program.function(
      "train",
      {.inputs = {image, label},
       .outputs = {{"loss", loss}},
       .updates = mnist_convnet::makeOptimizer(params)->minimize(loss)});
  program.function("test",
                   {.inputs = {image},
                    .outputs = {{"probabilities", softmax(network(false))}}});
}

/// Defines a small network of the example, which augments its images.
static void defineImages(Program &program) {
  images::defineNetwork(program, {.size = 6, .cut = 4, .filters = {2, 3}});
}

/// Leaves out sampling, since samples depend on rounding.
static void defineCharLm(Program &program) {
  char_lm::Network network({.units = 4, .streams = 2, .window = 5});
  char_lm::defineTraining(program, network);
  char_lm::defineTest(program, network);
}

static void defineTranslate(Program &program) {
  translate::Network network(4);
  translate::defineTraining(program, network);
}

void test::addExamples(std::vector<Network> &networks) {
  for (const char *name : {"mlp", "curve_fit", "two_starts"})
    networks.push_back({name, [=] { return readExample(name); }, 10, 1e-4});
  auto add = [&](const char *name, void (*define)(Program &),
                 int64_t classes = 2) {
    networks.push_back(
        {name, [=] { return textOf(name, define); }, classes, 1e-4});
  };
  add("digits", digits::defineNetwork, 10);
  // Adam moves weights by the sign of a gradient even if it is almost 0.
  networks.push_back(
      {"digitsCnn",
       [] { return textOf("digitsCnn", digits_cnn::defineNetwork); }, 10,
       2e-3});
  networks.push_back({"configured",
                      [] { return textOf("configured", defineConfigured); }, 10,
                      2e-3});
  networks.push_back(
      {"images", [] { return textOf("images", defineImages); }, 4, 2e-3});
  networks.push_back({"mnistConvnet",
                      [] { return textOf("mnistConvnet", defineMnistConvnet); },
                      10, 2e-3});
  networks.push_back(small("mnistCnn", cifar10::mnistCnn, 1));
  networks.push_back({"segmentation",
                      [] { return textOf("segmentation", defineSegmentation); },
                      2, 0.1});
  // The tolerance is that of digitsCnn, for the same reason.
  networks.push_back(
      {"eagerGraph",
       [] { return textOf("eagerGraph", eager_graph::defineNetwork); }, 2,
       2e-3});
  networks.push_back(
      {"charLm", [] { return textOf("charLm", defineCharLm); }, 10, 2e-3});
  networks.push_back({"translate",
                      [] { return textOf("translate", defineTranslate); }, 6,
                      2e-3});
  add("graph", defineGraph);
  add("hierarchicalSoftmax", hierarchical_softmax::defineNetwork);
  add("transfer", transfer::defineNetwork);
  add("curveFit", curve_fit::defineModel);
}
