/// Two starts, two ends and the paths between them.
///
///   graph [directory]
#include "../Example.h"
#include "Network.h"

#include <algorithm>

using namespace tg;
using namespace example;
using namespace graph;

namespace {
constexpr size_t rows = 100, batchSize = 32;
} // namespace

/// Trains the whole network to reproduce its inputs.
static void trainBoth(const std::string &directory) {
  Program program("graph");
  Network network(program);
  std::vector<Tensor> outputs = defineTraining(program, network);
  check(outputs.size() == 2, "an output for each end");
  check(outputs[0].dim(1) == y1Width && outputs[1].dim(1) == y2Width,
        "outputs [n, 50] and [n, 100]");
  check(std::ranges::count_if(program.variables(), &Variable::isTrainable) == 6,
        "6 variables to train");
  std::printf("s1, s2 to e1, e2: %lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 30250, "30250 parameters");
  program.compile(directory + "/graph.so");

  Context context = Model::load(directory + "/graph.so").context({.seed = 1});
  Matrix first = randomMatrix(rows, y1Width, 1);
  Matrix second = randomMatrix(rows, y2Width, 2);
  SequentialIterator batches({.size = batchSize}, first.view(), second.view());
  std::vector<double> losses;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    double sum = 0;
    for (auto [y1, y2] : batches) // 32, 32, 32, 4
      sum += context.run("train", {{"y1", y1.values()}, {"y2", y2.values()}})
                 .scalar("loss") *
             double(y1.size());
    losses.push_back(sum / rows);
    std::printf("epoch %2d  loss %.4f\n", epoch, losses.back());
  }
  check(losses.back() < 0.8 * losses.front(), "the loss to fall by a fifth");
}

/// Selects the path from s2 to e1 of the same network, in which h1 gets only
/// y2.
static void selectPath(const std::string &directory) {
  Program program("path");
  Network network(program);
  Tensor output = Graph({network.s2}, {network.e1}).testFprop().front();
  std::printf("s2 to e1: %lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 25250, "25250 parameters");

  program.function("test",
                   {.inputs = {network.y2}, .outputs = {{"y1", output}}});
  program.compile(directory + "/path.so");
  Context context = Model::load(directory + "/path.so").context({.seed = 1});
  Matrix second = randomMatrix(3, y2Width, 2);
  const Outputs &outputs = context.run("test", {{"y2", second.elements}});
  check(outputs.shape("y1")[0] == 3 && outputs.shape("y1")[1] == y1Width,
        "an output [3, 50]");
}

/// Checks that selecting a path from s1 to e2 fails, because there is none.
static void selectNoPath() {
  Program program("no_path");
  Network network(program);
  try {
    Graph({network.s1}, {network.e2}).testFprop();
  } catch (const GraphError &error) {
    std::printf("s1 to e2: %s\n", error.message.c_str());
    return;
  }
  check(false, "an error where there is no path");
}

int main(int argc, char **argv) {
  return run(argc, argv, [](const std::string &directory) {
    trainBoth(directory);
    selectPath(directory);
    selectNoPath();
  });
}
