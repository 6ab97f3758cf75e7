//===- OpReference.cpp - the exact bits of a single op --------------------===//
#include "compiler/reference/OpReference.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tg;

OpReference::OpReference(Operation *op)
    : module(ModuleOp::create(op->getLoc())) {
  OpBuilder builder(module->getBodyRegion());
  function = func::FuncOp::create(
      builder, op->getLoc(), "op",
      builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping values;
  values.map(op->getOperands(), function.getArguments());
  Operation *copy = builder.clone(*op, values);
  func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
  reference.emplace(*module);
}

std::string OpReference::evaluate(ArrayRef<HostTensor> operands,
                                  SmallVectorImpl<HostTensor> &results) {
  return reference->run(function, operands, results);
}
