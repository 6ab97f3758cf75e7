//===- Winograd.h - convolutions by Winograd's algorithm ------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTransform.h"

namespace tg {

/// A convolution of windows of 3x3, or the gradient of its input or filter, by
/// tiles of 4x4 or 2x2 positions. The lhs of some tiles is transformed into
/// scratch memory, and the filter, unless it was transformed ahead (tgx.pack
/// with `winograd`), block by block. 36 products of matrices (16 for tiles of
/// 2x2) sum over the channels. The ops after the convolution read their
/// transform. Kernels name the algorithm.
class WinogradContraction : public CpuContraction {
public:
  /// Makes tiles of `positions` positions along an axis.
  explicit WinogradContraction(int64_t positions) : tile{positions} {}

  llvm::StringRef getName() const override {
    return tgx::winogradAlgorithm(tile.positions);
  }
  bool isOnlyByName() const override { return true; }
  llvm::StringRef
  findUnmetRequirement(const ContractionRequest &request,
                       const TargetDescription &target) const override;
  llvm::LogicalResult emit(KernelFrame &frame,
                           Contraction contraction) const override;

private:
  winograd::Tile tile;
};

/// Emits the gradient of a filter by Winograd's algorithm. The lhs and the
/// gradient of the output are transformed into scratch memory, and 36 or 16
/// products of matrices sum over all Winograd tiles. The ops after the
/// contraction read the transformed sums.
llvm::LogicalResult emitWinogradGradient(KernelFrame &frame,
                                         Contraction contraction,
                                         winograd::Tile tile);

/// Emits the kernel of a tgx.pack of a filter with `winograd`.
llvm::LogicalResult emitWinogradFilter(KernelFrame &frame, tgx::PackOp op);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H
