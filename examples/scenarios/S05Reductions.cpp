/// The product and the sum of the list 5, 3, and their sum: 15, 8, 23. The file
/// of the graph contains the names of all four tensors.
#include "Scenario.h"
using namespace tg;

int main() {
  Tensor a = constant({5, 3}).named("input_a");
  Tensor b = reduceProd(a).named("prod_b");
  Tensor c = reduceSum(a).named("sum_c");
  Tensor d = (b + c).named("add_d");

  Session session;
  expect("b", session.run(b), {15});
  expect("c", session.run(c), {8});
  expect("d", session.run(d), {23});
  for (const char *file : {"graph.dot", "graph.mlir"})
    for (const char *name : {"input_a", "prod_b", "sum_c", "add_d"})
      check(graphFile(defaultGraph(), file).find(name) != std::string::npos,
            std::string("'") + name + "' in " + file);
}
