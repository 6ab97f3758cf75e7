//===- WindowLines.h - lines of a windowed lhs, padded with zeros ---------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_WINDOWLINES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_WINDOWLINES_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionTile.h"

namespace tg {

/// The part of a windowed lhs that a tile reads, copied so that each window
/// lies inside the copy: lines of `width` elements of all channels, with zeros
/// where the lhs has no element. In the copy every dimension of the iteration
/// space has one stride:
///
///   [planes][lines][width][channels]
///
/// The lines of all images follow each other. A plane holds the elements that
/// one combination of taps of the axes before the last two reads.
class WindowLines {
public:
  /// Return the number of scratch elements for the lines of a tile, and the
  /// number for the offsets of its rows.
  static int64_t copiedElements(const ContractionPlan &plan);
  static int64_t tableElements(const ContractionPlan &plan);

  /// `lines` and `rows` are scratch buffers of these sizes.
  WindowLines(const ContractionPlan &plan, const ContractionTile &tile,
              mlir::Value lines, mlir::Value rows);

  /// Writes the offsets of the tile's rows. If the sum runs over taps, also
  /// copies the lines that the rows read.
  void prepare() const;
  /// Copies the lines that a block of the sum reads, if the sum runs over
  /// positions.
  void copyBlock(const KBlock &block) const;

  /// Returns the rows from `row` of the tile on, at the first step of a block.
  LeftRows rows(mlir::Value row, unsigned count, const KBlock &block) const;
  /// Returns the row of the result that a row of the tile computes.
  mlir::Value resultRow(mlir::Value row) const;
  /// Returns the stride of the copy along a dimension of the iteration space.
  /// It is negative for the taps of a reversed axis.
  mlir::Value strideOf(unsigned dimension) const;

private:
  /// Lines [begin, end), counted through all images. `columns` elements of each
  /// are copied, from the first element on that position `position` of a line
  /// reads. Line `origin` is the first line of the copy.
  struct LineRange {
    mlir::Value origin, begin, end, position, columns;
  };
  /// The elements [begin, end) of a copied line that the lhs has. Element 0 of
  /// the line corresponds to element `first` of the lhs, which may be negative.
  struct Columns {
    mlir::Value first, begin, end;
  };

  mlir::Value lineStrideOf(unsigned dimension) const;
  int64_t tapStrideOf(unsigned axis) const;
  mlir::Value firstTap() const;
  mlir::Value positionStrideOf(unsigned axis) const;

  mlir::Value lineOf(llvm::ArrayRef<mlir::Value> positions) const;
  void writeOffsets(mlir::Value origin) const;
  llvm::SmallVector<mlir::Value> nextIndex(mlir::ValueRange index) const;
  mlir::Value resultRowAt(mlir::ValueRange index) const;

  LineRange rangeOfTile() const;
  LineRange rangeOfBlock(const KBlock &block) const;
  LineRange restrictToTile(LineRange range) const;
  mlir::Value columnsOf(mlir::Value positions) const;
  Columns columnsInside(const LineRange &range) const;
  void copy(const LineRange &range) const;
  void copyPlanes(const LineRange &range, const Columns &columns,
                  llvm::ArrayRef<mlir::Value> taps) const;
  void copyLine(const LineRange &range, const Columns &columns,
                mlir::Value target, mlir::Value line,
                llvm::ArrayRef<mlir::Value> taps) const;
  std::pair<mlir::Value, mlir::Value>
  sourceOf(mlir::Value line, llvm::ArrayRef<mlir::Value> taps) const;
  void copyInside(mlir::Value first, mlir::Value target, mlir::Value begin,
                  mlir::Value end) const;

  const ContractionPlan &plan;
  const ContractionTile &tile;
  const WindowNest &nest;
  const WindowTile &window;
  Elements memory, offsets;
  /// The number of elements of a copied line per channel (`width`) and for all
  /// channels (`rowStride`), the number of elements of a plane of the copy, and
  /// the number of lines of an image.
  int64_t width, rowStride, planeSize;
  mlir::Value imageLines;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_WINDOWLINES_H
