//===- WinogradSum.h - sums of Winograd's tiles in one thread -------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_WINOGRAD_WINOGRADSUM_H
#define TG_COMPILER_CODEGEN_CUDA_WINOGRAD_WINOGRADSUM_H

#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/winograd/WinogradGrid.h"

namespace tg {

/// Emits the sums of a contraction whose order has Winograd's tiles, by a
/// thread that keeps the factors and the sums of one tile in registers.
class WinogradSum {
public:
  /// `contraction` is a convolution, or the gradient of one, that Winograd
  /// tiles can compute. Both operands must outlive the object.
  WinogradSum(ElementEmitter &elements, const Contraction &contraction,
              winograd::Tile tile);

  winograd::Tile getTile() const { return tile; }
  /// Returns true for the gradient of a filter, which sums over tiles.
  bool sumsTiles() const { return isGradient; }
  /// Returns the number of tiles along each axis of an image, and the number in
  /// all images.
  llvm::ArrayRef<mlir::AffineExpr> getTiles() const { return tiles; }
  mlir::AffineExpr countTiles() const { return images * tiles[0] * tiles[1]; }

  /// Returns the results of a tile of a convolution for a column: positions x
  /// positions elements. Those beyond the image have no meaning.
  llvm::SmallVector<mlir::Value> emitTile(const WinogradTileIndex &index,
                                          mlir::Value column);
  /// Returns the 3x3 taps of the gradient of a filter for a channel and a
  /// column.
  llvm::SmallVector<mlir::Value> emitTaps(mlir::Value channel,
                                          mlir::Value column);
  /// Returns the element of the result at a position: computes its whole tile,
  /// or all taps.
  mlir::Value emitElement(const Position &position);

private:
  /// A square of elements of a tensor of images: their image, and for each line
  /// and each column of the square the index in the image, and whether it lies
  /// inside.
  struct Square {
    const ContractionTensor &tensor;
    mlir::Value image;
    llvm::SmallVector<mlir::Value, 6> indices[2], inside[2];
  };
  Square squareAt(const ContractionTensor &tensor, mlir::Value image,
                  llvm::ArrayRef<mlir::Value> corner, int64_t size) const;
  Square inputSquare(const WinogradTileIndex &index) const;
  Square gradientSquare(const WinogradTileIndex &index) const;
  llvm::SmallVector<mlir::Value> readSquare(const Square &square,
                                            mlir::Value channel);
  llvm::SmallVector<mlir::Value>
  readElements(const Square &square, mlir::Value channel, bool isInside);
  mlir::Value read(const ContractionTensor &tensor, const Position &position);
  mlir::Value readWhere(mlir::Value isInside, const ContractionTensor &tensor,
                        const Position &position);
  llvm::SmallVector<mlir::Value> readTaps(mlir::Value channel,
                                          mlir::Value column);
  llvm::SmallVector<mlir::Value> addProducts(mlir::ValueRange sums,
                                             mlir::ValueRange lhs,
                                             mlir::ValueRange rhs) const;
  llvm::SmallVector<mlir::Value> sumBlock(mlir::Value channel,
                                          mlir::Value column, mlir::Value begin,
                                          mlir::Value end);
  llvm::SmallVector<mlir::Value> sumBlocks(llvm::ArrayRef<int64_t> blocks,
                                           mlir::Value channel,
                                           mlir::Value column,
                                           mlir::Value begin, mlir::Value end);
  llvm::SmallVector<mlir::Value> buildZeros(int64_t count) const;
  llvm::SmallVector<mlir::Value> addAll(mlir::ValueRange lhs,
                                        mlir::ValueRange rhs) const;

  ElementEmitter &elements;
  KernelContext &context;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Contraction &contraction;
  winograd::Tile tile;
  WindowedLhs windows;
  bool isGradient;
  mlir::AffineExpr images;
  llvm::SmallVector<mlir::AffineExpr, 2> tiles;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_WINOGRAD_WINOGRADSUM_H
