//===- WinogradTiles.h - squares of images, and products of them ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTILES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTILES_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTransform.h"

namespace tg {

/// A Winograd tile: its image and its place along the axes.
struct WinogradPlace {
  mlir::Value image, line, column;
};

/// The place of a tile among those of all images, whose numbers along the axes
/// are `tiles`.
WinogradPlace winogradPlaceOf(KernelFrame &frame,
                              llvm::ArrayRef<mlir::AffineExpr> tiles,
                              mlir::Value number);

/// The squares of a tensor of images that Winograd tiles meet, one vector of
/// channels after the other. Read in place where all are elements of the
/// tensor, else copied, with zeros around.
class WinogradSquares {
public:
  /// `tensor` is an argument [images, extents..., channels].
  struct Images {
    mlir::BlockArgument tensor;
    llvm::ArrayRef<mlir::AffineExpr> extents;
    /// Elements along an axis of a square and from one to the next, and where
    /// the first one begins.
    int64_t size, step;
    llvm::SmallVector<mlir::Value, 2> offsets;
    /// The most channels that are read at once, as whole vectors of `lanes`.
    int64_t block;
    unsigned lanes;
  };
  /// Elements that `patch` has room for.
  static int64_t patchElements(int64_t size, int64_t block) {
    return size * size * block;
  }

  WinogradSquares(KernelFrame &frame, const Images &images,
                  const Elements &patch);

  /// Calls `build` with the square of each vector of `count` channels from
  /// `first` on, and with the number of its first channel among them. Channels
  /// that a last vector lacks are zeros. `first` counts whole vectors.
  using Build =
      llvm::function_ref<void(mlir::Value channel, mlir::ValueRange square)>;
  void visit(const WinogradPlace &place, mlir::Value first, mlir::Value count,
             Build build) const;

private:
  mlir::Value offsetOf(mlir::Value image, mlir::Value y, mlir::Value x) const;
  void fillPatch(const WinogradPlace &place, llvm::ArrayRef<mlir::Value> corner,
                 mlir::Value first, mlir::Value count) const;
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

/// Calls `build` for the vectors of `count` elements, of which the last one has
/// inactive lanes where there are fewer. No code for these where `divisor`, of
/// which `count` is a multiple, is one of `lanes`.
void forEachVector(
    KernelFrame &frame, mlir::Value count, unsigned lanes, int64_t divisor,
    llvm::function_ref<void(mlir::Value at, const Lanes &lanes)> build);

/// The place of the factors of the next product, and the number of full
/// register tiles of this one that share their prefetch: the factors lie beyond
/// the second cache. Behind the last product there may be no memory, which is
/// not read.
struct WinogradNext {
  mlir::Value base;
  int64_t tiles;
};

/// One of the products: `sums` become, or where `adds`, an i1, increase by,
/// lhs x rhs for `rows` rows and a group of columns of the shape.
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
