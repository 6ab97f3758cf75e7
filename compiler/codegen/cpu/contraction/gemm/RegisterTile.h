//===- RegisterTile.h - the micro-kernel of matrix products ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_REGISTERTILE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_REGISTERTILE_H

#include "compiler/codegen/kernel/Memory.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace tg {

/// A matrix in memory: element (i, j) lies at
///   base + i * rowStride + j * columnStride.
struct Matrix {
  Elements elements;
  mlir::Value base, rowStride, columnStride;
};

/// Rows of a matrix. If `starts` is not empty, row i begins at `starts[i]`
/// instead of base + i * rowStride.
struct LeftRows {
  Matrix matrix;
  llvm::SmallVector<mlir::Value> starts = {};

  /// Returns the rows moved by `distance` elements.
  LeftRows advancedBy(IntegerOps ops, mlir::Value distance) const;
};

/// A tile of sums in registers: `rows` rows of `vectors` vectors of `lanes`
/// columns.
struct RegisterTile {
  unsigned rows, vectors, lanes;
  /// The approximate number of K steps of one iteration of the loop.
  unsigned steps = 1;

  /// Returns the number of vectors of sums, which are stored row by row.
  unsigned count() const { return rows * vectors; }
};

/// Callbacks that emit code between the products of a register tile:
/// `inIteration` in each loop iteration, which begins at step `k`; `inPart` at
/// the beginning of each of `parts` equal parts of the steps, with the index of
/// the part.
struct TilePrefetches {
  std::function<void(mlir::Value k)> inIteration = nullptr;
  std::function<void(mlir::Value part)> inPart = nullptr;
  /// The number of parts. They divide K into whole loop iterations.
  int64_t parts = 1;
};

/// An outer loop of the sum. From one iteration to the next the lhs moves by
/// `stride` elements. The rhs moves by `rows` rows or, if `rows` is null, by
/// one row for each step of the inner loops.
struct KLevel {
  mlir::Value count, stride, rows = {};
};

/// The K of a register tile: the innermost loop has `size` steps, a multiple of
/// `unit`, and `levels` are the loops around it, the outermost first.
struct KExtent {
  mlir::Value size;
  int64_t unit = 1;
  llvm::SmallVector<KLevel, 3> levels = {};

  /// Returns the number of steps of all loops together.
  mlir::Value total(IntegerOps ops) const;
};

/// Emits `start` + lhs x rhs and returns the sums. The lhs is [rows, K], the
/// rhs [K, columns] with contiguous rows. Each sum is one chain of fused
/// multiply-adds in order of k.
llvm::SmallVector<mlir::Value>
emitRegisterTile(mlir::OpBuilder &builder, mlir::Location loc,
                 const RegisterTile &tile, const LeftRows &lhs,
                 const Matrix &rhs, const KExtent &k, mlir::ValueRange start,
                 const TilePrefetches &prefetches = {});

/// Emits lhs x rhs for a K without outer loops, and returns the sums. The
/// products of each sum are divided into nested blocks with the lengths
/// `blocks`, the smallest first. A smallest block is a chain from +0, and the
/// results of blocks are added in order.
llvm::SmallVector<mlir::Value>
emitBlockedTile(mlir::OpBuilder &builder, mlir::Location loc,
                const RegisterTile &tile, const LeftRows &lhs,
                const Matrix &rhs, const KExtent &k,
                llvm::ArrayRef<int64_t> blocks);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_REGISTERTILE_H
