//===- WinogradGradientPlan.h - blocks of filter gradients ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H

#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradPlan.h"

namespace tg {

/// The plan of a launch, the same for all tiles. Each tile of the launch
/// computes a block of channels and columns of the result and sums it over a
/// split-K slice of the Winograd tiles.
///
/// The order of the contraction divides the Winograd tiles into summation
/// blocks. The windows of a block are computed from the sums of its tiles. The
/// windows of all blocks of a group are added, and then those of all groups. A
/// slice is a summation block, a group or everything, so the number of slices
/// changes no bit.
struct WinogradGradientPlan {
  WinogradGradientPlan(KernelFrame &frame, Contraction product,
                       winograd::Tile tile);
  WinogradGradientPlan(const WinogradGradientPlan &) = delete;

  /// The scratch memory of a tile: the factors of the input and of the
  /// gradient, [products][tiles][block]; the sums,
  /// [products][channels][columns]; a padded copy of an input tile at a border;
  /// the windows of a group of summation blocks, and of all groups, each
  /// [taps][channels][columns]. Several slices need no windows, a single group
  /// needs no windows of all groups.
  struct Scratch {
    Elements inputs, gradients, sums, patch, group, total;
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
  /// The number of Winograd tiles of a summation block, and the number of
  /// blocks of a group; none if all tiles or blocks belong together.
  std::optional<int64_t> sumTiles, groupBlocks;
  /// The number of Winograd tiles of a slice; none if there is one slice.
  std::optional<int64_t> sliceTiles;

  int64_t blocks() const { return channelBlocks * columnBlocks; }
  /// Returns true if all Winograd tiles are one summation block, so that the
  /// windows of a single channel are in memory at a time.
  bool hasOneBlock() const;
  /// Returns true if there may be several groups of summation blocks.
  bool hasGroups() const;
  /// Returns the number of slices.
  mlir::AffineExpr getSlices() const;

  /// Return the distance, in elements, between the factors (or the sums) of
  /// consecutive products. The padding makes them begin in different cache sets
  /// of L1.
  int64_t inputSize() const { return padded(blockTiles * blockChannels); }
  int64_t gradientSize() const {
    return padded(blockTiles * shape.panelColumns);
  }
  int64_t sumSize() const { return padded(blockChannels * shape.panelColumns); }
  /// Returns the number of elements of the windows in scratch memory.
  int64_t windowsSize() const {
    return winograd::kTaps * winograd::kTaps * shape.panelColumns *
           (hasOneBlock() ? 1 : blockChannels);
  }

  /// Allocates the scratch memory of a tile.
  Scratch takeScratch() const;
  /// Allocates the partials buffer, which holds the filter gradients of all
  /// slices. Its pointer is null if there is only one slice.
  Elements takeParts() const;

private:
  void chooseSlices();
  int64_t padded(int64_t elements) const { return elements + shape.lanes; }
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADGRADIENTPLAN_H
