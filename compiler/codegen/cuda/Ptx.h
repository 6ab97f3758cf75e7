//===- Ptx.h - from LLVM IR to PTX ----------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PTX_H
#define TG_COMPILER_CODEGEN_CUDA_PTX_H

#include "compiler/codegen/cuda/CudaTargets.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace tg {

/// Returns the name of a kernel in PTX, which has letters, digits, `_` and `$`
/// alone. Different names stay different.
std::string ptxNameOf(llvm::StringRef name);

/// Optimizes a module, whose functions are kernels, and returns its PTX. Each
/// operation of floats rounds on its own, keeps subnormal numbers and divides
/// exactly. The same module gives the same text. Returns none if this LLVM has
/// no code generator for PTX.
std::optional<std::string> emitPtx(llvm::Module &module,
                                   const CudaTarget &target);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PTX_H
