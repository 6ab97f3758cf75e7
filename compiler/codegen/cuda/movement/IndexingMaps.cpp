//===- IndexingMaps.cpp - the elements of values that outputs read --------===//
#include "compiler/codegen/cuda/movement/IndexingMaps.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tg;

/// Returns the operands of an elementwise op. Dimensions are aligned at the
/// last one, and those of extent 1 are broadcast.
static SmallVector<IndexedValue> mapAligned(Operation *op) {
  SmallVector<IndexedValue> operands;
  MLIRContext *context = op->getContext();
  unsigned rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
  for (Value operand : op->getOperands()) {
    ArrayRef<int64_t> shape = cast<ShapedType>(operand.getType()).getShape();
    SmallVector<AffineExpr> results;
    for (auto [axis, extent] : llvm::enumerate(shape))
      results.push_back(
          extent == 1 ? getAffineConstantExpr(0, context)
                      : getAffineDimExpr(axis + rank - shape.size(), context));
    operands.push_back({operand, AffineMap::get(rank, 0, results, context)});
  }
  return operands;
}

/// Returns a position as a map from `indices`, the arguments of a function.
/// Null if it is none.
static AffineMap mapOf(const Position &position, unsigned rank,
                       MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (Value index : position.index) {
    if (auto argument = dyn_cast<BlockArgument>(index))
      results.push_back(getAffineDimExpr(argument.getArgNumber(), context));
    else if (constantNumber(index) == 0)
      results.push_back(getAffineConstantExpr(0, context));
    else
      return {};
  }
  return AffineMap::get(rank, 0, results, context);
}

/// Returns the operand whose element is the result of an op. Runs the op's
/// element rule in a function of the result's indices and of one element of
/// each operand, which is erased.
static std::optional<IndexedValue> findMoved(KernelContext &context,
                                             ElementOpInterface op) {
  MLIRContext *mlir = op.getContext();
  unsigned rank = context.extentsOf(op->getResult(0)).size();
  SmallVector<Type> types(rank, IntegerType::get(mlir, 64));
  for (Value operand : op->getOperands())
    types.push_back(computeType(getElementTypeOrSelf(operand)));
  OpBuilder detached(mlir);
  OwningOpRef<func::FuncOp> function =
      func::FuncOp::create(detached, op.getLoc(), "rule",
                           detached.getFunctionType(types, TypeRange()));
  Block *entry = function->addEntryBlock();
  OpBuilder::InsertionGuard guard(context.builder);
  context.builder.setInsertionPointToEnd(entry);

  ElementEmitter elements(context);
  SmallVector<AffineMap> read(op->getNumOperands());
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    elements.provide(operand, [&, number](const Position &position, unsigned) {
      read[number] = mapOf(position, rank, mlir);
      return Value(entry->getArgument(rank + number));
    });
  Position position;
  llvm::append_range(position.index, entry->getArguments().take_front(rank));
  position.laneStep.assign(rank, 0);
  FailureOr<Value> element =
      elements.element(op->getResult(0), position, /*lanes=*/1);
  auto moved =
      succeeded(element) ? dyn_cast<BlockArgument>(*element) : BlockArgument();
  if (!moved || moved.getOwner() != entry || moved.getArgNumber() < rank)
    return std::nullopt;
  unsigned number = moved.getArgNumber() - rank;
  if (!read[number])
    return std::nullopt;
  return IndexedValue{op->getOperand(number), read[number]};
}

/// Returns the operands whose elements make an element of an op's results, by
/// the position of that element. None if the op is of neither kind.
static std::optional<SmallVector<IndexedValue>>
findOperandMaps(KernelContext &context, Operation *op) {
  if (isElementwise(op))
    return mapAligned(op);
  auto rule = dyn_cast<ElementOpInterface>(op);
  if (!rule || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<IndexedValue> moved = findMoved(context, rule);
  if (!moved)
    return std::nullopt;
  return SmallVector<IndexedValue>{*moved};
}

std::optional<SmallVector<IndexedValue>>
tg::findIndexingMaps(KernelContext &context) {
  OperandRange outputs = context.kernel.getOutputs();
  unsigned rank = context.extentsOf(outputs[0]).size();
  SmallVector<IndexedValue> values;
  auto add = [&](const IndexedValue &value) {
    if (!llvm::is_contained(values, value))
      values.push_back(value);
  };
  for (Value output : outputs)
    add({output, AffineMap::getMultiDimIdentityMap(rank, output.getContext())});
  Block &body = context.kernel.getBlock();
  // The uses of a value follow it, so that all its positions are known here.
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    auto operands = findOperandMaps(context, &op);
    if (!operands)
      return std::nullopt;
    SmallVector<IndexedValue> results =
        llvm::filter_to_vector(values, [&](const IndexedValue &value) {
          return value.value.getDefiningOp() == &op;
        });
    for (const IndexedValue &result : results)
      for (const IndexedValue &operand : *operands)
        add({operand.value, operand.map.compose(result.map)});
  }
  return values;
}
