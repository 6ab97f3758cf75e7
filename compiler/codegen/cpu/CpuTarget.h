//===- CpuTarget.h - one x86-64 level of a library ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CPUTARGET_H
#define TG_COMPILER_CODEGEN_CPU_CPUTARGET_H

#include "compiler/target/TargetDescription.h"
#include <string>

namespace tg {

/// One x86-64 level of the psABI and how much work goes into its code.
struct CpuTarget {
  /// 2, 3 or 4.
  int level = 3;
  /// -O0 to -O3. 0: scalar loops. 1: fused scalar loops. 2, 3: vectors.
  int optimization = 2;
  /// Tune for this CPU name of LLVM ("" for the level's own model); never
  /// adds instructions that the level lacks.
  std::string tune;

  /// The level as passes and emitters see it.
  TargetDescription describe() const;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CPUTARGET_H
