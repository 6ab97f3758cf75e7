//===- ContractionEpilogue.cpp - stores and epilogue of a product's sums --===//
#include "compiler/codegen/cpu/contraction/gemm/ContractionEpilogue.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/Cost.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace tg;

/// Returns the arguments with the extents of the result that ops after the
/// product read.
static SmallVector<Value> findMatricesAfter(const ContractionPlan &plan) {
  llvm::SmallSetVector<Value, 4> matrices;
  for (Operation *op : plan.findOpsAfter())
    for (Value value : op->getOperands())
      if (isa<BlockArgument>(value) &&
          plan.frame.extentsOf(value) ==
              ArrayRef(plan.contraction.result.extents))
        matrices.insert(value);
  return matrices.takeVector();
}

/// Returns the number of vectors of the last register tile of `vectors` vectors
/// along the columns if all vectors are statically full, otherwise none.
static std::optional<unsigned> countLastVectors(const ContractionPlan &plan,
                                                unsigned vectors) {
  int64_t width = int64_t(vectors) * plan.shape.lanes;
  if (plan.n.isMultipleOf(width))
    return vectors;
  std::optional<int64_t> columns = staticExtent(plan.n);
  if (!columns || *columns % plan.shape.lanes != 0)
    return std::nullopt;
  return *columns % width / plan.shape.lanes;
}

/// Returns true if the ops after the product can take sums from registers:
/// vectors are whole, and the ops are few and read no matrix of the result's
/// extents. The ops must be few because their code is emitted for each vector
/// of a register tile, and again for the vectors of the last columns.
static bool canTakeRegisters(const ContractionPlan &plan) {
  const ContractionShape &shape = plan.shape;
  SmallVector<Operation *> ops = plan.findOpsAfter();
  return !plan.reductions && countLastVectors(plan, shape.vectors) &&
         shape.lanes == chooseLanes(plan.frame.kernel, plan.frame.target) &&
         ops.size() <= tuning::kRegisterEpilogueOps &&
         llvm::none_of(ops, isExpensive) && findMatricesAfter(plan).empty();
}

static bool hasOneBlock(const ContractionPlan &plan) {
  std::optional<int64_t> k = staticExtent(plan.k);
  return k && *k <= plan.shape.kBlock;
}

int64_t ContractionEpilogue::scratchElements(const ContractionPlan &plan) {
  if (!hasOneBlock(plan))
    return plan.shape.tileColumns;
  return canTakeRegisters(plan) ? 0 : plan.shape.panelColumns;
}

int64_t ContractionEpilogue::totalElements(const ContractionPlan &plan) {
  return plan.blocks.size() > 1 ? plan.shape.tileColumns : 0;
}

ContractionEpilogue::ContractionEpilogue(const ContractionPlan &plan,
                                         const ContractionTile &tile,
                                         Value scratch, Value totals,
                                         const WindowLines *lines,
                                         ResultReduction *reduction)
    : plan(plan), tile(tile), sums{scratch, plan.type},
      totals{totals, plan.type}, lines(lines), reduction(reduction),
      outputs(fullOutputsOf(plan.frame, plan.reductions)),
      matrices(findMatricesAfter(plan)), takesRegisters(canTakeRegisters(plan)),
      nonTemporal(plan.frame, chooseLanes(plan.frame.kernel, plan.frame.target),
                  outputs, plan.n, /*canTest=*/!plan.nest),
      elements(plan.frame), isOneBlock(hasOneBlock(plan)) {}

bool ContractionEpilogue::canFinish(unsigned vectors) const {
  return !takesRegisters || countLastVectors(plan, vectors);
}

/// Returns the row of the result that a row of the tile computes.
Value ContractionEpilogue::resultRow(Value row) const {
  return lines ? lines->resultRow(row) : plan.ops.add(tile.firstRow, row);
}

//===----------------------------------------------------------------------===//
// After the last K-block
//===----------------------------------------------------------------------===//

/// Emits `build` for the last K-block, and `otherwise` for the other blocks.
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

void ContractionEpilogue::forEachRowRange(
    function_ref<void(const RowRange &)> build) {
  IntegerOps ops = plan.ops;
  rangeBegin = ops.constant(0);
  if (takesRegisters)
    return build({rangeBegin, tile.rows, tile.fullRows});
  // A tile without rows still stores the partial sums of empty parts.
  Value end = tile.rows;
  if (reduction)
    end = ops.max(ops.sub(tile.nextRow, tile.firstRow), ops.constant(1));
  int64_t unit = reduction
                     ? plan.shape.rowUnit
                     : llvm::alignTo(tuning::kEpilogueRows, plan.shape.rows);
  buildFor(plan.frame.builder, plan.frame.loc, rangeBegin, end, unit,
           [&](Value begin) {
             rangeBegin = begin;
             Value rows =
                 ops.min(ops.constant(unit), ops.sub(tile.rows, begin));
             RowRange range{begin, ops.max(ops.constant(0), rows), {}};
             range.fullEnd =
                 ops.add(begin, ops.roundDown(range.size, plan.shape.rows));
             build(range);
           });
}

int64_t ContractionEpilogue::countPrefetches(const KBlock &block) const {
  std::optional<int64_t> size = constantNumber(block.k.size);
  if (!size || *size == 0 || !block.k.levels.empty() ||
      block.k.unit % tuning::kUnrolledSteps != 0)
    return 1;
  return std::gcd(*size / tuning::kUnrolledSteps, tuning::kMaxPrefetches);
}

/// The cache lines of a matrix are prefetched row by row.
void ContractionEpilogue::prefetchMatrices(Value row, Value column, Value part,
                                           const KBlock &block) const {
  // The rows of a phase are not contiguous.
  if (lines && plan.windowSpace->phases > 1)
    return;
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  auto prefetch = [&](Value matrix, const Elements &elements, bool isWritten) {
    int64_t lineElements =
        tuning::kCacheLineBytes / elementBytes(elements.elementType);
    int64_t linesPerRow =
        llvm::divideCeil(plan.shape.registerColumns(), lineElements);
    int64_t count =
        llvm::divideCeil(linesPerRow * plan.shape.rows, countPrefetches(block));
    Value rowStride =
        frame.extent(frame.strideOf(matrix, plan.space.getRowDimension()));
    Value firstRow = ops.add(ops.mul(tile.matrix, tile.rowCount),
                             ops.add(tile.firstRow, row));
    Value firstColumn = ops.add(tile.firstColumn, column);
    for (int64_t shift = 0; shift < count; ++shift) {
      Value line =
          ops.add(ops.mul(part, ops.constant(count)), ops.constant(shift));
      Value lineRow =
          ops.add(firstRow, ops.div(line, ops.constant(linesPerRow)));
      Value columns = ops.mul(ops.rem(line, ops.constant(linesPerRow)),
                              ops.constant(lineElements));
      Value offset =
          ops.add(ops.mul(lineRow, rowStride), ops.add(firstColumn, columns));
      prefetchElement(frame.builder, frame.loc, elements, offset, isWritten);
    }
  };
  ifLast(block, [&] {
    for (Value matrix : matrices)
      prefetch(matrix, frame.argument(cast<BlockArgument>(matrix)),
               /*isWritten=*/false);
    for (unsigned output : outputs)
      if (!nonTemporal.alignmentOf(output))
        prefetch(frame.kernel.getOutputs()[output], frame.output(output),
                 /*isWritten=*/true);
  });
}

void ContractionEpilogue::finishRows(const RowRange &range, Value column,
                                     Value width, const KBlock &block) {
  if (takesRegisters)
    return;
  IntegerOps ops = plan.ops;
  Value begin = ops.add(tile.firstColumn, column);
  Value end = ops.add(begin, width);
  elements.provide(plan.contraction.result.value, [&](const Position &position,
                                                      unsigned lanes) {
    Value offset =
        sumOffset(currentRow, ops.sub(position.index.back(), tile.firstColumn));
    return loadElements(plan.frame.builder, plan.frame.loc, sums, offset,
                        {lanes, {}});
  });
  ifLast(block, [&] {
    if (!reduction)
      return emitRows(range, begin, end);
    auto step = [&](Value vectorColumn, unsigned count, unsigned) {
      emitReducedRows(range, vectorColumn, count);
      return success();
    };
    // Several vectors of columns at a time, then one.
    unsigned lanes = chooseLanes(plan.frame.kernel, plan.frame.target);
    int64_t wide = reduction->getLanes();
    Value middle = ops.add(begin, ops.roundDown(width, wide));
    (void)emitVectorLoop(elements, begin, middle, wide, /*unroll=*/1, step,
                         /*divisor=*/wide);
    if (wide > lanes)
      (void)emitVectorLoop(elements, middle, end, lanes, /*unroll=*/1, step);
  });
}

void ContractionEpilogue::emitRows(const RowRange &range, Value begin,
                                   Value end) {
  OpBuilder &builder = plan.frame.builder;
  unsigned lanes = chooseLanes(plan.frame.kernel, plan.frame.target);
  buildFor(builder, plan.frame.loc, range.begin,
           plan.ops.add(range.begin, range.size), 1, [&](Value row) {
             elements.setBarrier(builder.getInsertionBlock());
             currentRow = row;
             Value outputRow = resultRow(row);
             auto step = [&](Value vectorColumn, unsigned count, unsigned) {
               storeOutputs(plan.space.position(tile.matrixIndex, outputRow,
                                                vectorColumn, count),
                            count);
               return success();
             };
             (void)emitVectorLoop(elements, begin, end, lanes, /*unroll=*/1,
                                  step);
           });
}

/// Computes the outputs of a range of rows, and a partial result of the
/// reductions, for a vector of columns.
void ContractionEpilogue::emitReducedRows(const RowRange &range, Value column,
                                          unsigned lanes) {
  IntegerOps ops = plan.ops;
  Accumulators sums = reduction->getSums();
  auto enter = [&](Value row) {
    elements.setBarrier(plan.frame.builder.getInsertionBlock());
    currentRow = row;
    return plan.space.position(tile.matrixIndex, resultRow(row), column, lanes);
  };
  Value end = ops.add(range.begin, range.size);
  GroupPart partial;
  partial.count = range.size;
  partial.shifts = sums.chooseShifts(range.begin, end, lanes, [&] {
    return reduction->operandsAt(elements, enter(range.begin), lanes);
  });
  partial.terms = sums.chain(range.begin, end, lanes, [&](Value row) {
    Position position = enter(row);
    storeOutputs(position, lanes);
    return sums.termsOf(reduction->operandsAt(elements, position, lanes),
                        partial.shifts);
  });
  Value unit = ops.constant(plan.shape.rowUnit);
  Value partIndex = ops.add(
      ops.mul(tile.matrix, ops.ceilDiv(plan.frame.extent(plan.m), unit)),
      ops.div(ops.add(tile.firstRow, range.begin), unit));
  reduction->storePart(elements, partIndex, column, lanes, partial);
}

void ContractionEpilogue::emit(function_ref<void()> tiles) {
  auto emitTiles = [&] { nonTemporal.emit(tiles); };
  if (!reduction)
    return emitTiles();
  reduction->emit(elements, tile.count, emitTiles);
}

/// Computes outputs from the sums of a register tile, which may have fewer
/// vectors at the last columns.
void ContractionEpilogue::emitRegisters(const RegisterTile &shape, Value row,
                                        Value column, ValueRange totals) {
  IntegerOps ops = plan.ops;
  unsigned lastVectors = *countLastVectors(plan, shape.vectors);
  if (lastVectors == shape.vectors)
    return emitVectors(shape, row, column, totals, shape.vectors);
  OpBuilder &builder = plan.frame.builder;
  Value end =
      ops.add(column, ops.constant(int64_t(shape.vectors) * shape.lanes));
  Value isWhole = ops.compare(arith::CmpIPredicate::sle, end, tile.columns);
  auto branch = scf::IfOp::create(builder, plan.frame.loc, isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitVectors(shape, row, column, totals, shape.vectors);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  emitVectors(shape, row, column, totals, lastVectors);
}

/// Computes outputs from the first `vectors` vectors of each row of a register
/// tile.
void ContractionEpilogue::emitVectors(const RegisterTile &shape, Value row,
                                      Value column, ValueRange totals,
                                      unsigned vectors) {
  IntegerOps ops = plan.ops;
  elements.setBarrier(plan.frame.builder.getInsertionBlock());
  Value firstColumn = ops.add(tile.firstColumn, column);
  for (auto [index, total] : llvm::enumerate(totals)) {
    if (index % shape.vectors >= vectors)
      continue;
    Value outputRow =
        resultRow(ops.add(row, ops.constant(index / shape.vectors)));
    int64_t shift = int64_t(index % shape.vectors) * shape.lanes;
    Position position = plan.space.position(
        tile.matrixIndex, outputRow, ops.add(firstColumn, ops.constant(shift)),
        shape.lanes);
    elements.provide(plan.contraction.result.value,
                     [sum = total](const Position &, unsigned) { return sum; });
    storeOutputs(position, shape.lanes);
  }
}

void ContractionEpilogue::storeOutputs(const Position &position,
                                       unsigned lanes) {
  tg::storeOutputs(
      elements, outputs, lanes, [&](Value) { return position; }, &nonTemporal);
}
