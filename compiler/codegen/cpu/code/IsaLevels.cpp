//===- IsaLevels.cpp - the ISA levels of x86-64 ---------------------------===//
#include "compiler/codegen/cpu/code/IsaLevels.h"

std::string tg::nameOfIsaLevel(int level) {
  return level == kBaselineIsaLevel ? "x86-64"
                                    : "x86-64-v" + std::to_string(level);
}
