//===- Winograd.cpp - convolutions by transformed tiles -------------------===//
#include "compiler/codegen/cpu/contraction/Winograd.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/ContractionShape.h"
#include "compiler/codegen/cpu/contraction/ContractionSpace.h"
#include "compiler/codegen/cpu/contraction/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/RegisterTile.h"
#include "compiler/codegen/cpu/contraction/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/WinogradTransform.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {

/// What is known before a tile of the launch begins.
struct WinogradPlan {
  WinogradPlan(KernelFrame &frame, Contraction product);
  WinogradPlan(const WinogradPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  WindowedLhs windows;
  ContractionSpace space;
  tgx::UnpackOp filter;
  Type type;
  /// Channels of the lhs, columns of the result.
  int64_t channels, columns;
  /// Winograd tiles along each axis, and of all images: rows of the products.
  SmallVector<AffineExpr, 2> tiles;
  AffineExpr rows;
  ContractionShape shape;
  /// The most rows of a block, whose transformed lhs and sums of a panel the
  /// second cache has room for.
  int64_t blockRows;
  IntegerOps ops;

  /// Elements from row to row of a transformed lhs, and from one product's to
  /// the next one's.
  int64_t pitch() const { return channels + shape.lanes; }
  int64_t inputSize() const { return blockRows * pitch(); }
  int64_t sumSize() const { return blockRows * shape.panelColumns; }
};

/// Scratch memory of a tile: the lhs transformed, [products][rows][pitch]; the
/// sums of a panel, [products][rows][columns]; the elements of the lhs that a
/// Winograd tile meets where some are outside, [6][6][channels]; what the sums
/// of a Winograd tile become, [4][4][columns].
struct WinogradScratch {
  Elements inputs, sums, patch, results;
};

/// How a launch is cut: blocks of rows, and of columns where rows are too few
/// for the workers. Rows are cut in whole register tiles: each is summed in the
/// same order wherever blocks end.
struct WinogradCounts {
  WinogradCounts(const WinogradPlan &plan, EntryExtents &entry);

  Value units, panels, alongRows, alongColumns;
};

/// Emits one tile of the launch.
class WinogradLoops {
public:
  WinogradLoops(const WinogradPlan &plan, const WinogradCounts &counts,
                const WinogradScratch &scratch);

  LogicalResult emit();

private:
  /// A Winograd tile: its image and its place along the axes.
  struct Place {
    Value image, line, column;
  };
  Place placeOf(Value row) const;
  void transformRow(Value row) const;
  Value inputOffset(Value image, Value y, Value x) const;
  void fillPatch(const Place &place, ArrayRef<Value> first) const;
  void multiplyPanel(Value panel, Value width) const;
  void multiplyRows(Value product, Value panel, Value column, Value begin,
                    Value end, unsigned rows) const;
  void finishRow(Value row, Value firstColumn, Value width);
  void transformSums(Value row, Value width) const;
  void storeOutputs(const Place &place, Value begin, Value end);

  const WinogradPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  WinogradScratch scratch;
  Elements input, filter;
  /// Extents of the lhs and of the result along the axes, and where the first
  /// window begins.
  SmallVector<Value, 2> inputExtents, resultExtents, offsets;
  Value firstRow, rowCount, firstPanel, endPanel;
  ElementEmitter elements;
  /// Where the position that is being computed lies in the results of a
  /// Winograd tile.
  Value currentOffset;
};

} // namespace

//===----------------------------------------------------------------------===//
// WinogradPlan, WinogradCounts
//===----------------------------------------------------------------------===//

static SmallVector<AffineExpr, 2> tilesOf(const Contraction &contraction) {
  SmallVector<AffineExpr, 2> tiles;
  for (AffineExpr extent :
       ArrayRef(contraction.result.extents).drop_front().drop_back())
    tiles.push_back(extent.ceilDiv(kPositions));
  return tiles;
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

/// Whole register tiles.
static int64_t blockRowsOf(const ContractionShape &shape, int64_t channels,
                           unsigned elementBytes) {
  int64_t rowBytes = kProducts * (channels + shape.panelColumns) * elementBytes;
  int64_t rows =
      std::clamp(tuning::kWinogradBytes / rowBytes, tuning::kLeastWinogradRows,
                 tuning::kMostWinogradRows);
  return llvm::alignTo(rows, shape.rows);
}

WinogradPlan::WinogradPlan(KernelFrame &frame, Contraction product)
    : frame(frame), contraction(std::move(product)),
      windows(*contraction.findWindows()), space(frame, contraction),
      filter(contraction.rhs.value.getDefiningOp<tgx::UnpackOp>()),
      type(contraction.accumulator),
      channels(*staticExtent(contraction.lhs.extents.back())),
      columns(*staticExtent(contraction.result.extents.back())),
      tiles(tilesOf(contraction)),
      rows(contraction.result.extents.front() * tiles[0] * tiles[1]),
      shape(shapeOf(frame, filter, rows, contraction.result.extents.back(),
                    contraction.lhs.extents.back())),
      blockRows(blockRowsOf(shape, channels, elementBytes(type))),
      ops(frame.builder, frame.loc) {}

WinogradCounts::WinogradCounts(const WinogradPlan &plan, EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  Value one = ops.constant(1), workers = entry.workers();
  units = ops.ceilDiv(entry.get(plan.rows), ops.constant(plan.shape.rows));
  panels =
      ops.constant(llvm::divideCeil(plan.columns, plan.shape.panelColumns));
  Value least = ops.max(
      one, ops.ceilDiv(units, ops.constant(plan.blockRows / plan.shape.rows)));
  // As many for each worker, where one has several.
  Value share = ops.ceilDiv(least, workers);
  Value even = ops.mul(share, ops.min(least, workers));
  Value rows = ops.max(one, ops.min(units, even));
  alongColumns = ops.max(one, ops.min(panels, ops.div(workers, rows)));
  // Few panels: smaller blocks for all workers.
  Value left = ops.min(units, ops.div(workers, alongColumns));
  alongRows = ops.max(rows, left);
}

//===----------------------------------------------------------------------===//
// WinogradLoops
//===----------------------------------------------------------------------===//

WinogradLoops::WinogradLoops(const WinogradPlan &plan,
                             const WinogradCounts &counts,
                             const WinogradScratch &scratch)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), scratch(scratch),
      input(frame.argument(cast<BlockArgument>(plan.contraction.lhs.value))),
      filter(frame.argument(
          cast<BlockArgument>(tgx::UnpackOp(plan.filter).getInput()))),
      elements(frame) {
  for (auto [number, axis] : llvm::enumerate(plan.windows.axes)) {
    inputExtents.push_back(
        frame.extent(plan.contraction.lhs.extents[number + 1]));
    resultExtents.push_back(
        frame.extent(plan.contraction.result.extents[number + 1]));
    offsets.push_back(axis.offset ? frame.extent(axis.offset)
                                  : ops.constant(0));
  }
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

WinogradLoops::Place WinogradLoops::placeOf(Value row) const {
  Value lines = frame.extent(plan.tiles[0]),
        columns = frame.extent(plan.tiles[1]);
  Value number = ops.add(firstRow, row);
  Value line = ops.div(number, columns);
  return {ops.div(line, lines), ops.rem(line, lines), ops.rem(number, columns)};
}

//===----------------------------------------------------------------------===//
// The lhs
//===----------------------------------------------------------------------===//

Value WinogradLoops::inputOffset(Value image, Value y, Value x) const {
  Value line = ops.add(ops.mul(image, inputExtents[0]), y);
  return ops.mul(ops.add(ops.mul(line, inputExtents[1]), x),
                 ops.constant(plan.channels));
}

/// The elements that a Winograd tile meets, transformed: read in place where
/// all are elements of the lhs.
void WinogradLoops::transformRow(Value row) const {
  Place place = placeOf(row);
  Value size = ops.constant(kPositions), reach = ops.constant(kInputs);
  SmallVector<Value, 2> first = {
      ops.add(ops.mul(place.line, size), offsets[0]),
      ops.add(ops.mul(place.column, size), offsets[1])};
  Value zero = ops.constant(0), isInside;
  for (auto [begin, extent] : llvm::zip_equal(first, inputExtents)) {
    Value above = ops.compare(arith::CmpIPredicate::sge, begin, zero);
    Value below =
        ops.compare(arith::CmpIPredicate::sle, ops.add(begin, reach), extent);
    Value inside = arith::AndIOp::create(builder, loc, above, below);
    isInside =
        isInside
            ? arith::AndIOp::create(builder, loc, isInside, inside).getResult()
            : inside;
  }
  auto branch = scf::IfOp::create(builder, loc, TypeRange(), isInside,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.elseBlock()->getTerminator());
    fillPatch(place, first);
  }
  auto select = [&](Value inside, Value outside) -> Value {
    return arith::SelectOp::create(builder, loc, isInside, inside, outside);
  };
  Value channels = ops.constant(plan.channels);
  Elements source = {
      select(addressOf(builder, loc, input,
                       inputOffset(place.image, first[0], first[1])),
             scratch.patch.pointer),
      plan.type};
  Value line = select(ops.mul(inputExtents[1], channels),
                      ops.constant(kInputs * plan.channels));
  unsigned lanes = plan.shape.lanes;
  buildFor(builder, loc, zero, channels, lanes, [&](Value channel) {
    SmallVector<Value> square;
    for (int64_t number = 0; number < kProducts; ++number) {
      Value at = ops.add(ops.mul(line, ops.constant(number / kInputs)),
                         ops.constant(number % kInputs * plan.channels));
      square.push_back(loadElements(builder, loc, source, ops.add(at, channel),
                                    {lanes, {}}));
    }
    Value target = ops.add(ops.mul(row, ops.constant(plan.pitch())), channel);
    for (auto [number, value] :
         llvm::enumerate(transformInput(builder, loc, square)))
      storeElements(
          builder, loc, scratch.inputs,
          ops.add(target, ops.constant(int64_t(number) * plan.inputSize())),
          value, {lanes, {}});
  });
}

/// Copies the elements, zeros where the lhs has none.
void WinogradLoops::fillPatch(const Place &place, ArrayRef<Value> first) const {
  Value zero = ops.constant(0), reach = ops.constant(kInputs),
        channels = ops.constant(plan.channels);
  auto within = [&](unsigned axis) -> std::pair<Value, Value> {
    Value begin = ops.min(reach, ops.max(zero, ops.sub(zero, first[axis])));
    Value end = ops.min(reach, ops.sub(inputExtents[axis], first[axis]));
    return {begin, ops.max(begin, end)};
  };
  auto [firstLine, endLine] = within(0);
  auto [firstColumn, endColumn] = within(1);
  auto fill = [&](Value line, Value begin, Value end) {
    Value at = ops.add(ops.mul(line, reach), begin);
    fillRow(frame, scratch.patch, ops.mul(at, channels),
            ops.mul(ops.sub(end, begin), channels), plan.shape.lanes);
  };
  auto fillLines = [&](Value begin, Value end) {
    buildFor(builder, loc, begin, end, 1,
             [&](Value line) { fill(line, zero, reach); });
  };
  fillLines(zero, firstLine);
  buildFor(builder, loc, firstLine, endLine, 1, [&](Value line) {
    fill(line, zero, firstColumn);
    Value source = inputOffset(place.image, ops.add(first[0], line),
                               ops.add(first[1], firstColumn));
    Value target = ops.add(ops.mul(line, reach), firstColumn);
    copyRow(frame, input, source, scratch.patch, ops.mul(target, channels),
            ops.mul(ops.sub(endColumn, firstColumn), channels),
            plan.shape.lanes);
    fill(line, endColumn, reach);
  });
  fillLines(endLine, reach);
}

//===----------------------------------------------------------------------===//
// The products
//===----------------------------------------------------------------------===//

void WinogradLoops::multiplyPanel(Value panel, Value width) const {
  Value full = ops.roundDown(rowCount, plan.shape.rows);
  buildFor(builder, loc, ops.constant(0), ops.constant(kProducts), 1,
           [&](Value product) {
             buildFor(
                 builder, loc, ops.constant(0), width,
                 plan.shape.groupColumns(), [&](Value column) {
                   multiplyRows(product, panel, column, ops.constant(0), full,
                                plan.shape.rows);
                   Value begin = full;
                   for (unsigned rows = llvm::bit_floor(plan.shape.rows - 1);
                        rows; rows /= 2) {
                     Value left = ops.sub(rowCount, begin);
                     Value end = ops.add(begin, ops.roundDown(left, rows));
                     multiplyRows(product, panel, column, begin, end, rows);
                     begin = end;
                   }
                 });
           });
}

/// One product for the rows in [begin, end) and a group of columns.
void WinogradLoops::multiplyRows(Value product, Value panel, Value column,
                                 Value begin, Value end, unsigned rows) const {
  const ContractionShape &shape = plan.shape;
  RegisterTile registers{rows, shape.vectors, shape.lanes};
  if (rows == shape.rows)
    registers.steps = tuning::kRoundSteps;
  Value width = ops.constant(shape.panelColumns),
        channels = ops.constant(plan.channels),
        pitch = ops.constant(plan.pitch());
  int64_t panels = llvm::divideCeil(plan.columns, shape.panelColumns);
  Value number = ops.add(ops.mul(product, ops.constant(panels)), panel);
  Matrix rhs{filter, ops.add(ops.mul(ops.mul(number, channels), width), column),
             width, ops.constant(1)};
  auto vector = VectorType::get({int64_t(shape.lanes)}, plan.type);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
  SmallVector<Value> start(registers.count(), zero);
  buildFor(builder, loc, begin, end, rows, [&](Value row) {
    Value from = ops.add(ops.mul(product, ops.constant(plan.inputSize())),
                         ops.mul(row, pitch));
    LeftRows lhs{{scratch.inputs, from, pitch, ops.constant(1)}};
    KExtent k{channels, std::gcd(plan.channels, tuning::kBlockUnit)};
    SmallVector<Value> sums =
        emitRegisterTile(builder, loc, registers, lhs, rhs, k, start);
    Value target = ops.add(ops.mul(product, ops.constant(plan.sumSize())),
                           ops.add(ops.mul(row, width), column));
    for (auto [index, sum] : llvm::enumerate(sums)) {
      int64_t shift = index / shape.vectors * shape.panelColumns +
                      index % shape.vectors * shape.lanes;
      storeElements(builder, loc, scratch.sums,
                    ops.add(target, ops.constant(shift)), sum,
                    {shape.lanes, {}});
    }
  });
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
void WinogradLoops::storeOutputs(const Place &place, Value begin, Value end) {
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
       size(kProducts * plan.channels),
       size(kPositions * kPositions * plan.shape.panelColumns)});
  auto elements = [&](unsigned number) {
    return Elements{memory[number], plan.type};
  };
  return {elements(0), elements(1), elements(2), elements(3)};
}

/// What the passes choose this for.
static bool isSupported(KernelFrame &frame, const Contraction &contraction) {
  unsigned lanes = frame.target.lanes(elementBytes(contraction.accumulator));
  std::optional<WindowedLhs> windows = contraction.findWindows();
  auto isWhole = [&](const ContractionTensor &tensor) {
    std::optional<int64_t> extent = staticExtent(tensor.extents.back());
    return extent && *extent % lanes == 0;
  };
  return lanes > 1 && windows && windows->axes.size() == 2 &&
         llvm::all_of(windows->axes,
                      [](const WindowAxis &axis) {
                        return axis.stride == 1 && axis.dilation == 1 &&
                               axis.divisor == 1;
                      }) &&
         isa<BlockArgument>(contraction.lhs.value) &&
         isWhole(contraction.lhs) && isWhole(contraction.result) &&
         frame.kernel.getBlock().getOps<ReductionOpInterface>().empty();
}

LogicalResult tg::emitWinograd(KernelFrame &frame, Contraction contraction) {
  if (!isSupported(frame, contraction))
    return frame.kernel.emitOpError()
           << "expected -O2, and a convolution of an argument in steps of one "
              "with channels in whole vectors, for a filter that was "
              "transformed ahead";
  WinogradPlan plan(frame, std::move(contraction));
  frame.setTiles([&](EntryExtents &entry) {
    WinogradCounts counts(plan, entry);
    return entry.integers().mul(counts.alongRows, counts.alongColumns);
  });
  WinogradCounts counts(plan, frame.entry);
  return WinogradLoops(plan, counts, takeScratch(plan)).emit();
}
