//===- ScatterKernel.cpp - updates of indexed rows ------------------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits a scatter. A tile has some columns of all rows, so that every sum adds
/// the updates in their order. If the result is the memory of the base, only
/// the rows of the updates are accessed.
class ScatterEmitter {
public:
  ScatterEmitter(KernelFrame &frame, ScatterOp op)
      : frame(frame), op(op), elements(frame), result(op.getResult()),
        memory(resultMemory(frame, result)),
        lanes(chooseLanes(frame.kernel, frame.target)),
        hasRows(llvm::any_of(
            frame.extentsOf(op.getBase()).drop_front(op.getAxis() + 1),
            [](AffineExpr extent) { return staticExtent(extent) != 1; })) {}

  LogicalResult emit();

private:
  using RowStep = function_ref<LogicalResult(const Position &, unsigned width)>;
  void divideTiles();
  std::pair<Value, Value> columnsOfTile(Value extent);
  LogicalResult forEachRow(Value tensor, unsigned vectorLanes, RowStep step);
  LogicalResult copyBase();
  LogicalResult copyBaseUnlessInPlace();
  Value add(Value lhs, Value rhs);
  LogicalResult combineUpdates();
  Position targetOf(const Position &update);

  KernelFrame &frame;
  ScatterOp op;
  ElementEmitter elements;
  Value result;
  Elements memory;
  unsigned lanes;
  /// True if an index selects more than one element. Then lanes and tiles
  /// divide these elements, so that no two of them update the same element.
  bool hasRows;
};

} // namespace

/// Divides the last dimension with more than one element into tiles, unless the
/// indices select along it.
void ScatterEmitter::divideTiles() {
  AffineExpr columns = getAffineConstantExpr(1, op->getContext());
  if (hasRows)
    for (AffineExpr extent : frame.extentsOf(op.getBase()))
      if (staticExtent(extent) != 1)
        columns = extent;
  frame.setTiles([&](EntryExtents &entry) {
    IntegerOps ops = entry.integers();
    return ops.max(ops.constant(1),
                   entry.get(columns.ceilDiv(tuning::kTileColumns)));
  });
}

/// Returns the first column of the tile and the end of its columns.
std::pair<Value, Value> ScatterEmitter::columnsOfTile(Value extent) {
  IntegerOps ops = frame.integers();
  if (!hasRows)
    return {ops.constant(0), extent};
  Value step = ops.constant(tuning::kTileColumns);
  Value begin = ops.mul(frame.tile, step);
  return {begin, ops.min(extent, ops.add(begin, step))};
}

/// Visits a tensor in row-major order, with vectors along its last dimension.
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
             auto [begin, end] =
                 columnsOfTile(frame.extent(space.getExtent(inner)));
             status = emitVectorLoop(
                 elements, begin, end, vectorLanes, /*unroll=*/1,
                 [&](Value column, unsigned width, unsigned) {
                   indices.back() = column;
                   return step(space.position(indices, inner, width), width);
                 });
           });
  return status;
}

LogicalResult ScatterEmitter::copyBase() {
  return forEachRow(result, lanes,
                    [&](const Position &position, unsigned width) {
                      FailureOr<Value> value =
                          elements.element(op.getBase(), position, width);
                      if (failed(value))
                        return failure();
                      storeElements(frame.builder, frame.loc, memory,
                                    elements.offsetOf(result, position), *value,
                                    {width, elements.mask});
                      return success();
                    });
}

/// Copies the base unless the result is the memory of the base.
LogicalResult ScatterEmitter::copyBaseUnlessInPlace() {
  auto argument = dyn_cast<BlockArgument>(op.getBase());
  if (!argument)
    return copyBase();
  OpBuilder &builder = frame.builder;
  Type i64 = builder.getI64Type();
  auto addressOf = [&](const Elements &elements) -> Value {
    return LLVM::PtrToIntOp::create(builder, frame.loc, i64, elements.pointer);
  };
  Value isOutOfPlace = arith::CmpIOp::create(
      builder, frame.loc, arith::CmpIPredicate::ne,
      addressOf(frame.argument(argument)), addressOf(memory));
  auto branch = scf::IfOp::create(builder, frame.loc, isOutOfPlace,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return copyBase();
}

/// Returns the target position of an update. An update has the dimensions of
/// the base before the axis, the dimensions of the indices after the batch
/// dimensions, and the dimensions of the base after the axis.
Position ScatterEmitter::targetOf(const Position &update) {
  int64_t axis = op.getAxis();
  int64_t batch = op.getBatchDims();
  int64_t indexDims = op.getIndices().getType().getRank() - batch;
  Position indexPosition, target;
  auto copy = [&](Position &copied, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      copied.index.push_back(update.index[i]);
      copied.laneStep.push_back(update.laneStep[i]);
    }
  };
  copy(indexPosition, 0, batch);
  copy(indexPosition, axis, axis + indexDims);
  Value index =
      elements.elementOrZero(op.getIndices(), indexPosition, /*lanes=*/1);
  if (!index.getType().isInteger(64))
    index = arith::ExtSIOp::create(frame.builder, frame.loc,
                                   frame.builder.getI64Type(), index);
  copy(target, 0, axis);
  target.index.push_back(index);
  target.laneStep.push_back(0);
  copy(target, axis + indexDims, update.rank());
  return target;
}

Value ScatterEmitter::add(Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(result)))
    return arith::AddFOp::create(frame.builder, frame.loc, lhs, rhs);
  return arith::AddIOp::create(frame.builder, frame.loc, lhs, rhs);
}

LogicalResult ScatterEmitter::combineUpdates() {
  return forEachRow(
      op.getUpdates(), hasRows ? lanes : 1,
      [&](const Position &position, unsigned width) {
        Position target = targetOf(position);
        Value offset = elements.offsetOf(result, target);
        Lanes active{width, elements.mask};
        OpBuilder &builder = frame.builder;
        Value update = elements.elementOrZero(op.getUpdates(), position, width);
        if (op.isSum())
          update = add(loadElements(builder, frame.loc, memory, offset, active),
                       update);
        storeElements(builder, frame.loc, memory, offset, update, active);
        return failure(elements.hasFailed());
      });
}

LogicalResult ScatterEmitter::emit() {
  divideTiles();
  return success(succeeded(copyBaseUnlessInPlace()) &&
                 succeeded(combineUpdates()));
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
