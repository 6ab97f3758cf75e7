/// A tree of models, two of two layers and one of one, over 32 rows of 128
/// numbers: 10 variables, 37,280 parameters, and in both modes a gradient for
/// each variable, with its shape and equal values.
#include "Modes.h"
using namespace tg;

/// A network whose layers are members; activations are functions or names.
class TwoLayersNet : public BaseLayer {
public:
  TwoLayersNet(int64_t first, int64_t second)
      : dense1({.units = first, .activation = "relu"}),
        dense2({.units = second, .activation = relu}) {}

protected:
  Tensor train(Tensor x) override { return dense2(dense1(x)); }

private:
  Linear dense1, dense2;
};

class FiveLayersNet : public BaseLayer {
protected:
  Tensor train(Tensor x) override { return last(second(first(x))); }

private:
  TwoLayersNet first{64, 128}, second{64, 128};
  Linear last{{.units = 32}};
};

/// Tests Keras' build(): creates variables before the first call, which then
/// must fit them.
static void buildByHand() {
  Program program("built");
  DefaultGraph building = program.asDefault();
  Layer network = FiveLayersNet();
  network.build({dim(), 128});
  check(program.parameterCount() == 37280, "37280 parameters without a call");
  Tensor x = program.input("x", f32, {dim("batch"), 64});
  expectError("made for another input", [&] { network(x); });
}

int main() {
  buildByHand();
  std::vector<float> ones(32 * 128, 1);
  valuesOfBothModes(
      [&](Program &program) {
        FiveLayersNet network;
        check(!network.isBuilt(), "no variables before the first call");
        GradientTape tape;
        Tensor y = network(program.tensor(ones, {32, 128}));
        check(network.isBuilt() && network.variables().size() == 10,
              "10 variables");
        check(program.parameterCount() == 37280, "37280 parameters");
        std::vector<Variable> variables = network.variables();
        std::vector<Tensor> gradients =
            tape.gradient(reduceMean(square(y)), variables);
        for (size_t i = 0; i < gradients.size(); ++i)
          check(gradients[i].isDefined() && toString(gradients[i].shape()) ==
                                                toString(variables[i].shape()),
                "a gradient in the shape of " + variables[i].name());
        return gradients;
      },
      1e-4);
}
