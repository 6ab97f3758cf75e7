//===- ConstantOps.cpp - single ops on known operands ---------------------===//
#include "compiler/reference/ConstantOps.h"
#include "compiler/reference/ElementRule.h"
#include "compiler/reference/Reference.h"
#include "dialects/tg/evaluation/ExactEvaluation.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tg;

namespace {
/// Evaluates an op as the only one of a function.
struct ReferenceOfOp : ExactEvaluation {
  explicit ReferenceOfOp(Dialect *dialect) : ExactEvaluation(dialect) {}

  std::string evaluate(EvaluableOpInterface op, ArrayRef<HostTensor> operands,
                       MutableArrayRef<HostTensor> results) const override {
    OwningOpRef<ModuleOp> module(ModuleOp::create(op->getLoc()));
    OpBuilder builder(module->getBodyRegion());
    auto function = func::FuncOp::create(
        builder, op->getLoc(), "op",
        builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping values;
    values.map(op->getOperands(), function.getArguments());
    Operation *copy = builder.clone(*op, values);
    func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
    Reference reference(*module);
    SmallVector<HostTensor> computed;
    std::string error = reference.run(function, operands, computed);
    if (error.empty())
      llvm::move(computed, results.begin());
    return error;
  }
};
} // namespace

void tg::attachExactEvaluation(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TgDialect *dialect) {
    loadScalarDialects(context);
    dialect->addInterfaces<ReferenceOfOp>();
  });
}
