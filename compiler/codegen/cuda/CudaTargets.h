//===- CudaTargets.h - the targets of the back end ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_CUDATARGETS_H
#define TG_COMPILER_CODEGEN_CUDA_CUDATARGETS_H

#include "tg/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tg {

/// A target: the least compute capability that runs its PTX, and the PTX
/// version, which the driver must know.
struct CudaTarget {
  /// The number of the target.
  int level;
  /// The least compute capability, 80 for 8.0.
  uint32_t capability;
  /// The names of LLVM.
  llvm::StringLiteral processor, features;
};

/// PTX 7.0 for compute capability 8.0: every driver since CUDA 11.0.
inline constexpr CudaTarget kCudaTargets[] = {
    {TG_TARGET_CUDA_80, 80, "sm_80", "+ptx70"}};

/// Returns the target of a number; null if there is none.
const CudaTarget *findCudaTarget(int level);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_CUDATARGETS_H
