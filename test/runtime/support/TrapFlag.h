/// Single steps of this thread.
#ifndef TG_TEST_RUNTIME_SUPPORT_TRAPFLAG_H
#define TG_TEST_RUNTIME_SUPPORT_TRAPFLAG_H

namespace tg::test {

/// Sets or clears the trap flag without touching the red zone. While it is set,
/// the kernel sends SIGTRAP to this thread after every instruction.
inline __attribute__((always_inline)) void setTrapFlag(bool on) {
  if (on)
    __asm__ volatile("lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n "
                     "popfq\n lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
  else
    __asm__ volatile("lea -128(%%rsp), %%rsp\n pushfq\n andq $~0x100, (%%rsp)\n"
                     " popfq\n lea 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_TRAPFLAG_H
