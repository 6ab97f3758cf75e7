//===- IsaLevels.h - the ISA levels of x86-64 -----------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CODE_ISALEVELS_H
#define TG_COMPILER_CODEGEN_CPU_CODE_ISALEVELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tg {

/// The levels of the x86-64 psABI that kernels are compiled for, ascending.
inline constexpr int kIsaLevels[] = {2, 3, 4};

/// The ISA level whose code runs on every x86-64 CPU.
inline constexpr int kBaselineIsaLevel = 1;

/// Returns the name of an ISA level, as LLVM names its CPUs: "x86-64-v3".
std::string nameOfIsaLevel(int level);

/// Returns the level of kIsaLevels with a name like x86-64-v3 or v3; none for
/// other names.
std::optional<int> parseIsaLevel(llvm::StringRef name);

/// Returns the highest level of kIsaLevels that this CPU supports.
int nativeIsaLevel();

/// Returns the error in the ISA levels of a library, "" if they are valid.
std::string checkIsaLevels(llvm::ArrayRef<int> levels);

/// Returns true if LLVM has a CPU of this name with 64 bits.
bool isX86Cpu(llvm::StringRef name);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CODE_ISALEVELS_H
