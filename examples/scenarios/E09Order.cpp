/// The order of assignments and reads in a run: without a dependency c is 3 or
/// 7; it is 3 if the assignment comes after c, and 7 the other way round.
#include "Scenario.h"
using namespace tg;

int main() {
  Variable a = variable(1, "a");
  Tensor b = constant(2);
  Tensor c = a + b;
  Assignment assigned = assign(a, 5);

  Tensor assignedAfter;
  {
    ControlDependencies order({c});
    assignedAfter = assign(a, 5);
  }
  Tensor sumAfter;
  {
    ControlDependencies order({assigned});
    sumAfter = a + b;
  }
  Updates init = globalVariablesInitializer();

  for (int i = 0; i < 10; ++i) {
    Session session;
    session.run(init);
    std::vector<Array> found = session.run({assigned, c});
    check(found[0].scalar() == 5, "5");
    check(found[1].scalar() == 3 || found[1].scalar() == 7, "3 or 7");
    session.run(init);
    found = session.run({assignedAfter, c});
    expect("a", found[0], {5});
    expect("c", found[1], {3});
    session.run(init);
    expect("c", session.run(sumAfter), {7});
    expect("a", session.run(a), {5});
  }
}
