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

/// The tile of a matrix that a block of threads computes. The threads form a
/// grid of kThreadRows x kThreadColumns, and each computes `rows` x `columns`
/// results of the tile in registers.
struct TileShape {
  static constexpr unsigned kThreadRows = 16, kThreadColumns = 8;
  /// The number of products of each sum that a block reads at a time.
  static constexpr unsigned kDepth = 8;

  unsigned rows, columns;
  /// True if tensor cores multiply operands that are rounded to tf32: numbers
  /// of 8 bits of exponent and 10 of mantissa.
  bool usesTensorCores = false;

  unsigned getRows() const { return kThreadRows * rows; }
  unsigned getColumns() const { return kThreadColumns * columns; }
  /// Returns the distance in shared memory between a product of `lines` rows or
  /// columns and the next product.
  unsigned getStride(unsigned lines) const {
    // The threads of a warp read 4 products of 8 lines from 32 banks.
    return usesTensorCores ? lines + 8 : lines;
  }
};

/// Returns the tile for a contraction with sums in nested `blocks`; none if a
/// thread for each result is better or if tiles cannot take the order.
std::optional<TileShape> chooseTile(const ProductMatrix &matrix,
                                    llvm::ArrayRef<int64_t> blocks);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILESHAPE_H
