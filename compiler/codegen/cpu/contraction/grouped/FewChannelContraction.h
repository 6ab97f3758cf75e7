//===- FewChannelContraction.h - convolutions to few channels
//-----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// A convolution, or the gradient of its input, whose result has so few
/// channels that vectors of channels would be mostly empty. The lanes of
/// vectors are neighbouring positions of a line instead, f32 or f64 in vector
/// code. Lines have static lengths, and neighbouring positions of a phase read
/// neighbouring elements.
struct FewChannelContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H
