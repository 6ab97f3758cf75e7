//===- Winograd.h - convolutions by transformed tiles ---------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/Contraction.h"

namespace tg {

/// Emits a convolution whose filter was transformed ahead (tgx.pack with
/// `winograd`): the lhs of some tiles of 4x4 positions is transformed into
/// scratch memory, 36 products of matrices sum over its channels, and their
/// transform is what the ops behind the convolution get.
llvm::LogicalResult emitWinograd(KernelFrame &frame, Contraction contraction);

/// Emits the gradient of a filter: the lhs and the gradient of the output are
/// transformed into scratch memory, 36 products of matrices sum over all tiles,
/// and their transform is what the ops behind get.
llvm::LogicalResult emitWinogradGradient(KernelFrame &frame,
                                         Contraction contraction);

/// Emits tgx.pack of a filter with `winograd`.
llvm::LogicalResult emitWinogradFilter(KernelFrame &frame, tgx::PackOp op);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_H
