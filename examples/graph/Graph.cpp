/// Two starts, two ends and the paths between them.
///
///   graph [directory]
#include "../Example.h"

using namespace tg;
using namespace example;

namespace {
constexpr int y1Width = 50, y2Width = 100;
constexpr size_t rows = 100, batchSize = 32;

/// y1 ─ s1 ─┐
///          h1 (Concat) ─┐
/// y2 ─ s2 ─┤            h3 (Sum) ─ e1
///          h2 ──────────┴───────── e2
struct Network {
  StartNode s1, s2;
  HiddenNode h1{{s1, s2}, Concat(), {Linear({.units = y2Width}), Relu()}};
  HiddenNode h2{{s2}, {Linear({.units = y2Width}), Relu()}};
  HiddenNode h3{{h1, h2}, Sum(), {Linear({.units = y1Width}), Relu()}};
  EndNode e1{{h3}, Sum()}, e2{{h2}, Sum()};

  Network(Tensor y1, Tensor y2) : s1({y1}), s2({y2}) {}
};
} // namespace

/// Trains the whole network to repeat its inputs.
static void trainBoth(const std::string &directory) {
  Program program("graph");
  Tensor y1 = program.input("y1", f32, {dim("batch"), y1Width});
  Tensor y2 = program.input("y2", f32, {dim("batch"), y2Width});
  Network network(y1, y2);
  Graph graph({network.s1, network.s2}, {network.e1, network.e2});
  std::vector<Tensor> outputs = graph.trainFprop();
  check(outputs.size() == 2, "an output for each end");
  check(outputs[0].dim(1) == y1Width && outputs[1].dim(1) == y2Width,
        "outputs [n, 50] and [n, 100]");
  check(graph.variables().size() == 6, "6 variables");
  std::printf("s1, s2 to e1, e2: %lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 30250, "30250 parameters");

  Tensor loss =
      meanSquaredError(y1, outputs[0]) + meanSquaredError(y2, outputs[1]);
  program.function("train",
                   {.inputs = {y1, y2},
                    .outputs = {{"loss", loss}},
                    .updates = Adam({.learningRate = 0.01}).minimize(loss)});
  program.compile(directory + "/graph.so");

  Context context = Model::load(directory + "/graph.so").context({.seed = 1});
  Matrix first = randomMatrix(rows, y1Width, 1);
  Matrix second = randomMatrix(rows, y2Width, 2);
  std::vector<double> losses;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    double sum = 0;
    for (auto [begin, count] : batches(rows, batchSize)) // 32, 32, 32, 4
      sum += context
                 .run("train", {{"y1", first.slice(begin, count)},
                                {"y2", second.slice(begin, count)}})
                 .scalar("loss") *
             double(count);
    losses.push_back(sum / rows);
    std::printf("epoch %2d  loss %.4f\n", epoch, losses.back());
  }
  check(losses.back() < 0.8 * losses.front(), "the loss to fall by a fifth");
}

/// Of the same network only what leads from s2 to e1: h1 sees y2 alone.
static void selectPath(const std::string &directory) {
  Program program("path");
  Tensor y1 = program.input("y1", f32, {dim("batch"), y1Width});
  Tensor y2 = program.input("y2", f32, {dim("batch"), y2Width});
  Network network(y1, y2);
  Tensor output = Graph({network.s2}, {network.e1}).testFprop().front();
  std::printf("s2 to e1: %lld parameters\n",
              static_cast<long long>(program.parameterCount()));
  check(program.parameterCount() == 25250, "25250 parameters");

  program.function("test", {.inputs = {y2}, .outputs = {{"y1", output}}});
  program.compile(directory + "/path.so");
  Context context = Model::load(directory + "/path.so").context({.seed = 1});
  Matrix second = randomMatrix(3, y2Width, 2);
  const Outputs &outputs =
      context.run("test", {{"y2", second.slice(0, second.rows)}});
  check(outputs.shape("y1")[0] == 3 && outputs.shape("y1")[1] == y1Width,
        "an output [3, 50]");
}

/// Nothing leads from s1 to e2.
static void selectNoPath() {
  Program program("no_path");
  Tensor y1 = program.input("y1", f32, {dim("batch"), y1Width});
  Tensor y2 = program.input("y2", f32, {dim("batch"), y2Width});
  Network network(y1, y2);
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
