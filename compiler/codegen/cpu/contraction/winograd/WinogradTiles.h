//===- WinogradTiles.h - input tiles, and products of them ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTILES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTILES_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "compiler/codegen/kernel/winograd/WinogradGrid.h"

namespace tg {

/// The input tiles (inputTiles) of a tensor of images that Winograd tiles read,
/// one vector of channels after the other. An input tile is read in place if
/// all its elements are inside the tensor, otherwise it is copied with zeros
/// around.
class WinogradInputTiles {
public:
  /// The images: `tensor` is an argument [images, extents..., channels].
  struct Images {
    mlir::BlockArgument tensor;
    llvm::ArrayRef<mlir::AffineExpr> extents;
    /// The number of elements along an axis of an input tile, the distance from
    /// one input tile to the next, and the index at which the first one begins
    /// along each axis.
    int64_t size, step;
    llvm::SmallVector<mlir::Value, 2> offsets;
    /// The maximum number of channels that are read at once, in whole vectors
    /// of `lanes`.
    int64_t maxChannels;
    unsigned lanes;
  };
  /// Returns the number of elements that `patch` has room for.
  static int64_t patchElements(int64_t size, int64_t maxChannels) {
    return size * size * maxChannels;
  }

  WinogradInputTiles(KernelFrame &frame, const Images &images,
                     const Elements &patch);

  /// Calls `build` with the input tile of each vector of `count` channels from
  /// `first` on, and with the index of the vector's first channel among them.
  /// Missing channels of a last vector are zeros. `first` is a multiple of
  /// `lanes`.
  using Build =
      llvm::function_ref<void(mlir::Value channel, mlir::ValueRange inputTile)>;
  void visit(const WinogradTileIndex &index, mlir::Value first,
             mlir::Value count, Build build) const;

private:
  mlir::Value offsetOf(mlir::Value image, mlir::Value y, mlir::Value x) const;
  void fillPatch(const WinogradTileIndex &index,
                 llvm::ArrayRef<mlir::Value> corner, mlir::Value first,
                 mlir::Value count) const;
  void copyInside(mlir::Value source, mlir::Value target, mlir::Value columns,
                  mlir::Value count) const;

  KernelFrame &frame;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  Images images;
  Elements memory, patch;
  int64_t channels;
  llvm::SmallVector<mlir::Value, 2> extents;
};

/// Calls `build` for the vectors of `count` elements. The last vector has
/// inactive lanes if `count` is not a multiple of `lanes`. If `divisor` is a
/// multiple of `lanes`, so is `count`, and no code for a remainder is emitted.
void forEachVector(
    KernelFrame &frame, mlir::Value count, unsigned lanes, int64_t divisor,
    llvm::function_ref<void(mlir::Value offset, const Lanes &lanes)> build);

/// The factors of the next product, and the number of full register tiles of
/// the current product that share the prefetch of these factors, which lie
/// outside L2. After the last product `base` may be outside of any memory;
/// prefetches do not fault.
struct WinogradNext {
  mlir::Value base;
  int64_t tiles;
};

/// A product: assigns lhs x rhs to `sums`, or adds it to them if `adds`, an i1,
/// is true, for a number of rows and a register tile's columns.
struct WinogradProduct {
  Matrix lhs, rhs, sums;
  KExtent k;
  mlir::Value adds = nullptr;
  std::optional<WinogradNext> next = std::nullopt;
};
void emitWinogradProduct(KernelFrame &frame, const ContractionShape &shape,
                         const WinogradProduct &product, mlir::Value rows);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTILES_H
