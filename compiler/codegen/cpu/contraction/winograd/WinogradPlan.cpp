//===- WinogradPlan.cpp - blocks of Winograd convolutions -----------------===//
#include "compiler/codegen/cpu/contraction/winograd/WinogradPlan.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

/// Returns the filter if it is an argument in its original layout; none if it
/// was transformed ahead.
static std::optional<WinogradWindows::Filter>
findFilter(KernelFrame &frame, const Contraction &contraction) {
  auto argument = dyn_cast<BlockArgument>(contraction.rhs.value);
  if (!argument)
    return std::nullopt;
  return WinogradWindows::Filter{
      frame.argument(argument), *staticExtent(contraction.lhs.extents.back()),
      *staticExtent(contraction.result.extents.back()),
      hasAdjointFilter(contraction)};
}

static ContractionShape
shapeOf(KernelFrame &frame, const Contraction &contraction, AffineExpr rows) {
  ContractionShape::Conditions conditions;
  if (auto filter = contraction.rhs.value.getDefiningOp<tgx::UnpackOp>())
    conditions.packedWidth = panelsOf(filter).getWidth();
  return ContractionShape(frame.target, elementBytes(contraction.accumulator),
                          rows, contraction.result.extents.back(),
                          contraction.lhs.extents.back(), conditions);
}

/// Returns the number of channels of a block, in whole vectors. All blocks have
/// nearly equal numbers of channels.
static int64_t blockChannelsOf(const WinogradPlan &plan) {
  if (!plan.filter)
    return plan.channels;
  int64_t lanes = plan.shape.lanes;
  int64_t factorBytes = plan.tile.products() * plan.shape.panelColumns *
                        int64_t(elementBytes(plan.type));
  int64_t room = plan.frame.target.l2Bytes * tuning::kWinogradFactorPercent /
                 100 / factorBytes;
  int64_t maxChannels = std::max<int64_t>(lanes, llvm::alignDown(room, lanes));
  int64_t blocks = llvm::divideCeil(plan.channels, maxChannels);
  return llvm::alignTo(llvm::divideCeil(plan.channels, blocks), lanes);
}

static int64_t blockRowsOf(const WinogradPlan &plan) {
  int64_t rowBytes = plan.tile.products() * int64_t(elementBytes(plan.type));
  int64_t sumBytes = rowBytes * plan.shape.panelColumns,
          inputBytes = rowBytes * plan.channels;
  int64_t cache = plan.frame.target.l2Bytes;
  int64_t rows =
      plan.filter
          ? std::min(cache * tuning::kWinogradSumPercent / 100 / sumBytes,
                     tuning::kWinogradInputBytes / inputBytes)
          : cache * tuning::kWinogradPercent / 100 / (inputBytes + sumBytes);
  return llvm::alignTo(
      std::clamp(rows, tuning::kMinWinogradRows, tuning::kMaxWinogradRows),
      plan.rowUnit);
}

WinogradPlan::WinogradPlan(KernelFrame &frame, Contraction product, Tile tile)
    : frame(frame), contraction(std::move(product)),
      windows(*contraction.findWindows()), space(frame, contraction),
      reductions(planReductions(frame)), tile(tile),
      filter(findFilter(frame, contraction)), type(contraction.accumulator),
      channels(*staticExtent(contraction.lhs.extents.back())),
      columns(*staticExtent(contraction.result.extents.back())),
      tiles(countWinogradTiles(
          tile, ArrayRef(contraction.result.extents).drop_front().drop_back())),
      rows(contraction.result.extents.front() * tiles[0] * tiles[1]),
      shape(shapeOf(frame, contraction, rows)),
      rowUnit(reductions ? reductions->getOrder().getLines().front()
                         : shape.rows),
      blockChannels(blockChannelsOf(*this)), blockRows(blockRowsOf(*this)),
      ops(frame.builder, frame.loc) {}

WinogradCounts::WinogradCounts(const WinogradPlan &plan, EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value one = ops.constant(1);
  Value workers = entry.workers();
  units = ops.ceilDiv(entry.get(plan.rows), ops.constant(plan.rowUnit));
  panels =
      ops.constant(llvm::divideCeil(plan.columns, plan.shape.panelColumns));
  Value minBlocks = ops.max(
      one, ops.ceilDiv(units, ops.constant(plan.blockRows / plan.rowUnit)));
  // If workers have several blocks, all have the same number of blocks.
  Value blocksPerWorker = ops.ceilDiv(minBlocks, workers);
  Value evenRows = ops.mul(blocksPerWorker, ops.min(minBlocks, workers));
  Value rows = ops.max(one, ops.min(units, evenRows));
  alongColumns = ops.max(one, ops.min(panels, ops.div(workers, rows)));
  // If there are too few panels for the workers, the blocks have fewer rows, so
  // that each worker gets a block.
  Value blocksForWorkers = ops.min(units, ops.div(workers, alongColumns));
  alongRows = ops.max(rows, blocksForWorkers);
  total = ops.mul(alongRows, alongColumns);
}

WinogradBlock::WinogradBlock(const WinogradPlan &plan) {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  WinogradCounts counts(plan, frame.entry);
  total = counts.total;
  Value row = ops.rem(frame.tile, counts.alongRows);
  Value column = ops.div(frame.tile, counts.alongRows);
  auto beginOf = [&](Value index, Value units, Value ranges) {
    return ops.div(ops.mul(index, units), ranges);
  };
  Value one = ops.constant(1);
  Value unit = ops.constant(plan.rowUnit);
  firstRow = ops.mul(beginOf(row, counts.units, counts.alongRows), unit);
  Value endRow =
      ops.mul(beginOf(ops.add(row, one), counts.units, counts.alongRows), unit);
  rowCount = ops.sub(ops.min(endRow, frame.extent(plan.rows)), firstRow);
  firstPanel = beginOf(column, counts.panels, counts.alongColumns);
  endPanel = beginOf(ops.add(column, one), counts.panels, counts.alongColumns);
}
