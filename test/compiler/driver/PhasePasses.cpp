//===- PhasePasses.cpp - the passes of each phase as text -----------------===//
#include "test/compiler/driver/PhasePasses.h"
#include "compiler/driver/Pipeline.h"

using namespace tg;
using namespace tg::test;

std::vector<PhasePasses> tg::test::listPhases(int level) {
  CompileOptions options;
  options.levels = {level};
  std::vector<PhasePasses> phases;
  for (const PhaseInfo &info : getPhases()) {
    if (info.phase > Phase::schedule)
      break;
    std::string name = info.name.str();
    phases.push_back({name, std::to_string(info.number) + "-" + name + ".mlir",
                      listPasses(info.phase, options)});
  }
  return phases;
}
