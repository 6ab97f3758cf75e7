/// Networks of nodes and layers have exactly as many operations and variables
/// of each kind as networks written by hand, in training and in testing: linear
/// layers, and convolutions with batch normalization, pooling and dropout.
#include "Scenario.h"
#include <map>
#include <regex>
using namespace tg;

/// Counts each operation in a program's text.
static std::map<std::string, int> countOperations(const Program &program) {
  const std::string text = program.text();
  const std::regex operation("\\btg\\.[a-z_0-9]+\\b");
  std::map<std::string, int> counts;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), operation);
       match != std::sregex_iterator(); ++match)
    ++counts[match->str()];
  return counts;
}

/// Defines functions for training and testing.
static void define(Program &program, const Tensor &x, const Tensor &trained,
                   const Tensor &tested, const Updates &updates = {}) {
  program.function(
      "train",
      {.inputs = {x}, .outputs = {{"y", trained}}, .updates = updates});
  program.function("test", {.inputs = {x}, .outputs = {{"y", tested}}});
}

//===-- Linear layers -----------------------------------------------------===//

static Program linearLayers() {
  Program program("network");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  StartNode start({x});
  HiddenNode hidden({start}, {Linear({.units = 16}), Tanh(),
                              Linear({.units = 4}), Softmax()});
  Graph graph({start}, {EndNode({hidden})});
  define(program, x, graph.trainFprop().front(), graph.testFprop().front());
  return program;
}

static Variable weightOf(Program &program, const std::string &name,
                         const Shape &shape) {
  return program.variable(name, f32, shape, glorotUniform());
}

static Program linearByHand() {
  Program program("network");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  Variable w1 = weightOf(program, "w1", {8, 16});
  Variable b1 = program.variable("b1", f32, {16}, zeros());
  Variable w2 = weightOf(program, "w2", {16, 4});
  Variable b2 = program.variable("b2", f32, {4}, zeros());
  auto network = [&] {
    return softmax(matmul(tanh(matmul(x, w1) + b1), w2) + b2);
  };
  Tensor trained = network();
  define(program, x, trained, network());
  return program;
}

//===-- Convolutions ------------------------------------------------------===//

static Program convolutionLayers() {
  Program program("network");
  Tensor x = program.input("x", f32, {dim("batch"), 8, 8, 3});
  Sequential network({Conv2D({.filters = 4}), BatchNormalization(), Relu(),
                      MaxPooling({.strides = {2}}), Flatten(),
                      Dropout({.rate = 0.5}), Linear({.units = 2})});
  Tensor trained = network.trainFprop(x);
  define(program, x, trained, network.testFprop(x));
  return program;
}

static Program convolutionsByHand() {
  Program program("network");
  Tensor x = program.input("x", f32, {dim("batch"), 8, 8, 3});
  Variable filter = weightOf(program, "filter", {3, 3, 3, 4});
  Variable bias = program.variable("bias", f32, {4}, zeros());
  Variable gamma = program.variable("gamma", f32, {4}, ones());
  Variable beta = program.variable("beta", f32, {4}, zeros());
  const VariableOptions notTrainable = {.trainable = false};
  Variable mean = program.variable("mean", f32, {4}, zeros(), notTrainable);
  Variable variance =
      program.variable("variance", f32, {4}, ones(), notTrainable);
  Variable weight = weightOf(program, "weight", {36, 2});
  Variable last = program.variable("last", f32, {2}, zeros());
  auto normalizeAndPool = [&](const Tensor &convolved,
                              const Moments &statistics) {
    Tensor normal = batchNorm(convolved, statistics, gamma, beta);
    return flatten(maxPool(relu(normal), {.window = {2, 2}, .strides = {2}}));
  };
  Tensor convolved = conv2d(x, filter) + bias;
  Moments batch = moments(convolved, {{0, 1, 2}});
  Tensor trained =
      matmul(dropout(normalizeAndPool(convolved, batch), {.rate = 0.5}),
             weight) +
      last;
  // The moving variance uses the unbiased variance.
  Tensor count = elementCount(convolved, {0, 1, 2}, f32);
  Tensor unbiased = batch.variance * (count / maximum(count - 1.0, 1.0));
  Updates averages = assign(mean, mean * 0.99 + batch.mean * (1 - 0.99)) +
                     assign(variance, variance * 0.99 + unbiased * (1 - 0.99));
  Tensor tested =
      matmul(normalizeAndPool(conv2d(x, filter) + bias, {mean, variance}),
             weight) +
      last;
  define(program, x, trained, tested, averages);
  return program;
}

/// Throws unless two programs have the same number of each operation, and
/// `variables` variables.
static void compare(const char *name, const Program &layers,
                    const Program &hand, int variables) {
  std::map<std::string, int> found = countOperations(layers);
  std::map<std::string, int> expected = countOperations(hand);
  std::printf("%s\n", name);
  for (const auto &[operation, count] : expected)
    std::printf("  %-22s %d by hand, %d of layers\n", operation.c_str(), count,
                found[operation]);
  check(found == expected, "the same number of operations of each kind");
  check(found["tg.variable"] == variables,
        std::to_string(variables) + " variables");
}

int main() {
  compare("linear layers", linearLayers(), linearByHand(), 4);
  // 8 variables of the layers, and the seed and the call counter of dropout.
  compare("convolutions", convolutionLayers(), convolutionsByHand(), 10);
}
