/// Variables in both modes: Program::variable works in both, with the same
/// initial values for the same seed; a name can be used once. Functions for
/// graph variables are rejected in eager mode.
#include "Modes.h"
using namespace tg;

int main() {
  valuesOfBothModes([](Program &program) {
    Variable w = program.variable("w", f32, {2, 2}, normal());
    expectRefusal([&] { program.variable("w", f32, {2, 2}, normal()); },
                  "expected a new name for a variable, found 'w'");
    return std::vector<Tensor>{w};
  });

  enableEagerExecution();
  Program program("rules");
  expectRefusal([&] { referenceVariable(program, "v", f32, {}, 1.0); },
                "tf.Variable not supported when eager execution is enabled");
  Variable v = program.variable("v", f32, {}, 1.0);
  (void)assign(v, v + 1);
  expectNear(v.values<float>(), {2});
}
