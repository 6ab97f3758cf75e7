//===- ContractionTile.h - the part of a product that a tile computes -----===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONTILE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONTILE_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// A product of matrices, or with windows, and how it is cut: what all parts of
/// its emitter know.
struct ContractionPlan {
  /// The ops that are computed of the result, but constants.
  llvm::SmallVector<mlir::Operation *> findOpsBehind() const;

  /// Returns the number of matrices of the result.
  mlir::AffineExpr getMatrices() const;
  /// Returns the number of parts of `shape.rowUnit` rows of all matrices.
  mlir::AffineExpr countRowUnits() const {
    return getMatrices() * m.ceilDiv(shape.rowUnit);
  }

  ContractionPlan(KernelFrame &frame, Contraction product);
  ContractionPlan(const ContractionPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  /// The type of operands and sums.
  mlir::Type type;
  /// Reductions over rows of what follows from the result; none without.
  std::optional<ReductionPlan> reductions;
  /// The panels that the rhs was packed into ahead; null for a plain matrix.
  tgx::UnpackOp packed;
  ContractionSpace space;
  /// For windows: the sum, and the matrices of the result. None for matrices.
  std::optional<WindowNest> nest;
  std::optional<WindowSpace> windowSpace;
  /// Rows, columns and K.
  mlir::AffineExpr m, n, k;
  ContractionShape shape;
  IntegerOps ops;
};

/// The rows and columns of the result that a tile of the launch computes. Also
/// says how many tiles there are.
struct ContractionTile {
  explicit ContractionTile(const ContractionPlan &plan);

  /// Tiles of the launch.
  mlir::Value count;
  /// The extents of one matrix.
  mlir::Value rowCount, columnCount, kExtent;
  /// Which matrix the tile lies in, as a number and along each group of leading
  /// dimensions.
  mlir::Value matrix;
  llvm::SmallVector<mlir::Value> matrixIndex;
  /// For windows: the windows of the matrix.
  std::optional<WindowTile> window;
  /// First row and column, and how many of each.
  mlir::Value firstRow, firstColumn, rows, columns;
  /// The row at which the next tile begins, in whole units: where a matrix has
  /// fewer rows than others, it may end before.
  mlir::Value nextRow;
  /// Rows that full register tiles cover.
  mlir::Value fullRows;
};

/// The matrix of an operand that the tile reads, whose rows and columns are
/// dimensions of the iteration space.
Matrix matrixOf(const ContractionPlan &plan, const ContractionTile &tile,
                const ContractionTensor &operand, unsigned rowDimension,
                unsigned columnDimension);

/// Steps [begin, begin + size) of a dimension.
struct KRange {
  mlir::Value begin, size;
};

/// The part of the sums from `begin` on.
struct KBlock {
  mlir::Value begin;
  KExtent k;
  /// For windows: the part of each dimension of the nest.
  llvm::SmallVector<KRange, 4> ranges = {};
  /// The beginning of the next block.
  mlir::Value next;
  /// True if it is the first and the last one, each an i1.
  mlir::Value isFirst, isLast;
};

/// Rows [begin, begin + size) of a tile, of which full register tiles cover
/// those before `fullEnd`.
struct RowPart {
  mlir::Value begin, size, fullEnd;
};

/// Calls `build` for each K-block of a tile, in a loop where there are several;
/// once at least, so that an empty sum gets its epilogue.
void forEachBlock(const ContractionPlan &plan, const ContractionTile &tile,
                  llvm::function_ref<void(const KBlock &)> build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONTILE_H
