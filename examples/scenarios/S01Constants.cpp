/// (a + b) + (a · b) of two integers: 11 for 2 and 3.
#include "Scenario.h"
using namespace tg;

int main() {
  for (auto [x, y] : {std::pair(2, 3), std::pair(7, -4)}) {
    Tensor a = constant(x);
    Tensor b = constant(y);
    Tensor e = (a + b) + (a * b);
    Session session;
    expect("e", session.run(e), {double(x + y + x * y)});
  }
}
