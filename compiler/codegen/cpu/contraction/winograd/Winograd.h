//===- Winograd.h - convolutions by transformed tiles ---------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTransform.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// The positions along an axis of the tiles by which a contraction is to be
/// computed: its filter was transformed ahead for these (tgx.pack with
/// `winograd`), or the kernel's algorithm says so. None for other contractions.
std::optional<int64_t> findWinogradTile(KernelFrame &frame,
                                        const Contraction &contraction);

/// Emits a convolution: the lhs of some tiles is transformed into scratch
/// memory, and, if that was not done ahead, the filter block by block; 36
/// products of matrices (of tiles of 2x2 positions, 16) sum over the channels,
/// and their transform is what the ops behind the convolution get. Or the
/// gradient of such a filter.
llvm::LogicalResult emitWinograd(KernelFrame &frame, Contraction contraction,
                                 winograd::Tile tile);

/// Emits the gradient of a filter: the lhs and the gradient of the output are
/// transformed into scratch memory, 36 or 16 products of matrices sum over all
/// tiles, and their transform is what the ops behind get.
llvm::LogicalResult emitWinogradGradient(KernelFrame &frame,
                                         Contraction contraction,
                                         winograd::Tile tile);

/// Emits tgx.pack of a filter with `winograd`.
llvm::LogicalResult emitWinogradFilter(KernelFrame &frame, tgx::PackOp op);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H
