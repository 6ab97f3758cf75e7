//===- StateOps.cpp - variables, and the ops that access them -------------===//
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/control/StateOpsDefinitions.inc"

std::string tg::suggestVariable(Operation *op, StringRef name) {
  SmallVector<StringRef> known;
  if (auto module = op->getParentOfType<ModuleOp>())
    for (auto variable : module.getOps<VariableOp>())
      known.push_back(variable.getSymName());
  return suggestName(name, known);
}

/// Returns the variable with the given name. If there is none, reports C1 and
/// returns null.
static VariableOp findVariable(Operation *op, FlatSymbolRefAttr name,
                               SymbolTableCollection &symbols) {
  auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(op, name);
  if (!variable)
    op->emitOpError() << "expected " << name << " to name a variable"
                      << suggestVariable(op, name.getValue()) << " [C1]";
  return variable;
}

/// Checks C1 and C2 of read and assign.
static LogicalResult verifyAccess(Operation *op, FlatSymbolRefAttr name,
                                  Type type, SymbolTableCollection &symbols) {
  VariableOp variable = findVariable(op, name, symbols);
  if (!variable)
    return failure();
  if (variable.getType() == type)
    return success();
  return op->emitOpError() << "expected the type of " << name << " ("
                           << variable.getType() << "), found " << type
                           << " [C2]";
}

//===----------------------------------------------------------------------===//
// variable
//===----------------------------------------------------------------------===//

LogicalResult VariableOp::verify() {
  if (failed(verifyTensorType(*this, getType(), "the variable")))
    return failure();
  auto type = cast<RankedTensorType>(getType());
  if (!type.hasStaticShape())
    return emitOpError() << "expected a static type, found " << type << " [C1]";
  if (getTrainable() && !isa<FloatType>(type.getElementType()))
    return emitOpError() << "expected a trainable variable to be floating "
                            "point, found "
                         << type << " [C2]";
  return success();
}

LogicalResult VariableOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FlatSymbolRefAttr weight = getSlotOfAttr();
  if (!weight)
    return success();
  auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(*this, weight);
  if (variable && variable != *this && variable.getTrainable())
    return success();
  return emitOpError() << "expected slot_of to name another variable that is "
                          "trainable, found "
                       << weight
                       << (variable ? ""
                                    : suggestVariable(*this, weight.getValue()))
                       << " [C3]";
}

//===----------------------------------------------------------------------===//
// read
//===----------------------------------------------------------------------===//

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyAccess(*this, getVariableAttr(), getType(), symbols);
}

// The cotangent of the result belongs to the variable, which is no operand.
SmallVector<Value> ReadOp::buildGradient(OpBuilder &, ValueRange) { return {}; }

//===----------------------------------------------------------------------===//
// assign
//===----------------------------------------------------------------------===//

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyAccess(*this, getVariableAttr(), getValue().getType(), symbols);
}

//===----------------------------------------------------------------------===//
// update
//===----------------------------------------------------------------------===//

SmallVector<SmallVector<FlatSymbolRefAttr>> UpdateOp::getGroupSymbols() {
  return llvm::map_to_vector(getGroups(), [](Attribute group) {
    return llvm::to_vector(
        cast<ArrayAttr>(group).getAsRange<FlatSymbolRefAttr>());
  });
}

/// Checks C5: the body has only elementwise ops and constants, all of rank 0,
/// and uses only rank-0 values from outside.
static LogicalResult verifyBodyOp(UpdateOp update, Operation &op) {
  if (!isa<ElementwiseOpInterface, ConstantOp, YieldOp>(op))
    return update.emitOpError()
           << "expected only elementwise ops and constants in the body, found '"
           << op.getName() << "' [C5]";
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op.getOperandTypes()),
                                SmallVector<Type>(op.getResultTypes())))
    if (cast<RankedTensorType>(type).getRank() != 0)
      return update.emitOpError() << "expected only rank-0 values in the body, "
                                     "found "
                                  << type << " [C5]";
  return success();
}

/// Checks C4 and C5, except the element types, which follow from the variables.
static LogicalResult verifyBody(UpdateOp update, size_t variableCount) {
  Block &block = update.getBody().front();
  size_t argumentCount = variableCount + (update.getInputs().empty() ? 0 : 1);
  if (block.getNumArguments() != argumentCount)
    return update.emitOpError()
           << "expected " << argumentCount << " arguments of the body, found "
           << block.getNumArguments() << " [C4]";
  for (Type type : block.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != 0)
      return update.emitOpError() << "expected arguments of the body of rank "
                                     "0, found "
                                  << type << " [C4]";
  }
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != variableCount)
    return update.emitOpError()
           << "expected the body to yield " << variableCount
           << " values, found " << block.getTerminator()->getNumOperands()
           << " [C4]";
  for (Operation &op : block)
    if (failed(verifyBodyOp(update, op)))
      return failure();
  return success();
}

LogicalResult UpdateOp::verifyRegions() {
  if (getGroups().empty())
    return emitOpError() << "expected at least one group, found none [C1]";
  auto length = cast<ArrayAttr>(getGroups()[0]).size();
  for (Attribute group : getGroups())
    if (length == 0 || cast<ArrayAttr>(group).size() != length)
      return emitOpError()
             << "expected groups of one common length of at least 1, found "
             << length << " and " << cast<ArrayAttr>(group).size() << " [C1]";
  if (!getInputs().empty() && getInputs().size() != getGroups().size())
    return emitOpError() << "expected no input or one per group ("
                         << getGroups().size() << "), found "
                         << getInputs().size() << " [C3]";
  return verifyBody(*this, length);
}

/// Checks C2 for one group: its variables and input have the same shape. Checks
/// C4: the body's arguments and yielded values have the element types of the
/// variables and the input, in order.
static LogicalResult verifyGroup(UpdateOp update, ArrayRef<VariableOp> group,
                                 Value input) {
  SmallVector<Type> types;
  for (VariableOp variable : group)
    types.push_back(variable.getType());
  if (input)
    types.push_back(input.getType());
  auto first = cast<RankedTensorType>(types[0]);
  Block &block = update.getBody().front();
  for (auto [type, argument] : llvm::zip(types, block.getArguments())) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getShape() != first.getShape())
      return update.emitOpError() << "expected one shape in a group, found "
                                  << first << " and " << tensor << " [C2]";
    auto expected = RankedTensorType::get({}, tensor.getElementType());
    if (argument.getType() != expected)
      return update.emitOpError()
             << "expected argument " << argument.getArgNumber()
             << " of the body to be " << expected << ", found "
             << argument.getType() << " [C4]";
  }
  auto yield = cast<YieldOp>(block.getTerminator());
  for (auto [value, argument] :
       llvm::zip(yield.getValues(), block.getArguments()))
    if (value.getType() != argument.getType())
      return update.emitOpError()
             << "expected the body to yield " << argument.getType()
             << ", found " << value.getType() << " [C4]";
  return success();
}

LogicalResult UpdateOp::verifySymbolUses(SymbolTableCollection &symbols) {
  llvm::SmallDenseSet<Attribute> seen;
  SmallVector<Type> expected;
  for (auto [index, names] : llvm::enumerate(getGroupSymbols())) {
    SmallVector<VariableOp> group;
    for (FlatSymbolRefAttr name : names) {
      VariableOp variable = findVariable(*this, name, symbols);
      if (!variable)
        return failure();
      if (!seen.insert(name).second)
        return emitOpError() << "expected " << name << " to occur once [C1]";
      group.push_back(variable);
    }
    SmallVector<Type> types;
    for (VariableOp variable : group)
      types.push_back(getElementTypeOrSelf(variable.getType()));
    Value input = getInputs().empty() ? Value() : getInputs()[index];
    if (input)
      types.push_back(getElementTypeOrSelf(input.getType()));
    if (index == 0)
      expected = types;
    if (types != expected)
      return emitOpError() << "expected group " << index
                           << " to have the element types of group 0, found "
                           << TypeRange(types) << " and " << TypeRange(expected)
                           << " [C2]";
    if (failed(verifyGroup(*this, group, input)))
      return failure();
  }
  return success();
}
