/// Two kinds of data share what follows their first layers: what one teaches,
/// the other uses.
///
///   transfer [directory]
#include "../Example.h"
#include "Network.h"

using namespace tg;
using namespace example;
using namespace transfer;

namespace {
constexpr size_t rows = 1000, batchSize = 32;
} // namespace

static void runExample(const std::string &directory) {
  std::string library = directory + "/transfer.so";
  Program program("transfer");
  defineNetwork(program);
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 50500, "50500 parameters");
  program.compile(library);

  Context context = Model::load(library).context({.seed = 1});
  Matrix x1 = randomMatrix(rows, x1Width, 1);
  Matrix x2 = randomMatrix(rows, x2Width, 2);
  Matrix y = randomMatrix(rows, classes, 3);

  std::vector<double> losses;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    double sum = 0;
    for (auto [begin, count] : batches(rows, batchSize)) {
      const Outputs &outputs =
          context.run("train", {{"x1", x1.slice(begin, count)},
                                {"x2", x2.slice(begin, count)},
                                {"y", y.slice(begin, count)}});
      checkRowSums(outputs.values<float>("y"), classes, 1);
      sum += outputs.scalar("loss") * double(count);
    }
    losses.push_back(sum / rows);
    std::printf("epoch %2d  loss %.4f\n", epoch, losses.back());
  }
  check(losses.back() < losses.front(), "the loss to fall");

  // Either kind alone has an answer, from the same weights.
  checkRowSums(
      context.run("test1", {{"x1", x1.slice(0, 5)}}).values<float>("y"),
      classes, 1);
  checkRowSums(
      context.run("test2", {{"x2", x2.slice(0, 5)}}).values<float>("y"),
      classes, 1);
  std::printf("one kind alone: row sums 1\n");
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
