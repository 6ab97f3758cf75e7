/// Two contexts of one model have values of their own: 10 + 10 and 10 - 2.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("sessions");
  Tensor x = program.input("x", f32, {});
  Variable a = program.variable("a", f32, {}, 10.0);
  program.function("add", {.inputs = {x}, .updates = assign(a, a + x)});
  program.function("subtract", {.inputs = {x}, .updates = assign(a, a - x)});
  program.function("look", {.outputs = {{"a", a}}});

  Model model = load(program);
  Context first = model.context({.seed = 1});
  Context second = model.context({.seed = 1});
  first.run("add", {{"x", 10}});
  second.run("subtract", {{"x", 2}});
  expect(first.run("look", {}), "a", {20});
  expect(second.run("look", {}), "a", {8});
}
