// Tests that the stack of a run unwinds to the frames of its caller from every
// instruction of a model, and that exceptions do not pass through a model.
#include "../graph/PointsNetwork.h"
#include "test/runtime/support/TrapFlag.h"
#include "tg/runtime.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <link.h>
#include <ucontext.h>
#include <unwind.h>

using namespace tg;

namespace {
/// The addresses of the code of a library.
struct Code {
  uintptr_t of; // an address in it
  uintptr_t begin = 0, end = 0;

  explicit Code(uintptr_t of) : of(of) { dl_iterate_phdr(findIn, this); }
  bool contains(uintptr_t address) const {
    return begin <= address && address < end;
  }

private:
  static int findIn(dl_phdr_info *library, size_t, void *opaque) {
    Code &code = *static_cast<Code *>(opaque);
    for (int i = 0; i < library->dlpi_phnum; ++i) {
      const auto &segment = library->dlpi_phdr[i];
      code.begin = library->dlpi_addr + segment.p_vaddr;
      code.end = code.begin + segment.p_memsz;
      if (segment.p_flags & PF_X && code.contains(code.of))
        return 1;
    }
    code.begin = code.end = 0;
    return 0;
  }
};

/// Runs a function. Tests look for the frame of this one.
__attribute__((noinline)) void runFunction(Context &context, const char *name,
                                           const std::vector<Input> &inputs) {
  context.run(name, inputs);
  __asm__ volatile(""); // no tail call
}

/// Returns true if the stack has a frame of the function.
template <typename Function> bool isOnStack(Function *function) {
  struct Search {
    uintptr_t start;
    bool isFound;
  } search = {reinterpret_cast<uintptr_t>(function), false};
  _Unwind_Backtrace(
      [](_Unwind_Context *frame, void *opaque) {
        auto &search = *static_cast<Search *>(opaque);
        search.isFound |= _Unwind_GetRegionStart(frame) == search.start;
        return search.isFound ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &search);
  return search.isFound;
}

/// The code whose instructions the handler counts, and those from which the
/// stack does not lead to runFunction().
const Code *watched;
volatile size_t steps, lost;
volatile uintptr_t firstLost;

void onTrap(int, siginfo_t *, void *opaque) {
  const auto address = static_cast<uintptr_t>(
      static_cast<ucontext_t *>(opaque)->uc_mcontext.gregs[REG_RIP]);
  if (!watched->contains(address))
    return;
  // A jump of .plt to a function of the C library; lld makes no table for it.
  const auto *code = reinterpret_cast<const uint8_t *>(address);
  if (code[0] == 0xff && code[1] == 0x25)
    return;
  steps = steps + 1;
  if (isOnStack(runFunction))
    return;
  if (lost == 0)
    firstLost = address - watched->begin;
  lost = lost + 1;
}

/// Compiles the network of points and a function that calls the host.
std::string compile(const char *name) {
  Program program("points");
  test::definePoints(program);
  Variable scale = program.variable("scale", f32, {4}, 1.0);
  Tensor called = hostCall("host", {scale * 2.0}, {f32, {4}});
  program.function("call", {.outputs = {{"y", called}}});
  std::string path = testing::TempDir() + name;
  program.compile(path, {});
  return path;
}

const std::vector<float> points = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const std::vector<int32_t> classes = {0, 1, 0, 1, 1};

/// A call of a function of the network.
struct Call {
  const char *function;
  std::vector<Input> inputs;
};

TEST(Unwind, everyInstructionOfARunLeadsToItsCaller) {
  const std::string path = compile("steps.so");
  for (uint32_t target :
       {TG_TARGET_X86_64_V2, TG_TARGET_X86_64_V3, TG_TARGET_X86_64_V4}) {
    if (target == TG_TARGET_X86_64_V4 && !__builtin_cpu_supports("x86-64-v4"))
      continue;
    if (target == TG_TARGET_X86_64_V3 && !__builtin_cpu_supports("x86-64-v3"))
      continue;
    Model model = Model::load(path, {.target = target});
    Context context = model.context({.seed = 1});
    const Code code(reinterpret_cast<uintptr_t>(model.function("train").run));
    ASSERT_NE(code.begin, 0u);
    watched = &code;
    const Call calls[] = {
        {"train", {{"x", points}, {"label", classes}, {"learning_rate", 0.1}}},
        {"test", {{"x", points}, {"label", classes}}}};
    struct sigaction handler = {}, before;
    handler.sa_sigaction = onTrap;
    handler.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &handler, &before);
    for (const auto &[function, inputs] : calls) {
      steps = 0;
      lost = 0;
      test::setTrapFlag(true);
      runFunction(context, function, inputs);
      test::setTrapFlag(false);
      EXPECT_GT(steps, 1000u) << function;
      EXPECT_EQ(lost, 0u) << function << " for target " << target << " from "
                          << std::hex << firstLost << " in its code";
    }
    sigaction(SIGTRAP, &before, nullptr);
  }
}

/// A host function that throws, which is a mistake.
tg_status_t throwNumber(void *, const tg_host_call_t *) { throw 1; }

TEST(UnwindDeathTest, anExceptionOfAHostEndsTheProcessAtItsThrow) {
  Model model = Model::load(compile("throw.so"));
  Context context = model.context({.seed = 1});
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  ASSERT_EQ(tg_context_register_host(context.handle(), "host", throwNumber,
                                     nullptr, &error),
            TG_OK);
  std::set_terminate([] {
    std::fprintf(stderr, "thrower %d, caller %d\n", isOnStack(throwNumber),
                 isOnStack(runFunction));
    std::abort();
  });
  EXPECT_DEATH(
      {
        try {
          runFunction(context, "call", {});
        } catch (int) {
        }
      },
      "thrower 1, caller 1");
}
} // namespace
