//===- ScatterKernel.cpp - sums into indexed places -----------------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "dialects/tg/IndexingOps.h"

using namespace mlir;
using namespace tg;

namespace {

/// One tile, so that every sum has the order of the updates.
class ScatterEmitter {
public:
  ScatterEmitter(KernelFrame &frame, ScatterOp op)
      : frame(frame), op(op), elements(frame), result(op.getResult()),
        memory(resultMemory(frame, result)),
        lanes(chooseLanes(frame.kernel, frame.target)) {}

  LogicalResult emit();

private:
  using RowStep = function_ref<LogicalResult(const Position &, unsigned width)>;
  LogicalResult forEachRow(Value tensor, unsigned vectorLanes, RowStep step);
  LogicalResult copyBase();
  LogicalResult addUpdates();
  Position placeOf(const Position &update);

  KernelFrame &frame;
  ScatterOp op;
  ElementEmitter elements;
  Value result;
  Elements memory;
  unsigned lanes;
};

} // namespace

/// Visits a tensor in row-major order, by vectors along its last dimension.
LogicalResult ScatterEmitter::forEachRow(Value tensor, unsigned vectorLanes,
                                         RowStep step) {
  IterationSpace space(frame, frame.extentsOf(tensor),
                       [](unsigned, unsigned) { return false; });
  SmallVector<unsigned> outer;
  for (unsigned group = 0; group < space.getNumGroups(); ++group)
    outer.push_back(group);
  Value zero = frame.integers().constant(0);
  if (outer.empty())
    return step(space.position({}, 0, 1), /*width=*/1);
  unsigned inner = outer.pop_back_val();
  LogicalResult status = success();
  buildFor(frame.builder, frame.loc, zero,
           frame.extent(space.getProduct(outer)), 1, [&](Value row) {
             SmallVector<Value> indices = space.split(row, outer);
             indices.push_back({});
             status = emitVectorLoop(
                 elements, zero, frame.extent(space.getExtent(inner)),
                 vectorLanes, /*unroll=*/1,
                 [&](Value column, unsigned width, unsigned) {
                   indices.back() = column;
                   return step(space.position(indices, inner, width), width);
                 });
           });
  return status;
}

LogicalResult ScatterEmitter::copyBase() {
  return forEachRow(result, lanes, [&](const Position &at, unsigned width) {
    FailureOr<Value> value = elements.element(op.getBase(), at, width);
    if (failed(value))
      return failure();
    storeElements(frame.builder, frame.loc, memory,
                  elements.offsetOf(result, at), *value,
                  {width, elements.mask});
    return success();
  });
}

/// Where an update goes. Updates have the base's dimensions before the axis,
/// those of the indices behind the batch, and the base's behind the axis.
Position ScatterEmitter::placeOf(const Position &update) {
  int64_t axis = op.getAxis(), batch = op.getBatchDims();
  int64_t picked = op.getIndices().getType().getRank() - batch;
  Position at, place;
  auto copy = [&](Position &into, int64_t first, int64_t last) {
    for (int64_t number = first; number < last; ++number) {
      into.index.push_back(update.index[number]);
      into.laneStep.push_back(update.laneStep[number]);
    }
  };
  copy(at, 0, batch);
  copy(at, axis, axis + picked);
  Value found = elements.elementOrZero(op.getIndices(), at, /*lanes=*/1);
  if (!found.getType().isInteger(64))
    found = arith::ExtSIOp::create(frame.builder, frame.loc,
                                   frame.builder.getI64Type(), found);
  copy(place, 0, axis);
  place.index.push_back(found);
  place.laneStep.push_back(0);
  copy(place, axis + picked, update.rank());
  return place;
}

LogicalResult ScatterEmitter::addUpdates() {
  // Lanes may not meet in one place: the last dimension that is more than one
  // element must not be picked.
  ArrayRef<AffineExpr> row = frame.extentsOf(op.getBase());
  bool hasRows =
      llvm::any_of(row.drop_front(op.getAxis() + 1),
                   [](AffineExpr extent) { return staticExtent(extent) != 1; });
  return forEachRow(
      op.getUpdates(), hasRows ? lanes : 1,
      [&](const Position &at, unsigned width) {
        Position place = placeOf(at);
        Value offset = elements.offsetOf(result, place);
        Lanes active{width, elements.mask};
        OpBuilder &builder = frame.builder;
        Value update = elements.elementOrZero(op.getUpdates(), at, width);
        Value sum = loadElements(builder, frame.loc, memory, offset, active);
        if (isa<FloatType>(getElementTypeOrSelf(result)))
          sum = arith::AddFOp::create(builder, frame.loc, sum, update);
        else
          sum = arith::AddIOp::create(builder, frame.loc, sum, update);
        storeElements(builder, frame.loc, memory, offset, sum, active);
        return failure(elements.hasFailed());
      });
}

LogicalResult ScatterEmitter::emit() {
  frame.setTiles(
      [](EntryExtents &entry) { return entry.integers().constant(1); });
  return success(succeeded(copyBase()) && succeeded(addUpdates()));
}

namespace {
struct ScatterKernel
    : CustomKernelOpInterface::ExternalModel<ScatterKernel, ScatterOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return ScatterEmitter(frame, cast<ScatterOp>(op)).emit();
  }
};
} // namespace

void tg::attachScatterKernel(MLIRContext *context) {
  ScatterOp::attachInterface<ScatterKernel>(*context);
}
