//===- KernelCode.h - a kernel as an object file --------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_KERNELCODE_H
#define TG_COMPILER_LIBRARY_CODE_KERNELCODE_H

#include "compiler/codegen/Backend.h"
#include "compiler/codegen/kernel/StageClock.h"
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/link/Link.h"

namespace tg {

/// A kernel as machine code for one target.
struct KernelCode {
  /// The emitted kernel, named after its key: kernels have equal names if and
  /// only if they are equal.
  EmittedKernel emitted;
  FileBytes object;
  /// True if the cache had the code. Otherwise `clock` has the compile time.
  bool wasFound = false;
  StageClock clock = {};
};

/// The errors of the cache for one kernel.
struct CacheErrors {
  /// The error of storing the code; no error if it was stored.
  std::error_code storeError;
  /// The reason why an existing file was not read; "" if none was refused.
  std::string rejection;
};

/// Returns a hash of everything that affects the code of a kernel except the
/// target: its computation and the compiler itself. Names and locations do not
/// affect it.
std::string hashOfKernel(tgx::KernelOp kernel);

/// Returns the key of a kernel for one target from its hash.
std::string keyOfKernel(llvm::StringRef hash, const Target &target);

/// Loads the code of a kernel from the cache, or compiles and stores it. Emits
/// a diagnostic on failure. Several threads may call it at once. A cached file
/// is used only if it is an object that defines the functions of this kernel.
llvm::LogicalResult makeKernelCode(tgx::KernelOp kernel, llvm::StringRef key,
                                   const Backend &backend, const Target &target,
                                   const KernelCache &cache, KernelCode &code,
                                   CacheErrors &cacheErrors);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_KERNELCODE_H
