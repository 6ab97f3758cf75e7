//===- GroupedContraction.h - convolutions with groups of channels --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDCONTRACTION_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"

namespace tg {

/// Windows of groups of channels, or the gradient of a filter to few channels:
/// the lanes of vectors are neighbouring channels, f32 or f64 by vector code.
/// Runs over the positions of the result or, for the gradient of a filter, over
/// its taps. Lines of positions can be reduced while they are computed.
class GroupedContraction : public CpuContraction {
public:
  /// Each kind has a name, apart from gradients of filters to few channels.
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
