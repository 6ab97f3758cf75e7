/// Two name scopes: (1 + 2) · 3 is 9, (4 + 5) · 6 is 54; the sum is 63. A scope
/// that is opened again gets a number.
#include "Scenario.h"
using namespace tg;

/// Computes (x + y) · z in a name scope.
static Tensor build(const std::string &name, int x, int y, int z) {
  NameScope scope("Scope_" + name);
  Tensor sum = (constant(x) + constant(y)).named(name + "_add");
  return (sum * constant(z)).named(name + "_mul");
}

int main() {
  Tensor a = build("A", 1, 2, 3);
  Tensor b = build("B", 4, 5, 6);
  Tensor output = (a + b).named("output");
  Tensor again = build("A", 7, 8, 9);

  Session session;
  expect("Scope_A/A_add", session.run("Scope_A/A_add"), {3});
  expect("Scope_A/A_mul", session.run("Scope_A/A_mul"), {9});
  expect("Scope_B/B_add", session.run("Scope_B/B_add:0"), {9});
  expect("Scope_B/B_mul", session.run("Scope_B/B_mul:0"), {54});
  expect("output", session.run(output), {63});
  check(again.name() == "Scope_A_1/A_mul:0",
        "Scope_A_1, found " + again.name());
  check(output.name() == "output:0", "output, found " + output.name());
  for (const OperationInfo &op : defaultGraph().operations())
    std::cout << op.name << '\n';
  std::string drawing = graphFile(defaultGraph(), "graph.dot");
  for (const char *name :
       {"Scope_A", "Scope_B", "Scope_A_1", "A_mul", "output"})
    check(drawing.find("label=\"" + std::string(name)) != std::string::npos,
          std::string(name) + " in the drawing");
}
