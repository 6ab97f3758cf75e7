/// Emulates a less capable CPU during a call, whatever the real CPU supports.
#ifndef TG_TEST_RUNTIME_SUPPORT_PRETENDEDCPU_H
#define TG_TEST_RUNTIME_SUPPORT_PRETENDEDCPU_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tg::test {

/// A CPU or operating system below x86-64-v4: its ISA level and the feature
/// bits that it lacks.
struct LesserCpu {
  std::string name;
  uint32_t level; // of the x86-64 psABI; models have no target for level 1
  uint32_t leaf1Ecx, leaf7Ebx, extendedEcx; // of CPUID
  uint32_t xcr0;                            // of XGETBV
};

/// Returns at least one CPU for every level from 1 to 4, and for each level an
/// operating system that does not save the registers.
const std::vector<LesserCpu> &lesserCpus();

/// Returns the x86-64 ISA level of the real CPU.
uint32_t realIsaLevel();

/// Single-steps `call` and emulates its CPUID and XGETBV instructions. Returns
/// the number of such instructions. Only one thread may do this at a time.
int callOn(const LesserCpu &cpu, const std::function<void()> &call);

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_PRETENDEDCPU_H
