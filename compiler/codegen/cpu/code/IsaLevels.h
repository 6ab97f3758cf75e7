//===- IsaLevels.h - the ISA levels of x86-64 -----------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CODE_ISALEVELS_H
#define TG_COMPILER_CODEGEN_CPU_CODE_ISALEVELS_H

#include <string>

namespace tg {

/// The ISA level whose code runs on every x86-64 CPU.
inline constexpr int kBaselineIsaLevel = 1;

/// Returns the name of an ISA level, as LLVM names its CPUs.
std::string nameOfIsaLevel(int level);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CODE_ISALEVELS_H
