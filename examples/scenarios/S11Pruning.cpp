/// A run computes only the tensors that a fetch needs, each once: host
/// functions count their calls.
#include "Scenario.h"

#include <map>

using namespace tg;

int main() {
  Tensor a = placeholder(f32, {2}, "a");
  // start -> middle -> end, and a separate branch.
  auto step = [](const char *name, const Tensor &x) {
    return hostCall(name, {x}, {f32, {2}});
  };
  Tensor start = step("start", a);
  Tensor middle = step("middle", start);
  Tensor end = step("end", middle + start);
  Tensor branch = step("branch", start);

  std::map<std::string, int> calls;
  Session session;
  for (const char *name : {"start", "middle", "end", "branch"})
    session.registerHost(name,
                         [&calls, name](const std::vector<Array> &inputs) {
                           ++calls[name];
                           std::vector<float> numbers = inputs[0].to<float>();
                           for (float &number : numbers)
                             number += 1;
                           return std::vector<Array>{Array(numbers, {2})};
                         });

  expect("middle", session.run(middle, {{a, {1, 2}}}), {3, 4});
  check(calls == std::map<std::string, int>{{"middle", 1}, {"start", 1}},
        "one call of start and middle, none of end and branch");
  calls.clear();
  std::vector<Array> both = session.run({end, branch}, {{a, {1, 2}}});
  expect("end", both[0], {6, 8});
  expect("branch", both[1], {3, 4});
  for (const char *name : {"start", "middle", "end", "branch"})
    check(calls[name] == 1, std::string("one call of ") + name);
  // Fed values are not computed.
  calls.clear();
  expect("branch", session.run(branch, {{start, {5, 6}}}), {6, 7});
  check(calls == std::map<std::string, int>{{"branch", 1}}, "branch alone");
}
