//===- JoinedLoops.cpp - calls of loops as one call -----------------------===//
#include "compiler/transforms/schedule/JoinedLoops.h"
#include "compiler/transforms/fusion/KernelExtents.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"

using namespace mlir;
using namespace tg;

static bool isNumber(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 0;
}

SmallVector<AffineExpr> LoopCall::getSymbols() const {
  if (flat)
    return {count};
  return SmallVector<AffineExpr>(tgx::CallOp(call).getExtents().getResults());
}

/// Returns the variables whose content a call reads.
static SmallVector<Attribute> variablesReadBy(Operation *call) {
  SmallVector<Attribute> variables;
  for (Value input : call->getOperands())
    if (auto read = withoutViews(input).getDefiningOp<ReadOp>())
      variables.push_back(read.getVariableAttr());
  return variables;
}

/// Returns the variables to which results of a call are assigned.
static SmallVector<Attribute> variablesWrittenBy(Operation *call) {
  SmallVector<Attribute> variables;
  SmallVector<Value> values(call->getResults());
  for (unsigned index = 0; index < values.size(); ++index)
    for (Operation *user : values[index].getUsers()) {
      if (auto assign = dyn_cast<AssignOp>(user))
        variables.push_back(assign.getVariableAttr());
      if (isa<ViewOpInterface>(user))
        llvm::append_range(values, user->getResults());
    }
  return variables;
}

bool JoinedLoops::add(const LoopCall &loop, int64_t slots) {
  SmallVector<Attribute> reads = variablesReadBy(loop.call);
  SmallVector<Attribute> writes = variablesWrittenBy(loop.call);
  auto isRead = [&](Attribute variable) { return read.contains(variable); };
  auto isWritten = [&](Attribute variable) {
    return written.contains(variable);
  };
  if (llvm::any_of(reads, isWritten) || llvm::any_of(writes, isRead))
    return false;
  llvm::SetVector<Value> allNumbers = numbers;
  llvm::SetVector<AffineExpr> allSymbols = symbols;
  int64_t allBuffers = buffers + loop.call->getNumResults();
  for (Value input : loop.call->getOperands()) {
    if (loop.flat && isNumber(input))
      allNumbers.insert(input);
    else
      ++allBuffers;
  }
  for (AffineExpr symbol : loop.getSymbols())
    if (!isa<AffineConstantExpr>(symbol))
      allSymbols.insert(symbol);
  // The scratch memory, the report and the number of the launch have a slot
  // each.
  int64_t count = allBuffers + allNumbers.size() + allSymbols.size() + 3;
  if (count > slots)
    return false;
  calls.push_back(loop);
  numbers = std::move(allNumbers);
  symbols = std::move(allSymbols);
  buffers = allBuffers;
  read.insert_range(reads);
  written.insert_range(writes);
  return true;
}

namespace {
/// Builds the kernel of joined loops.
class KernelJoiner {
public:
  KernelJoiner(ArrayRef<LoopCall> calls, ArrayRef<AffineExpr> symbols,
               OpBuilder &builder);

  /// Returns the kernel, which is in no module yet.
  tgx::KernelOp getKernel() const { return kernel; }
  /// Returns the operands of its call.
  ArrayRef<Value> getInputs() const { return inputs; }

private:
  void add(const LoopCall &loop);
  void addArgument(const LoopCall &loop, unsigned index, IRMapping &values);
  void addOp(Operation &op, IRMapping &values);
  void finish(ArrayRef<LoopCall> calls);
  AffineMapAttr replaceSymbols(AffineMap map) const;

  OpBuilder &builder;
  tgx::KernelOp kernel;
  ArrayRef<AffineExpr> symbols;
  /// The values of the symbols of the loop that is added now.
  SmallVector<AffineExpr> replacements;
  SmallVector<Value> inputs, outputs;
  SmallVector<Attribute> extents, sizes;
  DenseMap<Value, Value> numbers;
  DenseMap<Attribute, Value> constants;
  /// The insertion points of constants and of other ops.
  OpBuilder front, back;
};
} // namespace

KernelJoiner::KernelJoiner(ArrayRef<LoopCall> calls,
                           ArrayRef<AffineExpr> symbols, OpBuilder &builder)
    : builder(builder), symbols(symbols), front(builder.getContext()),
      back(builder.getContext()) {
  SmallVector<Location> locations;
  for (LoopCall loop : calls)
    locations.push_back(loop.kernel.getLoc());
  LoopCall first = calls.front();
  std::string name =
      (first.kernel.getSymName() + "_and_" + Twine(calls.size() - 1) + "_more")
          .str();
  OpBuilder outside(builder.getContext());
  kernel = tgx::KernelOp::create(
      outside, builder.getFusedLoc(locations), name, tgx::Strategy::loop,
      symbols.size(), builder.getArrayAttr({}), builder.getArrayAttr({}),
      /*algorithm=*/nullptr, /*argument_rows=*/nullptr,
      /*output_rows=*/nullptr, /*non_temporal_outputs=*/nullptr,
      /*alignments=*/nullptr, /*parts=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  back.setInsertionPointToEnd(&body);
  tgx::YieldOp::create(back, kernel.getLoc(), ValueRange());
  front.setInsertionPointToStart(&body);
  for (const LoopCall &loop : calls)
    add(loop);
  finish(calls);
}

AffineMapAttr KernelJoiner::replaceSymbols(AffineMap map) const {
  return AffineMapAttr::get(simplifyAffineMap(
      map.replaceDimsAndSymbols({}, replacements, 0, symbols.size())));
}

void KernelJoiner::addArgument(const LoopCall &loop, unsigned index,
                               IRMapping &values) {
  tgx::KernelOp own = loop.getBody();
  BlockArgument argument = own.getBlock().getArgument(index);
  Value input = loop.call->getOperand(index);
  bool isShared = loop.flat && isNumber(input);
  if (Value known = isShared ? numbers.lookup(input) : Value())
    return values.map(argument, known);
  auto added =
      kernel.getBlock().addArgument(argument.getType(), argument.getLoc());
  values.map(argument, added);
  if (isShared)
    numbers[input] = added;
  extents.push_back(replaceSymbols(
      cast<AffineMapAttr>(own.getArgumentExtents()[index]).getValue()));
  Attribute size = own.getArgumentSizes()[index];
  if (auto map = dyn_cast<AffineMapAttr>(size))
    size = replaceSymbols(map.getValue());
  sizes.push_back(size);
  auto type = cast<RankedTensorType>(input.getType());
  if (loop.flat && !isShared && type.getRank() != 1)
    input = ReshapeOp::create(builder, input.getLoc(), input, ValueRange(),
                              SmallVector<int64_t>{type.getNumElements()});
  inputs.push_back(input);
}

/// Adds an op of a loop. Equal constants are added once.
void KernelJoiner::addOp(Operation &op, IRMapping &values) {
  bool isConstant = op.hasTrait<mlir::OpTrait::ConstantLike>();
  Attribute key =
      isConstant ? Attribute(op.getPropertiesAsAttribute()) : Attribute();
  if (Value known = key ? constants.lookup(key) : Value())
    return values.map(op.getResult(0), known);
  bool isFirst = op.getNumOperands() == 0;
  Operation *copy = (isFirst ? front : back).clone(op, values);
  if (key)
    constants[key] = copy->getResult(0);
  if (!isFirst && front.getInsertionPoint() == back.getInsertionPoint())
    front.setInsertionPoint(copy);
  for (NamedAttribute attribute : copy->getAttrs())
    if (auto map = dyn_cast<AffineMapAttr>(attribute.getValue()))
      copy->setAttr(attribute.getName(), replaceSymbols(map.getValue()));
}

void KernelJoiner::add(const LoopCall &loop) {
  replacements.clear();
  for (AffineExpr symbol : loop.getSymbols()) {
    auto known = llvm::find(symbols, symbol);
    replacements.push_back(
        known == symbols.end()
            ? symbol
            : builder.getAffineSymbolExpr(known - symbols.begin()));
  }
  IRMapping values;
  tgx::KernelOp own = loop.getBody();
  for (unsigned index = 0; index < own.getBlock().getNumArguments(); ++index)
    addArgument(loop, index, values);
  back.setInsertionPoint(kernel.getBlock().getTerminator());
  for (Operation &op : own.getBlock().without_terminator())
    addOp(op, values);
  for (Value output : own.getOutputs())
    outputs.push_back(values.lookup(output));
}

void KernelJoiner::finish(ArrayRef<LoopCall> calls) {
  kernel.getBlock().getTerminator()->setOperands(outputs);
  kernel.setArgumentExtentsAttr(builder.getArrayAttr(extents));
  kernel.setArgumentSizesAttr(builder.getArrayAttr(sizes));
  kernel.setParts(llvm::map_to_vector(calls, [](const LoopCall &loop) {
    return int64_t(loop.call->getNumResults());
  }));
}

/// Returns the type of a result of the joined call.
static Type joinedType(const LoopCall &loop, Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  return loop.flat && type.getRank() != 1
             ? flatType(type.getElementType(), type.getNumElements())
             : type;
}

/// Moves the ops that use results of `op`, also indirectly, and that stand
/// before it in its block, behind `last`, the last op that was made for `op`.
static void moveUsersBehind(Operation *op, Operation *last) {
  llvm::SetVector<Operation *> users;
  users.insert(op);
  for (unsigned index = 0; index < users.size(); ++index)
    for (Operation *user : users[index]->getUsers())
      if (user->getBlock() == op->getBlock())
        users.insert(user);
  SmallVector<Operation *> moved = llvm::filter_to_vector(
      users, [&](Operation *user) { return user->isBeforeInBlock(op); });
  llvm::sort(moved, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  for (Operation *user : llvm::reverse(moved))
    user->moveAfter(last);
}

void JoinedLoops::replace(SymbolTable &kernels) {
  if (calls.size() < 2)
    return;
  Operation *last = calls.front().call;
  SmallVector<Location> locations;
  SmallVector<Type> types;
  for (const LoopCall &loop : calls) {
    if (last->isBeforeInBlock(loop.call))
      last = loop.call;
    locations.push_back(loop.call->getLoc());
    for (Value result : loop.call->getResults())
      types.push_back(joinedType(loop, result));
  }
  OpBuilder builder(last);
  KernelJoiner joiner(calls, symbols.getArrayRef(), builder);
  StringAttr name = kernels.insert(joiner.getKernel());
  unsigned symbolCount = calls.front().call.getExtents().getNumSymbols();
  auto joined = tgx::CallOp::create(
      builder, builder.getFusedLoc(locations), types,
      FlatSymbolRefAttr::get(name), joiner.getInputs(),
      AffineMapAttr::get(AffineMap::get(0, symbolCount, symbols.getArrayRef(),
                                        builder.getContext())));
  ResultRange results = joined->getResults();
  for (const LoopCall &loop : calls)
    for (Value old : loop.call->getResults()) {
      Value result = results.front();
      results = results.drop_front();
      if (result.getType() != old.getType())
        result = ReshapeOp::create(
            builder, old.getLoc(), result, ValueRange(),
            SmallVector<int64_t>(
                cast<RankedTensorType>(old.getType()).getShape()));
      old.replaceAllUsesWith(result);
    }
  moveUsersBehind(joined, builder.getInsertionPoint()->getPrevNode());
  for (const LoopCall &loop : calls)
    loop.call->erase();
}
