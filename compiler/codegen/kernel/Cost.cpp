//===- Cost.cpp - how much work an op is for a register -------------------===//
#include "compiler/codegen/kernel/Cost.h"
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;

bool tg::isExpensive(Operation *op) {
  auto rule = dyn_cast<ElementwiseOpInterface>(op);
  if (!rule)
    return false;
  // The op itself says what it is made of: built in a block that is thrown
  // away.
  Block scratch;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&scratch);
  SmallVector<Value> operands;
  for (Type type : op->getOperandTypes())
    operands.push_back(scratch.addArgument(
        registerType(getElementTypeOrSelf(type)), op->getLoc()));
  rule.buildScalar(builder, op->getLoc(), operands);
  return llvm::any_of(scratch, [](Operation &part) {
    return isa<math::ExpOp, math::ExpM1Op, math::LogOp, math::Log1pOp,
               math::TanhOp, math::ErfOp, math::PowFOp>(part);
  });
}
