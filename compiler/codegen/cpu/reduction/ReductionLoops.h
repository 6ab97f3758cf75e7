//===- ReductionLoops.h - the two loop structures of reductions -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// Finishes one reduced group of elements before the next, with vectors along
/// its innermost dimension: any plan, fast when that dimension is contiguous.
llvm::LogicalResult emitRowReduction(KernelFrame &frame,
                                     const ReductionPlan &plan);

/// Reduces as many neighbouring groups side by side as vectors have lanes: the
/// innermost dimension is kept, there is one phase and no full output.
llvm::LogicalResult emitColumnReduction(KernelFrame &frame,
                                        const ReductionPlan &plan);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONLOOPS_H
