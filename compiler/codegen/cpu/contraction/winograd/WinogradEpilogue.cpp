//===- WinogradEpilogue.cpp - output transform and epilogue ---------------===//
#include "compiler/codegen/cpu/contraction/winograd/WinogradEpilogue.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include <numeric>

using namespace mlir;
using namespace tg;

static Type totalType(ReductionOpInterface reduction) {
  return getElementTypeOrSelf(reduction->getResult(0));
}

SmallVector<int64_t>
WinogradEpilogue::scratchBytes(const WinogradPlan &plan,
                               const ResultReduction *reduction) {
  int64_t columns = plan.shape.panelColumns;
  int64_t bytes = elementBytes(plan.type);
  int64_t positions = plan.tile.positions;
  SmallVector<int64_t> sizes = {plan.tile.products() * plan.sumSize() * bytes,
                                positions * positions * columns * bytes};
  if (!reduction)
    return sizes;
  Accumulators sums = reduction->getSums();
  for (ReductionOpInterface each : sums.getTerms())
    sizes.push_back(columns * elementBytes(totalType(each)));
  if (sums.usesShifts())
    for (ReductionOpInterface each : reduction->getReductions())
      sizes.push_back(columns * elementBytes(totalType(each)));
  return sizes;
}

WinogradEpilogue::Scratch
WinogradEpilogue::makeScratch(const WinogradPlan &plan,
                              const ResultReduction *reduction,
                              ArrayRef<Value> memory) {
  Scratch scratch{{memory[0], plan.type}, {memory[1], plan.type}, {}, {}};
  if (!reduction)
    return scratch;
  Accumulators sums = reduction->getSums();
  for (auto [each, pointer] : llvm::zip(sums.getTerms(), memory.drop_front(2)))
    scratch.totals.push_back({pointer, totalType(each)});
  for (auto [each, pointer] :
       llvm::zip(reduction->getReductions(),
                 memory.drop_front(2 + sums.getTerms().size())))
    scratch.shifts.push_back({pointer, totalType(each)});
  return scratch;
}

WinogradEpilogue::WinogradEpilogue(const WinogradPlan &plan,
                                   const WinogradBlock &block,
                                   const Scratch &scratch,
                                   ResultReduction *reduction)
    : plan(plan), block(block), frame(plan.frame), builder(frame.builder),
      loc(frame.loc), ops(plan.ops), scratch(scratch), reduction(reduction),
      outputs(fullOutputsOf(frame, plan.reductions)), elements(frame) {
  for (AffineExpr extent :
       ArrayRef(plan.contraction.result.extents).drop_front().drop_back())
    extents.push_back(frame.extent(extent));
}

void WinogradEpilogue::emit(function_ref<void()> tiles) {
  if (!reduction)
    return tiles();
  reduction->emit(elements, block.total, tiles);
}

void WinogradEpilogue::finishPanel(Value firstColumn, Value width) {
  panelColumn = firstColumn;
  elements.provide(plan.contraction.result.value,
                   [this](const Position &position, unsigned lanes) {
                     Value column = ops.sub(position.index.back(), panelColumn);
                     return loadElements(builder, loc, scratch.results,
                                         ops.add(currentOffset, column),
                                         lanesOf(elements, lanes));
                   });
  Value end = ops.add(firstColumn, width);
  if (reduction)
    return reduceParts(firstColumn, end);
  buildFor(builder, loc, ops.constant(0), block.rowCount, 1, [&](Value row) {
    transformSums(row, width);
    storeRow(row, firstColumn, end);
  });
}

/// Transforms the sums of a row (one Winograd tile) for `width` columns of a
/// panel. Needs no masks, because panels consist of full vectors.
void WinogradEpilogue::transformSums(Value row, Value width) const {
  unsigned lanes = plan.shape.lanes;
  int64_t columns = plan.shape.panelColumns;
  Value first = ops.mul(row, ops.constant(columns));
  buildFor(builder, loc, ops.constant(0), width, lanes, [&](Value column) {
    SmallVector<Value> sums;
    Value source = ops.add(first, column);
    for (int64_t product = 0; product < plan.tile.products(); ++product)
      sums.push_back(
          loadElements(builder, loc, scratch.sums,
                       ops.add(source, ops.constant(product * plan.sumSize())),
                       {lanes, {}}));
    for (auto [position, value] :
         llvm::enumerate(plan.tile.transformOutput(builder, loc, sums)))
      storeElements(builder, loc, scratch.results,
                    ops.add(column, ops.constant(int64_t(position) * columns)),
                    value, {lanes, {}});
  });
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

WinogradEpilogue::OutputTile WinogradEpilogue::outputTileOf(Value row) const {
  WinogradTileIndex tileIndex =
      winogradTileIndexOf(frame, plan.tiles, ops.add(block.firstRow, row));
  Value size = ops.constant(plan.tile.positions);
  Value line = ops.mul(tileIndex.line, size);
  Value column = ops.mul(tileIndex.column, size);
  return {tileIndex.image, line, column,
          ops.min(size, ops.sub(extents[0], line)),
          ops.min(size, ops.sub(extents[1], column))};
}

void WinogradEpilogue::forEachVector(
    Value begin, Value end, unsigned lanes,
    function_ref<void(Value column, unsigned count)> build) {
  auto step = [&](Value column, unsigned count, unsigned) {
    build(column, count);
    return success();
  };
  (void)emitVectorLoop(elements, begin, end, lanes, /*unroll=*/1, step,
                       std::gcd(plan.columns, plan.shape.panelColumns));
}

/// Selects the scratch results at position (y, x) of a Winograd tile for the
/// loads that follow. Returns the position in the result of `lanes` columns
/// from `column` on.
Position WinogradEpilogue::selectPosition(const OutputTile &tile, Value y,
                                          Value x, Value column,
                                          unsigned lanes) {
  Value positionIndex =
      ops.add(ops.mul(y, ops.constant(plan.tile.positions)), x);
  currentOffset = ops.mul(positionIndex, ops.constant(plan.shape.panelColumns));
  Value line = ops.add(ops.mul(tile.image, extents[0]), ops.add(tile.line, y));
  Value row = ops.add(ops.mul(line, extents[1]), ops.add(tile.column, x));
  return plan.space.position({}, row, column, lanes);
}

void WinogradEpilogue::storeRow(Value row, Value begin, Value end) {
  unsigned lanes = chooseLanes(frame.kernel, frame.target);
  OutputTile tile = outputTileOf(row);
  Value zero = ops.constant(0);
  buildFor(builder, loc, zero, tile.lines, 1, [&](Value y) {
    buildFor(builder, loc, zero, tile.columns, 1, [&](Value x) {
      elements.setBarrier(builder.getInsertionBlock());
      forEachVector(begin, end, lanes, [&](Value column, unsigned count) {
        Position position = selectPosition(tile, y, x, column, count);
        storeOutputs(elements, outputs, count, [&](Value) { return position; });
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Reduces the rows of the block in parts of `plan.rowUnit` rows. A block
/// without rows has one empty part.
void WinogradEpilogue::reduceParts(Value begin, Value end) {
  Value rows = ops.max(block.rowCount, ops.constant(1));
  buildFor(builder, loc, ops.constant(0), rows, plan.rowUnit,
           [&](Value row) { reducePart(row, begin, end); });
}

/// Initializes the totals of a part to neutral elements, and its shifts to
/// zero.
void WinogradEpilogue::clearPart(Value begin, Value end) {
  Accumulators sums = reduction->getSums();
  forEachVector(
      begin, end, reduction->getLanes(), [&](Value column, unsigned count) {
        store(scratch.totals, column, count, sums.neutral(count));
        for (const Elements &shifts : scratch.shifts) {
          Value zero = arith::ConstantOp::create(
              builder, loc, builder.getZeroAttr(shifts.elementType));
          store(shifts, column, count, splatTo(builder, loc, zero, count));
        }
      });
}

/// Stores the operands at the first position of a Winograd tile as the shifts
/// of the part, if the tile is the first one of the part.
void WinogradEpilogue::chooseShifts(Value isFirst, const OutputTile &tile,
                                    Value begin, Value end) {
  auto branch = scf::IfOp::create(builder, loc, isFirst,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  elements.setBarrier(builder.getInsertionBlock());
  Value zero = ops.constant(0);
  forEachVector(
      begin, end, reduction->getLanes(), [&](Value column, unsigned count) {
        Position position = selectPosition(tile, zero, zero, column, count);
        store(scratch.shifts, column, count,
              reduction->operandsAt(elements, position, count));
      });
}

/// Reduces a part: sums each Winograd tile separately, adds the result to the
/// totals of the part, and stores these.
void WinogradEpilogue::reducePart(Value firstRow, Value begin, Value end) {
  unsigned lanes = reduction->getLanes();
  Accumulators sums = reduction->getSums();
  clearPart(begin, end);
  Value unit = ops.constant(plan.rowUnit);
  Value zero = ops.constant(0);
  Value endRow = ops.min(block.rowCount, ops.add(firstRow, unit));
  auto reduceRow = [&](Value row, ValueRange positions) -> SmallVector<Value> {
    transformSums(row, ops.sub(end, begin));
    OutputTile tile = outputTileOf(row);
    if (!scratch.shifts.empty())
      chooseShifts(ops.compare(arith::CmpIPredicate::eq, row, firstRow), tile,
                   begin, end);
    forEachVector(begin, end, lanes, [&](Value column, unsigned count) {
      SmallVector<Value> tileTerms = reduceTile(tile, column, count);
      SmallVector<Value> partTerms = load(scratch.totals, column, count);
      store(scratch.totals, column, count, sums.combine(partTerms, tileTerms));
    });
    return {ops.add(positions[0], ops.mul(tile.lines, tile.columns))};
  };
  Value positions =
      buildFor(builder, loc, firstRow, endRow, 1, zero, reduceRow)[0];
  Value part = ops.div(ops.add(block.firstRow, firstRow), unit);
  forEachVector(begin, end, lanes, [&](Value column, unsigned count) {
    GroupPart partial{load(scratch.totals, column, count),
                      load(scratch.shifts, column, count), positions};
    reduction->storePart(elements, part, column, count, partial);
  });
}

/// Stores the outputs of a Winograd tile, and returns their sums, added in
/// row-major order of the positions.
SmallVector<Value> WinogradEpilogue::reduceTile(const OutputTile &tile,
                                                Value column, unsigned lanes) {
  Accumulators sums = reduction->getSums();
  SmallVector<Value> shifts = load(scratch.shifts, column, lanes);
  Value zero = ops.constant(0);
  auto reduceLine = [&](Value y, ValueRange carried) {
    return buildFor(builder, loc, zero, tile.columns, 1, carried,
                    [&](Value x, ValueRange line) {
                      elements.setBarrier(builder.getInsertionBlock());
                      Position position =
                          selectPosition(tile, y, x, column, lanes);
                      storeOutputs(elements, outputs, lanes,
                                   [&](Value) { return position; });
                      SmallVector<Value> operands =
                          reduction->operandsAt(elements, position, lanes);
                      return sums.combine(line, sums.termsOf(operands, shifts));
                    });
  };
  return buildFor(builder, loc, zero, tile.lines, 1, sums.neutral(lanes),
                  reduceLine);
}

SmallVector<Value> WinogradEpilogue::load(ArrayRef<Elements> memory,
                                          Value column, unsigned lanes) const {
  Value offset = ops.sub(column, panelColumn);
  return llvm::map_to_vector(memory, [&](const Elements &each) {
    return loadElements(builder, loc, each, offset, lanesOf(elements, lanes));
  });
}

void WinogradEpilogue::store(ArrayRef<Elements> memory, Value column,
                             unsigned lanes, ValueRange values) const {
  Value offset = ops.sub(column, panelColumn);
  for (auto [each, value] : llvm::zip_equal(memory, values))
    storeElements(builder, loc, each, offset, value, lanesOf(elements, lanes));
}
