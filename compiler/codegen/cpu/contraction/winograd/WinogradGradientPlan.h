//===- WinogradGradientPlan.h - how gradients of filters are cut ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H

#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradPlan.h"

namespace tg {

/// The plan of a launch, known before a tile begins: each tile sums some
/// channels and columns of the result over a part of the Winograd tiles. The
/// number of parts follows from extents alone.
struct WinogradGradientPlan {
  WinogradGradientPlan(KernelFrame &frame, Contraction product,
                       winograd::Tile tile);
  WinogradGradientPlan(const WinogradGradientPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  WindowedLhs windows;
  ContractionSpace space;
  winograd::Tile tile;
  mlir::Type type;
  int64_t channels, columns;
  /// Winograd tiles along each axis, and of all images: what is summed.
  llvm::SmallVector<mlir::AffineExpr, 2> tiles;
  mlir::AffineExpr steps;
  ContractionShape shape;
  /// Channels of a block, and blocks of channels and of columns.
  int64_t blockChannels, channelBlocks, columnBlocks;
  /// Winograd tiles that are transformed at once.
  int64_t blockTiles;
  int64_t mostParts;

  int64_t blocks() const { return channelBlocks * columnBlocks; }
  mlir::Value countParts(EntryExtents &entry) const;

  /// Elements from one product's factors or sums to the next one's: they begin
  /// in different lines of the first cache.
  int64_t inputSize() const { return spread(blockTiles * blockChannels); }
  int64_t gradientSize() const {
    return spread(blockTiles * shape.panelColumns);
  }
  int64_t sumSize() const { return spread(blockChannels * shape.panelColumns); }

private:
  int64_t spread(int64_t elements) const { return elements + shape.lanes; }
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H
