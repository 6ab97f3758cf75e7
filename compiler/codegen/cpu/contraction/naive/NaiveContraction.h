//===- NaiveContraction.h - sums of products of any kind ------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Emits a kernel of strategy "contraction" as one sum per element: any element
/// type and any maps, scalar or vectors along the last dimension.
llvm::LogicalResult emitNaiveContraction(KernelFrame &frame,
                                         const Contraction &contraction);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVE_NAIVECONTRACTION_H
