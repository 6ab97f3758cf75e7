//===- FlowingValues.cpp - float values that a property reaches -----------===//
#include "compiler/transforms/gradient/FlowingValues.h"
#include "compiler/transforms/module/ActiveValues.h"

using namespace mlir;
using namespace tg;

FlowingValues::FlowingValues(Operation *scope, ValueRange start,
                             ArrayRef<std::string> names,
                             Propagates propagates) {
  values.insert_range(start);
  for (const std::string &name : names)
    variables.insert(name);
  while (isChanged) {
    isChanged = false;
    scope->walk([&](Operation *op) { visit(op, propagates); });
  }
}

void FlowingValues::add(Value value) {
  if (hasFloatElements(value))
    isChanged |= values.insert(value).second;
}

void FlowingValues::visit(Operation *op, Propagates propagates) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    if (variables.contains(read.getVariable()))
      add(read.getResult());
    return;
  }
  if (auto assign = dyn_cast<AssignOp>(op)) {
    if (contains(assign.getValue()))
      isChanged |= variables.insert(assign.getVariable()).second;
    return;
  }
  if (auto regions = dyn_cast<DifferentiableRegionOpInterface>(op)) {
    for (const ValueFlow &flow : regions.getValueFlows())
      copy(flow.from->get(), flow.to);
    return;
  }
  bool reached = llvm::any_of(op->getOperands(),
                              [&](Value value) { return contains(value); });
  if (propagates(op, reached))
    for (Value result : op->getResults())
      add(result);
}
