//===- Winograd.cpp - convolutions by transformed tiles -------------------===//
#include "compiler/codegen/cpu/contraction/Winograd.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/WinogradPlan.h"
#include "compiler/codegen/cpu/contraction/WinogradTiles.h"
#include "compiler/codegen/cpu/contraction/WinogradTransform.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {

/// Scratch memory of a tile: the lhs transformed, [products][rows][pitch]; the
/// sums of a panel, [products][rows][columns]; the elements of the lhs that a
/// Winograd tile meets where some are outside, [6][6][channels]; what the sums
/// of a Winograd tile become, [4][4][columns].
struct WinogradScratch {
  Elements inputs, sums, patch, results;
};

/// Emits one tile of the launch.
class WinogradLoops {
public:
  WinogradLoops(const WinogradPlan &plan, const WinogradCounts &counts,
                const WinogradScratch &scratch);

  LogicalResult emit();

private:
  WinogradPlace placeOf(Value row) const;
  void transformRow(Value row) const;
  void multiplyPanel(Value panel, Value width) const;
  void multiplyGroup(Value product, Value panel, Value column) const;
  void finishRow(Value row, Value firstColumn, Value width);
  void transformSums(Value row, Value width) const;
  void storeOutputs(const WinogradPlace &place, Value begin, Value end);

  const WinogradPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  WinogradScratch scratch;
  Elements filter;
  WinogradSquares squares;
  /// Extents of the result along the axes.
  SmallVector<Value, 2> resultExtents;
  Value firstRow, rowCount, firstPanel, endPanel;
  ElementEmitter elements;
  /// Where the position that is being computed lies in the results of a
  /// Winograd tile.
  Value currentOffset;
};

} // namespace

//===----------------------------------------------------------------------===//
// WinogradLoops
//===----------------------------------------------------------------------===//

/// The lhs, of which all channels are read at once.
static WinogradSquares::Images imagesOf(const WinogradPlan &plan) {
  WinogradSquares::Images images{
      cast<BlockArgument>(plan.contraction.lhs.value),
      plan.contraction.lhs.extents,
      kInputs,
      {},
      plan.wholeChannels(),
      plan.shape.lanes};
  for (const WindowAxis &axis : plan.windows.axes)
    images.offsets.push_back(firstElementOf(plan.frame, axis));
  return images;
}

WinogradLoops::WinogradLoops(const WinogradPlan &plan,
                             const WinogradCounts &counts,
                             const WinogradScratch &scratch)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), scratch(scratch),
      filter(frame.argument(
          cast<BlockArgument>(tgx::UnpackOp(plan.filter).getInput()))),
      squares(frame, imagesOf(plan), scratch.patch), elements(frame) {
  for (AffineExpr extent :
       ArrayRef(plan.contraction.result.extents).drop_front().drop_back())
    resultExtents.push_back(frame.extent(extent));
  Value row = ops.rem(frame.tile, counts.alongRows);
  Value column = ops.div(frame.tile, counts.alongRows);
  auto partOf = [&](Value number, Value units, Value parts) {
    return ops.div(ops.mul(number, units), parts);
  };
  Value one = ops.constant(1), unit = ops.constant(plan.shape.rows);
  firstRow = ops.mul(partOf(row, counts.units, counts.alongRows), unit);
  Value endRow =
      ops.mul(partOf(ops.add(row, one), counts.units, counts.alongRows), unit);
  rowCount = ops.sub(ops.min(endRow, frame.extent(plan.rows)), firstRow);
  firstPanel = partOf(column, counts.panels, counts.alongColumns);
  endPanel = partOf(ops.add(column, one), counts.panels, counts.alongColumns);
}

LogicalResult WinogradLoops::emit() {
  Value zero = ops.constant(0), width = ops.constant(plan.shape.panelColumns);
  buildFor(builder, loc, zero, rowCount, 1,
           [&](Value row) { transformRow(row); });
  buildFor(builder, loc, firstPanel, endPanel, 1, [&](Value panel) {
    Value column = ops.mul(panel, width);
    Value count = ops.min(width, ops.sub(ops.constant(plan.columns), column));
    multiplyPanel(panel, count);
    buildFor(builder, loc, zero, rowCount, 1,
             [&](Value row) { finishRow(row, column, count); });
  });
  return failure(elements.hasFailed());
}

WinogradPlace WinogradLoops::placeOf(Value row) const {
  return winogradPlaceOf(frame, plan.tiles, ops.add(firstRow, row));
}

/// The elements that a Winograd tile meets, transformed.
void WinogradLoops::transformRow(Value row) const {
  Value first = ops.mul(row, ops.constant(plan.pitch()));
  squares.visit(
      placeOf(row), ops.constant(0), ops.constant(plan.channels),
      [&](Value channel, ValueRange square) {
        Value target = ops.add(first, channel);
        for (auto [number, value] :
             llvm::enumerate(transformInput(builder, loc, square)))
          storeElements(
              builder, loc, scratch.inputs,
              ops.add(target, ops.constant(int64_t(number) * plan.inputSize())),
              value, {plan.shape.lanes, {}});
      });
}

void WinogradLoops::multiplyPanel(Value panel, Value width) const {
  buildFor(builder, loc, ops.constant(0), ops.constant(kProducts), 1,
           [&](Value product) {
             buildFor(builder, loc, ops.constant(0), width,
                      plan.shape.groupColumns(), [&](Value column) {
                        multiplyGroup(product, panel, column);
                      });
           });
}

/// One product for all rows and a group of columns.
void WinogradLoops::multiplyGroup(Value product, Value panel,
                                  Value column) const {
  const ContractionShape &shape = plan.shape;
  Value width = ops.constant(shape.panelColumns), one = ops.constant(1);
  int64_t panels = llvm::divideCeil(plan.columns, shape.panelColumns);
  Value number = ops.add(ops.mul(product, ops.constant(panels)), panel);
  Value factors = ops.mul(ops.mul(number, ops.constant(plan.channels)), width);
  Value inputs = ops.mul(product, ops.constant(plan.inputSize())),
        sums = ops.mul(product, ops.constant(plan.sumSize()));
  KExtent k{ops.constant(plan.channels),
            std::gcd(plan.channels, tuning::kBlockUnit)};
  emitWinogradProduct(
      frame, shape,
      {{scratch.inputs, inputs, ops.constant(plan.pitch()), one},
       {filter, ops.add(factors, column), width, one},
       {scratch.sums, ops.add(sums, column), width, one},
       k},
      rowCount);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

void WinogradLoops::finishRow(Value row, Value firstColumn, Value width) {
  transformSums(row, width);
  Value end = ops.add(firstColumn, width);
  elements.provide(
      plan.contraction.result.value,
      [this, firstColumn](const Position &position, unsigned lanes) {
        Value column = ops.sub(position.index.back(), firstColumn);
        return loadElements(builder, loc, scratch.results,
                            ops.add(currentOffset, column), {lanes, {}});
      });
  storeOutputs(placeOf(row), firstColumn, end);
}

/// A vector has columns of the panel or none.
void WinogradLoops::transformSums(Value row, Value width) const {
  unsigned lanes = plan.shape.lanes;
  int64_t columns = plan.shape.panelColumns;
  Value first = ops.mul(row, ops.constant(columns));
  buildFor(builder, loc, ops.constant(0), width, lanes, [&](Value column) {
    SmallVector<Value> sums;
    Value source = ops.add(first, column);
    for (int64_t number = 0; number < kProducts; ++number)
      sums.push_back(loadElements(
          builder, loc, scratch.sums,
          ops.add(source, ops.constant(number * plan.sumSize())), {lanes, {}}));
    for (auto [number, value] :
         llvm::enumerate(transformOutput(builder, loc, sums)))
      storeElements(builder, loc, scratch.results,
                    ops.add(column, ops.constant(int64_t(number) * columns)),
                    value, {lanes, {}});
  });
}

/// Gives the positions of a Winograd tile that the result has to the ops behind
/// the convolution, and stores what they make.
void WinogradLoops::storeOutputs(const WinogradPlace &place, Value begin,
                                 Value end) {
  Value size = ops.constant(kPositions);
  Value firstLine = ops.mul(place.line, size),
        firstColumn = ops.mul(place.column, size);
  auto within = [&](Value first, Value extent) {
    return ops.min(size, ops.sub(extent, first));
  };
  unsigned lanes = chooseLanes(frame.kernel, frame.target);
  int64_t divisor = std::gcd(plan.columns, plan.shape.panelColumns);
  auto numbers =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  auto emitPosition = [&](Value y, Value x) {
    elements.setBarrier(builder.getInsertionBlock());
    currentOffset = ops.mul(ops.add(ops.mul(y, size), x),
                            ops.constant(plan.shape.panelColumns));
    Value line =
        ops.add(ops.mul(place.image, resultExtents[0]), ops.add(firstLine, y));
    Value row =
        ops.add(ops.mul(line, resultExtents[1]), ops.add(firstColumn, x));
    auto step = [&](Value at, unsigned count, unsigned) {
      Position position = plan.space.position({}, row, at, count);
      tg::storeOutputs(elements, numbers, count,
                       [&](Value) { return position; });
      return success();
    };
    (void)emitVectorLoop(elements, begin, end, lanes, /*unroll=*/1, step,
                         divisor);
  };
  buildFor(builder, loc, ops.constant(0), within(firstLine, resultExtents[0]),
           1, [&](Value y) {
             buildFor(builder, loc, ops.constant(0),
                      within(firstColumn, resultExtents[1]), 1,
                      [&](Value x) { emitPosition(y, x); });
           });
}

static WinogradScratch takeScratch(const WinogradPlan &plan) {
  int64_t bytes = elementBytes(plan.type);
  auto size = [&](int64_t elements) {
    return getAffineConstantExpr(elements * bytes,
                                 plan.frame.kernel.getContext());
  };
  SmallVector<Value> memory = plan.frame.takeScratch(
      {size(kProducts * plan.inputSize()), size(kProducts * plan.sumSize()),
       size(WinogradSquares::patchElements(kInputs, plan.wholeChannels())),
       size(kPositions * kPositions * plan.shape.panelColumns)});
  auto elements = [&](unsigned number) {
    return Elements{memory[number], plan.type};
  };
  return {elements(0), elements(1), elements(2), elements(3)};
}

LogicalResult tg::emitWinograd(KernelFrame &frame, Contraction contraction) {
  if (!hasWinogradWindows(frame, contraction))
    return frame.kernel.emitOpError()
           << "expected -O2, and a convolution of an argument in steps of one "
              "with known channels, for a filter that was transformed ahead";
  WinogradPlan plan(frame, std::move(contraction));
  frame.setTiles([&](EntryExtents &entry) {
    WinogradCounts counts(plan, entry);
    return entry.integers().mul(counts.alongRows, counts.alongColumns);
  });
  WinogradCounts counts(plan, frame.entry);
  return WinogradLoops(plan, counts, takeScratch(plan)).emit();
}
