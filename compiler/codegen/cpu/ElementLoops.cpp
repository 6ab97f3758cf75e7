//===- ElementLoops.cpp - loops that store elements of outputs ------------===//
#include "compiler/codegen/cpu/ElementLoops.h"
#include "compiler/codegen/cpu/IterationSpace.h"
#include "compiler/codegen/cpu/TileGrid.h"
#include "compiler/codegen/cpu/VectorLoop.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits the loops of one kernel.
class ElementLoops {
public:
  ElementLoops(ElementEmitter &elements, int64_t tileElements)
      : frame(elements.frame), elements(elements), tileElements(tileElements),
        outputs(frame.kernel.getOutputs()),
        space(frame, frame.extentsOf(outputs[0]), joinableValues()),
        lanes(chooseLanes(frame.kernel, frame.target)) {}

  LogicalResult emit();

private:
  std::optional<ArrayRef<Value>> joinableValues();
  unsigned chooseUnroll();
  LogicalResult emitRow(Value row, const TileGrid::Box &box);
  LogicalResult emitStep(ArrayRef<Value> outer, Value column, unsigned width,
                         unsigned copies);
  TileGrid grid(EntryExtents &entry);

  KernelFrame &frame;
  ElementEmitter &elements;
  int64_t tileElements;
  SmallVector<Value> outputs;
  SmallVector<Value> bodyValues;
  IterationSpace space;
  unsigned lanes;
};

} // namespace

/// All values of the body when every op is elementwise: then they share one
/// iteration space and its dimensions may be joined.
std::optional<ArrayRef<Value>> ElementLoops::joinableValues() {
  Block &body = frame.kernel.getBlock();
  llvm::append_range(bodyValues, body.getArguments());
  for (Operation &op : body.without_terminator()) {
    auto rule = dyn_cast<ElementOpInterface>(&op);
    bool isSplat = op.hasTrait<mlir::OpTrait::ConstantLike>();
    if (!isSplat && !(rule && rule.isElementwise()))
      return std::nullopt;
    llvm::append_range(bodyValues, op.getResults());
  }
  return ArrayRef<Value>(bodyValues);
}

/// The iteration space as rows of its last group.
TileGrid ElementLoops::grid(EntryExtents &entry) {
  unsigned groups = space.getNumGroups();
  AffineExpr columns = space.getProduct(groups ? groups - 1 : 0, groups);
  AffineExpr rows = space.getProduct(0, groups ? groups - 1 : 0);
  return TileGrid(entry.integers(), entry.get(rows), entry.get(columns),
                  tileElements);
}

/// Short bodies leave the loop's own work visible.
unsigned ElementLoops::chooseUnroll() {
  unsigned ops = llvm::range_size(frame.kernel.getBlock().without_terminator());
  return lanes > 1 && ops <= 8 ? 2 : 1;
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
    for (auto [number, output] : llvm::enumerate(outputs)) {
      FailureOr<Value> value = elements.element(output, position, width);
      if (failed(value))
        return failure();
      stores.push_back({number, *value, elements.offsetOf(output, position)});
    }
  }
  // All loads stand before: an output may be an argument's memory.
  for (auto [number, value, offset] : stores)
    storeElements(frame.builder, frame.loc, frame.output(number), offset, value,
                  {width, elements.mask});
  return success();
}

LogicalResult ElementLoops::emitRow(Value row, const TileGrid::Box &box) {
  unsigned groups = space.getNumGroups();
  SmallVector<Value> outer;
  if (groups > 1)
    outer = space.split(row, 0, groups - 1);
  if (groups == 0)
    return emitStep(outer, {}, /*width=*/1, /*copies=*/1);
  return emitVectorLoop(elements, box.columnBegin, box.columnEnd, lanes,
                        chooseUnroll(),
                        [&](Value column, unsigned width, unsigned copies) {
                          return emitStep(outer, column, width, copies);
                        });
}

LogicalResult ElementLoops::emit() {
  frame.setTiles([&](EntryExtents &entry) { return grid(entry).getCount(); });
  TileGrid tiles = grid(frame.entry);
  TileGrid::Box box = tiles.box(frame.integers(), frame.tile);
  if (space.getNumGroups() <= 1)
    return emitRow(box.rowBegin, box);
  LogicalResult result = success();
  buildFor(frame.builder, frame.loc, box.rowBegin, box.rowEnd, 1,
           [&](Value row) { result = emitRow(row, box); });
  return result;
}

LogicalResult tg::emitElementLoops(ElementEmitter &elements,
                                   int64_t tileElements) {
  return ElementLoops(elements, tileElements).emit();
}
