/// Models made of nodes, used as layers of other models.
///
///   models [directory]
#include "../Example.h"

using namespace tg;
using namespace example;

namespace {

/// One start, two ends: a layer with one input and two outputs.
class Fork : public BaseModel {
public:
  Fork(int left, int right) {
    StartNode start;
    HiddenNode trunk({start}, {Linear({.units = 10}), Relu()});
    HiddenNode l({trunk}, {Linear({.units = left})});
    HiddenNode r({trunk}, {Linear({.units = right})});
    define({start}, {EndNode({l}), EndNode({r})});
  }
};

/// Two starts, two ends: each start takes one input.
class Pair : public BaseModel {
public:
  Pair(int left, int right) {
    StartNode s1, s2;
    HiddenNode h1({s1}, {Linear({.units = left}), Tanh()});
    HiddenNode h2({s2}, {Linear({.units = right}), Tanh()});
    HiddenNode both({h1, h2}, Concat(), {Linear({.units = left})});
    define({s1, s2}, {EndNode({both}), EndNode({h2})});
  }
};

/// One start for two inputs: each branch selects its own, and both meet.
class Cross : public BaseModel {
public:
  Cross() {
    StartNode start;
    HiddenNode h1({start}, Select({.index = 0}), {Linear({.units = 5})});
    HiddenNode h2({start}, Select({.index = 1}), {Linear({.units = 8})});
    HiddenNode h3({h1, h2}, Concat(), {Linear({.units = 20})});
    HiddenNode h4({h1, h2}, Concat(), {Linear({.units = 30})});
    define({start}, {EndNode({h3}), EndNode({h4})});
  }
};

/// A model that computes its outputs by itself: the second input passes through
/// the layers of the first, too.
class Siamese : public BaseModel {
public:
  explicit Siamese(int units) : tower(Linear({.units = units})) {}

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override {
    std::vector<Tensor> outputs;
    for (Tensor &input : inputs)
      outputs.push_back(tower->fprop({input}, mode).front());
    return outputs;
  }

private:
  Layer tower;
};

/// A model of layers whose training differs from their use.
class Inner : public BaseModel {
public:
  explicit Inner(int units) {
    StartNode start;
    HiddenNode hidden({start}, {Linear({.units = units}), BatchNormalization(),
                                Relu(), Dropout({.rate = 0.5})});
    define({start}, {EndNode({hidden})});
  }
};

/// A model with a model inside.
class Outer : public BaseModel {
public:
  Outer() {
    StartNode start;
    HiddenNode hidden({start}, {Inner(16), Linear({.units = 1})});
    define({start}, {EndNode({hidden})});
  }
};

} // namespace

/// Traces a model in both modes; it makes its variables once.
static std::vector<Tensor> trace(Program &program, BaseModel &model,
                                 const std::vector<Tensor> &inputs,
                                 std::vector<int64_t> widths) {
  std::vector<Tensor> outputs = model.fprop(inputs, Mode::train);
  size_t count = program.variables().size();
  std::vector<Tensor> tested = model.fprop(inputs, Mode::test);
  check(program.variables().size() == count, "no variable for testing alone");
  check(outputs.size() == widths.size() && tested.size() == widths.size(),
        "an output for each end");
  for (size_t i = 0; i < widths.size(); ++i)
    check(outputs[i].dim(1) == widths[i] && tested[i].dim(1) == widths[i],
          "an output of width " + std::to_string(widths[i]));
  return tested;
}

/// Models with several inputs and outputs.
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

/// A model in a model: training draws and averages, testing repeats itself.
static void modelInModel(const std::string &directory) {
  Program program("nested");
  Tensor x = program.input("x", f32, {dim("batch"), 8});
  Tensor y = program.input("y", f32, {dim("batch"), 1});
  Outer outer;
  Tensor trained = outer.trainFprop(x), tested = outer.testFprop(x);
  size_t count = program.variables().size();
  check(outer.variables().size() == 8, "8 variables, 2 of them averages");
  outer.trainFprop(x);
  check(program.variables().size() == count, "no variable at the second call");
  for (const Variable &variable : outer.variables())
    std::printf("%s %s\n", variable.name().c_str(),
                toString(variable.shape()).c_str());

  Tensor loss = meanSquaredError(y, trained);
  program.function("train", {.inputs = {x, y},
                             .outputs = {{"loss", loss}, {"y", trained}},
                             .updates = Adam().minimize(loss)});
  program.function("test", {.inputs = {x}, .outputs = {{"y", tested}}});
  program.compile(directory + "/nested.so");

  Context context = Model::load(directory + "/nested.so").context({.seed = 1});
  Matrix in = randomMatrix(32, 8, 1), out = randomMatrix(32, 1, 2);
  auto test = [&] {
    std::span<const float> y =
        context.run("test", {{"x", in.elements}}).values<float>("y");
    return std::vector<float>(y.begin(), y.end());
  };
  std::vector<float> before = test();
  check(test() == before, "equal outputs of two tests");
  std::span<const float> y0 =
      context.run("train", {{"x", in.elements}, {"y", out.elements}})
          .values<float>("y");
  check(std::vector<float>(y0.begin(), y0.end()) != before,
        "training to differ from testing");
  check(test() != before, "a step to change the answers");
  std::printf("a model in a model: training draws, testing repeats itself\n");
}

int main(int argc, char **argv) {
  return run(argc, argv, [](const std::string &directory) {
    forksAndPairs(directory);
    modelInModel(directory);
  });
}
