/// Emulates a CPU by means of the trap flag: the kernel sends SIGTRAP after
/// every instruction, and the handler emulates the next one if it is CPUID or
/// XGETBV.
#include "PretendedCpu.h"
#include "TrapFlag.h"

#include <cpuid.h>
#include <csignal>
#include <ucontext.h>

using namespace tg::test;

/// The features of x86-64-v4, whatever the real CPU supports.
static const LesserCpu everything = {
    "",
    4,
    1u << 0 | 1u << 9 | 1u << 12 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 22 |
        1u << 23 | 1u << 27 | 1u << 28 | 1u << 29,
    1u << 3 | 1u << 5 | 1u << 8 | 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 |
        1u << 31,
    1u << 0 | 1u << 5,
    1u << 1 | 1u << 2 | 7u << 5};

static const LesserCpu *pretended = nullptr;
static volatile int answers = 0;

/// Emulates CPUID by writing its result to the registers.
static void answerCpuid(greg_t *registers) {
  const auto leaf = static_cast<uint32_t>(registers[REG_RAX]);
  uint32_t eax, ebx, ecx, edx;
  __cpuid_count(leaf, static_cast<uint32_t>(registers[REG_RCX]), eax, ebx, ecx,
                edx);
  if (leaf == 1)
    ecx = (ecx | everything.leaf1Ecx) & ~pretended->leaf1Ecx;
  if (leaf == 7)
    ebx = (ebx | everything.leaf7Ebx) & ~pretended->leaf7Ebx;
  if (leaf == 0x80000001)
    ecx = (ecx | everything.extendedEcx) & ~pretended->extendedEcx;
  registers[REG_RAX] = eax;
  registers[REG_RBX] = ebx;
  registers[REG_RCX] = ecx;
  registers[REG_RDX] = edx;
}

/// Emulates XGETBV by writing its result to the registers.
static void answerXgetbv(greg_t *registers) {
  uint32_t low, high;
  __asm__ volatile("xgetbv"
                   : "=a"(low), "=d"(high)
                   : "c"(static_cast<uint32_t>(registers[REG_RCX])));
  registers[REG_RAX] = (low | everything.xcr0) & ~pretended->xcr0;
  registers[REG_RDX] = high;
}

static void onTrap(int, siginfo_t *, void *opaque) {
  greg_t *registers = static_cast<ucontext_t *>(opaque)->uc_mcontext.gregs;
  for (;;) {
    const auto *code = reinterpret_cast<const uint8_t *>(registers[REG_RIP]);
    if (code[0] == 0x0f && code[1] == 0xa2) {
      answerCpuid(registers);
      registers[REG_RIP] += 2;
    } else if (code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xd0) {
      answerXgetbv(registers);
      registers[REG_RIP] += 3;
    } else {
      return;
    }
    answers = answers + 1;
  }
}

int tg::test::callOn(const LesserCpu &cpu, const std::function<void()> &call) {
  struct sigaction handler = {}, before;
  handler.sa_sigaction = onTrap;
  handler.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &handler, &before);
  pretended = &cpu;
  answers = 0;
  setTrapFlag(true);
  call();
  setTrapFlag(false);
  sigaction(SIGTRAP, &before, nullptr);
  return answers;
}

const std::vector<LesserCpu> &tg::test::lesserCpus() {
  static const std::vector<LesserCpu> cpus = {
      {"without SSE4.2", 1, 1u << 20, 0, 0, 0},
      {"without LAHF", 1, 0, 0, 1u << 0, 0},
      {"without AVX2", 2, 0, 1u << 5, 0, 0},
      {"without FMA", 2, 1u << 12, 0, 0, 0},
      {"without LZCNT", 2, 0, 0, 1u << 5, 0},
      {"of a system without XSAVE", 2, 1u << 27, 0, 0, 0},
      {"of a system that does not save ymm", 2, 0, 0, 0, 1u << 2},
      {"without AVX512F", 3, 0, 1u << 16, 0, 0},
      {"without AVX512VL", 3, 0, 1u << 31, 0, 0},
      {"of a system that does not save zmm", 3, 0, 0, 0, 7u << 5},
      {"of x86-64-v4", 4, 0, 0, 0, 0}};
  return cpus;
}

uint32_t tg::test::realIsaLevel() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v4")   ? 4
         : __builtin_cpu_supports("x86-64-v3") ? 3
         : __builtin_cpu_supports("x86-64-v2") ? 2
                                               : 1;
}
