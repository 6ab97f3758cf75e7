/// A chain of symbolic layers within an argscope equals the network of its
/// layers called one by one: 3,252,106 parameters of an image [28, 28, 1], the
/// same operations, names and values.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

static Tensor func(Tensor x, double factor) { return x * factor; }

static Tensor chained(Tensor image) {
  sym::ArgScope scope(sym::Conv2D,
                      {.filters = 32, .kernelSize = 3, .activation = relu});
  return sym::LinearWrap(image)
      .Conv2D("conv0")
      .MaxPooling("pool0", 2)
      .Conv2D("conv1", {.padding = Padding::same})
      .Conv2D("conv2", {.kernelSize = 5})
      .FullyConnected("fc0", 512, {.activation = relu})
      .Dropout("dropout", {.rate = 0.5})
      .multiply(0.5)
      .apply(func, 3.0)
      .FullyConnected("fc1", 10)();
}

static Tensor oneByOne(Tensor image) {
  Tensor l = sym::Conv2D("conv0", image, 32, 3, {.activation = relu});
  l = sym::MaxPooling("pool0", l, 2);
  l = sym::Conv2D("conv1", l, 32, 3,
                  {.padding = Padding::same, .activation = relu});
  l = sym::Conv2D("conv2", l, 32, 5, {.activation = relu});
  l = sym::FullyConnected("fc0", l, 512, {.activation = relu});
  l = sym::Dropout("dropout", l, {.rate = 0.5});
  l = l * 0.5;
  l = func(l, 3.0);
  return sym::FullyConnected("fc1", l, 10);
}

/// A network of an image in an inference tower, with its variables, the shapes
/// of its layers and its logits.
struct Network {
  Program program{"network"};
  std::vector<std::string> variables;
  std::string outputs;
  std::vector<float> logits;

  Network(Tensor (*build)(Tensor), int64_t side) {
    Tensor image = program.input("image", f32, {1, side, side, 1});
    sym::TowerContext tower(program, "", {.isTraining = false});
    sym::TowerFunction towers(
        {"image"},
        [=](const std::vector<Tensor> &inputs) { return build(inputs[0]); });
    Tensor y = towers({image});
    for (const Variable &variable : program.variables())
      variables.push_back(variable.name());
    for (const char *layer : {"conv0", "pool0", "conv1", "conv2", "fc0", "fc1"})
      outputs += toString(
          towers.tower("").tensor(std::string(layer) + "/output").shape());
    program.function("run", {.inputs = {image}, .outputs = {{"y", y}}});
    Context context = load(program).context({.seed = 1});
    std::vector<float> pixels(side * side);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = std::sin(float(i));
    const Outputs &found = context.run("run", {{"image", pixels}});
    logits.assign(found.values<float>("y").begin(),
                  found.values<float>("y").end());
  }
};

int main() {
  for (int64_t side : {28, 12}) {
    Network chain(chained, side), calls(oneByOne, side);
    int64_t flat = (side / 2) * (side / 2) * 32;
    std::printf("[%ld, %ld, 1]: %ld parameters\n", long(side), long(side),
                long(chain.program.parameterCount()));
    check(chain.program.parameterCount() ==
              320 + 9248 + 25632 + (flat + 1) * 512 + 5130,
          "the parameters of five layers");
    check(side != 28 || chain.program.parameterCount() == 3252106,
          "3252106 parameters");
    check(chain.variables ==
              std::vector<std::string>{"conv0/W", "conv0/b", "conv1/W",
                                       "conv1/b", "conv2/W", "conv2/b", "fc0/W",
                                       "fc0/b", "fc1/W", "fc1/b"},
          "variables of the layers' names");
    check(chain.variables == calls.variables, "the same variables");
    check(chain.outputs == calls.outputs, "the same outputs");
    check(operations(chain.program) == operations(calls.program),
          "the same operations");
    check(chain.logits == calls.logits, "the same values");
  }
}
