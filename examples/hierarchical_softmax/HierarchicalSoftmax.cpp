/// Three levels of classes: each output is the sum of the softmaxes above it.
///
///   hierarchical_softmax [directory]
#include "../Example.h"

using namespace tg;
using namespace example;

namespace {
constexpr int inputWidth = 50, classes = 100;
constexpr size_t rows = 1000, batchSize = 32;
} // namespace

/// Compiles the network; its functions give the outputs of all three levels.
static void compileNetwork(const std::string &path) {
  Program program("hierarchical_softmax");
  Tensor x = program.input("x", f32, {dim("batch"), inputWidth});
  std::vector<Tensor> targets;
  for (const char *name : {"y1", "y2", "y3"})
    targets.push_back(program.input(name, f32, {dim("batch"), classes}));

  StartNode start({x});
  HiddenNode h1({start}, {Linear({.units = classes}), Softmax()});
  HiddenNode h2({h1}, {Linear({.units = classes}), Softmax()});
  HiddenNode h3({h2}, {Linear({.units = classes}), Softmax()});
  EndNode e1({h1}, Sum()), e2({h1, h2}, Sum()), e3({h1, h2, h3}, Sum());
  Graph graph({start}, {e1, e2, e3});

  std::vector<Tensor> outputs = graph.trainFprop();
  check(outputs.size() == 3, "an output for each level");
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 25300, "25300 parameters");
  Tensor loss = meanSquaredError(targets[0], outputs[0]) +
                meanSquaredError(targets[1], outputs[1]) +
                meanSquaredError(targets[2], outputs[2]);
  program.function("train",
                   {.inputs = {x, targets[0], targets[1], targets[2]},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});

  std::vector<Tensor> tested = graph.testFprop();
  program.function("test", {.inputs = {x},
                            .outputs = {{"level1", tested[0]},
                                        {"level2", tested[1]},
                                        {"level3", tested[2]}}});
  program.compile(path);
}

/// The rows of level n are sums of n distributions.
static void checkLevels(Context &context, const Matrix &x) {
  const Outputs &outputs = context.run("test", {{"x", x.slice(0, x.rows)}});
  checkRowSums(outputs.values<float>("level1"), classes, 1);
  checkRowSums(outputs.values<float>("level2"), classes, 2);
  checkRowSums(outputs.values<float>("level3"), classes, 3);
}

static void runExample(const std::string &directory) {
  std::string library = directory + "/hierarchical_softmax.so";
  compileNetwork(library);
  Context context = Model::load(library).context({.seed = 1});
  Matrix x = randomMatrix(rows, inputWidth, 1);
  Matrix y1 = randomMatrix(rows, classes, 2);
  Matrix y2 = randomMatrix(rows, classes, 3);
  Matrix y3 = randomMatrix(rows, classes, 4);
  checkLevels(context, x);

  std::vector<Batch> all = batches(rows, batchSize); // 31 of 32, one of 8
  std::vector<double> losses;
  for (int epoch = 1; epoch <= 5; ++epoch) {
    double sum = 0;
    for (auto [begin, count] : all)
      sum += context
                 .run("train", {{"x", x.slice(begin, count)},
                                {"y1", y1.slice(begin, count)},
                                {"y2", y2.slice(begin, count)},
                                {"y3", y3.slice(begin, count)}})
                 .scalar("loss") *
             double(count);
    losses.push_back(sum / rows);
    std::printf("epoch %d  loss %.6f\n", epoch, losses.back());
  }
  check(all.size() == 32 && all.back().count == 8, "32 batches, the last of 8");
  check(losses.back() < losses.front(), "the loss to fall");
  checkLevels(context, x);
  std::printf("row sums 1, 2, 3\n");
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
