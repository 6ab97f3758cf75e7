//===- FewChannelContraction.h - convolutions to few channels -------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// A convolution, or the gradient of its input, whose result has so few
/// channels that vectors of channels would be mostly empty. Instead, the lanes
/// of a vector are neighbouring positions of a line. Elements are f32 or f64,
/// and the target has vectors of them. Lines have static lengths. Neighbouring
/// positions of a phase (LinePhase) read neighbouring elements.
struct FewChannelContraction : CpuContraction {
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_FEWCHANNELCONTRACTION_H
