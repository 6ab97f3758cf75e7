//===- WinogradGradientPlan.h - blocks of filter gradients ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H

#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradPlan.h"

namespace tg {

/// The plan of a launch, the same for all tiles. Each tile of the launch
/// computes a block of channels and columns of the result and sums it over a
/// split-K slice of the Winograd tiles. The number of slices depends only on
/// extents, not on the number of threads.
struct WinogradGradientPlan {
  WinogradGradientPlan(KernelFrame &frame, Contraction product,
                       winograd::Tile tile);
  WinogradGradientPlan(const WinogradGradientPlan &) = delete;

  /// The scratch memory of a tile: the factors of the input and of the
  /// gradient, [products][tiles][block]; the sums,
  /// [products][channels][columns]; the windows of a channel, [taps][columns];
  /// and a padded copy of an input tile at a border.
  struct Scratch {
    Elements inputs, gradients, sums, windows, patch;
  };

  KernelFrame &frame;
  Contraction contraction;
  WindowedLhs windows;
  ContractionSpace space;
  winograd::Tile tile;
  mlir::Type type;
  int64_t channels, columns;
  /// The number of Winograd tiles along each axis, and the number in all
  /// images, which is the number of steps of the sum.
  llvm::SmallVector<mlir::AffineExpr, 2> tiles;
  mlir::AffineExpr steps;
  ContractionShape shape;
  /// The number of channels of a block, the number of blocks along channels,
  /// and the number of blocks along columns.
  int64_t blockChannels, channelBlocks, columnBlocks;
  /// The maximum number of Winograd tiles that are transformed at once.
  int64_t blockTiles;
  int64_t maxSlices;

  int64_t blocks() const { return channelBlocks * columnBlocks; }
  mlir::Value countSlices(EntryExtents &entry) const;

  /// Return the distance, in elements, between the factors (or the sums) of
  /// consecutive products. The padding makes them begin in different cache sets
  /// of L1.
  int64_t inputSize() const { return padded(blockTiles * blockChannels); }
  int64_t gradientSize() const {
    return padded(blockTiles * shape.panelColumns);
  }
  int64_t sumSize() const { return padded(blockChannels * shape.panelColumns); }

  /// Allocates the scratch memory of a tile.
  Scratch takeScratch() const;
  /// Allocates the partials buffer, which holds the filter gradients of all
  /// slices. Its pointer is null if there is only one slice.
  Elements takeParts() const;

private:
  int64_t padded(int64_t elements) const { return elements + shape.lanes; }
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H
