//===- NaiveContraction.h - contractions of any maps and types ------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// Any contraction, for any element type and any indexing maps, by one sum per
/// element of the result: scalar code, or vectors along the last dimension.
/// Cannot reduce the rows of the result.
struct NaiveContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H
