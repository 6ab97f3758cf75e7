//===- ContractionEpilogue.cpp - what becomes of the sums of a product ----===//
#include "compiler/codegen/cpu/contraction/ContractionEpilogue.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/Cost.h"

using namespace mlir;
using namespace tg;

/// Whether ops behind the product read an argument of its result's extents.
static bool readsMatricesBehind(const ContractionPlan &plan) {
  auto isMatrix = [&](Value value) {
    return isa<BlockArgument>(value) &&
           plan.frame.extentsOf(value) ==
               ArrayRef(plan.contraction.result.extents);
  };
  return llvm::any_of(plan.findOpsBehind(), [&](Operation *op) {
    return llvm::any_of(op->getOperands(), isMatrix);
  });
}

/// Whether register tiles are whole and the ops behind the product few: they
/// stand once for each vector of a register tile.
static bool canTakeRegisters(const ContractionPlan &plan) {
  const ContractionShape &shape = plan.shape;
  SmallVector<Operation *> ops = plan.findOpsBehind();
  return !plan.reductions && plan.n.isMultipleOf(shape.groupColumns()) &&
         shape.lanes == chooseLanes(plan.frame.kernel, plan.frame.target) &&
         ops.size() <= tuning::kRegisterEpilogueOps &&
         llvm::none_of(ops, isExpensive) && !readsMatricesBehind(plan);
}

int64_t ContractionEpilogue::scratchElements(const ContractionPlan &plan) {
  std::optional<int64_t> k = staticExtent(plan.k);
  bool isOneBlock = k && *k <= plan.shape.kBlock;
  return isOneBlock && canTakeRegisters(plan) ? 0 : plan.shape.tileColumns;
}

ContractionEpilogue::ContractionEpilogue(const ContractionPlan &plan,
                                         const ContractionTile &tile,
                                         Value scratch,
                                         const WindowLines *lines,
                                         ResultReduction *reduction)
    : plan(plan), tile(tile), sums{scratch, plan.type}, lines(lines),
      reduction(reduction), outputs(fullOutputsOf(plan.frame, plan.reductions)),
      readsMatrices(readsMatricesBehind(plan)),
      takesRegisters(canTakeRegisters(plan)),
      streaming(plan.frame, chooseLanes(plan.frame.kernel, plan.frame.target),
                outputs, plan.n, /*canTest=*/false),
      elements(plan.frame) {}

//===----------------------------------------------------------------------===//
// Between K-blocks
//===----------------------------------------------------------------------===//

/// The row of the result that a row of the tile is.
Value ContractionEpilogue::resultRow(Value row) const {
  return lines ? lines->resultRow(row) : plan.ops.add(tile.firstRow, row);
}

/// Where the sums at (row, column) of the tile lie: in the order in which the
/// epilogue reads, whole rows of the tile or whole panels.
Value ContractionEpilogue::sumOffset(Value row, Value column,
                                     int64_t shift) const {
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  int64_t columns = readsMatrices ? shape.tileColumns : shape.panelColumns;
  Value panel = readsMatrices ? ops.constant(0)
                              : ops.roundDown(column, shape.panelColumns);
  return ops.add(
      ops.add(ops.mul(panel, tile.rows), ops.mul(row, ops.constant(columns))),
      ops.add(ops.sub(column, panel), ops.constant(shift)));
}

SmallVector<Value> ContractionEpilogue::start(const RegisterTile &shape,
                                              Value row, Value column,
                                              const KBlock &block) const {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  auto type = VectorType::get({int64_t(shape.lanes)}, plan.type);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  SmallVector<Value> zeros(shape.count(), zero);
  if (constantNumber(block.isFirst))
    return zeros;
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(zeros)),
                                  block.isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, zeros);
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> sumsSoFar;
  forEachVector(shape, row, column, [&](Value offset, unsigned) {
    sumsSoFar.push_back(
        loadElements(builder, loc, sums, offset, {shape.lanes, {}}));
  });
  scf::YieldOp::create(builder, loc, sumsSoFar);
  return llvm::to_vector_of<Value>(branch.getResults());
}

void ContractionEpilogue::finish(const RegisterTile &shape, Value row,
                                 Value column, ValueRange totals,
                                 const KBlock &block) {
  if (!takesRegisters)
    return keep(shape, row, column, totals);
  ifLast(
      block, [&] { emitRegisters(shape, row, column, totals); },
      [&] { keep(shape, row, column, totals); });
}

void ContractionEpilogue::keep(const RegisterTile &shape, Value row,
                               Value column, ValueRange totals) const {
  forEachVector(shape, row, column, [&](Value offset, unsigned number) {
    storeElements(plan.frame.builder, plan.frame.loc, sums, offset,
                  totals[number], {shape.lanes, {}});
  });
}

/// Calls `visit` with the offset of each vector of sums.
void ContractionEpilogue::forEachVector(
    const RegisterTile &shape, Value row, Value column,
    function_ref<void(Value offset, unsigned number)> visit) const {
  for (unsigned number = 0; number < shape.count(); ++number) {
    Value at = plan.ops.add(row, plan.ops.constant(number / shape.vectors));
    int64_t shift = int64_t(number % shape.vectors) * shape.lanes;
    visit(sumOffset(at, column, shift), number);
  }
}

//===----------------------------------------------------------------------===//
// Behind the last one
//===----------------------------------------------------------------------===//

/// Emits code that runs in the last K-block only, and code for the others.
void ContractionEpilogue::ifLast(const KBlock &block,
                                 function_ref<void()> build,
                                 function_ref<void()> otherwise) const {
  OpBuilder &builder = plan.frame.builder;
  OpBuilder::InsertionGuard guard(builder);
  if (constantNumber(block.isLast))
    return build();
  auto branch = scf::IfOp::create(builder, plan.frame.loc, block.isLast,
                                  /*withElseRegion=*/bool(otherwise));
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  build();
  if (!otherwise)
    return;
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  otherwise();
}

void ContractionEpilogue::prefetchOutputs(Value row, Value column,
                                          const KBlock &block) const {
  // Rows of residues lie apart.
  if (readsMatrices || (lines && plan.windowSpace->residues > 1))
    return;
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  OpBuilder &builder = frame.builder;
  auto prefetchRow = [&](const Elements &output, Value offset) {
    int64_t line = tuning::kCacheLineBytes / elementBytes(output.elementType);
    for (int64_t shift = 0; shift < plan.shape.groupColumns(); shift += line)
      prefetchElement(builder, frame.loc, output,
                      ops.add(offset, ops.constant(shift)),
                      /*isWritten=*/true);
  };
  ifLast(block, [&] {
    Value at = ops.add(tile.firstColumn, column);
    Value begin = ops.add(ops.mul(tile.matrix, tile.rowCount),
                          ops.add(tile.firstRow, row));
    Value end = ops.add(begin, ops.constant(plan.shape.rows));
    buildFor(builder, frame.loc, begin, end, 1, [&](Value outputRow) {
      for (unsigned number : outputs) {
        if (streaming.alignmentOf(number))
          continue;
        AffineExpr pitch = frame.strideOf(frame.kernel.getOutputs()[number],
                                          plan.space.getRowDimension());
        prefetchRow(frame.output(number),
                    ops.add(ops.mul(outputRow, frame.extent(pitch)), at));
      }
    });
  });
}

void ContractionEpilogue::finishPanel(Value column, Value width,
                                      const KBlock &block) {
  if (!readsMatrices && !takesRegisters)
    ifLast(block, [&] { emitColumns(column, width); });
}

void ContractionEpilogue::finishBlock(const KBlock &block) {
  if (readsMatrices)
    ifLast(block, [&] { emitColumns(plan.ops.constant(0), tile.columns); });
}

/// Gives the sums of columns to the ops behind the product and stores what they
/// make.
void ContractionEpilogue::emitColumns(Value column, Value width) {
  OpBuilder &builder = plan.frame.builder;
  IntegerOps ops = plan.ops;
  elements.provide(plan.contraction.result.value, [&](const Position &position,
                                                      unsigned lanes) {
    Value offset =
        sumOffset(currentRow, ops.sub(position.index.back(), tile.firstColumn));
    return loadElements(builder, plan.frame.loc, sums, offset, {lanes, {}});
  });
  Value begin = ops.add(tile.firstColumn, column), end = ops.add(begin, width);
  if (reduction)
    emitParts(begin, end);
  else
    emitRows(begin, end);
}

void ContractionEpilogue::emitRows(Value begin, Value end) {
  OpBuilder &builder = plan.frame.builder;
  unsigned lanes = chooseLanes(plan.frame.kernel, plan.frame.target);
  buildFor(builder, plan.frame.loc, plan.ops.constant(0), tile.rows, 1,
           [&](Value row) {
             elements.setBarrier(builder.getInsertionBlock());
             currentRow = row;
             Value outputRow = resultRow(row);
             auto step = [&](Value at, unsigned count, unsigned) {
               storeOutputs(
                   plan.space.position(tile.matrixIndex, outputRow, at, count),
                   count);
               return success();
             };
             (void)emitVectorLoop(elements, begin, end, lanes, /*unroll=*/1,
                                  step);
           });
}

/// The same part by part, each reduced vector by vector; a tile without rows
/// has empty parts.
void ContractionEpilogue::emitParts(Value begin, Value end) {
  IntegerOps ops = plan.ops;
  Value next = ops.max(tile.nextRow, ops.add(tile.firstRow, ops.constant(1)));
  unsigned lanes = chooseLanes(plan.frame.kernel, plan.frame.target);
  buildFor(plan.frame.builder, plan.frame.loc, tile.firstRow, next,
           plan.shape.rowUnit, [&](Value row) {
             auto step = [&](Value at, unsigned count, unsigned) {
               emitPart(row, at, count);
               return success();
             };
             // Several vectors of columns at once, then one.
             int64_t wide = reduction->getLanes();
             Value middle =
                 ops.add(begin, ops.roundDown(ops.sub(end, begin), wide));
             (void)emitVectorLoop(elements, begin, middle, wide, /*unroll=*/1,
                                  step, /*divisor=*/wide);
             if (wide > lanes)
               (void)emitVectorLoop(elements, middle, end, lanes, /*unroll=*/1,
                                    step);
           });
}

/// The part that begins at a row of the matrix, for a vector of columns.
void ContractionEpilogue::emitPart(Value firstRow, Value column,
                                   unsigned lanes) {
  IntegerOps ops = plan.ops;
  Value unit = ops.constant(plan.shape.rowUnit);
  Value begin = ops.sub(firstRow, tile.firstRow);
  Value end = ops.max(begin, ops.min(tile.rows, ops.add(begin, unit)));
  Accumulators sums = reduction->getSums();
  SmallVector<Value> totals = sums.accumulate(
      begin, end, 1, lanes, /*interleaved=*/1, sums.neutral(lanes),
      [&](Value row) {
        elements.setBarrier(plan.frame.builder.getInsertionBlock());
        currentRow = row;
        Position position = plan.space.position(tile.matrixIndex,
                                                resultRow(row), column, lanes);
        storeOutputs(position, lanes);
        return reduction->operandsAt(elements, position, lanes);
      });
  Value part = ops.add(
      ops.mul(tile.matrix, ops.ceilDiv(plan.frame.extent(plan.m), unit)),
      ops.div(firstRow, unit));
  reduction->leave(elements, part, column, lanes, totals);
}

void ContractionEpilogue::emit(function_ref<void()> tiles) {
  auto streamed = [&] { streaming.emit(tiles); };
  if (!reduction)
    return streamed();
  reduction->emit(elements, tile.count, streamed);
}

/// Gives the sums of a register tile to the ops behind the product.
void ContractionEpilogue::emitRegisters(const RegisterTile &shape, Value row,
                                        Value column, ValueRange totals) {
  IntegerOps ops = plan.ops;
  elements.setBarrier(plan.frame.builder.getInsertionBlock());
  Value firstColumn = ops.add(tile.firstColumn, column);
  for (auto [number, total] : llvm::enumerate(totals)) {
    Value at = resultRow(ops.add(row, ops.constant(number / shape.vectors)));
    int64_t shift = int64_t(number % shape.vectors) * shape.lanes;
    Position position = plan.space.position(
        tile.matrixIndex, at, ops.add(firstColumn, ops.constant(shift)),
        shape.lanes);
    elements.provide(plan.contraction.result.value,
                     [sum = total](const Position &, unsigned) { return sum; });
    storeOutputs(position, shape.lanes);
  }
}

void ContractionEpilogue::storeOutputs(const Position &position,
                                       unsigned lanes) {
  tg::storeOutputs(
      elements, outputs, lanes, [&](Value) { return position; }, &streaming);
}
