//===- ElementLoops.cpp - loops that store elements of outputs ------------===//
#include "compiler/codegen/cpu/elementwise/ElementLoops.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/NonTemporalStores.h"
#include "compiler/codegen/cpu/elementwise/TileGrid.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/Cost.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <memory>
#include <numeric>

using namespace mlir;
using namespace tg;

namespace {

/// Emits the loops of one kernel, or of one part of it.
class ElementLoops {
public:
  /// `space` is the iteration space of the outputs from `firstOutput` on.
  ElementLoops(KernelFrame &frame, ElementEmitter &elements,
               int64_t tileElements, const IterationSpace &space,
               ValueRange outputs, unsigned firstOutput);

  TileGrid grid(EntryExtents &entry);
  /// Emits the code of one tile of `grid`.
  LogicalResult emit(const TileGrid &tiles, Value tile);

private:
  unsigned chooseUnroll();
  LogicalResult emitRow(Value row, const TileGrid::Box &box);
  LogicalResult emitStep(ArrayRef<Value> outer, Value column, unsigned width,
                         unsigned copies);

  KernelFrame &frame;
  ElementEmitter &elements;
  int64_t tileElements;
  SmallVector<Value> outputs;
  unsigned firstOutput;
  IterationSpace space;
  /// The groups that form the rows (all but the last), and the group that forms
  /// the columns (the last).
  SmallVector<unsigned> rows, columns;
  unsigned lanes;
  NonTemporalStores nonTemporal;
};

} // namespace

/// Returns the row length of the outputs: the extent of the last group, or 0 if
/// all elements form one row.
static AffineExpr rowElements(KernelFrame &frame, const IterationSpace &space) {
  unsigned groups = space.getNumGroups();
  return groups > 1 ? space.getExtent(groups - 1)
                    : getAffineConstantExpr(0, frame.kernel.getContext());
}

ElementLoops::ElementLoops(KernelFrame &frame, ElementEmitter &elements,
                           int64_t tileElements, const IterationSpace &space,
                           ValueRange outputs, unsigned firstOutput)
    : frame(frame), elements(elements), tileElements(tileElements),
      outputs(outputs), firstOutput(firstOutput), space(space),
      lanes(chooseLanes(frame.kernel, frame.target)),
      nonTemporal(frame, lanes,
                  llvm::to_vector(llvm::seq<unsigned>(
                      firstOutput, firstOutput + outputs.size())),
                  rowElements(frame, space), /*canTest=*/true) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group)
    (group + 1 < space.getNumGroups() ? rows : columns).push_back(group);
}

/// Returns the tiles of the iteration space, whose last group forms the
/// columns.
TileGrid ElementLoops::grid(EntryExtents &entry) {
  IntegerOps ops = entry.integers();
  return TileGrid(ops, entry.get(space.getProduct(rows)),
                  entry.get(space.getProduct(columns)),
                  ops.constant(tileElements));
}

/// Returns the unroll factor. Only short bodies are unrolled, because their
/// loop overhead is measurable; polynomials would run out of registers.
unsigned ElementLoops::chooseUnroll() {
  auto ops = frame.kernel.getBlock().without_terminator();
  bool isShort =
      llvm::range_size(ops) <= tuning::kShortLoopOps &&
      llvm::none_of(ops, [](Operation &op) { return isExpensive(&op); });
  return lanes > 1 && isShort ? tuning::kShortLoopVectors : 1;
}

LogicalResult ElementLoops::emitStep(ArrayRef<Value> outer, Value column,
                                     unsigned width, unsigned copies) {
  IntegerOps ops = frame.integers();
  SmallVector<std::tuple<unsigned, Value, Value>> stores;
  for (unsigned copy = 0; copy < copies; ++copy) {
    SmallVector<Value> indices(outer);
    if (space.getNumGroups())
      indices.push_back(ops.add(column, ops.constant(copy * width)));
    Position position =
        space.position(indices, space.getNumGroups() - 1, width);
    for (auto [index, output] : llvm::enumerate(outputs)) {
      FailureOr<Value> value = elements.element(output, position, width);
      if (failed(value))
        return failure();
      stores.push_back(
          {firstOutput + index, *value, elements.offsetOf(output, position)});
    }
  }
  // All loads precede the stores, because an output may be the memory of an
  // argument.
  for (auto [index, value, offset] : stores)
    storeElements(
        frame.builder, frame.loc, frame.output(index), offset, value,
        {width, elements.mask},
        width == lanes && !elements.mask ? nonTemporal.alignmentOf(index) : 0);
  return success();
}

LogicalResult ElementLoops::emitRow(Value row, const TileGrid::Box &box) {
  SmallVector<Value> outer = space.split(row, rows);
  if (columns.empty())
    return emitStep(outer, {}, /*width=*/1, /*copies=*/1);
  int64_t divisor = std::gcd(space.getProduct(columns).getLargestKnownDivisor(),
                             tileElements);
  return emitVectorLoop(
      elements, box.columnBegin, box.columnEnd, lanes, chooseUnroll(),
      [&](Value column, unsigned width, unsigned copies) {
        return emitStep(outer, column, width, copies);
      },
      divisor);
}

LogicalResult ElementLoops::emit(const TileGrid &tiles, Value tile) {
  TileGrid::Box box = tiles.box(frame.integers(), tile);
  LogicalResult result = success();
  nonTemporal.emit([&] {
    if (space.getNumGroups() <= 1) {
      result = emitRow(box.rowBegin, box);
      return;
    }
    buildFor(frame.builder, frame.loc, box.rowBegin, box.rowEnd, 1,
             [&](Value row) { result = emitRow(row, box); });
  });
  return result;
}

LogicalResult tg::emitElementLoops(KernelFrame &frame, ElementEmitter &elements,
                                   int64_t tileElements) {
  ElementLoops loops(frame, elements, tileElements, makeElementSpace(frame),
                     frame.kernel.getOutputs(), /*firstOutput=*/0);
  frame.setTiles(
      [&](EntryExtents &entry) { return loops.grid(entry).getCount(); });
  return loops.emit(loops.grid(frame.entry), frame.tile);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// The loops of the parts of a kernel. The tiles of a part follow those of the
/// part before it.
class PartLoops {
public:
  PartLoops(KernelFrame &frame, int64_t tileElements);
  LogicalResult emit();

private:
  LogicalResult emit(ElementLoops &loops, Value &firstTile);

  KernelFrame &frame;
  std::vector<std::unique_ptr<ElementEmitter>> elements;
  std::vector<std::unique_ptr<ElementLoops>> parts;
};
} // namespace

PartLoops::PartLoops(KernelFrame &frame, int64_t tileElements) : frame(frame) {
  unsigned firstOutput = 0;
  for (const tgx::KernelPart &part : frame.kernel.divideIntoParts()) {
    elements.push_back(std::make_unique<ElementEmitter>(frame));
    parts.push_back(std::make_unique<ElementLoops>(
        frame, *elements.back(), tileElements,
        makeElementSpace(frame, part.ops, part.outputs.front()), part.outputs,
        firstOutput));
    firstOutput += part.outputs.size();
  }
}

/// Emits a part whose first tile is known, and advances to the next one.
LogicalResult PartLoops::emit(ElementLoops &loops, Value &firstTile) {
  TileGrid tiles = loops.grid(frame.entry);
  IntegerOps ops = frame.integers();
  Value tile = ops.sub(frame.tile, firstTile);
  Value isAfter = ops.compare(arith::CmpIPredicate::sge, tile, ops.constant(0));
  Value isBefore =
      ops.compare(arith::CmpIPredicate::slt, tile, tiles.getCount());
  auto branch = scf::IfOp::create(
      frame.builder, frame.loc,
      arith::AndIOp::create(frame.builder, frame.loc, isAfter, isBefore),
      /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  firstTile = frame.entry.integers().add(firstTile, tiles.getCount());
  return loops.emit(tiles, tile);
}

LogicalResult PartLoops::emit() {
  frame.setTiles([&](EntryExtents &entry) {
    Value count = entry.integers().constant(0);
    for (const auto &loops : parts)
      count = entry.integers().add(count, loops->grid(entry).getCount());
    return count;
  });
  Value firstTile = frame.entry.integers().constant(0);
  for (const auto &loops : parts)
    if (failed(emit(*loops, firstTile)))
      return failure();
  return success();
}

LogicalResult tg::emitPartLoops(KernelFrame &frame, int64_t tileElements) {
  return PartLoops(frame, tileElements).emit();
}
