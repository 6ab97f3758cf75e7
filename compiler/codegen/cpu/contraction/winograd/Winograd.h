//===- Winograd.h - convolutions by Winograd's algorithm ------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRAD_H

#include "compiler/codegen/cpu/contraction/CpuContraction.h"
#include "compiler/codegen/kernel/winograd/WinogradTransform.h"

namespace tg {

/// A 3x3 convolution, or the gradient of its input or filter, by Winograd tiles
/// of 4x4 or 2x2 positions. The kernel works block by block: it transforms some
/// input tiles to scratch memory, and also a part of the filter unless the
/// filter was transformed ahead (tgx.pack with `winograd`). 36 matrix products
/// (16 for tiles of 2x2) sum over the channels. The ops after the convolution
/// read the sums after the output transform. The kernels are vectorized at all
/// levels of optimization.
class WinogradContraction : public CpuContraction {
public:
  /// Creates the algorithm with Winograd tiles of `positions` positions along
  /// each axis.
  explicit WinogradContraction(int64_t positions) : tile{positions} {}

  llvm::StringRef getName() const override {
    return winogradAlgorithm(tile.positions);
  }
  int64_t getWinogradTile() const override { return tile.positions; }
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
