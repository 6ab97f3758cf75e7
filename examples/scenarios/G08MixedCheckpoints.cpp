/// An object-based checkpoint loaded by name, and the other way round: a
/// warning, and the right values. A checkpoint with missing tensors is
/// rejected, and nothing changes.
#include "Modes.h"
using namespace tg;

int main() {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("g08-" + std::to_string(getpid()) + ".safetensors"))
                         .string();
  enableEagerExecution();
  Program program("mixed");
  int warnings = 0;
  program.onWarning([&](const Warning &warning) {
    std::printf("%s\n", warning.message.c_str());
    ++warnings;
  });
  Variable x = program.variable("x", f32, {}, 5.2);
  Variable y = program.variable("y", f32, {}, 13.14);

  Checkpoint objects({{"model", {x, y}}});
  objects.save(path);
  (void)assign(x, 0);
  Saver(x).restore(path);
  check(warnings == 1, "a warning");
  expectNear(x.values<float>(), {5.2f});

  Saver(std::vector<Variable>{x, y}).save(path);
  (void)assign(y, 0);
  objects.restore(path);
  check(warnings == 2, "another warning");
  expectNear(y.values<float>(), {13.14f});

  Saver(x).save(path);
  (void)assign(x, 1);
  expectRefusal([&] { objects.restore(path); }, "expected a tensor 'y'");
  expectNear(x.values<float>(), {1});
  std::filesystem::remove(path);
}
