/// Access to the variables of a layer by its output, and to values and
/// variables by name: in a tower, in the program and in a session.
#include "SymbolicScenario.h"
using namespace tg;
namespace sym = tg::symbolic;

int main() {
  Program program("variables");
  Tensor x = program.input("x", f32, {3, 4});
  sym::TowerFunction build({"x"}, [](const std::vector<Tensor> &inputs) {
    sym::LayerOutput fc = sym::FullyConnected(
        "fc", inputs[0], 2,
        {.kernelInitializer = Initializer(0.5), .biasInitializer = ones()});
    check(fc.variables.W.name() == "fc/W", "fc/W");
    check(fc.variables.b.name() == "fc/b", "fc/b");
    check(toString(fc.variables.W.shape()) == "[4, 2]", "a weight [4, 2]");
    check(fc.variables.all().size() == 2, "2 variables");
    return Tensor(sym::PReLU("slope", fc));
  });
  {
    sym::TowerContext tower(program, "tower0", {.isTraining = true});
    build({x});
  }
  const sym::TowerHandle &tower = build.tower("tower0");
  check(tower.variable("slope/alpha").size() == 1, "one slope");
  program.function("run", {.inputs = {x},
                           .outputs = {{"fc", tower.tensor("fc/output")},
                                       {"W", tower.variable("fc/W")}}});
  Context context = load(program).context({.seed = 1});
  std::vector<float> rows = {1, 2, 3, 4, 0, 0, 0, 0, -1, 1, -1, 1};
  expect(context.run("run", {{"x", rows}}), "fc", {6, 6, 1, 1, 1, 1});
  expect(context.run("run", {{"x", rows}}), "W", std::vector<float>(8, 0.5f));
  check(context.get<float>("fc/b").size() == 2, "a bias of 2 by its name");

  check(program.tensor("tower0/fc/output").id() ==
            tower.tensor("fc/output").id(),
        "the output of a layer by its name in the program");
  Session session(program);
  session.run(program.initializer());
  Array y = session.run("tower0/fc/output:0", {{x, {rows, {3, 4}}}});
  expect("tower0/fc/output:0", y, {6, 6, 1, 1, 1, 1});
}
