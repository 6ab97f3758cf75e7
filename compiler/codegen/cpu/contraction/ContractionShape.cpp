//===- ContractionShape.cpp - sizes of the blocks of a contraction --------===//
#include "compiler/codegen/cpu/contraction/ContractionShape.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "llvm/Support/MathExtras.h"

using namespace tg;
using namespace tg::tuning;

/// Blocks of nearly equal K, so that none is a short remainder.
static int64_t balancedBlock(std::optional<int64_t> k, int64_t most) {
  if (!k)
    return most;
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(*k, most));
  int64_t size = llvm::divideCeil(*k, blocks);
  return std::max(kBlockUnit, int64_t(llvm::alignTo(size, kBlockUnit)));
}

/// `most`, or less for an extent that needs less, in whole units.
static int64_t sizeFor(mlir::AffineExpr extent, int64_t unit, int64_t most) {
  std::optional<int64_t> known = staticExtent(extent);
  if (!known)
    return most;
  return std::clamp<int64_t>(llvm::alignTo(*known, unit), unit, most);
}

/// Vectors of a register tile, a power of two, so that a panel holds whole
/// tiles: as wide as the columns need, and less where many columns of the last
/// tile would be missing.
static unsigned vectorsFor(mlir::AffineExpr n, unsigned lanes, unsigned most) {
  std::optional<int64_t> columns = staticExtent(n);
  if (!columns)
    return most;
  int64_t needed = llvm::divideCeil(std::max<int64_t>(1, *columns), lanes);
  int64_t vectors = std::min<int64_t>(most, llvm::PowerOf2Ceil(needed));
  auto missing = [&] {
    return int64_t(llvm::alignTo(needed, vectors)) - needed;
  };
  while (vectors > kNarrowVectors && missing() * kMostMissingColumns > needed)
    vectors /= 2;
  return vectors;
}

ContractionShape::ContractionShape(const TargetDescription &target,
                                   unsigned elementBytes, mlir::AffineExpr m,
                                   mlir::AffineExpr n, mlir::AffineExpr k,
                                   const Conditions &conditions) {
  lanes = target.lanes(elementBytes);
  bool hasMany = target.vectorRegisters >= 32;
  vectors = vectorsFor(n, lanes, hasMany ? kWideVectors : kNarrowVectors);
  bool isNarrow = hasMany && vectors <= kNarrowVectors && !conditions.block;
  rows = isNarrow ? kNarrowRows : kWideRows;
  // Panels of our own need no more columns than there are.
  panelColumns = conditions.packedWidth.value_or(
      sizeFor(n, groupColumns(), target.panelBytes / elementBytes));
  rowUnit = conditions.reducesRows ? llvm::alignTo(kRowPart, rows) : rows;
  tileColumns = sizeFor(n, panelColumns, kMostTilePanels * panelColumns);
  mostTileRows = kMostTileRows;
  if (conditions.sharesCopies)
    mostTileRows *= kMostTilePanels * target.panelBytes /
                    (tileColumns * int64_t(elementBytes));
  tileRows = sizeFor(m, rowUnit, mostTileRows);
  kBlock = conditions.block.value_or(
      balancedBlock(staticExtent(k),
                    mostReduced(target, conditions.packedWidth.has_value())));
}

int64_t ContractionShape::mostReduced(const TargetDescription &target,
                                      bool isPacked) {
  int64_t caches = isPacked ? kPackedPanelCaches : kCopiedPanelCaches;
  return caches * target.firstCacheBytes / target.panelBytes;
}

TileCounts::TileCounts(IntegerOps ops, const ContractionShape &shape,
                       mlir::Value matrices, mlir::Value m, mlir::Value n,
                       mlir::Value workers, bool rhsIsPacked)
    : rhsIsPacked(rhsIsPacked) {
  mlir::Value one = ops.constant(1);
  groups = ops.ceilDiv(m, ops.constant(shape.rowUnit));
  panels = ops.ceilDiv(n, ops.constant(shape.panelColumns));
  int64_t leastUnits = std::max<int64_t>(1, kLeastTileRows / shape.rowUnit);
  mlir::Value most = ops.constant(shape.mostTileRows / shape.rowUnit);
  mlir::Value leastRows = ops.max(one, ops.ceilDiv(groups, most));
  mlir::Value leastColumns =
      ops.max(one, ops.ceilDiv(panels, ops.constant(kMostTilePanels)));
  mlir::Value wanted =
      ops.mul(workers, ops.min(workers, ops.constant(kTilesPerWorker)));
  mlir::Value some = ops.max(one, matrices);
  wanted = ops.ceilDiv(wanted, some);
  workers = ops.ceilDiv(workers, some);
  auto atMost = [&](mlir::Value least, mlir::Value count, mlir::Value limit) {
    return ops.max(least, ops.min(count, limit));
  };
  // As many for each worker, where one has several; one for each where there
  // are fewer panels.
  mlir::Value even =
      ops.mul(ops.ceilDiv(leastRows, workers), ops.min(leastRows, workers));
  mlir::Value largeParts = ops.div(groups, ops.constant(leastUnits));
  mlir::Value limit = largeParts;
  if (!rhsIsPacked)
    limit = ops.max(even, ops.min(largeParts,
                                  ops.ceilDiv(workers, ops.max(one, panels))));
  mlir::Value enough =
      atMost(leastRows, ops.ceilDiv(wanted, leastColumns), limit);
  alongRows =
      atMost(leastRows, ops.mul(ops.ceilDiv(enough, workers), workers), limit);
  // A single group copies little: more tiles then are as good, down to two
  // panels.
  mlir::Value isSingle =
      ops.sub(one, ops.min(one, ops.div(groups, ops.constant(2))));
  mlir::Value share = ops.add(one, isSingle);
  alongColumns =
      atMost(leastColumns, ops.mul(ops.ceilDiv(wanted, alongRows), share),
             ops.ceilDiv(panels, share));
  total = ops.mul(alongRows, alongColumns);
}

std::pair<mlir::Value, mlir::Value> TileCounts::split(IntegerOps ops,
                                                      mlir::Value tile) const {
  if (rhsIsPacked)
    return {ops.rem(tile, alongRows), ops.div(tile, alongRows)};
  return {ops.div(tile, alongColumns), ops.rem(tile, alongColumns)};
}
