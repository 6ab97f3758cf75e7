//===- ActiveValues.cpp - what depends on the wanted values ---------------===//
#include "compiler/transforms/ActiveValues.h"
#include "dialects/tg/GradientOps.h"
#include "dialects/tg/StateOps.h"

using namespace mlir;
using namespace tg;

bool tg::hasFloatElements(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

ActiveValues::ActiveValues(GradientOp request) {
  active.insert_range(request.getValues());
  if (ArrayAttr variables = request.getVariablesAttr())
    for (auto variable : variables.getAsRange<FlatSymbolRefAttr>())
      contents[variable.getValue()].active = true;
  for (Operation &op : *request->getBlock()) {
    if (&op == request)
      break;
    visit(&op);
  }
}

/// Whether a cotangent of a result of `op` passes on to the operand. Ops
/// without a rule pass it on, so that it is seen to reach them.
static bool passes(Operation *op, OpOperand &operand) {
  if (!hasFloatElements(operand.get()))
    return false;
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  return !rule || rule.passesGradient(operand.getOperandNumber());
}

void ActiveValues::visit(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    Content content = contents[read.getVariable()];
    reads[op] = content;
    if (content.active)
      active.insert(read.getResult());
    return;
  }
  if (auto assign = dyn_cast<AssignOp>(op)) {
    contents[assign.getVariable()] = {op, isActive(assign.getValue())};
    return;
  }
  if (auto update = dyn_cast<UpdateOp>(op))
    return visitUpdate(update);
  bool reached = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isActive(operand.get()) && passes(op, operand);
  });
  if (!reached)
    return;
  for (Value result : op->getResults())
    if (hasFloatElements(result))
      active.insert(result);
}

void ActiveValues::visitUpdate(UpdateOp update) {
  // What an update computes depends on all it reads.
  bool reached = llvm::any_of(update.getInputs(),
                              [&](Value input) { return isActive(input); });
  update.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      reached |= isActive(operand);
  });
  for (ArrayRef<FlatSymbolRefAttr> group : update.getGroupSymbols())
    for (FlatSymbolRefAttr variable : group)
      reached |= contents[variable.getValue()].active;
  for (ArrayRef<FlatSymbolRefAttr> group : update.getGroupSymbols())
    for (FlatSymbolRefAttr variable : group)
      contents[variable.getValue()] = {update, reached};
}
