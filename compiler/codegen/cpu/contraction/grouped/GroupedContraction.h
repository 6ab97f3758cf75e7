//===- GroupedContraction.h - convolutions with groups of channels --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// A grouped convolution or one of its gradients, or the weight gradient of a
/// convolution with few output channels. The lanes of vectors are neighbouring
/// channels, f32 or f64 in vector code. Loops run over the positions of the
/// result or, for the gradient of a filter, over the positions that are summed.
/// Lines of positions can be reduced while they are computed.
class GroupedContraction : public CpuContraction {
public:
  /// `name` is the kind of grouped contraction; empty for the weight gradients
  /// with few output channels.
  explicit GroupedContraction(llvm::StringRef name) : name(name) {}

  llvm::StringRef getName() const override { return name; }
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;

private:
  llvm::StringRef name;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H
