//===- CpuTarget.h - what emitters know of a CPU --------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CPUTARGET_H
#define TG_COMPILER_CODEGEN_CPU_CPUTARGET_H

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

  /// Bytes of a vector register: 16, 32, 64.
  unsigned vectorBytes() const {
    return level == 4 ? 64 : level == 3 ? 32 : 16;
  }
  /// Architectural vector registers.
  unsigned vectorRegisters() const { return level == 4 ? 32 : 16; }
  /// Lanes of a vector of elements of this many bytes; 1 below -O2.
  unsigned lanes(unsigned elementBytes) const {
    return optimization >= 2 ? vectorBytes() / elementBytes : 1;
  }
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CPUTARGET_H
