/// A variable is incremented and decremented; two sessions have their own
/// values: 10 + 10 and 10 - 2.
#include "Scenario.h"
using namespace tg;

int main() {
  Variable b = variable(3, "b");
  Assignment up = assignAdd(b, 1);
  Assignment down = assignSub(b, 1);
  Variable a = variable(10, "a");
  Tensor x = placeholder(i32, {});
  Assignment add = assignAdd(a, x);
  Assignment subtract = assignSub(a, x);
  Updates init = globalVariablesInitializer();

  Session first, second;
  first.run(init);
  second.run(init);
  expect("b", first.run(up), {4});
  expect("b", first.run(up), {5});
  expect("b", first.run(down), {4});
  expect("b", second.run(down), {2});
  first.run(add, {{x, 10}});
  second.run(subtract, {{x, 2}});
  expect("a", first.run(a), {20});
  expect("a", second.run(a), {8});
}
