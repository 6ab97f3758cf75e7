//===- NaiveContraction.h - matrix products of any kind -------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVECONTRACTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVECONTRACTION_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace tg {

/// Emits a kernel of strategy "contraction" as one sum per element: any element
/// type, leading dimensions and flags, scalar or vectors along the columns.
llvm::LogicalResult emitNaiveContraction(KernelFrame &frame);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_NAIVECONTRACTION_H
