//===- CpuContraction.h - the contraction algorithms of CPUs --------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_CPUCONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_CPUCONTRACTION_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"

namespace tg {

/// A contraction algorithm of the CPU back end, with its emitter.
class CpuContraction : public ContractionAlgorithm {
public:
  /// Returns an empty name: kernels do not name the algorithm.
  llvm::StringRef getName() const override { return {}; }

  /// Emits a kernel of strategy "contraction". The algorithm must be able to
  /// compute the contraction (findUnmetRequirement).
  virtual llvm::LogicalResult emit(KernelFrame &frame,
                                   Contraction contraction) const = 0;
};

/// Returns all algorithms in order of preference. Fusion and emission both use
/// this list.
llvm::ArrayRef<const ContractionAlgorithm *> getCpuContractions();

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_CPUCONTRACTION_H
