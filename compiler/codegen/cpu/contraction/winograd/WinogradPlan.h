//===- WinogradPlan.h - how convolutions by transformed tiles are cut -----===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADPLAN_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradFilter.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTransform.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// The plan of a launch, known before a tile begins.
struct WinogradPlan {
  WinogradPlan(KernelFrame &frame, Contraction product, winograd::Tile tile);
  WinogradPlan(const WinogradPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  WindowedLhs windows;
  ContractionSpace space;
  /// Reductions over rows of what follows from the result; none without.
  std::optional<ReductionPlan> reductions;
  winograd::Tile tile;
  /// The filter where the kernel transforms it, block by block; none where it
  /// was transformed ahead.
  std::optional<WinogradWindows::Filter> filter;
  mlir::Type type;
  /// Channels of the lhs, columns of the result.
  int64_t channels, columns;
  /// Winograd tiles along each axis, and of all images: rows of the products.
  llvm::SmallVector<mlir::AffineExpr, 2> tiles;
  mlir::AffineExpr rows;
  ContractionShape shape;
  /// Rows that stay in one block: those of a register tile, or of a part of the
  /// sums over rows.
  int64_t rowUnit;
  /// Channels that are summed at once: all, or those whose factors for a panel
  /// stay in the second cache where the kernel transforms the filter.
  int64_t blockChannels;
  /// The most rows of a block: the second cache has room for their sums of a
  /// panel, and beside them for their transformed lhs or the factors of the
  /// filter.
  int64_t blockRows;
  IntegerOps ops;

  /// The channels as whole vectors, and blocks of them.
  int64_t wholeChannels() const { return llvm::alignTo(channels, shape.lanes); }
  int64_t channelBlocks() const {
    return llvm::divideCeil(channels, blockChannels);
  }
  /// Elements from row to row of the transformed lhs of a block of channels,
  /// from one product's to the next one's, and from block to block.
  int64_t pitch() const {
    return llvm::alignTo(blockChannels, shape.lanes) + shape.lanes;
  }
  int64_t inputSize() const { return blockRows * pitch(); }
  int64_t inputBlockSize() const { return tile.products() * inputSize(); }
  /// The same of the factors of the filter: products begin in different lines
  /// of the first cache.
  int64_t factorSize() const {
    return blockChannels * shape.panelColumns + shape.lanes;
  }
  int64_t sumSize() const { return blockRows * shape.panelColumns; }
};

/// The blocks of a launch: of rows, and of columns if rows are too few for the
/// workers. Rows are divided in whole units: each is summed in the same order
/// wherever blocks end.
struct WinogradCounts {
  WinogradCounts(const WinogradPlan &plan, EntryExtents &entry);

  mlir::Value units, panels, alongRows, alongColumns;
  /// Tiles of the launch.
  mlir::Value total;
};

/// The part of a launch that a tile computes: rows from `firstRow` on, and
/// panels [firstPanel, endPanel).
struct WinogradBlock {
  explicit WinogradBlock(const WinogradPlan &plan);

  mlir::Value firstRow, rowCount, firstPanel, endPanel;
  /// Tiles of the launch.
  mlir::Value total;
};

/// Tiles along the axes of an image with these extents.
llvm::SmallVector<mlir::AffineExpr, 2>
countWinogradTiles(winograd::Tile tile,
                   llvm::ArrayRef<mlir::AffineExpr> extents);

/// Returns the beginning of the first window of an axis: before its first tap
/// if taps run against the positions.
mlir::Value firstElementOf(KernelFrame &frame, const WindowAxis &axis);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADPLAN_H
