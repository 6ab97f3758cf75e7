//===- ContractionShape.cpp - sizes of the blocks of a contraction --------===//
#include "compiler/codegen/cpu/ContractionShape.h"
#include "llvm/Support/MathExtras.h"

using namespace tg;

/// Depth that keeps a panel of the rhs, 128 bytes wide, in the first cache.
static constexpr int64_t kDepth = 256;

/// Blocks of nearly equal depth, so that none is a short rest.
static int64_t balancedDepth(std::optional<int64_t> k) {
  if (!k)
    return kDepth;
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(*k, kDepth));
  int64_t depth = llvm::divideCeil(*k, blocks);
  return std::max<int64_t>(4, llvm::alignTo(depth, 4));
}

/// The largest tile: 384 KiB of f32 sums beside 200 KiB of the lhs. Each panel
/// comes once for all rows of a tile: fewer rows would wait for memory.
static constexpr int64_t kTileRows = 192, kTilePanels = 16;
/// Fewer groups of rows would leave a panel no time to come.
static constexpr int64_t kLeastGroups = 4;

/// `most`, or less for an extent that needs less, in whole units.
static int64_t sizeFor(mlir::AffineExpr extent, int64_t unit, int64_t most) {
  std::optional<int64_t> known = staticExtent(extent);
  if (!known)
    return most;
  return std::clamp<int64_t>(llvm::alignTo(*known, unit), unit, most);
}

ContractionShape::ContractionShape(const CpuTarget &target,
                                   unsigned elementBytes, mlir::AffineExpr m,
                                   mlir::AffineExpr n, mlir::AffineExpr k) {
  lanes = target.lanes(elementBytes);
  panelColumns = 128 / elementBytes;
  std::optional<int64_t> columns = staticExtent(n);
  vectors = columns && *columns <= int64_t(lanes) ? 1 : 2;
  // rows x vectors sums, `vectors` of the rhs and one of the lhs stay in
  // registers; 12 and 6 rows leave a spare one.
  rows = target.vectorRegisters() >= 32 ? 12 : 6;
  tileRows = sizeFor(m, rows, kTileRows);
  tileColumns = sizeFor(n, panelColumns, kTilePanels * panelColumns);
  depth = balancedDepth(staticExtent(k));
}

TileCounts::TileCounts(IntegerOps ops, const ContractionShape &shape,
                       mlir::Value matrices, mlir::Value m, mlir::Value n,
                       mlir::Value workers, bool rhsIsPacked) {
  mlir::Value one = ops.constant(1);
  groups = ops.ceilDiv(m, ops.constant(shape.rows));
  panels = ops.ceilDiv(n, ops.constant(shape.panelColumns));
  mlir::Value most = ops.constant(kTileRows / shape.rows);
  mlir::Value leastRows = ops.max(one, ops.ceilDiv(groups, most));
  mlir::Value leastColumns =
      ops.max(one, ops.ceilDiv(panels, ops.constant(kTilePanels)));
  // Two for each of several workers, so that one may be late.
  mlir::Value wanted = ops.mul(workers, ops.min(workers, ops.constant(2)));
  mlir::Value some = ops.max(one, matrices);
  wanted = ops.ceilDiv(wanted, some);
  workers = ops.ceilDiv(workers, some);
  auto atMost = [&](mlir::Value least, mlir::Value count, mlir::Value limit) {
    return ops.max(least, ops.min(count, limit));
  };
  mlir::Value limit =
      rhsIsPacked ? ops.div(groups, ops.constant(kLeastGroups)) : leastRows;
  mlir::Value enough =
      atMost(leastRows, ops.ceilDiv(wanted, leastColumns), limit);
  alongRows =
      atMost(leastRows, ops.mul(ops.ceilDiv(enough, workers), workers), limit);
  // A single group copies little: more tiles then are as good, down to four
  // panels.
  mlir::Value isSingle =
      ops.sub(one, ops.min(one, ops.div(groups, ops.constant(2))));
  mlir::Value share = ops.add(one, ops.mul(isSingle, ops.constant(3)));
  alongColumns =
      atMost(leastColumns, ops.mul(ops.ceilDiv(wanted, alongRows), share),
             ops.ceilDiv(panels, share));
  total = ops.mul(alongRows, alongColumns);
}
