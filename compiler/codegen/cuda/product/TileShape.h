//===- TileShape.h - the part of a result that a block computes -----------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESHAPE_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESHAPE_H

#include "compiler/codegen/kernel/sums/ProductBlocks.h"

namespace tg {

/// A contraction as a batch of matrices of rows x columns results, each a sum
/// of products. The dimensions of each kind are in row-major order.
struct ProductMatrix {
  explicit ProductMatrix(const Contraction &contraction);
  /// Returns the product of the extents of some dimensions.
  mlir::AffineExpr count(llvm::ArrayRef<unsigned> dimensions) const;

  const Contraction &contraction;
  llvm::SmallVector<unsigned> batch, rows, columns, reduced;
};

/// The tile of a matrix that a block of threads computes. The threads form
/// slices, and the threads of a slice a grid, in which each computes `rows` x
/// `columns` results of the tile in registers. The slices of a tile compute
/// different blocks of its sums side by side.
struct TileShape {
  /// The results of a thread.
  unsigned rows, columns;
  /// The grid of the threads of a slice.
  unsigned threadRows = 16, threadColumns = 8;
  unsigned slices = 1;
  /// The number of products of each block of a sum that is read at a time.
  unsigned depth = 8;
  /// The number of products of a block of a sum; 0 with one slice.
  int64_t sliceProducts = 0;
  /// True if tensor cores multiply operands that are rounded to tf32: numbers
  /// of 8 bits of exponent and 10 of mantissa.
  bool usesTensorCores = false;

  unsigned getRows() const { return threadRows * rows; }
  unsigned getColumns() const { return threadColumns * columns; }
  /// Returns true for the grid of a whole block.
  bool isWholeGrid() const { return threadRows == 16 && threadColumns == 8; }
  unsigned getSliceThreads() const { return threadRows * threadColumns; }
  /// Returns the number of threads that multiply. The others of a block only
  /// load operands.
  unsigned getThreads() const { return slices * getSliceThreads(); }
  /// Returns the number of products of a line that a block reads at a time.
  unsigned getProducts() const { return slices * depth; }
};

/// Returns the dimension of the iteration space along which the neighbours of
/// an element of an operand are neighbours in memory, or none.
std::optional<unsigned>
findContiguousDimension(const ContractionTensor &tensor);

/// Returns the tile for a contraction with sums in nested `blocks`; none if a
/// thread for each result is better or if tiles cannot take the order. With
/// `usesTensorCores`, prefers tiles that these multiply.
std::optional<TileShape> chooseTile(const ProductMatrix &matrix,
                                    llvm::ArrayRef<int64_t> blocks,
                                    bool usesTensorCores);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESHAPE_H
