//===- ContractionShape.h - block sizes of a contraction ------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H

#include "compiler/target/TargetDescription.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "dialects/tg/extents/Extents.h"
#include <numeric>

namespace tg {

/// The block sizes of [m, k] x [k, n], chosen by the extents, the target and
/// conditions.
///
/// A tile of tileRows x tileColumns results is summed in scratch memory over
/// blocks of `kBlock`. Inside a block, panels of `panelColumns` columns of the
/// rhs (the panels of tgx.pack if the rhs is packed ahead) are multiplied by
/// groups of `rows` rows of the lhs. Registers hold rows x vectors x lanes
/// sums. The loop structure follows BLIS (Van Zee, van de Geijn, 2015).
struct ContractionShape {
  /// Conditions apart from the extents.
  struct Conditions {
    /// The number of columns of a panel, if the rhs is packed ahead.
    std::optional<int64_t> packedWidth;
    /// The K of a block, if the caller has chosen it. Rows of the lhs then
    /// begin at arbitrary addresses.
    std::optional<int64_t> block;
    /// True if reductions run over the rows of the result.
    bool reducesRows = false;
    /// True if all rows of a tile read the same copy of the lhs.
    bool sharesCopies = false;
  };

  ContractionShape(const TargetDescription &target, unsigned elementBytes,
                   mlir::AffineExpr m, mlir::AffineExpr n, mlir::AffineExpr k,
                   const Conditions &conditions);
  /// Returns the upper bound of the K of a block.
  static int64_t maxKBlock(const TargetDescription &target);

  unsigned lanes;
  /// The number of vectors of a register tile.
  unsigned vectors;
  /// The number of rows of a register tile. Remaining rows of a tile use
  /// smaller register tiles.
  unsigned rows;
  int64_t panelColumns;
  /// The granularity of rows: the rows of a register tile or, if rows are
  /// reduced, of a part of the sums over rows. No tile boundary divides a unit.
  int64_t rowUnit;
  /// The maximum rows and columns of a tile for this result, and the maximum
  /// rows of a tile for a result with any number of rows.
  int64_t tileRows, tileColumns, maxTileRows;
  /// The maximum number of bands of `tileRows` rows in a tile. A tile with
  /// several bands copies its columns of the rhs once for all of them. The
  /// value is 1 if a tile copies each panel when it reaches it.
  int64_t bands = 1;
  /// The K of a block.
  int64_t kBlock;

  /// Returns the number of columns of a register tile.
  int64_t groupColumns() const { return int64_t(lanes) * vectors; }
  /// Returns the number of rows of a panel of a copied, transposed lhs: whole
  /// register tiles and whole vectors.
  int64_t lhsPanelRows() const { return std::lcm<int64_t>(rows, lanes); }
  /// Returns the leading dimension of a copied lhs, in elements. It is not a
  /// multiple of 4 KiB, so that rows do not share sets of L1.
  int64_t packedRow() const { return kBlock + lanes; }
};

/// The numbers of tiles of the result. A tile is a range of row units and of
/// panels. Each element is summed in the same order wherever tiles end, so the
/// number of tiles may depend on the number of workers.
///
/// Each tile copies its columns of a rhs that is not packed ahead, therefore
/// columns are divided first. If the rhs is packed ahead, tiles divide the
/// dimension that lets workers read fewer elements from outside their caches:
/// columns if the rhs is larger than the lhs and the result together, otherwise
/// rows. The ops before and after the product divide their rows in the same
/// way.
class TileCounts {
public:
  struct Extents {
    mlir::Value m, n, k;
  };
  /// Chooses the tiles of each of `matrices` products.
  TileCounts(IntegerOps ops, const ContractionShape &shape,
             mlir::Value matrices, const Extents &extents, mlir::Value workers,
             bool rhsIsPacked);

  /// Returns the position of tile `tile` along rows and columns. A worker takes
  /// neighbouring tiles, the same ones in every run, along the dimension that
  /// is divided first, so that its data stays in its cache. With a copied rhs,
  /// neighbouring tiles lie along a row of tiles, so that workers write to
  /// different rows of the result where possible: hardware prefetchers would
  /// fetch lines that another worker writes.
  std::pair<mlir::Value, mlir::Value> split(IntegerOps ops,
                                            mlir::Value tile) const;

  /// The numbers of row units and of panels of the result.
  mlir::Value groups, panels;
  /// The numbers of tiles: along rows, along columns, and their product. Each
  /// is at least 1.
  mlir::Value alongRows, alongColumns, total;

private:
  /// Returns the number of parts that the rows can be divided into if each part
  /// has at least `least` rows.
  mlir::Value partsOf(IntegerOps ops, int64_t least, int64_t rowUnit) const;
  /// Sets the tiles of a product that copies its rhs, about `wanted`.
  void chooseCopiedTiles(IntegerOps ops, mlir::Value wanted,
                         const ContractionShape &shape);
  void choosePackedTiles(IntegerOps ops, mlir::Value wanted, int64_t rowUnit);
  void cutRows(IntegerOps ops, mlir::Value wanted, mlir::Value limit);
  /// Sets the tiles along columns, about `wanted`.
  void cutColumns(IntegerOps ops, mlir::Value wanted);

  /// 1 if workers are assigned rows first, 0 if columns.
  mlir::Value takesRows;
  /// The minimum numbers of tiles along rows and columns, which follow from the
  /// largest tile.
  mlir::Value leastRows, leastColumns;
  /// The number of workers for each matrix.
  mlir::Value perMatrix;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H
