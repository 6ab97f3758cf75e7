//===- ScatterThreads.cpp - threads that own elements of a scatter --------===//
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tg;

namespace {

/// The number of threads of a launch: a few warps for each scheduler of a large
/// GPU, so that their loads overlap.
constexpr int64_t kThreads = 64 * 1024;

/// Emits a scatter. A column is the elements of the result along the axis. Each
/// column has owners, a power of two: the owner of an element is its index
/// modulo their number. An owner copies its elements of the base, then visits
/// all updates of the column in order and takes those of its elements, so that
/// every sum adds the updates in their order. Columns with few elements beside
/// them have many owners, which share the time of the updates; every owner
/// reads all indices. A thread works for owners that are `kThreads` apart.
class OwnedElements {
public:
  OwnedElements(ThreadFrame &frame, ScatterOp op);
  LogicalResult emit();

private:
  AffineExpr countThreads();
  void countOwners();
  void beginOwner(Value number);
  SmallVector<Value> split(Value linear, ArrayRef<AffineExpr> extents);
  Position elementAt(Value index);
  void copyBase();
  void copyBaseUnlessInPlace();
  Value indexOf(ValueRange place);
  Value add(Value lhs, Value rhs);
  void takeUpdate(Value update);

  ThreadFrame &frame;
  ScatterOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  Elements memory;
  /// The extents of the base before the axis, along it, and after it, and those
  /// of the updates of a column.
  ArrayRef<AffineExpr> outer, inner, places;
  AffineExpr length;
  /// The number of columns and of updates of each.
  AffineExpr columnCount, updateCount;
  /// The number of owners of a column, its binary logarithm, and the number
  /// less one.
  Value ownerCount, ownerShift, ownerMask;
  /// The owner whose elements are computed: its number, and the indices of its
  /// column before and after the axis.
  Value owner;
  SmallVector<Value> outerIndex, innerIndex;
};

} // namespace

OwnedElements::OwnedElements(ThreadFrame &frame, ScatterOp op)
    : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), elements(frame),
      memory(resultMemory(frame, op.getResult())) {
  MLIRContext *context = op.getContext();
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getBase());
  outer = extents.take_front(op.getAxis());
  length = extents[op.getAxis()];
  inner = extents.drop_front(op.getAxis() + 1);
  places = frame.extentsOf(op.getIndices()).drop_front(op.getBatchDims());
  columnCount = productOf(outer, context) * productOf(inner, context);
  updateCount = productOf(places, context);
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

/// Returns the number of threads, at most one for each element as far as the
/// extents are known.
AffineExpr OwnedElements::countThreads() {
  std::optional<int64_t> count =
      staticExtent(simplifyExtent(columnCount * length));
  return getAffineConstantExpr(count ? std::min(*count, kThreads) : kThreads,
                               op.getContext());
}

/// Computes the number of owners of a column: as many as there are threads for
/// it and elements in it, rounded down to a power of two.
void OwnedElements::countOwners() {
  Value one = ops.constant(1);
  Value threads =
      ops.div(ops.constant(kThreads), ops.max(frame.extent(columnCount), one));
  Value most = ops.max(ops.min(threads, frame.extent(length)), one);
  ownerShift = ops.sub(ops.constant(63),
                       math::CountLeadingZerosOp::create(builder, loc, most));
  ownerCount = arith::ShLIOp::create(builder, loc, one, ownerShift);
  ownerMask = ops.sub(ownerCount, one);
}

/// Returns the indices of an element of a row-major tensor.
SmallVector<Value> OwnedElements::split(Value linear,
                                        ArrayRef<AffineExpr> extents) {
  IntegerOps narrow = frame.indices();
  SmallVector<Value> indices(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    Value extent = frame.extent(extents[axis]);
    indices[axis] = axis ? narrow.rem(linear, extent) : linear;
    if (axis)
      linear = narrow.div(linear, extent);
  }
  return indices;
}

/// Begins the code for one owner. Threads with neighbouring numbers own
/// neighbouring elements.
void OwnedElements::beginOwner(Value number) {
  Value width = frame.extent(productOf(inner, op.getContext()));
  innerIndex = split(frame.indices().rem(number, width), inner);
  Value rest = frame.indices().div(number, width);
  owner = arith::AndIOp::create(builder, loc, rest, ownerMask);
  outerIndex =
      split(arith::ShRUIOp::create(builder, loc, rest, ownerShift), outer);
}

/// Returns the position of the element of the column with this index.
Position OwnedElements::elementAt(Value index) {
  Position position{outerIndex, {}};
  position.index.push_back(index);
  llvm::append_range(position.index, innerIndex);
  position.laneStep.assign(position.index.size(), 0);
  return position;
}

//===----------------------------------------------------------------------===//
// The base
//===----------------------------------------------------------------------===//

void OwnedElements::copyBase() {
  Value rest = ops.sub(ops.add(frame.extent(length), ownerMask), owner);
  Value count = arith::ShRUIOp::create(builder, loc, rest, ownerShift);
  buildFor(builder, loc, ops.constant(0), count, 1, [&](Value i) {
    Value index = ops.add(ops.mul(i, ownerCount), owner);
    Position position = elementAt(index);
    Value element = elements.elementOrZero(op.getBase(), position, /*lanes=*/1);
    storeElements(builder, loc, memory,
                  elements.offsetOf(op.getResult(), position), element,
                  Lanes());
  });
}

/// Copies the base unless the result is the memory of the base.
void OwnedElements::copyBaseUnlessInPlace() {
  auto argument = dyn_cast<BlockArgument>(op.getBase());
  if (!argument)
    return copyBase();
  auto addressOf = [&](const Elements &elements) -> Value {
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                    elements.pointer);
  };
  Value isOutOfPlace =
      ops.compare(arith::CmpIPredicate::ne, addressOf(frame.argument(argument)),
                  addressOf(memory));
  auto branch = scf::IfOp::create(builder, loc, isOutOfPlace,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  copyBase();
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Returns the index of an update, given the indices of its place.
Value OwnedElements::indexOf(ValueRange place) {
  Position position;
  llvm::append_range(position.index,
                     ArrayRef(outerIndex).take_front(op.getBatchDims()));
  llvm::append_range(position.index, place);
  position.laneStep.assign(position.index.size(), 0);
  Value index = elements.elementOrZero(op.getIndices(), position, /*lanes=*/1);
  if (index.getType().isInteger(64))
    return index;
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), index);
}

Value OwnedElements::add(Value lhs, Value rhs) {
  if (isa<FloatType>(memory.elementType))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

/// Combines an update of the column with its element if the owner has it.
void OwnedElements::takeUpdate(Value update) {
  SmallVector<Value> place = split(update, places);
  Value index = indexOf(place);
  Value isOwned =
      ops.compare(arith::CmpIPredicate::eq,
                  arith::AndIOp::create(builder, loc, index, ownerMask), owner);
  auto branch =
      scf::IfOp::create(builder, loc, isOwned, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  Position position{outerIndex, {}};
  llvm::append_range(position.index, place);
  llvm::append_range(position.index, innerIndex);
  position.laneStep.assign(position.index.size(), 0);
  Value value = elements.elementOrZero(op.getUpdates(), position, /*lanes=*/1);
  Value offset = elements.offsetOf(op.getResult(), elementAt(index));
  if (op.isSum())
    value = add(loadElements(builder, loc, memory, offset, Lanes()), value);
  storeElements(builder, loc, memory, offset, value, Lanes());
}

LogicalResult OwnedElements::emit() {
  AffineExpr threads = countThreads();
  Value number = frame.beginThread(threads);
  countOwners();
  Value owners = ops.mul(frame.extent(columnCount), ownerCount);
  int64_t step = *staticExtent(threads);
  buildFor(builder, loc, number, owners, std::max<int64_t>(step, 1),
           [&](Value each) {
             beginOwner(each);
             copyBaseUnlessInPlace();
             buildFor(builder, loc, ops.constant(0), frame.extent(updateCount),
                      1, [&](Value update) { takeUpdate(update); });
           });
  return failure(elements.hasFailed());
}

namespace {
struct ScatterThreads
    : CustomThreadsOpInterface::ExternalModel<ScatterThreads, ScatterOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    return OwnedElements(frame, cast<ScatterOp>(op)).emit();
  }
};
} // namespace

void tg::attachScatterThreads(MLIRContext *context) {
  ScatterOp::attachInterface<ScatterThreads>(*context);
}
