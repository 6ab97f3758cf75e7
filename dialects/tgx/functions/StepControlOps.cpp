//===- StepControlOps.cpp - loops and branches of functions ---------------===//
#include "dialects/tgx/verification/Verification.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// Common code
//===----------------------------------------------------------------------===//

/// Checks rule C1: the flag of a loop or branch is a boolean scalar.
static LogicalResult verifyFlag(Operation *op, Value flag) {
  auto type = cast<RankedTensorType>(flag.getType());
  if (type.getRank() == 0 && type.getElementType().isInteger(1))
    return success();
  return op->emitOpError() << "expected a flag of tensor<i1>, found " << type
                           << " [C1]";
}

/// Checks rule C5: only certain ops are allowed in the blocks of a loop or
/// branch. Other buffers do not depend on the iteration, so they are declared
/// outside.
static LogicalResult verifyBlocks(Operation *op) {
  auto function = op->getParentOfType<FunctionOp>();
  for (Region &region : op->getRegions())
    for (Operation &inner : region.front()) {
      if (!isa<ViewOp, PartOp, ElementOp, StepOpInterface, EntryCheckOp>(inner))
        return inner.emitOpError()
               << "expected views, parts, elements, steps and entry checks in "
                  "a loop or branch, found another op [C5]";
      if (function &&
          failed(verifySymbols(&inner, function.countUncomputed(), "C5")))
        return failure();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// for, while, if
//===----------------------------------------------------------------------===//

LogicalResult ForOp::verify() {
  return verifyNumber(*this, getCount(), "count", "C1");
}

LogicalResult ForOp::verifyRegions() { return verifyBlocks(*this); }

OperandRange ForOp::getSources() { return getOperation()->getOperands(); }

OperandRange ForOp::getTargets() { return getOperation()->getOperands(); }

LogicalResult WhileOp::verify() { return verifyFlag(*this, getFlag()); }

LogicalResult WhileOp::verifyRegions() { return verifyBlocks(*this); }

OperandRange WhileOp::getSources() { return getOperation()->getOperands(); }

OperandRange WhileOp::getTargets() {
  return getOperation()->getOperands().drop_front();
}

LogicalResult IfOp::verify() { return verifyFlag(*this, getFlag()); }

LogicalResult IfOp::verifyRegions() { return verifyBlocks(*this); }

OperandRange IfOp::getSources() { return getOperation()->getOperands(); }

OperandRange IfOp::getTargets() {
  return getOperation()->getOperands().drop_front();
}

//===----------------------------------------------------------------------===//
// element, swap
//===----------------------------------------------------------------------===//

LogicalResult ElementOp::verify() {
  if (failed(verifyNumber(*this, getBytes(), "bytes", "C2")))
    return failure();
  auto whole = cast<RankedTensorType>(getSource().getType());
  auto element = cast<RankedTensorType>(getBuffer().getType());
  bool fits = isa<ForOp>((*this)->getParentOp()) &&
              whole.getElementType() == element.getElementType() &&
              whole.getRank() == element.getRank() + 1 &&
              succeeded(verifyCompatibleShape(whole.getShape().drop_front(),
                                              element.getShape()));
  if (fits)
    return success();
  return emitOpError() << "expected an element of " << whole
                       << " in a loop, found " << element << " [C1]";
}

AffineExpr ElementOp::countBytes() { return getBytes().getResult(0); }

OperandRange SwapOp::getSources() { return getOperation()->getOperands(); }

OperandRange SwapOp::getTargets() { return getOperation()->getOperands(); }
