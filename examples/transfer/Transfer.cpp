/// Two kinds of data share what follows their first layers: what one teaches,
/// the other uses.
///
///   transfer [directory]
#include "../Example.h"

using namespace tg;
using namespace example;

namespace {
constexpr int x1Width = 50, x2Width = 100, shared = 200, classes = 100;
constexpr size_t rows = 1000, batchSize = 32;
} // namespace

/// Compiles the network: `train` takes both kinds, `test1` and `test2` one.
static void compileNetwork(const std::string &path) {
  Program program("transfer");
  Tensor x1 = program.input("x1", f32, {dim("batch"), x1Width});
  Tensor x2 = program.input("x2", f32, {dim("batch"), x2Width});
  Tensor y = program.input("y", f32, {dim("batch"), classes});

  StartNode s1({x1}), s2({x2});
  HiddenNode h1({s1}, {Linear({.units = shared}), Relu()});
  HiddenNode h2({s2}, {Linear({.units = shared}), Relu()});
  HiddenNode h3({h1, h2}, Sum(), {Linear({.units = classes}), Softmax()});
  EndNode end({h3});

  Tensor output = Graph({s1, s2}, {end}).trainFprop().front();
  std::printf("%lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 50500, "50500 parameters");
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
  check(program.parameterCount() == 50500, "no parameter for testing alone");
  program.compile(path);
}

static void runExample(const std::string &directory) {
  std::string library = directory + "/transfer.so";
  compileNetwork(library);
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
