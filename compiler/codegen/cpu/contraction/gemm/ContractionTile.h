//===- ContractionTile.h - the plan and the tiles of a contraction --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONTILE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONTILE_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// A matrix product or a convolution (a contraction with windows), and its
/// block sizes. All parts of the emitter share it.
struct ContractionPlan {
  /// Returns the ops of the kernel that may use the result: all but the product
  /// itself, the unpacking of its rhs, the ops that compute its lhs, and
  /// constants.
  llvm::SmallVector<mlir::Operation *> findOpsAfter() const;

  /// Returns the number of matrices of the result.
  mlir::AffineExpr countMatrices() const;
  /// Returns the number of row units of all matrices, of `shape.rowUnit` rows
  /// each.
  mlir::AffineExpr countRowUnits() const {
    return countMatrices() * m.ceilDiv(shape.rowUnit);
  }

  ContractionPlan(KernelFrame &frame, Contraction product);
  ContractionPlan(const ContractionPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  /// The type of operands and sums.
  mlir::Type type;
  /// The reductions over rows of values that are computed from the result; none
  /// if the kernel has no reductions.
  std::optional<ReductionPlan> reductions;
  /// The op that unpacks the rhs if it is packed ahead; null for a plain
  /// matrix.
  tgx::UnpackOp unpack;
  ContractionSpace space;
  /// The nest of reduced dimensions, and the matrices of the result, of a
  /// convolution; none for matrix products.
  std::optional<WindowNest> nest;
  std::optional<WindowSpace> windowSpace;
  /// The extents M, N and K of one matrix product.
  mlir::AffineExpr m, n, k;
  /// The lengths of the nested blocks of each sum, at most two. A K-block is a
  /// smallest block. Without blocks each sum is a chain, which continues from
  /// one K-block to the next.
  llvm::SmallVector<int64_t> blocks;
  ContractionShape shape;
  IntegerOps ops;
};

/// The rows and columns of the result that one tile of the launch computes. The
/// constructor also sets the number of tiles of the launch.
struct ContractionTile {
  explicit ContractionTile(const ContractionPlan &plan);

  /// The number of tiles of the launch.
  mlir::Value count;
  /// The extents of one matrix.
  mlir::Value rowCount, columnCount, kExtent;
  /// The matrix that the tile lies in: its linear index, and its index in each
  /// group of leading dimensions.
  mlir::Value matrix;
  llvm::SmallVector<mlir::Value> matrixIndex;
  /// The windows of the matrix; none for matrix products.
  std::optional<WindowTile> window;
  /// The first row and column of the tile, and its number of rows and of
  /// columns.
  mlir::Value firstRow, firstColumn, rows, columns;
  /// The first row of the next tile, a multiple of `shape.rowUnit`. It may lie
  /// beyond the end of the matrix; `rows` does not count the rows beyond.
  mlir::Value nextRow;
  /// The number of rows that full register tiles cover.
  mlir::Value fullRows;
};

/// Returns the matrix of an operand that the tile reads. Its rows and columns
/// are dimensions of the iteration space.
Matrix matrixOf(const ContractionPlan &plan, const ContractionTile &tile,
                const ContractionTensor &operand, unsigned rowDimension,
                unsigned columnDimension);

/// The range [begin, begin + size) of steps along a reduced dimension.
struct KRange {
  mlir::Value begin, size;
};

/// A block of the sum from step `begin` on.
struct KBlock {
  mlir::Value begin;
  KExtent k;
  /// The range of each dimension of the nest; empty for matrix products.
  llvm::SmallVector<KRange, 4> ranges = {};
  /// The first step of the next block.
  mlir::Value next;
  /// An i1 each: true for the first block, of its group if blocks form groups,
  /// and true for the last block of all.
  mlir::Value isFirst, isLast;
  /// An i1 each if blocks form groups, otherwise null: true for the blocks of
  /// the first group, and true for the last block of each group.
  mlir::Value isInFirstGroup = {}, endsGroup = {};
};

/// A range of a tile's rows: [begin, begin + size). Full register tiles cover
/// the rows before `fullEnd`.
struct RowRange {
  mlir::Value begin, size, fullEnd;
};

/// Calls `build` for each K-block of a tile, in a loop if there are several,
/// and at least once, so that an empty sum gets its epilogue.
void forEachBlock(const ContractionPlan &plan, const ContractionTile &tile,
                  llvm::function_ref<void(const KBlock &)> build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONTILE_H
