/// Models made of nodes, used as layers of other models.
///
///   models [directory]
#include "Models.h"
#include "../Example.h"

using namespace tg;
using namespace example;
using namespace ::models;

/// Traces a model in both modes, and checks that it creates its variables once.
static std::vector<Tensor> trace(Program &program, BaseModel &model,
                                 const std::vector<Tensor> &inputs,
                                 std::vector<int64_t> widths) {
  std::vector<Tensor> outputs = model.fprop(inputs, Mode::train);
  size_t count = program.variables().size();
  std::vector<Tensor> tested = model.fprop(inputs, Mode::test);
  check(program.variables().size() == count, "no new variable in test mode");
  check(outputs.size() == widths.size() && tested.size() == widths.size(),
        "an output for each end");
  for (size_t i = 0; i < widths.size(); ++i)
    check(outputs[i].dim(1) == widths[i] && tested[i].dim(1) == widths[i],
          "an output of width " + std::to_string(widths[i]));
  return tested;
}

/// Tests models with several inputs and outputs.
static void forksAndPairs(const std::string &directory) {
  Program program("forks");
  Tensor x = program.input("x", f32, {dim("batch"), 4});
  Tensor y = program.input("y", f32, {dim("batch"), 6});
  Fork fork(3, 7);
  trace(program, fork, {x}, {3, 7});
  Pair pair(4, 5);
  trace(program, pair, {x, y}, {4, 5});
  Siamese siamese(2);
  trace(program, siamese, {x, x}, {2, 2});
  check(siamese.variables().size() == 2, "one weight and one bias");
  Cross cross;
  std::vector<Tensor> crossed = trace(program, cross, {x, y}, {20, 30});
  program.function("test",
                   {.inputs = {x, y},
                    .outputs = {{"z20", crossed[0]}, {"z30", crossed[1]}}});
  program.compile(directory + "/forks.so");

  Context context = Model::load(directory + "/forks.so").context({.seed = 1});
  const Outputs &outputs =
      context.run("test", {{"x", randomMatrix(10, 4, 1).elements},
                           {"y", randomMatrix(10, 6, 2).elements}});
  check(outputs.shape("z20")[0] == 10 && outputs.shape("z20")[1] == 20 &&
            outputs.shape("z30")[0] == 10 && outputs.shape("z30")[1] == 30,
        "outputs [10, 20] and [10, 30]");
  std::printf("cross: [10, 20] and [10, 30]\n");
}

/// Tests a model in a model: training is random and updates averages, inference
/// is deterministic.
static void modelInModel(const std::string &directory) {
  Program program("nested");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  Tensor y = program.input("y", f32, {dim("batch"), 1});
  Outer outer;
  Tensor trained = outer.trainFprop(x);
  Tensor tested = outer.testFprop(x);
  size_t count = program.variables().size();
  check(outer.variables().size() == 10, "10 variables, 2 of them averages");
  outer.trainFprop(x);
  check(program.variables().size() == count,
        "no new variable in the second call");
  for (const Variable &variable : outer.variables())
    std::printf("%s %s\n", variable.name().c_str(),
                toString(variable.shape()).c_str());

  Tensor loss = meanSquaredError(trained, y);
  program.function("train",
                   {.inputs = {x, y},
                    .outputs = {{"loss", loss}, {"prediction", trained}},
                    .updates = Adam().minimize(loss)});
  program.function("test", {.inputs = {x}, .outputs = {{"y", tested}}});
  program.compile(directory + "/nested.so");

  Context context = Model::load(directory + "/nested.so").context({.seed = 1});
  Matrix in = randomMatrix(32, 8, 1);
  Matrix out = randomMatrix(32, 1, 2);
  auto test = [&] {
    std::span<const float> y =
        context.run("test", {{"x", in.elements}}).values<float>("y");
    return std::vector<float>(y.begin(), y.end());
  };
  std::vector<float> before = test();
  check(test() == before, "equal outputs of two tests");
  std::span<const float> y0 =
      context.run("train", {{"x", in.elements}, {"y", out.elements}})
          .values<float>("prediction");
  check(std::vector<float>(y0.begin(), y0.end()) != before,
        "training to differ from testing");
  check(test() != before, "a step to change the outputs");
  std::printf(
      "a model in a model: training is random, testing is deterministic\n");
}

int main(int argc, char **argv) {
  return run(argc, argv, [](const std::string &directory) {
    forksAndPairs(directory);
    modelInModel(directory);
  });
}
