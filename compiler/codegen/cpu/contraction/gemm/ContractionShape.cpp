//===- ContractionShape.cpp - block sizes of a contraction ----------------===//
#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "llvm/Support/MathExtras.h"

using namespace tg;
using namespace tg::tuning;

/// Returns the size of blocks of nearly equal K, so that no block of a chain is
/// a short remainder.
static int64_t balancedBlock(std::optional<int64_t> k, int64_t maxBlock) {
  if (!k)
    return maxBlock;
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(*k, maxBlock));
  int64_t size = llvm::divideCeil(*k, blocks);
  return std::max(kBlockUnit, int64_t(llvm::alignTo(size, kBlockUnit)));
}

/// Returns `maxSize`, or the extent rounded up to whole units if it is static
/// and smaller.
static int64_t sizeFor(mlir::AffineExpr extent, int64_t unit, int64_t maxSize) {
  std::optional<int64_t> known = staticExtent(extent);
  if (!known)
    return maxSize;
  return std::clamp<int64_t>(llvm::alignTo(*known, unit), unit, maxSize);
}

/// Returns the number of vectors of a register tile, a power of two, so that a
/// panel holds whole register tiles. The tile covers all columns if possible,
/// but its width is halved while too many columns of the last tile would be
/// padding.
static unsigned vectorsFor(mlir::AffineExpr n, unsigned lanes,
                           unsigned maxVectors) {
  std::optional<int64_t> columns = staticExtent(n);
  if (!columns)
    return maxVectors;
  int64_t needed = llvm::divideCeil(std::max<int64_t>(1, *columns), lanes);
  int64_t vectors = std::min<int64_t>(maxVectors, llvm::PowerOf2Ceil(needed));
  auto padding = [&] {
    return int64_t(llvm::alignTo(needed, vectors)) - needed;
  };
  while (vectors > kNarrowVectors && padding() * kMaxMissingColumns > needed)
    vectors /= 2;
  return vectors;
}

ContractionShape::ContractionShape(const TargetDescription &target,
                                   unsigned elementBytes, mlir::AffineExpr m,
                                   mlir::AffineExpr n, mlir::AffineExpr k,
                                   const Conditions &conditions) {
  lanes = target.lanes(elementBytes);
  bool hasManyRegisters = target.vectorRegisters >= 32;
  vectors =
      vectorsFor(n, lanes, hasManyRegisters ? kWideVectors : kNarrowVectors);
  bool isNarrow =
      hasManyRegisters && vectors <= kNarrowVectors && !conditions.block;
  rows = isNarrow ? kNarrowRows : kWideRows;
  // Panels of a copy need no more columns than the rhs has.
  panelColumns = conditions.packedWidth.value_or(
      sizeFor(n, registerColumns(), target.panelBytes / elementBytes));
  rowUnit = conditions.rowPart ? conditions.rowPart : rows;
  tileColumns = sizeFor(n, panelColumns, kMaxTilePanels * panelColumns);
  maxTileRows = kMaxTileRows;
  if (conditions.sharesCopies)
    maxTileRows *= kMaxTilePanels * target.panelBytes /
                   (tileColumns * int64_t(elementBytes));
  tileRows = sizeFor(m, rowUnit, maxTileRows);
  int64_t chainBlock = balancedBlock(staticExtent(k), maxKBlock(target));
  kBlock =
      conditions.block.value_or(conditions.orderedBlock.value_or(chainBlock));
  std::optional<int64_t> staticK = staticExtent(k);
  std::optional<int64_t> staticM = staticExtent(m);
  bool isOneBand = staticM && *staticM <= tileRows;
  if (staticK && !isOneBand && !conditions.packedWidth && !conditions.block &&
      *staticK * tileColumns * elementBytes <= kBandedBytes)
    bands = kMaxBands;
}

bool ContractionShape::canReduceParts(int64_t rows) {
  return rows > 0 && rows <= kMaxTileRows && rows % kWideRows == 0 &&
         rows % kNarrowRows == 0;
}

int64_t ContractionShape::maxKBlock(const TargetDescription &target) {
  return kPanelCaches * target.l1Bytes / target.panelBytes;
}

/// Returns 1 if `value` > 0, else 0.
static mlir::Value isPositive(IntegerOps ops, mlir::Value value) {
  return ops.min(ops.constant(1), ops.max(ops.constant(0), value));
}

/// Returns `first` if `takesFirst` is 1, `second` if it is 0.
static mlir::Value select(IntegerOps ops, mlir::Value takesFirst,
                          mlir::Value first, mlir::Value second) {
  return ops.add(second, ops.mul(takesFirst, ops.sub(first, second)));
}

/// Returns `value` clamped to [min, max], or `min` if `max` is less.
static mlir::Value clampTo(IntegerOps ops, mlir::Value min, mlir::Value value,
                           mlir::Value max) {
  return ops.max(min, ops.min(value, max));
}

TileCounts::TileCounts(IntegerOps ops, const ContractionShape &shape,
                       mlir::Value matrices, const Extents &extents,
                       mlir::Value workers, bool rhsIsPacked) {
  mlir::Value one = ops.constant(1);
  mlir::Value matrixCount = ops.max(one, matrices);
  rowUnits = ops.ceilDiv(extents.m, ops.constant(shape.rowUnit));
  panels = ops.ceilDiv(extents.n, ops.constant(shape.panelColumns));
  mlir::Value maxRowUnits =
      ops.constant(shape.bands * shape.maxTileRows / shape.rowUnit);
  minAlongRows = ops.max(one, ops.ceilDiv(rowUnits, maxRowUnits));
  minAlongColumns =
      ops.max(one, ops.ceilDiv(panels, ops.constant(kMaxTilePanels)));
  workersPerMatrix = ops.ceilDiv(workers, matrixCount);
  auto tilesOf = [&](mlir::Value perWorker) {
    return ops.ceilDiv(ops.mul(workers, ops.min(workers, perWorker)),
                       matrixCount);
  };
  mlir::Value desired = tilesOf(ops.constant(kTilesPerWorker));
  if (!rhsIsPacked) {
    rowsFirst = one;
    chooseCopiedTiles(ops, desired, shape);
  } else {
    mlir::Value weights = ops.mul(extents.k, extents.n);
    mlir::Value others = ops.mul(extents.m, ops.add(extents.k, extents.n));
    rowsFirst = isPositive(ops, ops.sub(ops.add(others, one), weights));
    choosePackedTiles(ops, desired, shape.rowUnit);
  }
  total = ops.mul(alongRows, alongColumns);
}

mlir::Value TileCounts::maxRowTiles(IntegerOps ops, int64_t minRows,
                                    int64_t rowUnit) const {
  return ops.div(rowUnits,
                 ops.constant(std::max<int64_t>(1, minRows / rowUnit)));
}

/// Each tile of rows packs the rhs again, so the rows are divided into as few
/// tiles as possible: enough that no tile exceeds the maximum rows, that the
/// tiles divide evenly among the workers, and that each worker has a tile even
/// if there are fewer panels than workers. If tiles have several bands, rows
/// are divided further, into whole bands. These pack little of the rhs again,
/// whereas tiles of fewer columns would read the lhs more often.
void TileCounts::chooseCopiedTiles(IntegerOps ops, mlir::Value desired,
                                   const ContractionShape &shape) {
  mlir::Value even = ops.mul(ops.ceilDiv(minAlongRows, workersPerMatrix),
                             ops.min(minAlongRows, workersPerMatrix));
  mlir::Value panelCount = ops.max(ops.constant(1), panels);
  mlir::Value limit = ops.min(maxRowTiles(ops, kMinTileRows, shape.rowUnit),
                              ops.ceilDiv(workersPerMatrix, panelCount));
  if (shape.bands > 1)
    limit =
        ops.max(limit, ops.min(maxRowTiles(ops, shape.tileRows, shape.rowUnit),
                               ops.ceilDiv(desired, minAlongColumns)));
  chooseAlongRows(ops, desired, ops.max(even, limit));
  chooseAlongColumns(ops, ops.ceilDiv(desired, alongRows));
}

/// If workers are assigned columns and the panels do not divide evenly among
/// the workers, makes more tiles, with fewer columns and rows each.
void TileCounts::choosePackedTiles(IntegerOps ops, mlir::Value desired,
                                   int64_t rowUnit) {
  chooseAlongRows(ops, desired, maxRowTiles(ops, kMinTileRows, rowUnit));
  mlir::Value isUneven =
      ops.mul(isPositive(ops, ops.rem(panels, workersPerMatrix)),
              ops.sub(ops.constant(1), rowsFirst));
  mlir::Value more =
      ops.mul(desired, ops.constant(kUnevenTilesPerWorker / kTilesPerWorker));
  chooseAlongColumns(
      ops, select(ops, isUneven, more, ops.ceilDiv(desired, alongRows)));
  mlir::Value rows = ops.min(ops.ceilDiv(more, alongColumns),
                             maxRowTiles(ops, kMinUnevenTileRows, rowUnit));
  alongRows = ops.max(alongRows, ops.mul(isUneven, rows));
}

/// Sets `alongRows` to desired / minAlongColumns, rounded up to a multiple of
/// the workers, then clamped to [minAlongRows, max(minAlongRows, limit)].
void TileCounts::chooseAlongRows(IntegerOps ops, mlir::Value desired,
                                 mlir::Value limit) {
  mlir::Value enough =
      clampTo(ops, minAlongRows, ops.ceilDiv(desired, minAlongColumns), limit);
  mlir::Value even =
      ops.mul(ops.ceilDiv(enough, workersPerMatrix), workersPerMatrix);
  alongRows = clampTo(ops, minAlongRows, even, limit);
}

void TileCounts::chooseAlongColumns(IntegerOps ops, mlir::Value desired) {
  // Each tile along columns copies the lhs again. If there is a single row
  // unit, the copy is small. Then twice the number of tiles, with at least two
  // panels each, costs nothing.
  mlir::Value one = ops.constant(1);
  mlir::Value isSingleUnit =
      ops.sub(one, ops.min(one, ops.div(rowUnits, ops.constant(2))));
  mlir::Value factor = ops.add(one, isSingleUnit);
  alongColumns = clampTo(ops, minAlongColumns, ops.mul(desired, factor),
                         ops.ceilDiv(panels, factor));
}

std::pair<mlir::Value, mlir::Value> TileCounts::split(IntegerOps ops,
                                                      mlir::Value tile) const {
  mlir::Value row = select(ops, rowsFirst, ops.div(tile, alongColumns),
                           ops.rem(tile, alongRows));
  mlir::Value column = select(ops, rowsFirst, ops.rem(tile, alongColumns),
                              ops.div(tile, alongRows));
  return {row, column};
}
