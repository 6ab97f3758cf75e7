/// a · b + (a + b) of two integers of 16 and of 32 bits that are fed to a run:
/// 23 for 5 and 3.
#include "Scenario.h"
using namespace tg;

int main() {
  for (DType dtype : {i16, i32}) {
    Program graph;
    auto building = graph.asDefault();
    Tensor a = placeholder(dtype, {}, "input_a");
    Tensor b = placeholder(dtype, {}, "input_b");
    Tensor c = (a * b).named("mul_c");
    Tensor d = (a + b).named("add_d");
    Tensor e = (c + d).named("add_e");

    Session session;
    for (auto [x, y] : {std::pair(5, 3), std::pair(-100, 17)}) {
      std::vector<Array> found = session.run({a, b, e}, {{a, x}, {b, y}});
      expect("a", found[0], {double(x)});
      expect("b", found[1], {double(y)});
      expect("e", found[2], {double(x * y + x + y)});
    }
    check(session.run("add_e", {{"input_a", 5}, {"input_b", 3}}).dtype() ==
              dtype,
          "elements of the placeholders' type");
    check(session.compiledCount() == 2, "two libraries");
  }
}
