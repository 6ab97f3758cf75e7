//===- ContractionShape.h - block sizes of a contraction ------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H

#include "compiler/target/TargetDescription.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "dialects/tg/extents/Extents.h"
#include <numeric>

namespace tg {

/// The block sizes of the product [m, k] x [k, n], chosen from the extents, the
/// target and the conditions.
///
/// A tile of tileRows x tileColumns results is summed in scratch memory over
/// blocks of `kBlock`. Inside a block, panels of `panelColumns` columns of the
/// rhs (the panels of tgx.pack if the rhs is packed ahead) are multiplied by
/// blocks of `rows` rows of the lhs. Registers hold rows x vectors x lanes
/// sums. The loop structure follows BLIS (Van Zee, van de Geijn, 2015).
struct ContractionShape {
  /// Conditions apart from the extents.
  struct Conditions {
    /// The number of columns of a panel, if the rhs is packed ahead.
    std::optional<int64_t> packedWidth;
    /// The K of a block, if the caller has chosen it. Rows of the lhs then
    /// begin at arbitrary addresses.
    std::optional<int64_t> block;
    /// The K of a block, if the order of the sums divides them into blocks,
    /// whose results are added. Otherwise each sum is one chain.
    std::optional<int64_t> orderedBlock = {};
    /// The number of rows of a part if the kernel also reduces the rows of the
    /// result, else 0: a multiple of the rows of every register tile.
    int64_t rowPart = 0;
    /// True if all rows of a tile read the same copy of the lhs.
    bool sharesCopies = false;
  };

  ContractionShape(const TargetDescription &target, unsigned elementBytes,
                   mlir::AffineExpr m, mlir::AffineExpr n, mlir::AffineExpr k,
                   const Conditions &conditions);
  /// Returns true if parts of `rows` rows of the result can be reduced, on
  /// every target.
  static bool canReduceParts(int64_t rows);
  /// Returns the upper bound of the K of a block.
  static int64_t maxKBlock(const TargetDescription &target);

  unsigned lanes;
  /// The number of vectors of a register tile.
  unsigned vectors;
  /// The number of rows of a register tile. Remaining rows of a tile use
  /// smaller register tiles.
  unsigned rows;
  int64_t panelColumns;
  /// Row boundaries of tiles are multiples of this number: the rows of a
  /// register tile or, if the result has a column reduction, the rows of one of
  /// its partial sums.
  int64_t rowUnit;
  /// The maximum rows and columns of a tile for this result, and the maximum
  /// rows of a tile for a result with any number of rows.
  int64_t tileRows, tileColumns, maxTileRows;
  /// The maximum number of bands in a tile. A band is a block of `tileRows`
  /// rows. A tile with several bands packs its columns of the rhs up front,
  /// once for all bands. The value is 1 if panels are packed on demand.
  int64_t bands = 1;
  /// The K of a block.
  int64_t kBlock;

  /// Returns the number of columns of a register tile.
  int64_t registerColumns() const { return int64_t(lanes) * vectors; }
  /// Returns the number of rows of a panel of a copied, transposed lhs: whole
  /// register tiles and whole vectors.
  int64_t lhsPanelRows() const { return std::lcm<int64_t>(rows, lanes); }
  /// Returns the leading dimension of a copied lhs, in elements. It is not a
  /// multiple of 4 KiB, so that rows do not share sets of L1.
  int64_t copiedRowStride() const { return kBlock + lanes; }
};

/// The number of tiles that the result is divided into, along rows and along
/// columns. A tile is a range of row units and of panels. Each element is
/// summed in the same order wherever tiles end, so the number of tiles may
/// depend on the number of workers.
///
/// If tiles pack the rhs themselves, each tile packs all of its columns, so
/// rows are divided as little as possible. If the rhs is packed ahead, workers
/// are assigned whole ranges of the dimension that lets them read fewer
/// elements from outside their caches: columns if the rhs is larger than the
/// lhs and the result together, otherwise rows. The kernels that compute the
/// lhs and read the result also divide their rows in order among the workers,
/// so a worker finds its rows in its cache.
class TileCounts {
public:
  struct Extents {
    mlir::Value m, n, k;
  };
  /// Chooses the tiles of `matrices` products of equal extents.
  TileCounts(IntegerOps ops, const ContractionShape &shape,
             mlir::Value matrices, const Extents &extents, mlir::Value workers,
             bool rhsIsPacked);

  /// Returns the row and column of tile `tile` in the grid of tiles. A worker
  /// gets consecutive tiles, the same ones in every run, so that its data stays
  /// in its cache. Consecutive tiles lie in one row of tiles if `rowsFirst`,
  /// otherwise in one column of tiles. If tiles pack the rhs, `rowsFirst` is 1,
  /// so that workers write to different rows of the result where possible:
  /// hardware prefetchers would fetch lines that another worker writes.
  std::pair<mlir::Value, mlir::Value> split(IntegerOps ops,
                                            mlir::Value tile) const;

  /// The number of row units, and of panels, of one matrix of the result.
  mlir::Value rowUnits, panels;
  /// The number of tiles along rows, the number along columns, and their
  /// product. Each is at least 1.
  mlir::Value alongRows, alongColumns, total;

private:
  /// Returns the maximum number of tiles along rows if each tile has at least
  /// `minRows` rows.
  mlir::Value maxRowTiles(IntegerOps ops, int64_t minRows,
                          int64_t rowUnit) const;
  /// Choose about `desired` tiles. The first function is for a product whose
  /// tiles pack the rhs, the second for one whose rhs is packed ahead.
  void chooseCopiedTiles(IntegerOps ops, mlir::Value desired,
                         const ContractionShape &shape);
  void choosePackedTiles(IntegerOps ops, mlir::Value desired, int64_t rowUnit);
  void chooseAlongRows(IntegerOps ops, mlir::Value desired, mlir::Value limit);
  /// Sets the number of tiles along columns to about `desired`.
  void chooseAlongColumns(IntegerOps ops, mlir::Value desired);

  /// 1 if workers are assigned rows first, 0 if columns.
  mlir::Value rowsFirst;
  /// The minimum number of tiles along rows, and along columns, which follow
  /// from the size of the largest tile.
  mlir::Value minAlongRows, minAlongColumns;
  /// The number of workers for each matrix.
  mlir::Value workersPerMatrix;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_CONTRACTIONSHAPE_H
