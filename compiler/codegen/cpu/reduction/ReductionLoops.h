//===- ReductionLoops.h - the two loop structures of reductions -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// Emits a reduction that finishes one reduced group before it starts the next.
/// Vectors run along the lines of the sums. Accepts every plan without shifts.
llvm::LogicalResult emitRowReduction(KernelFrame &frame,
                                     const ReductionPlan &plan);

/// Emits a reduction of neighbouring groups side by side, one per vector lane.
/// Each line of the sums must be a single element, and the plan must have a
/// single phase.
llvm::LogicalResult emitColumnReduction(KernelFrame &frame,
                                        const ReductionPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H
