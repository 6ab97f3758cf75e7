/// Three levels of classes, in which each output is the sum of the softmaxes
/// above it.
///
///   hierarchical_softmax [directory]
#include "../Example.h"
#include "Network.h"

using namespace tg;
using namespace example;
using namespace hierarchical_softmax;

namespace {
constexpr size_t rows = 1000, batchSize = 32;
} // namespace

/// Checks that rows of level n are sums of n distributions.
static void checkLevelSums(Context &context, const Matrix &x) {
  const Outputs &outputs = context.run("test", {{"x", x.elements}});
  checkRowSums(outputs.values<float>("level1"), classes, 1);
  checkRowSums(outputs.values<float>("level2"), classes, 2);
  checkRowSums(outputs.values<float>("level3"), classes, 3);
}

static void runExample(const std::string &directory) {
  std::string library = directory + "/hierarchical_softmax.so";
  Program program("hierarchical_softmax");
  defineNetwork(program);
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 25300, "25300 parameters");
  program.compile(library);

  Context context = Model::load(library).context({.seed = 1});
  Matrix x = randomMatrix(rows, inputWidth, 1);
  Matrix y1 = randomMatrix(rows, classes, 2);
  Matrix y2 = randomMatrix(rows, classes, 3);
  Matrix y3 = randomMatrix(rows, classes, 4);
  checkLevelSums(context, x);

  SequentialIterator batches({.size = batchSize}, x.view(), y1.view(),
                             y2.view(), y3.view()); // 31 of 32, one of 8
  std::vector<double> losses;
  for (int epoch = 1; epoch <= 5; ++epoch) {
    double sum = 0;
    for (auto [rowsOfX, level1, level2, level3] : batches)
      sum += context
                 .run("train", {{"x", rowsOfX.values()},
                                {"y1", level1.values()},
                                {"y2", level2.values()},
                                {"y3", level3.values()}})
                 .scalar("loss") *
             double(rowsOfX.size());
    losses.push_back(sum / rows);
    std::printf("epoch %d  loss %.6f\n", epoch, losses.back());
  }
  check(batches.batchCount() == 32 && std::get<0>(batches[31]).size() == 8,
        "32 batches, the last of 8");
  check(losses.back() < losses.front(), "the loss to fall");
  checkLevelSums(context, x);
  std::printf("row sums 1, 2, 3\n");
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
