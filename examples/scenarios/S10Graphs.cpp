/// Two graphs, each the default graph for a while. Using a tensor of one graph
/// in a session of the other is an error.
#include "Scenario.h"
using namespace tg;

int main() {
  Program first("first"), second("second");
  Tensor a, b;
  {
    auto building = first.asDefault();
    a = constant(2) * constant(3);
  }
  {
    auto building = second.asDefault();
    b = constant(4) + constant(5);
  }
  Tensor c = constant(1);

  Session one(first), two(second), other;
  expect("a", one.run(a), {6});
  expect("b", two.run(b), {9});
  expect("c", other.run(c), {1});
  expectError("graph 'first'", [&] { one.run(b); });
  expectError("graph 'second'", [&] { two.run(a); });
  expectError("graph 'graph'", [&] { other.run({c, a}); });
  expectError("graph 'first'", [&] { one.run(a, {{b, 3}}); });
  expectError("one program", [&] { a + b; });
}
