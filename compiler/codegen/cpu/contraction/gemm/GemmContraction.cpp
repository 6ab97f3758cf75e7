//===- GemmContraction.cpp - matrix products in registers -----------------===//
#include "compiler/codegen/cpu/contraction/gemm/GemmContraction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionEpilogue.h"
#include "compiler/codegen/cpu/contraction/gemm/LeftOperand.h"
#include "compiler/codegen/cpu/contraction/gemm/RightOperand.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"

using namespace mlir;
using namespace tg;

namespace {

/// The scratch memory of a tile.
struct Scratch {
  Value sums, totals, left, right;
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
        epilogue(plan, tile, scratch.sums, scratch.totals, lines.get(),
                 reduction),
        ops(plan.ops) {}

  LogicalResult emit();

private:
  static std::unique_ptr<WindowLines> makeLines(const ContractionPlan &plan,
                                                const ContractionTile &tile,
                                                const Scratch &scratch);
  void emitTile();
  void emitBand();
  void emitPanel(Value column, const KBlock &block);
  void emitFullTiles(const Panel &panel, const RowRange &range, Value column,
                     Value panelColumn, const KBlock &block);
  void emitRemainingRows(const Panel &panel, const RowRange &range,
                         Value column, Value width, const KBlock &block);
  void emitRemainingTiles(const Panel &panel, const RegisterTile &registers,
                          const RowRange &range, Value column, Value width,
                          const KBlock &block);
  RegisterTile remainingTile(unsigned rows) const;
  TilePrefetches prefetchFor(const Panel &panel, Value row, Value column,
                             Value panelColumn, const KBlock &block);
  void emitRegisters(const RegisterTile &registers, Value row, Value column,
                     const LeftRows &lhs, const Matrix &rhs,
                     const KBlock &block,
                     const TilePrefetches &prefetches = {});
  SmallVector<Value> emitSums(const RegisterTile &registers, Value row,
                              Value column, const LeftRows &lhs,
                              const Matrix &rhs, const KBlock &block,
                              const TilePrefetches &prefetches) const;

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
               emitFullTiles(panel, range, column, panelColumn, block);
             });
    emitRemainingRows(panel, range, column, width, block);
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

/// Multiplies the rows of full register tiles by the columns of one.
void ContractionLoops::emitFullTiles(const Panel &panel, const RowRange &range,
                                     Value column, Value panelColumn,
                                     const KBlock &block) {
  const ContractionShape &shape = plan.shape;
  RegisterTile registers{shape.rows, shape.vectors, shape.lanes,
                         tuning::kUnrolledSteps};
  Matrix rhs = panel.matrix;
  rhs.base = ops.add(rhs.base, panelColumn);
  Value tileColumn = ops.add(column, panelColumn);
  buildFor(plan.frame.builder, plan.frame.loc, range.begin, range.fullEnd,
           shape.rows, [&](Value row) {
             TilePrefetches prefetches =
                 prefetchFor(panel, row, tileColumn, panelColumn, block);
             emitRegisters(registers, row, tileColumn, left.rows(row, block),
                           rhs, block, prefetches);
           });
}

/// Returns the register tile of a few remaining rows. It has more vectors of
/// columns than a full tile where that is needed to hide the latency of
/// additions: each sum is one chain.
RegisterTile ContractionLoops::remainingTile(unsigned rows) const {
  const ContractionShape &shape = plan.shape;
  RegisterTile registers{rows, shape.vectors, shape.lanes};
  int64_t needed = shape.panelColumns / shape.lanes;
  if (std::optional<int64_t> columns = staticExtent(plan.n))
    needed = std::min<int64_t>(needed, llvm::divideCeil(*columns, shape.lanes));
  auto isUseful = [&](unsigned vectors) {
    return rows * vectors <= tuning::kMinAccumulators && vectors < 2 * needed &&
           shape.panelColumns % (int64_t(vectors) * shape.lanes) == 0 &&
           epilogue.canFinish(vectors);
  };
  while (isUseful(2 * registers.vectors))
    registers.vectors *= 2;
  if (registers.count() <= tuning::kMinAccumulators)
    registers.steps = tuning::kUnrolledSteps;
  return registers;
}

/// Multiplies the rows after the full register tiles by the columns of a panel.
void ContractionLoops::emitRemainingRows(const Panel &panel,
                                         const RowRange &range, Value column,
                                         Value width, const KBlock &block) {
  Value row = range.fullEnd;
  Value last = ops.add(range.begin, range.size);
  for (unsigned size : remainingTiles(plan)) {
    Value end = ops.add(row, ops.roundDown(ops.sub(last, row), size));
    emitRemainingTiles(panel, remainingTile(size), {row, {}, end}, column,
                       width, block);
    row = end;
  }
}

/// Multiplies the rows before `range.fullEnd` by the columns of a panel.
void ContractionLoops::emitRemainingTiles(const Panel &panel,
                                          const RegisterTile &registers,
                                          const RowRange &range, Value column,
                                          Value width, const KBlock &block) {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  auto emitTile = [&](Value row, Value panelColumn) {
    Matrix rhs = panel.matrix;
    rhs.base = ops.add(rhs.base, panelColumn);
    emitRegisters(registers, row, ops.add(column, panelColumn),
                  left.remainingRows(row, registers.rows, block), rhs, block);
  };
  buildFor(builder, loc, range.begin, range.fullEnd, registers.rows,
           [&](Value row) {
             buildFor(builder, loc, ops.constant(0), width,
                      int64_t(registers.vectors) * registers.lanes,
                      [&](Value panelColumn) { emitTile(row, panelColumn); });
           });
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

void ContractionLoops::emitRegisters(const RegisterTile &registers, Value row,
                                     Value column, const LeftRows &lhs,
                                     const Matrix &rhs, const KBlock &block,
                                     const TilePrefetches &prefetches) {
  SmallVector<Value> sums =
      emitSums(registers, row, column, lhs, rhs, block, prefetches);
  epilogue.finish(registers, row, column, sums, block);
}

/// Returns the sums of a K-block. The block of a single row may hold several
/// blocks of the sum (see forEachBlock).
SmallVector<Value>
ContractionLoops::emitSums(const RegisterTile &registers, Value row,
                           Value column, const LeftRows &lhs, const Matrix &rhs,
                           const KBlock &block,
                           const TilePrefetches &prefetches) const {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  if (registers.rows == 1 && plan.unpack && !plan.blocks.empty())
    return emitBlockedTile(builder, loc, registers, lhs, rhs, block.k,
                           plan.blocks);
  KExtent k = left.extentOf(block);
  right.setRows(k);
  return emitRegisterTile(builder, loc, registers, lhs, rhs, k,
                          epilogue.start(registers, row, column, block),
                          prefetches);
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
        rows * (ContractionEpilogue::totalElements(plan) * bytes),
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
  scratch.resize(6);
  return {scratch[0], scratch[1], scratch[2],
          scratch[3], scratch[4], scratch[5]};
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
  SmallVector<int64_t> blocks = findProductBlocks(contraction);
  if (!isMatrix && !blocks.empty())
    return "sums of windows in one chain";
  if (blocks.size() > 2 ||
      (!blocks.empty() && blocks.front() > ContractionShape::maxKBlock(target)))
    return "sums in blocks that fit into L1, and in groups of these";
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
