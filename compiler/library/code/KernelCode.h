//===- KernelCode.h - a kernel as an object file --------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_KERNELCODE_H
#define TG_COMPILER_LIBRARY_CODE_KERNELCODE_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/code/StageClock.h"
#include "compiler/library/link/Link.h"

namespace tg {

/// A kernel as machine code of one target.
struct KernelCode {
  /// Named after the key: equal kernels have one name, different ones two.
  EmittedKernel emitted;
  FileBytes object;
  /// True if a cache had it, and else the seconds that it took.
  bool wasFound = false;
  StageClock clock = {};
};

/// The errors of the cache for one kernel.
struct CacheTrouble {
  /// Why the cache could not keep it.
  std::error_code keepError;
  /// Why a file that is there was not read, "" where none was refused.
  std::string rejection;
};

/// A hash of all that the code of a kernel follows from but for the target:
/// what it computes, and the compiler itself. Not of names and locations.
std::string hashOfKernel(tgx::KernelOp kernel);

/// The key of a kernel for one target, of its hash.
std::string keyOfKernel(llvm::StringRef hash, const Target &target);

/// Finds the code of a kernel in the cache, or makes and keeps it. Fails with a
/// diagnostic. Several threads may do so at once. What the cache has counts
/// only if it is an object of this kernel's functions.
llvm::LogicalResult makeKernelCode(tgx::KernelOp kernel, llvm::StringRef key,
                                   const Backend &backend, const Target &target,
                                   const KernelCache &cache, KernelCode &code,
                                   CacheTrouble &trouble);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_KERNELCODE_H
