//===- WinogradGrid.h - the Winograd tiles of images ----------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_WINOGRAD_WINOGRADGRID_H
#define TG_COMPILER_CODEGEN_KERNEL_WINOGRAD_WINOGRADGRID_H

#include "compiler/codegen/kernel/KernelContext.h"
#include "compiler/codegen/kernel/winograd/WinogradTransform.h"

namespace tg {

/// The third axis of a filter: the channels in [3, 3, channels, columns]; the
/// columns in the filter of an adjoint, [3, 3, columns, channels].
inline constexpr unsigned kFilterRows = 2;

/// Returns true if a convolution has the filter of an adjoint, whose taps run
/// against the positions.
bool hasAdjointFilter(const Contraction &contraction);

/// Returns the number of Winograd tiles along each axis of an image with these
/// extents.
llvm::SmallVector<mlir::AffineExpr, 2>
countWinogradTiles(winograd::Tile tile,
                   llvm::ArrayRef<mlir::AffineExpr> extents);

/// The index of a Winograd tile: its image, and its indices along the two axes.
struct WinogradTileIndex {
  mlir::Value image, line, column;
};

/// Delinearizes the index of a Winograd tile among the tiles of all images.
/// `tiles` holds the number of tiles along each axis of one image.
WinogradTileIndex winogradTileIndexOf(KernelContext &context,
                                      llvm::ArrayRef<mlir::AffineExpr> tiles,
                                      mlir::Value index);

/// Returns the index in the lhs at which the first window of an axis begins. If
/// taps descend, that is the element of the last tap.
mlir::Value firstElementOf(KernelContext &context, const WindowAxis &axis);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_WINOGRAD_WINOGRADGRID_H
