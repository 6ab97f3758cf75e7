//===- GemmContraction.cpp - matrix products in registers -----------------===//
#include "compiler/codegen/cpu/contraction/gemm/GemmContraction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionEpilogue.h"
#include "compiler/codegen/cpu/contraction/gemm/LeftOperand.h"
#include "compiler/codegen/cpu/contraction/gemm/RightOperand.h"

using namespace mlir;
using namespace tg;

namespace {

/// The scratch memory of a tile.
struct Scratch {
  Value sums, left, right;
  /// The copied lines of a windowed lhs, and the offsets of the tile's rows in
  /// them; null for products of matrices.
  Value lines, offsets;
};

/// The loops over K-blocks, panels and register tiles of one tile.
class ContractionLoops {
public:
  ContractionLoops(const ContractionPlan &plan, const ContractionTile &whole,
                   const Scratch &scratch, ResultReduction *reduction)
      : plan(plan), tile(whole), lines(makeLines(plan, tile, scratch)),
        left(plan, tile, scratch.left, lines.get()),
        right(plan, tile, scratch.right),
        epilogue(plan, tile, scratch.sums, lines.get(), reduction),
        ops(plan.ops) {}

  LogicalResult emit();

private:
  static std::unique_ptr<WindowLines> makeLines(const ContractionPlan &plan,
                                                const ContractionTile &tile,
                                                const Scratch &scratch);
  void emitTile();
  void emitBand();
  void emitPanel(Value column, const KBlock &block);
  void emitRegisterColumns(const Panel &panel, const RowRange &range,
                           Value column, Value panelColumn,
                           const KBlock &block);
  TilePrefetches prefetchFor(const Panel &panel, Value row, Value column,
                             Value panelColumn, const KBlock &block);
  void emitRegisters(unsigned rows, Value row, Value column,
                     const LeftRows &lhs, const Matrix &rhs,
                     const KBlock &block,
                     const TilePrefetches &prefetches = {});

  const ContractionPlan &plan;
  /// The band of rows that is being computed. Before the first band, all rows
  /// of the tile.
  ContractionTile tile;
  /// Null for a product of matrices.
  std::unique_ptr<WindowLines> lines;
  LeftOperand left;
  RightOperand right;
  ContractionEpilogue epilogue;
  IntegerOps ops;
};

} // namespace

std::unique_ptr<WindowLines>
ContractionLoops::makeLines(const ContractionPlan &plan,
                            const ContractionTile &tile,
                            const Scratch &scratch) {
  if (!plan.nest)
    return nullptr;
  return std::make_unique<WindowLines>(plan, tile, scratch.lines,
                                       scratch.offsets);
}

LogicalResult ContractionLoops::emit() {
  epilogue.emit([&] { emitTile(); });
  return failure(left.hasFailed() || epilogue.hasFailed());
}

void ContractionLoops::emitTile() {
  OpBuilder &builder = plan.frame.builder;
  if (lines)
    lines->prepare();
  if (plan.shape.bands == 1)
    return emitBand();
  right.copy();
  ContractionTile wholeTile = tile;
  Value size = ops.constant(plan.shape.tileRows);
  // There is at least one band, because a tile without rows still stores its
  // empty partial sums.
  buildFor(builder, plan.frame.loc, ops.constant(0),
           ops.max(wholeTile.rows, ops.constant(1)), plan.shape.tileRows,
           [&](Value row) {
             tile.firstRow = ops.add(wholeTile.firstRow, row);
             tile.rows = ops.min(size, ops.sub(wholeTile.rows, row));
             tile.nextRow = ops.add(tile.firstRow, tile.rows);
             tile.fullRows = ops.roundDown(tile.rows, plan.shape.rows);
             emitBand();
           });
  tile = wholeTile;
}

/// Multiplies the rows of `tile` by all columns.
void ContractionLoops::emitBand() {
  forEachBlock(plan, tile, [&](const KBlock &block) {
    left.copy(block);
    buildFor(plan.frame.builder, plan.frame.loc, ops.constant(0), tile.columns,
             plan.shape.panelColumns,
             [&](Value column) { emitPanel(column, block); });
  });
}

void ContractionLoops::emitPanel(Value column, const KBlock &block) {
  Panel panel = right.panel(column, block);
  Value width = ops.min(ops.constant(plan.shape.panelColumns),
                        ops.sub(tile.columns, column));
  epilogue.forEachRowRange([&](const RowRange &range) {
    buildFor(plan.frame.builder, plan.frame.loc, ops.constant(0), width,
             plan.shape.registerColumns(), [&](Value panelColumn) {
               emitRegisterColumns(panel, range, ops.add(column, panelColumn),
                                   panelColumn, block);
             });
    epilogue.finishRows(range, column, width, block);
  });
}

/// Returns the row counts of the register tiles that compute the rows after the
/// last full register tile. Tiles of a matrix begin at multiples of full
/// register tiles, so a static number of rows leaves one static remainder. Any
/// other remainder is covered by tiles whose row counts are powers of two, from
/// 8 or 4 down to 1.
static SmallVector<unsigned> remainingTiles(const ContractionPlan &plan) {
  unsigned rows = plan.shape.rows;
  std::optional<int64_t> known = staticExtent(plan.m);
  if (known && !plan.nest) {
    unsigned remainder = *known % rows;
    return remainder ? SmallVector<unsigned>{remainder}
                     : SmallVector<unsigned>{};
  }
  SmallVector<unsigned> sizes;
  for (unsigned size = llvm::bit_floor(rows - 1); size; size /= 2)
    sizes.push_back(size);
  return sizes;
}

/// Multiplies a range of rows by the columns of one register tile.
void ContractionLoops::emitRegisterColumns(const Panel &panel,
                                           const RowRange &range, Value column,
                                           Value panelColumn,
                                           const KBlock &block) {
  OpBuilder &builder = plan.frame.builder;
  unsigned rows = plan.shape.rows;
  Matrix rhs = panel.matrix;
  rhs.base = ops.add(rhs.base, panelColumn);
  buildFor(builder, plan.frame.loc, range.begin, range.fullEnd, rows,
           [&](Value row) {
             TilePrefetches prefetches =
                 prefetchFor(panel, row, column, panelColumn, block);
             emitRegisters(rows, row, column, left.rows(row, block), rhs, block,
                           prefetches);
           });
  // The remaining rows use smaller register tiles.
  Value row = range.fullEnd;
  Value last = ops.add(range.begin, range.size);
  for (unsigned size : remainingTiles(plan)) {
    Value end = ops.add(row, ops.roundDown(ops.sub(last, row), size));
    buildFor(builder, plan.frame.loc, row, end, size, [&](Value tileRow) {
      emitRegisters(size, tileRow, column,
                    left.remainingRows(tileRow, size, block), rhs, block);
    });
    row = end;
  }
}

/// Emits the prefetches of a full register tile: some at once, before the tile,
/// and the others by the returned callbacks, between the products of the tile.
TilePrefetches ContractionLoops::prefetchFor(const Panel &panel, Value row,
                                             Value column, Value panelColumn,
                                             const KBlock &block) {
  TilePrefetches prefetches;
  int64_t parts = prefetches.parts = epilogue.countPrefetches(block);
  auto prefetchPart = [=, this](Value part) {
    epilogue.prefetchMatrices(row, column, part, block);
    left.prefetch(row, column, part, parts);
  };
  if (prefetches.parts > 1)
    prefetches.inPart = prefetchPart;
  else
    prefetchPart(ops.constant(0));
  if (Value prefetchOffset = right.firstPrefetch(panel, row, panelColumn))
    prefetches.inIteration = [=, this, &panel](Value k) {
      right.prefetch(panel, prefetchOffset, k);
    };
  return prefetches;
}

void ContractionLoops::emitRegisters(unsigned rows, Value row, Value column,
                                     const LeftRows &lhs, const Matrix &rhs,
                                     const KBlock &block,
                                     const TilePrefetches &prefetches) {
  RegisterTile registers{rows, plan.shape.vectors, plan.shape.lanes};
  if (rows == plan.shape.rows)
    registers.steps = tuning::kUnrolledSteps;
  SmallVector<Value> start = epilogue.start(registers, row, column, block);
  KExtent k = left.extentOf(block);
  right.setRows(k);
  SmallVector<Value> sums =
      emitRegisterTile(plan.frame.builder, plan.frame.loc, registers, lhs, rhs,
                       k, start, prefetches);
  epilogue.finish(registers, row, column, sums, block);
}

/// Allocates memory for the sums and the copies of a tile, which never has more
/// rows than the result.
static Scratch takeScratch(const ContractionPlan &plan) {
  MLIRContext *context = plan.frame.kernel.getContext();
  const ContractionShape &shape = plan.shape;
  int64_t bytes = elementBytes(plan.type);
  int64_t unit = LeftOperand::rowUnit(plan);
  AffineExpr right = getAffineConstantExpr(
      RightOperand::scratchElements(plan) * bytes, context);
  SmallVector<AffineExpr> windows;
  if (plan.nest)
    windows = {getAffineConstantExpr(WindowLines::copiedElements(plan) * bytes,
                                     context),
               getAffineConstantExpr(WindowLines::tableElements(plan) *
                                         int64_t(sizeof(int64_t)),
                                     context)};
  auto sizesFor = [&](AffineExpr rows) -> SmallVector<AffineExpr> {
    SmallVector<AffineExpr> sizes = {
        rows * (ContractionEpilogue::scratchElements(plan) * bytes),
        (rows * LeftOperand::scratchElements(plan) +
         LeftOperand::commonScratchElements(plan)) *
            bytes,
        right};
    if (plan.nest)
      llvm::append_range(sizes, windows);
    return sizes;
  };
  SmallVector<AffineExpr> maxSizes = sizesFor(getAffineConstantExpr(
      int64_t(llvm::alignTo(shape.tileRows, unit)), context));
  SmallVector<AffineExpr> needed = sizesFor(plan.m.ceilDiv(unit) * unit);
  SmallVector<Value> scratch = plan.frame.takeScratch(
      staticExtent(plan.m) ? maxSizes : needed, maxSizes);
  if (!plan.nest)
    return {scratch[0], scratch[1], scratch[2], {}, {}};
  return {scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]};
}

/// Returns true if parts of `rowBlock` rows of the result of a product with
/// windows follow each other through all images: no positions are computed
/// apart from their neighbours, and parts do not begin anew with each line.
static bool hasRowsInOrder(const Contraction &contraction, int64_t rowBlock) {
  AffineExpr line = contraction.result.extents.end()[-2];
  std::optional<int64_t> length = staticExtent(line);
  bool isShort = length && *length < tuning::kMaxTileRows;
  return (isShort || line.isMultipleOf(rowBlock)) &&
         llvm::all_of(contraction.findWindows()->axes,
                      [](const WindowAxis &axis) { return axis.divisor == 1; });
}

StringRef
GemmContraction::findUnmetRequirement(const ContractionRequest &request,
                                      const TargetDescription &target) const {
  const Contraction &contraction = request.contraction;
  bool isMatrix = contraction.isMatrixProduct();
  if (!target.usesVectors || !request.hasFloatOperands())
    return "vectors, and operands of the type of the sums";
  if (!isMatrix && !contraction.findWindows())
    return "a product of matrices, or windows";
  if (!request.readsRhs ||
      !(request.readsLhs || (isMatrix && contraction.hasRowsOfLhs())))
    return "operands in memory";
  if (!request.rowOrder)
    return {};
  if (isMatrix && contraction.findFirstRowDimension())
    return "a product without batch dimensions";
  ArrayRef<int64_t> lines = request.rowOrder.getLines();
  if (lines.empty() || !request.rowOrder.getTile().empty() ||
      !ContractionShape::canReduceParts(lines.front()))
    return "sums of rows in blocks of whole register tiles";
  if (!isMatrix && !hasRowsInOrder(contraction, lines.front()))
    return "short lines of windows at whole positions, next to reductions";
  return {};
}

LogicalResult GemmContraction::emit(KernelFrame &frame,
                                    Contraction contraction) const {
  ContractionPlan plan(frame, std::move(contraction));
  ContractionTile tile(plan);
  std::optional<ResultReduction> reduction;
  if (plan.reductions)
    reduction.emplace(ResultReduction::Rows{frame, *plan.reductions, plan.space,
                                            plan.countRowUnits()});
  return ContractionLoops(plan, tile, takeScratch(plan),
                          reduction ? &*reduction : nullptr)
      .emit();
}
