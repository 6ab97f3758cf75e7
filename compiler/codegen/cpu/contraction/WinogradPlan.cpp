//===- WinogradPlan.cpp - how convolutions by transformed tiles are cut ---===//
#include "compiler/codegen/cpu/contraction/WinogradPlan.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/WinogradTransform.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

SmallVector<AffineExpr, 2>
tg::countWinogradTiles(ArrayRef<AffineExpr> extents) {
  SmallVector<AffineExpr, 2> tiles;
  for (AffineExpr extent : extents)
    tiles.push_back(extent.ceilDiv(kPositions));
  return tiles;
}

Value tg::firstElementOf(KernelFrame &frame, const WindowAxis &axis) {
  IntegerOps ops = frame.integers();
  Value offset = axis.offset ? frame.extent(axis.offset) : ops.constant(0);
  int64_t reach = (kTaps - 1) * axis.dilation;
  return reach < 0 ? ops.add(offset, ops.constant(reach)) : offset;
}

bool tg::hasWinogradWindows(KernelFrame &frame,
                            const Contraction &contraction) {
  unsigned lanes = frame.target.lanes(elementBytes(contraction.accumulator));
  std::optional<WindowedLhs> windows = contraction.findWindows();
  auto isKnown = [&](const ContractionTensor &tensor) {
    return staticExtent(tensor.extents.back()).has_value();
  };
  return lanes > 1 && windows && windows->axes.size() == 2 &&
         llvm::all_of(windows->axes,
                      [](const WindowAxis &axis) {
                        return axis.stride == 1 &&
                               std::abs(axis.dilation) == 1 &&
                               axis.divisor == 1;
                      }) &&
         isa<BlockArgument>(contraction.lhs.value) &&
         isKnown(contraction.lhs) && isKnown(contraction.result);
}

static ContractionShape shapeOf(KernelFrame &frame, tgx::UnpackOp filter,
                                AffineExpr rows, AffineExpr columns,
                                AffineExpr channels) {
  ContractionShape::Conditions conditions;
  conditions.packedWidth = filter.getLayout().getWidth();
  Type type = getElementTypeOrSelf(filter.getResult());
  return ContractionShape(frame.target, elementBytes(type), rows, columns,
                          channels, conditions);
}

static int64_t blockRowsOf(const ContractionShape &shape, int64_t rowUnit,
                           int64_t channels, unsigned elementBytes,
                           int64_t cacheBytes) {
  int64_t rowBytes = kProducts * (channels + shape.panelColumns) * elementBytes;
  int64_t rows =
      std::clamp(cacheBytes * tuning::kWinogradPercent / 100 / rowBytes,
                 tuning::kLeastWinogradRows, tuning::kMostWinogradRows);
  return llvm::alignTo(rows, rowUnit);
}

WinogradPlan::WinogradPlan(KernelFrame &frame, Contraction product)
    : frame(frame), contraction(std::move(product)),
      windows(*contraction.findWindows()), space(frame, contraction),
      reductions(planReductions(frame)),
      filter(contraction.rhs.value.getDefiningOp<tgx::UnpackOp>()),
      type(contraction.accumulator),
      channels(*staticExtent(contraction.lhs.extents.back())),
      columns(*staticExtent(contraction.result.extents.back())),
      tiles(countWinogradTiles(
          ArrayRef(contraction.result.extents).drop_front().drop_back())),
      rows(contraction.result.extents.front() * tiles[0] * tiles[1]),
      shape(shapeOf(frame, filter, rows, contraction.result.extents.back(),
                    contraction.lhs.extents.back())),
      rowUnit(reductions ? llvm::alignTo(tuning::kWinogradRowPart, shape.rows)
                         : shape.rows),
      blockRows(blockRowsOf(shape, rowUnit, channels, elementBytes(type),
                            frame.target.secondCacheBytes)),
      ops(frame.builder, frame.loc) {}

WinogradCounts::WinogradCounts(const WinogradPlan &plan, EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value one = ops.constant(1), workers = entry.workers();
  units = ops.ceilDiv(entry.get(plan.rows), ops.constant(plan.rowUnit));
  panels =
      ops.constant(llvm::divideCeil(plan.columns, plan.shape.panelColumns));
  Value least = ops.max(
      one, ops.ceilDiv(units, ops.constant(plan.blockRows / plan.rowUnit)));
  // As many for each worker, where one has several.
  Value share = ops.ceilDiv(least, workers);
  Value even = ops.mul(share, ops.min(least, workers));
  Value rows = ops.max(one, ops.min(units, even));
  alongColumns = ops.max(one, ops.min(panels, ops.div(workers, rows)));
  // Few panels: smaller blocks for all workers.
  Value left = ops.min(units, ops.div(workers, alongColumns));
  alongRows = ops.max(rows, left);
  total = ops.mul(alongRows, alongColumns);
}

WinogradBlock::WinogradBlock(const WinogradPlan &plan) {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  WinogradCounts counts(plan, frame.entry);
  total = counts.total;
  Value row = ops.rem(frame.tile, counts.alongRows);
  Value column = ops.div(frame.tile, counts.alongRows);
  auto partOf = [&](Value number, Value units, Value parts) {
    return ops.div(ops.mul(number, units), parts);
  };
  Value one = ops.constant(1), unit = ops.constant(plan.rowUnit);
  firstRow = ops.mul(partOf(row, counts.units, counts.alongRows), unit);
  Value endRow =
      ops.mul(partOf(ops.add(row, one), counts.units, counts.alongRows), unit);
  rowCount = ops.sub(ops.min(endRow, frame.extent(plan.rows)), firstRow);
  firstPanel = partOf(column, counts.panels, counts.alongColumns);
  endPanel = partOf(ops.add(column, one), counts.panels, counts.alongColumns);
}
