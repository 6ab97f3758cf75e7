//===- KernelSource.h - CUDA kernels of users -----------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_SOURCE_KERNELSOURCE_H
#define TG_COMPILER_CODEGEN_CUDA_SOURCE_KERNELSOURCE_H

#include "compiler/codegen/Backend.h"

namespace tg {

/// Compiles the kernel of a step: see DeviceCode::compileCustom. `capability`
/// is that of the target, 80 for 8.0.
llvm::FailureOr<CustomImage> compileKernelSource(tgx::HostOp step,
                                                 uint32_t capability);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_SOURCE_KERNELSOURCE_H
