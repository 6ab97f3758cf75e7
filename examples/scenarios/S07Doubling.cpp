/// A variable starts at 3 and is doubled three times: 6, 12, 24. Another
/// session starts at 3 again.
#include "Scenario.h"
using namespace tg;

int main() {
  Variable a = variable(3, "a");
  Assignment twice = assign(a, 2.0 * a);
  Updates init = globalVariablesInitializer();
  {
    Session session;
    expectError("variable 'a'", [&] { session.run(a); });
    session.run(init);
    expect("a", session.run(a), {3});
    for (double expected : {6, 12, 24})
      expect("a", session.run(twice), {expected});
    expect("a", session.run(a), {24});
  }
  Session other;
  other.run(init);
  expect("a", other.run(a), {3});
}
