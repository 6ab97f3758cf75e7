/// Pretends a CPU for the time of a call, whatever the real one has.
#ifndef TG_TEST_RUNTIME_SUPPORT_PRETENDEDCPU_H
#define TG_TEST_RUNTIME_SUPPORT_PRETENDEDCPU_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tg::test {

/// A CPU or a system less able than x86-64-v4 asks: the bits that it lacks.
struct LesserCpu {
  std::string name;
  uint32_t level; // of the x86-64 psABI; 1 is none of a model's targets
  uint32_t leaf1Ecx, leaf7Ebx, extendedEcx; // of CPUID
  uint32_t xcr0;                            // of XGETBV
};

/// For every level from 1 to 4 at least one, and for each the system that does
/// not save the registers.
const std::vector<LesserCpu> &lesserCpus();

/// The level of the real CPU.
uint32_t realLevel();

/// Calls `call`, one instruction at a time, and answers its CPUID and XGETBV
/// instructions in the CPU's stead. Returns how many there were. One thread at
/// a time.
int callOn(const LesserCpu &cpu, const std::function<void()> &call);

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_PRETENDEDCPU_H
