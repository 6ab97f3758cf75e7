//===- ThreadMachine.h - runs the threads of a kernel on the CPU ----------===//
#ifndef TG_TEST_COMPILER_CODEGEN_CUDA_THREADMACHINE_H
#define TG_TEST_COMPILER_CODEGEN_CUDA_THREADMACHINE_H

#include "compiler/codegen/Backend.h"
#include "test/compiler/codegen/cpu/KernelHarness.h"

namespace tg::test {

/// Returns the target of the CUDA back end.
Target cudaTarget();

/// The threads of one kernel as machine code of x86-64-v3. It is compiled from
/// the LLVM IR from which the back end makes PTX; only the special registers
/// are variables.
class ThreadMachine {
public:
  /// Returns null after a diagnostic if the kernel cannot be emitted.
  static std::unique_ptr<ThreadMachine> create(tgx::KernelOp kernel);
  ~ThreadMachine();

  /// Runs all threads, from the last to the first, as KernelHarness::run runs
  /// tiles.
  KernelRun run(KernelHarness &harness, llvm::ArrayRef<HostTensor> inputs,
                llvm::ArrayRef<int64_t> symbols,
                const std::map<unsigned, unsigned> &aliases = {}) const;

private:
  ThreadMachine();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  mlir::AffineMap threads;
  /// Runs one thread, given its block, its number in the block, and the slots.
  void (*thread)(int32_t, int32_t, const int64_t *) = nullptr;
};

/// Describes the first element that differs in its bits; NaN equals NaN.
/// Returns an empty string if none does.
std::string compareBits(const HostTensor &found, const HostTensor &expected);

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CUDA_THREADMACHINE_H
