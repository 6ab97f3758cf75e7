//===- GemmContraction.h - matrix products in registers -------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_GEMMCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_GEMMCONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// Products of matrices, and convolutions as products, in register tiles: f32
/// or f64 by vector code. The rhs is read from memory; the kernel may compute
/// the lhs of matrices. The kernel may also reduce all rows of the result, if
/// it has no batch dimensions.
struct GemmContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_GEMMCONTRACTION_H
