//===- RegisterTile.h - the micro-kernel of matrix products ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_REGISTERTILE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_REGISTERTILE_H

#include "compiler/codegen/kernel/Memory.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace tg {

/// A matrix in memory: element (i, j) lies at base + i * row + j * column.
struct Matrix {
  Elements elements;
  mlir::Value base, row, column;
};

/// Rows of a matrix: those of `matrix`, or, where there are `starts`, rows that
/// begin there in place of i * row.
struct LeftRows {
  Matrix matrix;
  llvm::SmallVector<mlir::Value> starts = {};

  /// The rows from element `distance` on.
  LeftRows at(IntegerOps ops, mlir::Value distance) const;
};

/// Sums in registers: `rows` rows of `vectors` vectors of `lanes` columns.
struct RegisterTile {
  unsigned rows, vectors, lanes;
  /// Steps of K in one round of the loop, more or less.
  unsigned steps = 1;

  /// The vectors of sums, row by row.
  unsigned count() const { return rows * vectors; }
};

/// Code that is emitted beside the products of a register tile: something in
/// each round, which begins at step `k`, and in each of some equal parts of the
/// steps, whose number is passed.
struct TileBesides {
  std::function<void(mlir::Value k)> inRound = nullptr;
  std::function<void(mlir::Value part)> inPart = nullptr;
  /// They divide K into whole rounds.
  int64_t parts = 1;
};

/// A dimension of K around others: from one step to the next the lhs moves by
/// `stride` elements, and the rhs by `rows` rows, or, without, by those of all
/// steps inside.
struct KLevel {
  mlir::Value count, stride, rows = {};
};

/// The K of a register tile: `size`, a multiple of `unit`, for each step of the
/// levels around it.
struct KExtent {
  mlir::Value size;
  int64_t unit = 1;
  llvm::SmallVector<KLevel, 3> levels = {};

  /// All steps.
  mlir::Value total(IntegerOps ops) const;
};

/// `start` + lhs x rhs, where lhs is [rows, K] and rhs is [K, columns]
/// with neighbouring columns side by side. Sums are taken in order of k, in
/// interleaved accumulators where few of them would wait for each other.
llvm::SmallVector<mlir::Value>
emitRegisterTile(mlir::OpBuilder &builder, mlir::Location loc,
                 const RegisterTile &tile, const LeftRows &lhs,
                 const Matrix &rhs, const KExtent &k, mlir::ValueRange start,
                 const TileBesides &besides = {});

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_REGISTERTILE_H
