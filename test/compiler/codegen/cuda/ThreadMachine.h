//===- ThreadMachine.h - runs the threads of a kernel as PTX --------------===//
#ifndef TG_TEST_COMPILER_CODEGEN_CUDA_THREADMACHINE_H
#define TG_TEST_COMPILER_CODEGEN_CUDA_THREADMACHINE_H

#include "compiler/codegen/Backend.h"
#include "test/compiler/codegen/cpu/KernelHarness.h"
#include "test/simulator/support/Cuda.h"

namespace tg::test {

/// Returns the target of the CUDA back end.
Target cudaTarget();

/// The PTX of one kernel, loaded by the stand-in for the driver.
class ThreadMachine {
public:
  /// Returns null after a diagnostic if the kernel cannot be compiled.
  static std::unique_ptr<ThreadMachine> create(tgx::KernelOp kernel);
  ~ThreadMachine();

  /// Launches the kernel as KernelHarness::run runs tiles. Expects that no
  /// thread accesses memory beyond a tensor, and that both versions of a kernel
  /// have the same results.
  KernelRun run(KernelHarness &harness, llvm::ArrayRef<HostTensor> inputs,
                llvm::ArrayRef<int64_t> symbols,
                const std::map<unsigned, unsigned> &aliases = {}) const;

  /// The number of elements between the begin of an allocation, which is
  /// aligned to 16 bytes and more, and the tensor in it.
  unsigned distance = 0;

private:
  ThreadMachine() = default;
  /// Launches a version of the kernel on the slots of its argument block, and
  /// waits.
  void launch(CUfunction function, llvm::MutableArrayRef<int64_t> slots,
              llvm::ArrayRef<int64_t> symbols) const;
  KernelRun runVersion(CUfunction function, KernelHarness &harness,
                       llvm::ArrayRef<HostTensor> inputs,
                       llvm::ArrayRef<int64_t> symbols,
                       const std::map<unsigned, unsigned> &aliases) const;

  KernelLaunch record;
  CUmodule module = nullptr;
  /// The version with 64-bit indices is null if there is none.
  CUfunction function = nullptr, wideFunction = nullptr;
};

/// Describes the first element that differs in its bits; NaN equals NaN.
/// Returns an empty string if none does.
std::string compareBits(const HostTensor &found, const HostTensor &expected);

/// Runs a kernel by threads and by the CPU's tiles, for each list of symbols.
/// Expects equal bits and error cells. See `ThreadMachine::distance`.
void checkThreads(llvm::StringRef text,
                  llvm::ArrayRef<std::vector<int64_t>> lists,
                  const KernelCheck &check = {}, unsigned distance = 0);

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CUDA_THREADMACHINE_H
