//===- ActiveValues.cpp - values that depend on requested values ----------===//
#include "compiler/transforms/module/ActiveValues.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"

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

bool tg::passesCotangent(Operation *op, OpOperand &operand) {
  if (!hasFloatElements(operand.get()))
    return false;
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  return !rule || rule.passesGradient(operand.getOperandNumber());
}

void ActiveValues::visit(Operation *op) {
  if (isa<DifferentiableRegionOpInterface>(op))
    visitRegions(op);
  else if (!visitState(op, /*mayNotRun=*/false))
    visitPlain(op);
}

/// Repeats until nothing changes, because a value that one iteration makes
/// active may be an operand of the next one.
void ActiveValues::visitRegions(Operation *op) {
  do {
    isChanged = false;
    op->walk([&](Operation *inner, const WalkStage &stage) {
      if (auto regions = dyn_cast<DifferentiableRegionOpInterface>(inner)) {
        for (const ValueFlow &flow : regions.getValueFlows())
          if (isActive(flow.from->get()) && hasFloatElements(flow.to))
            activate(flow.to);
      } else if (stage.isAfterAllRegions() &&
                 !visitState(inner, /*mayNotRun=*/true)) {
        visitPlain(inner);
      }
    });
  } while (isChanged);
}

void ActiveValues::visitPlain(Operation *op) {
  bool reached = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isActive(operand.get()) && passesCotangent(op, operand);
  });
  if (!reached)
    return;
  for (Value result : op->getResults())
    if (hasFloatElements(result))
      activate(result);
}

bool ActiveValues::visitState(Operation *op, bool mayNotRun) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    Content content = contents[read.getVariable()];
    reads[op] = content;
    if (content.active)
      activate(read.getResult());
    return true;
  }
  if (auto assign = dyn_cast<AssignOp>(op)) {
    setContent(assign.getVariable(), op, isActive(assign.getValue()),
               mayNotRun);
    return true;
  }
  if (auto update = dyn_cast<UpdateOp>(op)) {
    visitUpdate(update, mayNotRun);
    return true;
  }
  // The ops in the body of an update are visited with the update.
  return isa_and_present<UpdateOp>(op->getParentOp());
}

void ActiveValues::setContent(StringRef variable, Operation *writer,
                              bool isActive, bool mayNotRun) {
  Content &content = contents[variable];
  bool wasActive = content.active;
  content = {writer, isActive || (mayNotRun && wasActive)};
  isChanged |= mayNotRun && content.active != wasActive;
}

void ActiveValues::visitUpdate(UpdateOp update, bool mayNotRun) {
  // The results of an update depend on all values that it reads.
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
      setContent(variable.getValue(), update, reached, mayNotRun);
}
