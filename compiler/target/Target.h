//===- Target.h - what code is made for -----------------------------------===//
#ifndef TG_COMPILER_TARGET_TARGET_H
#define TG_COMPILER_TARGET_TARGET_H

#include <string>

namespace tg {

/// The target of one object of a library, and the optimization level.
struct Target {
  /// A number of the back end's: for the CPU a level of the x86-64 psABI, 2, 3
  /// or 4.
  int level = 3;
  /// -O0 to -O3. 0: scalar loops. 1: fused scalar loops. 2, 3: vectors.
  int optimization = 2;
  /// Tune for this CPU name of LLVM ("" for the level's own model); never
  /// adds instructions that the level lacks.
  std::string tune;
  /// Names the back end (findBackend).
  std::string kind = "cpu";
};

} // namespace tg

#endif // TG_COMPILER_TARGET_TARGET_H
