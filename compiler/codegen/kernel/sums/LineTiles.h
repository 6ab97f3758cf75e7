//===- LineTiles.h - the lines of a sum in the order of tiles -------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_SUMS_LINETILES_H
#define TG_COMPILER_CODEGEN_KERNEL_SUMS_LINETILES_H

#include "compiler/codegen/kernel/ReductionPlan.h"
#include "compiler/codegen/kernel/sums/Accumulators.h"

namespace tg {

/// The steps in which a reduction adds its lines. Without a tile in the order a
/// step is one line, and lines are numbered in row-major order of the reduced
/// axes before the line. With a tile a step is a tile of the last two of these
/// axes; tiles are in row-major order, and the lines of a tile, too.
class LineTiles {
public:
  LineTiles(KernelContext &context, const ReductionPlan &plan);

  /// Returns the number of steps.
  mlir::AffineExpr getCount() const { return count; }
  /// Returns the first line of a step.
  mlir::Value firstLine(mlir::Value step) const;
  /// Returns the number of lines of the steps [begin, end).
  mlir::Value countLines(mlir::Value begin, mlir::Value end) const;
  /// Combines the terms of the steps of [begin, end) one after the other. A
  /// step has the terms of its line or, one after the other, of all its lines.
  /// `build` emits a line and returns its terms.
  llvm::SmallVector<mlir::Value>
  chain(Accumulators &sums, mlir::Value begin, mlir::Value end, unsigned lanes,
        Accumulators::IterationBuilder build) const;

private:
  /// A range of indices along one of the two axes.
  struct Range {
    mlir::Value begin, size;
  };
  /// The lines of a step: a range along each axis, and the first line of the
  /// plane that both axes span.
  struct Tile {
    mlir::Value plane;
    Range rows, columns;
  };
  Tile tileAt(mlir::Value step) const;

  KernelContext &context;
  bool isTiled;
  mlir::AffineExpr count;
  /// The extents of the two axes, of a tile along them, and the numbers of
  /// tiles.
  mlir::AffineExpr extents[2], tiles[2];
  int64_t sizes[2];
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_SUMS_LINETILES_H
