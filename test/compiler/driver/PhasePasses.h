//===- PhasePasses.h - the passes of each phase as text ---------*- C++ -* ===//
#ifndef TG_TEST_COMPILER_DRIVER_PHASEPASSES_H
#define TG_TEST_COMPILER_DRIVER_PHASEPASSES_H

#include <string>
#include <vector>

namespace tg::test {

/// A phase that changes the module, its `--save-temps` file, and its passes as
/// entries of a textual pass pipeline.
struct PhasePasses {
  std::string name, file;
  std::vector<std::string> passes;
};

/// Returns the phases up to `schedule` in order, for the x86-64 level `level`.
std::vector<PhasePasses> listPhases(int level);

} // namespace tg::test

#endif // TG_TEST_COMPILER_DRIVER_PHASEPASSES_H
