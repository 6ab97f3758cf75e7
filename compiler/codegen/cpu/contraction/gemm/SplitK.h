//===- SplitK.h - split-K products of few rows or columns -----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SPLITK_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SPLITK_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// Split-K for lhs^T * rhs with operands [K, m] and [K, n], a large K and a
/// small m or n: for example the weight gradient of a 1x1 convolution between
/// few channels and many. The result is too small to divide among workers, and
/// copies of the operands would be read only a few times. So the operands are
/// read in place, tiles compute split-K slices of the sum, and a finalize step
/// adds them in order.
struct SplitKContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SPLITK_H
