//===- SummedParts.h - long sums of few rows or columns -------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SUMMEDPARTS_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SUMMEDPARTS_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Returns true if a contraction is the product of two matrices with one long
/// sum along the rows of both, of which one has few columns: the gradient of a
/// filter of one position, between few channels and many.
bool isLongSum(KernelFrame &frame, const Contraction &contraction);

/// Emits such a kernel. The result is too small to be shared out, and copies of
/// the operands would be read a few times alone: they are read in place, and
/// tiles take parts of the sum, which a combining stage adds in their order.
llvm::LogicalResult emitSummedParts(KernelFrame &frame,
                                    Contraction contraction);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SUMMEDPARTS_H
