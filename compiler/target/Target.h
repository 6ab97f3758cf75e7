//===- Target.h - the target of generated code ----------------------------===//
#ifndef TG_COMPILER_TARGET_TARGET_H
#define TG_COMPILER_TARGET_TARGET_H

#include <string>

namespace tg {

/// The target of one object file of a library, and its optimization level.
struct Target {
  /// The ISA level, a number that the back end defines. For the CPU it is the
  /// x86-64 psABI level: 2, 3 or 4.
  int level = 3;
  /// The optimization level, -O0 to -O3. 0 and 1 emit scalar loops, 1 with
  /// fusion; 2 and 3 emit vector code.
  int optimization = 2;
  /// The LLVM name of the CPU to tune for; empty selects the generic model of
  /// the ISA level. Tuning never adds instructions that the ISA level lacks.
  std::string tune;
  /// The kind of back end, as in findBackend.
  std::string kind = "cpu";
};

} // namespace tg

#endif // TG_COMPILER_TARGET_TARGET_H
