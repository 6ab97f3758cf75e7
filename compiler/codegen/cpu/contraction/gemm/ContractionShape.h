//===- ContractionShape.h - sizes of the blocks of a contraction ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H

#include "compiler/target/TargetDescription.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "dialects/tg/extents/Extents.h"
#include <numeric>

namespace tg {

/// The blocks of [m, k] x [k, n], chosen by extents, the target and conditions.
///
/// A tile of tileRows x tileColumns results is summed in scratch memory over
/// blocks of `kBlock`. Inside, panels of `panelColumns` columns of the rhs
/// (those of tgx.pack if it is packed ahead) meet groups of `rows` rows of the
/// lhs; registers hold rows x vectors x lanes sums. The loop structure is that
/// of BLIS (Van Zee, van de Geijn, 2015).
struct ContractionShape {
  /// Conditions beside the extents.
  struct Conditions {
    /// Columns of a panel of a rhs that is packed ahead.
    std::optional<int64_t> packedWidth;
    /// K of a block where that is chosen already: rows then begin anywhere in
    /// memory, each at an address of its own.
    std::optional<int64_t> block;
    /// True if the rows of the result are reduced, too.
    bool reducesRows = false;
    /// True if the rows of a tile share what is copied of the lhs.
    bool sharesCopies = false;
  };

  ContractionShape(const TargetDescription &target, unsigned elementBytes,
                   mlir::AffineExpr m, mlir::AffineExpr n, mlir::AffineExpr k,
                   const Conditions &conditions);
  /// The most K of a block.
  static int64_t mostReduced(const TargetDescription &target);

  unsigned lanes;
  /// Vectors of a register tile.
  unsigned vectors;
  /// Rows of a register tile; others take up what such tiles leave.
  unsigned rows;
  int64_t panelColumns;
  /// Rows that stay in one tile: those of a register tile, or of a part of the
  /// sums over rows.
  int64_t rowUnit;
  /// A tile has at most so many, and would have at most so many rows if there
  /// were more.
  int64_t tileRows, tileColumns, mostTileRows;
  /// Times `tileRows` that a tile has at most: it copies its columns of the rhs
  /// once for all of these bands. 1 where it copies each panel as it meets it.
  int64_t bands = 1;
  /// K of a block.
  int64_t kBlock;

  /// Columns of a register tile.
  int64_t groupColumns() const { return int64_t(lanes) * vectors; }
  /// Rows of a panel of a packed lhs that was transposed: whole register tiles
  /// and whole vectors.
  int64_t lhsPanelRows() const { return std::lcm<int64_t>(rows, lanes); }
  /// Elements from row to row of a packed lhs; not a multiple of 4 KiB, or
  /// rows would fall on each other in the first cache.
  int64_t packedRow() const { return kBlock + lanes; }
};

/// The numbers of tiles of the result. A tile is a range of units of rows and
/// of panels, so that each element is summed in the same order wherever tiles
/// end: their number may follow the number of workers. Each tile copies its
/// columns of a rhs that is not packed ahead, therefore columns are shared out
/// first then. A rhs that is packed ahead is divided along the dimensions by
/// which workers read less that is not in their caches: columns if the rhs is
/// larger than the lhs and the result, else rows, which the ops before and
/// behind share out in the same way.
class TileCounts {
public:
  struct Extents {
    mlir::Value m, n, k;
  };
  /// Chooses the tiles of each of `matrices` products.
  TileCounts(IntegerOps ops, const ContractionShape &shape,
             mlir::Value matrices, const Extents &extents, mlir::Value workers,
             bool rhsIsPacked);

  /// Which tile along rows and columns number `tile` is. A worker takes
  /// neighbours, and the same ones in every run: of what is shared out first,
  /// so that its part stays in the worker's cache. Two workers do not write to
  /// one row of a rhs that is copied, where CPUs fetch ahead.
  std::pair<mlir::Value, mlir::Value> split(IntegerOps ops,
                                            mlir::Value tile) const;

  /// Units of rows and panels of the result.
  mlir::Value groups, panels;
  /// Tiles, at least one.
  mlir::Value alongRows, alongColumns, total;

private:
  /// Parts of the rows of at least so many each.
  mlir::Value partsOf(IntegerOps ops, int64_t least, int64_t rowUnit) const;
  /// Into `wanted` tiles.
  void cutCopied(IntegerOps ops, mlir::Value wanted,
                 const ContractionShape &shape);
  void cutPacked(IntegerOps ops, mlir::Value wanted, int64_t rowUnit);
  void cutRows(IntegerOps ops, mlir::Value wanted, mlir::Value limit);
  /// Into `wanted` parts.
  void cutColumns(IntegerOps ops, mlir::Value wanted);

  /// 1 where a worker takes rows first, 0 for columns.
  mlir::Value takesRows;
  /// Tiles along rows and columns at least, since a tile has room for so many.
  mlir::Value leastRows, leastColumns;
  /// Workers of each matrix.
  mlir::Value perMatrix;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H
