/// A variable starts at 3 and is doubled three times: 6, 12, 24. A context of
/// its own starts at 3 again.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("doubling");
  Variable a = program.variable("a", f32, {}, 3.0);
  program.function("look", {.outputs = {{"a", a}}});
  program.function("double", {.updates = assign(a, 2.0 * a)});

  Model model = load(program);
  Context first = model.context({.seed = 1});
  expect(first.run("look", {}), "a", {3});
  for (float expected : {6, 12, 24}) {
    first.run("double", {});
    expect(first.run("look", {}), "a", {expected});
  }
  Context second = model.context({.seed = 1});
  expect(second.run("look", {}), "a", {3});
}
