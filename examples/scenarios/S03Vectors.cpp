/// (a + b) + (a · b) of lists of two numbers: [11, 11] for [2, 2] and [3, 3].
#include "Scenario.h"
using namespace tg;

int main() {
  Tensor a = placeholder(i32, {2}, "a");
  Tensor b = placeholder(i32, {2}, "b");
  Tensor e = (a + b) + (a * b);
  Session session;
  expect("e", session.run(e, {{a, {2, 2}}, {b, {3, 3}}}), {11, 11});
  expect("e", session.run(e, {{a, {1, 4}}, {b, {0, -2}}}), {1, -6});
  expectError("expected a value of shape [2]",
              [&] { session.run(e, {{a, {1, 2, 3}}, {b, {3, 3}}}); });
}
