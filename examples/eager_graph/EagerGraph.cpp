/// One network and one training step in two modes: eagerly, and as a compiled
/// library. Both give the same losses.
#include "../Example.h"
#include "Network.h"

#include <iostream>

using namespace tg;

namespace {
constexpr size_t examples = 96, batchSize = 32;
constexpr int epochs = 30, seed = 3;

/// Random points of the square from -1 to 1, labelled by whether they are in a
/// circle.
struct Data {
  std::vector<float> points;
  std::vector<int32_t> labels;

  Data() {
    points = example::randomMatrix(examples, 2, 11).elements;
    for (float &number : points)
      number = 2 * number - 1;
    for (size_t i = 0; i < examples; ++i) {
      double radius = std::hypot(points[2 * i], points[2 * i + 1]);
      labels.push_back(radius < 0.7);
    }
  }
};

/// The results of a mode: the loss of each step, then the final loss and
/// accuracy.
using Numbers = std::vector<double>;
} // namespace

static Numbers trainEagerly(const Data &data) {
  ExecutionScope scope(/*eagerly=*/true);
  Program program("eager_graph");
  program.setSeed(seed);
  program.checkNumerics();
  eager_graph::Network model;
  Adam optimizer = eager_graph::makeOptimizer();
  Numbers numbers;
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (size_t first = 0; first < examples; first += batchSize) {
      Tensor points = program.tensor(
          std::span(data.points).subspan(2 * first, 2 * batchSize),
          {batchSize, 2});
      Tensor labels = program.tensor(
          std::span(data.labels).subspan(first, batchSize), {batchSize});
      Tensor loss = trainStep(model, optimizer, points, labels).loss;
      numbers.push_back(loss.item());
    }
  Tensor labels = program.tensor(data.labels, {examples});
  Tensor logits = model.testFprop(program.tensor(data.points, {examples, 2}));
  std::cout << "logits of the first points: " << logits[Slice(0, 2)] << '\n';
  numbers.push_back(meanSoftmaxCrossEntropy(logits, labels).item());
  numbers.push_back(accuracy(logits, labels).item());
  return numbers;
}

static Numbers trainCompiled(const Data &data, const std::string &directory) {
  ExecutionScope scope(/*eagerly=*/false);
  Program program("eager_graph");
  eager_graph::defineNetwork(program);
  program.compile(directory + "/eager_graph.so");
  Model model = Model::load(directory + "/eager_graph.so");
  Context context = model.context({.seed = seed});
  Numbers numbers;
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (size_t first = 0; first < examples; first += batchSize)
      numbers.push_back(
          context
              .run("train",
                   {{"points",
                     std::span(data.points).subspan(2 * first, 2 * batchSize)},
                    {"labels",
                     std::span(data.labels).subspan(first, batchSize)}})
              .scalar("loss"));
  const Outputs &found =
      context.run("test", {{"points", data.points}, {"labels", data.labels}});
  numbers.push_back(found.scalar("loss"));
  numbers.push_back(found.scalar("accuracy"));
  return numbers;
}

static void runExample(const std::string &directory) {
  Data data;
  Numbers eager = trainEagerly(data);
  Numbers compiled = trainCompiled(data, directory);
  example::check(eager.size() == compiled.size(),
                 "the same number of steps in both modes");
  const size_t perEpoch = examples / batchSize;
  for (size_t i = 0; i < eager.size(); ++i) {
    if (i % (5 * perEpoch) == 0 && i / perEpoch < epochs)
      std::printf("epoch %2zu: loss %.5f eagerly, %.5f compiled\n",
                  i / perEpoch + 1, eager[i], compiled[i]);
    example::check(std::abs(eager[i] - compiled[i]) < 1e-3,
                   "the same number in both modes, found " +
                       std::to_string(eager[i]) + " and " +
                       std::to_string(compiled[i]));
  }
  std::printf("accuracy %.3f eagerly, %.3f compiled\n", eager.back(),
              compiled.back());
  example::check(eager[eager.size() - 2] < eager[0] / 2, "a falling loss");
  example::check(eager.back() > 0.9, "an accuracy above 0.9");
}

int main(int argc, char **argv) { return example::run(argc, argv, runExample); }
