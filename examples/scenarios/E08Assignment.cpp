/// Assigning the sum of two constants to a variable: the assignment gives 3,
/// and so does a read.
#include "Scenario.h"
using namespace tg;

int main() {
  Tensor a = constant(1);
  Tensor b = constant(2);
  Variable x = variable(1, "x");
  Assignment assigned = assign(x, a + b);
  Session session;
  session.run(globalVariablesInitializer());
  expect("x", session.run(x), {1});
  expect("assigned", session.run(assigned), {3});
  expect("x", session.run(x), {3});
}
