//===- WinogradPlan.h - blocks of Winograd convolutions -------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADPLAN_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradFilter.h"
#include "compiler/codegen/kernel/ReductionPlan.h"
#include "compiler/codegen/kernel/winograd/WinogradGrid.h"

namespace tg {

/// The plan of a launch, the same for all of its tiles.
struct WinogradPlan {
  WinogradPlan(KernelFrame &frame, Contraction product, winograd::Tile tile);
  WinogradPlan(const WinogradPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  WindowedLhs windows;
  ContractionSpace space;
  /// The reductions over rows of values that are computed from the result; none
  /// if the kernel has no reductions.
  std::optional<ReductionPlan> reductions;
  winograd::Tile tile;
  /// The filter if the kernel transforms it, block by block; none if it was
  /// transformed ahead.
  std::optional<WinogradWindows::Filter> filter;
  mlir::Type type;
  /// The number of channels of the lhs, and the number of columns of the
  /// result.
  int64_t channels, columns;
  /// The number of Winograd tiles along each axis, and the number in all
  /// images, which is the number of rows of the products.
  llvm::SmallVector<mlir::AffineExpr, 2> tiles;
  mlir::AffineExpr rows;
  ContractionShape shape;
  /// The granularity of rows: the rows of a register tile or, if rows are
  /// reduced, of a part of the sums over rows. No block boundary divides a
  /// unit.
  int64_t rowUnit;
  /// The number of channels that are summed at once: all of them or, if the
  /// kernel transforms the filter, the number whose factors for a panel stay in
  /// L2.
  int64_t blockChannels;
  /// The maximum number of rows of a block. L2 has room for their sums of a
  /// panel together with their transformed lhs or, if the kernel transforms the
  /// filter, with the factors of the filter.
  int64_t blockRows;
  IntegerOps ops;

  /// Return the number of channels rounded up to whole vectors, and the number
  /// of blocks of channels.
  int64_t wholeChannels() const { return llvm::alignTo(channels, shape.lanes); }
  int64_t channelBlocks() const {
    return llvm::divideCeil(channels, blockChannels);
  }
  /// Return the number of elements of the transformed lhs of a block of
  /// channels: from one row to the next (the leading dimension), from one
  /// product to the next, and from one block to the next.
  int64_t rowStride() const {
    return llvm::alignTo(blockChannels, shape.lanes) + shape.lanes;
  }
  int64_t inputSize() const { return blockRows * rowStride(); }
  int64_t inputBlockSize() const { return tile.products() * inputSize(); }
  /// Returns the distance, in elements, between the filter factors of
  /// consecutive products. The padding makes products begin in different sets
  /// of L1.
  int64_t factorSize() const {
    return blockChannels * shape.panelColumns + shape.lanes;
  }
  int64_t sumSize() const { return blockRows * shape.panelColumns; }
};

/// The division of a launch into blocks of rows, and also of columns if there
/// are too few rows for the workers. Rows are divided in whole units, so that
/// each element is summed in the same order wherever blocks end.
struct WinogradCounts {
  WinogradCounts(const WinogradPlan &plan, EntryExtents &entry);

  mlir::Value units, panels, alongRows, alongColumns;
  /// The number of tiles of the launch.
  mlir::Value total;
};

/// The part of a launch that a tile computes: `rowCount` rows from `firstRow`
/// on, and the panels [firstPanel, endPanel).
struct WinogradBlock {
  explicit WinogradBlock(const WinogradPlan &plan);

  mlir::Value firstRow, rowCount, firstPanel, endPanel;
  /// The number of tiles of the launch.
  mlir::Value total;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADPLAN_H
