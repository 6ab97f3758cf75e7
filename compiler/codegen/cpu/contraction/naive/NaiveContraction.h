//===- NaiveContraction.h - sums of products by their maps alone ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// One sum per element, of any element type and any maps: scalar, or vectors
/// along the last dimension. Reduces no rows.
struct NaiveContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H
