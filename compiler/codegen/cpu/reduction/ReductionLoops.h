//===- ReductionLoops.h - the two loop structures of reductions -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// Emits a reduction that finishes one reduced group before it starts the next.
/// Vectors run along the innermost reduced dimensions. Accepts every plan
/// without shifts, and is fast if these dimensions are contiguous.
llvm::LogicalResult emitRowReduction(KernelFrame &frame,
                                     const ReductionPlan &plan);

/// Emits a reduction of neighbouring groups side by side, one per vector lane.
/// The innermost dimension must be parallel (not reduced), and the plan must
/// have a single phase.
llvm::LogicalResult emitColumnReduction(KernelFrame &frame,
                                        const ReductionPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H
