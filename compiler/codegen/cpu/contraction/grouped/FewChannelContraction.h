//===- FewChannelContraction.h - convolutions to few channels
//-----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// A convolution, or the gradient of an input, whose result has so few channels
/// that vectors of them would be mostly empty: the lanes of vectors are
/// neighbouring positions of a line, f32 or f64 by vector code. Lines have
/// known lengths, and windows meet neighbouring elements of them.
struct FewChannelContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H
