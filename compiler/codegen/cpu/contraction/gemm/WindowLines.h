//===- WindowLines.h - an lhs of windows, copied without borders ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_WINDOWLINES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_WINDOWLINES_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionTile.h"

namespace tg {

/// A part of an lhs that is read in windows, copied so that each window lies
/// inside: lines of `width` elements of all channels, zeros where the lhs has
/// none. In the copy every dimension of the iteration space has one stride:
///
///   [planes][lines][width][channels]
///
/// Lines are those of all images, one below the other; a plane is what one tap
/// of the axes before the last two meets.
class WindowLines {
public:
  /// Elements of scratch memory for the lines of a tile, and for the offsets of
  /// its rows.
  static int64_t lineElements(const ContractionPlan &plan);
  static int64_t rowElements(const ContractionPlan &plan);

  /// `lines` and `rows` have room for these.
  WindowLines(const ContractionPlan &plan, const ContractionTile &tile,
              mlir::Value lines, mlir::Value rows);

  /// Writes the offsets of the tile's rows, and copies the lines that these
  /// meet where the sum runs over taps.
  void prepare() const;
  /// Copies the lines that a block of the sum meets where it runs over
  /// positions.
  void copyBlock(const KBlock &block) const;

  /// The rows from `row` of the tile on, at the beginning of a block.
  LeftRows rows(mlir::Value row, unsigned count, const KBlock &block) const;
  /// The row of the result that a row of the tile is.
  mlir::Value resultRow(mlir::Value row) const;
  /// Returns the stride of the copy along a dimension of the iteration space.
  mlir::Value strideOf(unsigned dimension) const;

private:
  /// Lines [begin, end), of which `origin` would be the first one of the copy,
  /// and `columns` elements of each from a position on.
  struct Part {
    mlir::Value origin, begin, end, position, columns;
  };
  /// Elements [begin, end) of a line are elements of the lhs; the first one of
  /// the line would be its element `first`.
  struct Columns {
    mlir::Value first, begin, end;
  };

  mlir::Value linesBetween(unsigned axis) const;
  int64_t tapStrideOf(unsigned axis) const;
  mlir::Value positionStrideOf(unsigned axis) const;

  mlir::Value lineOf(llvm::ArrayRef<mlir::Value> positions) const;
  void writeRows(mlir::Value origin) const;
  llvm::SmallVector<mlir::Value> next(mlir::ValueRange index) const;
  mlir::Value resultRowAt(mlir::ValueRange index) const;

  Part partOfTile() const;
  Part partOfBlock(const KBlock &block) const;
  Part partOfRows(Part part) const;
  mlir::Value columnsOf(mlir::Value positions) const;
  Columns columnsInside(const Part &part) const;
  void copy(const Part &part) const;
  void copyPlanes(const Part &part, const Columns &columns,
                  llvm::ArrayRef<mlir::Value> taps) const;
  void copyLine(const Part &part, const Columns &columns, mlir::Value target,
                mlir::Value line, llvm::ArrayRef<mlir::Value> taps) const;
  std::pair<mlir::Value, mlir::Value>
  sourceOf(mlir::Value line, llvm::ArrayRef<mlir::Value> taps) const;
  void copyInside(mlir::Value first, mlir::Value target, mlir::Value begin,
                  mlir::Value end) const;

  const ContractionPlan &plan;
  const ContractionTile &tile;
  const WindowNest &nest;
  const WindowTile &window;
  Elements memory, offsets;
  /// Elements of a line without and with channels, and of a plane of the copy;
  /// lines of an image.
  int64_t width, pitch, planeSize;
  mlir::Value imageLines;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_WINDOWLINES_H
